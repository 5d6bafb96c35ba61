//! Boards as SVG: coordinates, highlighted squares, men drawn with paths.
//!
//! The picture needs no fonts but for the coordinates, and reads on light and dark pages: the
//! page shows through, the squares have colours of their own, every man has an outline of the
//! other colour, and the texts follow the page's colour scheme. Highlighted squares differ in
//! shape as well as in colour.

use std::fmt::{self, Write};

use tabiya::{Color, File, Piece, Rank, Role, Square};

use super::board::{Diagram, in_a_row};

/// The side of a square.
const SQUARE: usize = 45;
/// The side of a board.
const BOARD: usize = 8 * SQUARE;
/// Room for the coordinates, left and below.
const MARGIN: usize = 20;
/// Room for a title above.
const TITLE: usize = 26;
/// Room between boards.
const GAP: usize = 16;
/// How many boards stand in a row.
const IN_A_ROW: usize = 3;

const STYLE: &str = "\
.l{fill:#e8edf3}.d{fill:#93a8bd}\
.m{fill:#ffc62e;fill-opacity:.72;stroke:#b35900;stroke-width:3}\
.w{fill:#fff;stroke:#1c1c1c}.b{fill:#2a2a2a;stroke:#f6f6f6}\
.w,.b{stroke-width:1.4;stroke-linejoin:round;stroke-linecap:round}\
.e{fill:none;stroke:#60707f}\
text{fill:#3a4550;font:13px system-ui,sans-serif}\
.t{font:600 15px ui-monospace,monospace}\
@media (prefers-color-scheme:dark){\
.l{fill:#b4c0cc}.d{fill:#64788c}.e{stroke:#9fb0c0}text{fill:#d3dbe3}}";

/// The outline of a man in a square of 45, and finer lines upon it.
const fn shape(role: Role) -> &'static str {
    match role {
        Role::Pawn => {
            r#"<path d="M22.5 8.5a5.5 5.5 0 0 1 3.6 9.6h2.4v3h-2.6c.5 6 2.2 9.4 6.1 12v3.9h-19v-3.9c3.9-2.6 5.6-6 6.1-12h-2.6v-3h2.4a5.5 5.5 0 0 1 3.6-9.6z"/>"#
        }
        Role::Knight => {
            r#"<path d="M15 37c0-7 8-9 8-15.5c-2 2-4 3-6.5 3.3c-1.5 2.2-3 3.7-5 3.7c-2.5 0-4-2-3.5-4.5l5.5-9c.6-2.2 1.5-3.8 3-5l.5-4 3.5 3c9 .5 14.5 8 14.5 19c0 3.5-.5 6.5-1 9z"/><path fill="none" d="M17.3 15.2v.6M11 24l-.3.5"/>"#
        }
        Role::Bishop => {
            r#"<path d="M22.5 6.5a2.6 2.6 0 0 1 1.9 4.4c4.6 3.4 7.6 7.6 7.6 11.6c0 3-1.6 5-4 6.3l1 3.2h4v5h-21v-5h4l1-3.2c-2.4-1.3-4-3.3-4-6.3c0-4 3-8.2 7.6-11.6a2.6 2.6 0 0 1 1.9-4.4z"/><path fill="none" d="M22.5 15.5v8M18.5 19.5h8M17 28.8h11"/>"#
        }
        Role::Rook => {
            r#"<path d="M11 8h5v4h4V8h5v4h4V8h5v9l-3.5 3.5V30l3.5 3v4H11v-4l3.5-3v-9.5L11 17z"/><path fill="none" d="M14.5 20.5h16M14.5 30h16"/>"#
        }
        Role::Queen => {
            r#"<path d="M8 13l5.5 8.5L15 9.5l6 11 1.5-12 1.5 12 6-11 1.5 12L37 13l-4 17v7H12v-7z"/><circle cx="8" cy="12" r="2"/><circle cx="15" cy="8.5" r="2"/><circle cx="22.5" cy="7.5" r="2"/><circle cx="30" cy="8.5" r="2"/><circle cx="37" cy="12" r="2"/><path fill="none" d="M12.5 31h20"/>"#
        }
        Role::King => {
            r#"<path d="M21 5h3v3h3v3h-3v3.5c1.5.3 2.8 1 3.7 2.2c2-1.6 8.8-1.7 8.8 4.8c0 4.5-3.5 6.5-4.5 9.5v6h-19v-6c-1-3-4.5-5-4.5-9.5c0-6.5 6.8-6.4 8.8-4.8c.9-1.2 2.2-1.9 3.7-2.2V11h-3V8h3z"/><path fill="none" d="M13 31h19M22.5 20v6"/>"#
        }
    }
}

/// A picture of several boards, as a whole file.
pub(crate) struct Picture<'a> {
    pub(crate) diagrams: &'a [Diagram],
    /// What the picture shows, for those who cannot see it.
    pub(crate) description: String,
}

impl fmt::Display for Picture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.diagrams.len();
        let columns = in_a_row(count, IN_A_ROW);
        let title = if self.diagrams.iter().any(|diagram| diagram.title.is_some()) {
            TITLE
        } else {
            GAP / 2
        };
        let (cell_width, cell_height) = (MARGIN + BOARD + GAP, title + BOARD + MARGIN);
        let (width, height) =
            (columns * cell_width, count.div_ceil(columns) * cell_height + GAP / 2);
        writeln!(
            f,
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">"#
        )?;
        writeln!(f, "<title>{}</title>", Escaped(&self.description))?;
        writeln!(f, "<style>{STYLE}</style>")?;
        f.write_str("<defs>")?;
        for role in Role::ALL {
            write!(f, r#"<g id="tabiya-{}">{}</g>"#, role.letter(), shape(role))?;
        }
        writeln!(f, "</defs>")?;
        for (index, diagram) in self.diagrams.iter().enumerate() {
            let x = index % columns * cell_width + MARGIN;
            let y = index / columns * cell_height + title;
            writeln!(f, r#"<g transform="translate({x} {y})">"#)?;
            write_board(diagram, f)?;
            writeln!(f, "</g>")?;
        }
        writeln!(f, "</svg>")
    }
}

fn write_board(diagram: &Diagram, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if let Some(title) = &diagram.title {
        writeln!(f, r#"<text class="t" x="0" y="-9">{}</text>"#, Escaped(title))?;
    }
    // One square of the light colour, with the dark squares on it.
    write!(f, r#"<path class="l" d="M0 0h{BOARD}v{BOARD}h-{BOARD}z"/><path class="d" d=""#)?;
    for square in Square::ALL.into_iter().filter(|square| !square.is_light()) {
        let (x, y) = corner(square);
        write!(f, "M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z")?;
    }
    writeln!(f, r#""/><path class="e" d="M0 0h{BOARD}v{BOARD}h-{BOARD}z"/>"#)?;
    for square in diagram.marked {
        let (x, y) = corner(square);
        let (x, y, side) = (x + 3, y + 3, SQUARE - 6);
        writeln!(f, r#"<rect class="m" x="{x}" y="{y}" width="{side}" height="{side}" rx="7"/>"#)?;
    }
    for (square, Piece { color, role }) in diagram.board.iter() {
        let class = match color {
            Color::White => 'w',
            Color::Black => 'b',
        };
        let (x, y) = corner(square);
        let letter = role.letter();
        writeln!(f, r##"<use class="{class}" href="#tabiya-{letter}" x="{x}" y="{y}"/>"##)?;
    }
    for rank in Rank::ALL {
        let y = corner(Square::new(File::A, rank)).1 + SQUARE / 2 + 5;
        write!(f, r#"<text x="-13" y="{y}">{rank}</text>"#)?;
    }
    for file in File::ALL {
        let x = corner(Square::new(file, Rank::First)).0 + SQUARE / 2;
        let y = BOARD + 15;
        write!(f, r#"<text x="{x}" y="{y}" text-anchor="middle">{file}</text>"#)?;
    }
    f.write_char('\n')
}

/// The left upper corner of a square.
const fn corner(square: Square) -> (usize, usize) {
    (square.file() as usize * SQUARE, (7 - square.rank() as usize) * SQUARE)
}

/// Text between tags.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in self.0.chars() {
            match letter {
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '&' => f.write_str("&amp;")?,
                _ => f.write_char(letter)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya::{Bitboard, Board};

    fn picture(titles: &[&str]) -> String {
        let diagrams: Vec<Diagram> = titles
            .iter()
            .map(|title| Diagram {
                title: Some((*title).to_owned()),
                board: Board::START,
                marked: Rank::Third.bitboard() | Bitboard(1),
            })
            .collect();
        Picture { diagrams: &diagrams, description: "a & b".to_owned() }.to_string()
    }

    #[test]
    fn every_man_and_mark_is_drawn() {
        let text = picture(&["<x>"]);
        assert_eq!(text.matches("<use ").count(), 32);
        assert_eq!(text.matches(r#"<rect class="m""#).count(), 9);
        assert_eq!(text.matches("<text ").count(), 17);
        assert!(text.contains("&lt;x&gt;") && text.contains("<title>a &amp; b</title>"));
        // a1 is at the left below, and dark.
        assert!(text.contains(r##"<use class="w" href="#tabiya-r" x="0" y="315"/>"##));
        assert!(text.contains("M0 315h45"));
    }

    #[test]
    fn tags_close() {
        let text = picture(&["a", "b", "c", "d"]);
        for tag in ["svg", "g", "defs", "style", "title", "text"] {
            let opened = text.matches(&format!("<{tag}>")).count()
                + text.matches(&format!("<{tag} ")).count();
            assert_eq!(opened, text.matches(&format!("</{tag}>")).count(), "{tag}");
        }
    }
}
