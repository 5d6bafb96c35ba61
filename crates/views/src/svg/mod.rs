//! Boards as SVG: one or several boards in a picture, with layers, arrows and the last move.
//!
//! A [`Picture`] displays as a whole file. The same picture always gives the same text. It has a
//! background of its own unless it is [transparent](Picture::is_transparent); a transparent one is
//! readable on light and dark pages. Text is escaped, and `title` and `desc` describe the picture
//! for people who cannot see it. The style rules are limited to the class `tabiya`, so a picture
//! can be part of an HTML page.
//!
//! ```
//! use tabiya::{Board, Square};
//! use tabiya_views::{Arrow, Diagram, svg::Picture};
//! let diagram = Diagram {
//!     arrows: vec![Arrow::parse("g1f3:blue").unwrap()],
//!     last_move: Some((Square::E7, Square::E5)),
//!     is_flipped: true,
//!     ..Diagram::new(Board::START)
//! };
//! let picture = Picture::new(vec![diagram], "The start").to_string();
//! assert!(picture.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" "));
//! assert!(picture.contains("<title>The start</title>"));
//! ```

mod arrows;
mod pieces;

pub use pieces::shape;

use std::fmt::{self, Write};

use tabiya::{Color, Piece, Role, Square};

use crate::Diagram;
use crate::diagram::diagrams_per_row;

/// The side of a square.
const SQUARE: usize = 45;
/// The side of a board.
const BOARD: usize = 8 * SQUARE;
/// The space on a side of a board that has nothing there.
const EDGE: usize = 16;
/// The space to the left of a board and below it, with the names of the ranks and the files.
const NAMES: usize = 28;
/// The space above a board with a heading.
const HEADING: usize = 36;
/// The height of a line of the legend.
const LEGEND: usize = 21;
/// The largest number of boards in a row.
const MAX_PER_ROW: usize = 3;

/// The style of all pictures.
const STYLE: &str = "\
.tabiya .bg{fill:#fff;stroke:#c9d1d9}\
.tabiya .l{fill:#e8edf3}.tabiya .d{fill:#93a8bd}\
.tabiya .e{fill:none;stroke:#60707f}\
.tabiya .h{fill:#a6c83c;fill-opacity:.62}\
.tabiya .m{fill:#ffc62e;fill-opacity:.72;stroke:#b35900;stroke-width:3}\
.tabiya .n{fill:#fff;font:700 9px system-ui,sans-serif}\
.tabiya .w{fill:#fff;stroke:#1c1c1c}.tabiya .b{fill:#2a2a2a;stroke:#f6f6f6}\
.tabiya .w,.tabiya .b{stroke-width:1.4;stroke-linejoin:round;stroke-linecap:round}\
.tabiya .a{fill-opacity:.8;stroke:#fff;stroke-opacity:.8;stroke-linejoin:round}\
.tabiya .c{fill:#3a4550;font:13px system-ui,sans-serif}\
.tabiya .i{fill:#1c2128;font:600 10px system-ui,sans-serif}\
.tabiya .t{fill:#3a4550;font:600 15px ui-monospace,monospace}\
.tabiya .k{fill:#3a4550;font:13px ui-monospace,monospace}\
.tabiya.clear .c,.tabiya.clear .t,.tabiya.clear .k{fill:#76828e}\
@media (prefers-color-scheme:dark){\
.tabiya .bg{fill:#1c2128;stroke:#3d4650}\
.tabiya .l{fill:#b4c0cc}.tabiya .d{fill:#64788c}.tabiya .e{stroke:#9fb0c0}\
.tabiya .c,.tabiya .t,.tabiya .k{fill:#d3dbe3}}";

/// The colours of the layers on one board. They differ in brightness, too.
const LAYER_COLORS: [&str; Diagram::MAX_LAYERS] =
    ["#e08a00", "#2563d9", "#c81e3a", "#14804a", "#8e3fc0", "#00798c", "#8a5a2b", "#d6409f"];

/// The place of the names of the ranks and the files.
///
/// ```
/// use tabiya::Board;
/// use tabiya_views::{Diagram, svg::{Coordinates, Picture}};
/// let mut picture = Picture::new(vec![Diagram::new(Board::START)], "The start of a game");
/// picture.coordinates = Coordinates::Inside;
/// picture.width = Some(300);
/// assert!(picture.to_string().contains("width=\"300\" height=\"300\" viewBox=\"0 0 392 392\""));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Coordinates {
    /// Beside the board.
    #[default]
    Outside,
    /// In the corners of the squares at the left and at the bottom.
    Inside,
    /// They are left out.
    Hidden,
}

impl Coordinates {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Outside, Self::Inside, Self::Hidden];

    /// The name for arguments: `outside`, `inside` or `none`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Outside => "outside",
            Self::Inside => "inside",
            Self::Hidden => "none",
        }
    }

    /// The space to the left of a board and below it.
    const fn space(self) -> usize {
        match self {
            Self::Outside => NAMES,
            Self::Inside | Self::Hidden => EDGE,
        }
    }
}

/// A picture of one or several boards. It displays as a whole SVG file.
///
/// ```
/// use tabiya::Board;
/// use tabiya_views::{Diagram, svg::Picture};
/// let mut picture = Picture::new(vec![Diagram::new(Board::START)], "The start of a game");
/// picture.is_transparent = true;
/// assert_eq!(picture.to_string().matches("<use ").count(), 32);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The boards.
    pub diagrams: Vec<Diagram>,
    /// A short title of the picture, for people who cannot see it.
    pub title: String,
    /// Does the page show through? If not, the picture has a background of its own.
    pub is_transparent: bool,
    /// The place of the names of the ranks and the files.
    pub coordinates: Coordinates,
    /// The width in pixels; the height follows from it. If there is none, a square has 45 pixels.
    pub width: Option<u32>,
}

impl Picture {
    /// A picture with a background of its own, the names beside the boards, and its natural width.
    pub fn new(diagrams: Vec<Diagram>, title: impl Into<String>) -> Self {
        Self {
            diagrams,
            title: title.into(),
            is_transparent: false,
            coordinates: Coordinates::default(),
            width: None,
        }
    }

    /// The height of a row of boards: the largest that one of them needs.
    fn heights(&self) -> (usize, usize) {
        let has_heading = self.diagrams.iter().any(|diagram| diagram.heading().is_some());
        let above = if has_heading { HEADING } else { EDGE };
        let legend = self.diagrams.iter().map(|diagram| legend(diagram).1).max().unwrap_or(0);
        (above, above + BOARD + self.coordinates.space() + legend)
    }
}

impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.diagrams.len();
        let columns = diagrams_per_row(count, MAX_PER_ROW);
        let (above, row) = self.heights();
        let left = self.coordinates.space();
        let column = left + BOARD + EDGE;
        let (width, height) = (columns * column, count.div_ceil(columns).max(1) * row);
        let shown = self.width.map_or(width as u64, u64::from);
        let shown_height = (height as u64 * shown + width as u64 / 2) / width as u64;
        let class = if self.is_transparent { "tabiya clear" } else { "tabiya" };
        writeln!(
            f,
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="{class}" width="{shown}" height="{shown_height}" viewBox="0 0 {width} {height}" role="img">"#
        )?;
        writeln!(f, "<title>{}</title>", Escaped(&self.title))?;
        f.write_str("<desc>")?;
        for diagram in &self.diagrams {
            writeln!(f, "{}", Escaped(&describe(diagram)))?;
        }
        writeln!(f, "</desc>")?;
        writeln!(f, "<style>{STYLE}</style>")?;
        f.write_str("<defs>")?;
        for role in Role::ALL {
            write!(f, r#"<g id="tabiya-{}">{}</g>"#, role.letter(), shape(role))?;
        }
        writeln!(f, "</defs>")?;
        if !self.is_transparent {
            let (width, height) = (width - 1, height - 1);
            writeln!(
                f,
                r#"<rect class="bg" x=".5" y=".5" width="{width}" height="{height}" rx="8"/>"#
            )?;
        }
        for (index, diagram) in self.diagrams.iter().enumerate() {
            let x = index % columns * column + left;
            let y = index / columns * row + above;
            writeln!(f, r#"<g transform="translate({x} {y})">"#)?;
            write_board(diagram, self.coordinates, f)?;
            writeln!(f, "</g>")?;
        }
        writeln!(f, "</svg>")
    }
}

fn write_board(
    diagram: &Diagram,
    coordinates: Coordinates,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    if let Some(heading) = diagram.heading() {
        writeln!(f, r#"<text class="t" x="0" y="-11">{}</text>"#, Escaped(heading))?;
    }
    // One square of the light colour, with the dark squares on it.
    write!(f, r#"<path class="l" d="M0 0h{BOARD}v{BOARD}h-{BOARD}z"/><path class="d" d=""#)?;
    for square in Square::ALL.into_iter().filter(|square| !square.is_light()) {
        let (x, y) = corner(diagram, square);
        write!(f, "M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z")?;
    }
    writeln!(f, r#""/><path class="e" d="M0 0h{BOARD}v{BOARD}h-{BOARD}z"/>"#)?;
    if let Some((from, to)) = diagram.last_move {
        for square in from.bitboard() | to.bitboard() {
            let (x, y) = corner(diagram, square);
            writeln!(f, r#"<rect class="h" x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}"/>"#)?;
        }
    }
    for square in diagram.marked() {
        write_marks(diagram, square, f)?;
    }
    for (square, Piece { color, role }) in diagram.board.iter() {
        let class = match color {
            Color::White => 'w',
            Color::Black => 'b',
        };
        let (x, y) = corner(diagram, square);
        let letter = role.letter();
        writeln!(f, r##"<use class="{class}" href="#tabiya-{letter}" x="{x}" y="{y}"/>"##)?;
    }
    for arrow in &diagram.arrows {
        let (from, to) = (center(diagram, arrow.from), center(diagram, arrow.to));
        arrows::write(from, to, arrow.color, f)?;
    }
    write_names(diagram, coordinates, f)?;
    f.write_char('\n')?;
    write_legend(diagram, BOARD + coordinates.space(), f)
}

/// The names of the ranks and the files.
fn write_names(
    diagram: &Diagram,
    coordinates: Coordinates,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    // Inside, they are in the lower corners, since the upper ones have the numbers of layers.
    let (class, anchor, (rank_x, rank_y), (file_x, file_y)) = match coordinates {
        Coordinates::Hidden => return Ok(()),
        Coordinates::Outside => ("c", "middle", (-14, SQUARE / 2 + 5), (SQUARE / 2, BOARD + 17)),
        Coordinates::Inside => ("i", "end", (8, SQUARE - 3), (SQUARE - 2, BOARD - 3)),
    };
    for (index, rank) in diagram.ranks().into_iter().enumerate() {
        let y = index * SQUARE + rank_y;
        write!(
            f,
            r#"<text class="{class}" x="{rank_x}" y="{y}" text-anchor="{anchor}">{rank}</text>"#
        )?;
    }
    for (index, file) in diagram.files().into_iter().enumerate() {
        let x = index * SQUARE + file_x;
        write!(
            f,
            r#"<text class="{class}" x="{x}" y="{file_y}" text-anchor="{anchor}">{file}</text>"#
        )?;
    }
    Ok(())
}

/// The marks on a square: a frame for the only layer of a diagram, otherwise a bar for each layer
/// that contains the square, with the number of the layer.
fn write_marks(diagram: &Diagram, square: Square, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let (x, y) = corner(diagram, square);
    let side = SQUARE - 6;
    if !diagram.has_legend() {
        let (x, y) = (x + 3, y + 3);
        return writeln!(
            f,
            r#"<rect class="m" x="{x}" y="{y}" width="{side}" height="{side}" rx="7"/>"#
        );
    }
    let layers = diagram.layers_on(square);
    for (place, &index) in layers.iter().enumerate() {
        // The bars share the side of the square, to the pixel.
        let (left, right) = (side * place / layers.len(), side * (place + 1) / layers.len());
        let (x, y, width) = (x + 3 + left, y + 3, right - left);
        let color = layer_color(index);
        write!(
            f,
            r#"<rect x="{x}" y="{y}" width="{width}" height="{side}" rx="4" fill="{color}" fill-opacity=".72"/>"#
        )?;
        // In the corners, where the piece leaves space.
        let (x, anchor) = if place == 0 { (x + 2, "start") } else { (x + width - 2, "end") };
        let (y, number) = (y + 9, index + 1);
        writeln!(f, r#"<text class="n" x="{x}" y="{y}" text-anchor="{anchor}">{number}</text>"#)?;
    }
    Ok(())
}

fn layer_color(index: usize) -> &'static str {
    LAYER_COLORS[index % LAYER_COLORS.len()]
}

/// The places of the entries of the legend, and the height of all of them.
fn legend(diagram: &Diagram) -> (Vec<(usize, usize)>, usize) {
    /// More than the width of a letter in the legend's font.
    const LETTER: usize = 8;
    /// The space for the colour before a name and the gap after it.
    const AROUND: usize = 40;
    if !diagram.has_legend() {
        return (Vec::new(), 0);
    }
    let (mut x, mut line) = (0, 0);
    let mut places = Vec::new();
    for layer in &diagram.layers {
        let width = layer.name.chars().count() * LETTER + AROUND;
        if x > 0 && x + width > BOARD + EDGE {
            (x, line) = (0, line + 1);
        }
        places.push((x, line * LEGEND));
        x += width;
    }
    (places, (line + 1) * LEGEND + 6)
}

/// The legend, below this height.
fn write_legend(diagram: &Diagram, top: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let (places, _) = legend(diagram);
    for (index, (layer, (x, y))) in diagram.layers.iter().zip(places).enumerate() {
        let (y, color) = (y + top + 4, layer_color(index));
        write!(f, r#"<rect x="{x}" y="{y}" width="16" height="16" rx="3" fill="{color}"/>"#)?;
        let (number_x, text_x, text_y, number) = (x + 8, x + 22, y + 12, index + 1);
        write!(
            f,
            r#"<text class="n" x="{number_x}" y="{text_y}" text-anchor="middle">{number}</text>"#
        )?;
        writeln!(
            f,
            r#"<text class="k" x="{text_x}" y="{text_y}">{}</text>"#,
            Escaped(&layer.name)
        )?;
    }
    Ok(())
}

/// The upper left corner of a square.
fn corner(diagram: &Diagram, square: Square) -> (usize, usize) {
    let (column, row) = (square.file() as usize, 7 - square.rank() as usize);
    if diagram.is_flipped {
        ((7 - column) * SQUARE, (7 - row) * SQUARE)
    } else {
        (column * SQUARE, row * SQUARE)
    }
}

/// The middle of a square.
fn center(diagram: &Diagram, square: Square) -> (f64, f64) {
    let (x, y) = corner(diagram, square);
    let middle = |at: usize| at as f64 + SQUARE as f64 / 2.0;
    (middle(x), middle(y))
}

/// A diagram in words.
fn describe(diagram: &Diagram) -> String {
    let mut text = String::new();
    if let Some(title) = &diagram.title {
        text += &format!("{title}. ");
    }
    for color in Color::ALL {
        let pieces = Role::ALL.into_iter().rev().flat_map(|role| {
            let squares = diagram.board.pieces(color, role).iter();
            squares.map(move |square| format!("{role} {square}"))
        });
        let pieces: Vec<String> = pieces.collect();
        let pieces = if pieces.is_empty() { "none".to_owned() } else { pieces.join(", ") };
        text += &format!("{color}: {pieces}. ");
    }
    for layer in &diagram.layers {
        let squares = layer.square_names();
        let squares = if squares.is_empty() { "none".to_owned() } else { squares.join(", ") };
        text += &format!("{}: {squares}", layer.name);
        text += &layer.note.as_ref().map_or(". ".to_owned(), |note| format!(" ({note}). "));
    }
    if let Some((from, to)) = diagram.last_move {
        text += &format!("Last move: {from} to {to}. ");
    }
    for arrow in &diagram.arrows {
        text += &format!("A {} arrow from {} to {}. ", arrow.color, arrow.from, arrow.to);
    }
    if diagram.is_flipped {
        text += "Black is at the bottom. ";
    }
    text.truncate(text.trim_end().len());
    text
}

/// Text between tags. Characters that XML does not allow are replaced.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in self.0.chars() {
            match letter {
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '&' => f.write_str("&amp;")?,
                '\t' | '\n' | '\r' => f.write_char(' ')?,
                '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => f.write_char('\u{fffd}')?,
                _ => f.write_char(letter)?,
            }
        }
        Ok(())
    }
}
