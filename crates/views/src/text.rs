//! Boards as text, one board or several side by side.
//!
//! The text comes in [segments](Segment), each with the [style](Style) in which a front end may
//! show it. [`plain`] joins them.
//!
//! ```
//! use tabiya::Board;
//! use tabiya_views::{Diagram, text::{self, Glyphs}};
//! let lines = text::lines(&[Diagram::new(Board::START)], Glyphs::Ascii, 80);
//! assert!(text::plain(&lines).starts_with("8  r n b q k b n r\n7  p p p p p p p p\n"));
//! ```

use tabiya::{Piece, Square};

use crate::Diagram;
use crate::diagram::diagrams_per_row;

/// The glyphs that draw the pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Glyphs {
    /// The letters of FEN.
    Ascii,
    /// The chess symbols of Unicode.
    #[default]
    Unicode,
}

impl Glyphs {
    const fn piece(self, piece: Piece) -> char {
        match self {
            Self::Ascii => piece.fen(),
            Self::Unicode => piece.unicode(),
        }
    }

    const fn empty(self) -> char {
        match self {
            Self::Ascii => '.',
            Self::Unicode => '·',
        }
    }
}

/// The style of a segment, for front ends that have styles. The text is complete without them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// A piece, an empty square or space.
    Plain,
    /// A title.
    Title,
    /// A coordinate.
    Coordinate,
    /// A marked square.
    Mark,
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Segment {
    /// The text, without control characters of its own.
    pub text: String,
    /// The style in which to show it.
    pub style: Style,
}

/// A line, from left to right.
pub type Line = Vec<Segment>;

fn segment(style: Style, text: impl Into<String>) -> Segment {
    Segment { text: text.into(), style }
}

fn columns(line: &[Segment]) -> usize {
    line.iter().map(|segment| segment.text.chars().count()).sum()
}

/// The lines of the diagrams. As many diagrams as fit into the width stand side by side.
///
/// On a diagram of one layer, the marked squares stand in brackets. On a diagram of several
/// layers, a square shows the numbers of its layers, and a legend below names them.
///
/// ```
/// use tabiya::{Board, Square};
/// use tabiya_views::{Diagram, layer::LayerSquares, text::{self, Glyphs, Style}};
/// let squares = Square::A8.bitboard();
/// let corner = LayerSquares { name: "corner".to_owned(), squares, note: None };
/// let diagram = Diagram { layers: vec![corner], ..Diagram::new(Board::START) };
/// let lines = text::lines(&[diagram], Glyphs::Ascii, 80);
/// assert_eq!((lines[1][2].text.as_str(), lines[1][2].style), ("[r]", Style::Mark));
/// ```
pub fn lines(diagrams: &[Diagram], glyphs: Glyphs, width: usize) -> Vec<Line> {
    const GAP: usize = 3;
    let blocks: Vec<_> = diagrams.iter().map(|diagram| block(diagram, glyphs)).collect();
    let lines = || blocks.iter().flatten();
    let column = lines().map(|line| columns(line)).max().unwrap_or(0) + GAP;
    let mut all = Vec::new();
    for row in blocks.chunks(diagrams_per_row(diagrams.len(), (width + GAP) / column)) {
        if !all.is_empty() {
            all.push(Line::new());
        }
        for number in 0..row.iter().map(Vec::len).max().unwrap_or(0) {
            let mut line = Line::new();
            for (index, block) in row.iter().enumerate() {
                let missing = (index * column).saturating_sub(columns(&line));
                line.push(segment(Style::Plain, " ".repeat(missing)));
                line.extend(block.get(number).into_iter().flatten().cloned());
            }
            all.push(trimmed(line));
        }
    }
    all
}

/// The lines as one text, without styles.
pub fn plain(lines: &[Line]) -> String {
    let mut text = String::new();
    for line in lines {
        text.extend(line.iter().map(|segment| segment.text.as_str()));
        text.push('\n');
    }
    text
}

/// The line without spaces at its end, and without empty segments.
fn trimmed(mut line: Line) -> Line {
    while let Some(last) = line.last_mut() {
        last.text.truncate(last.text.trim_end().len());
        if !last.text.is_empty() {
            break;
        }
        line.pop();
    }
    line.retain(|segment| !segment.text.is_empty());
    line
}

/// The lines of one diagram.
fn block(diagram: &Diagram, glyphs: Glyphs) -> Vec<Line> {
    let mut block = Vec::new();
    block.extend(diagram.heading().map(|title| vec![segment(Style::Title, title)]));
    // The width of a square: the piece, and the columns before and after it.
    let marks = diagram.marked().iter().map(|square| diagram.layers_on(square).len()).max();
    let (before, after) = match (diagram.layers.len(), marks.unwrap_or(0)) {
        (0, _) => (1, 0),
        (1, _) => (1, 1),
        (_, marks) => (1, marks),
    };
    for rank in diagram.ranks() {
        let mut line =
            vec![segment(Style::Coordinate, rank.to_string()), segment(Style::Plain, " ")];
        line.extend(diagram.files().map(|file| {
            let square = Square::new(file, rank);
            cell(diagram, square, glyphs, after)
        }));
        block.push(line);
    }
    let files = diagram.files();
    let files = files.map(|file| format!("{:before$}{file}{:after$}", "", "")).concat();
    block.push(vec![segment(Style::Coordinate, format!("  {}", files.trim_end()))]);
    if diagram.has_legend() {
        for (index, layer) in diagram.layers.iter().enumerate() {
            block.push(vec![
                segment(Style::Mark, format!("{:>3}", index + 1)),
                segment(Style::Plain, format!(" {}", layer.name)),
            ]);
        }
    }
    block
}

fn cell(diagram: &Diagram, square: Square, glyphs: Glyphs, after: usize) -> Segment {
    let piece = diagram.board.piece_on(square).map(|piece| glyphs.piece(piece));
    let shown = piece.unwrap_or(glyphs.empty());
    match (&diagram.layers_on(square)[..], diagram.has_legend()) {
        ([], _) => segment(Style::Plain, format!(" {shown}{:after$}", "")),
        (_, false) => segment(Style::Mark, format!("[{}]", piece.unwrap_or(' '))),
        (layers, true) => {
            let numbers: String = layers.iter().map(|index| (index + 1).to_string()).collect();
            segment(Style::Mark, format!(" {shown}{numbers:after$}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layer::LayerSquares;
    use tabiya::{Bitboard, Board};

    fn layer(name: &str, squares: Bitboard) -> LayerSquares {
        LayerSquares { name: name.to_owned(), squares, note: None }
    }

    fn diagram(layers: &[(&str, Bitboard)]) -> Diagram {
        let layers = layers.iter().map(|(name, squares)| layer(name, *squares)).collect();
        Diagram { layers, ..Diagram::new(Board::START) }
    }

    fn text(diagrams: &[Diagram], glyphs: Glyphs, width: usize) -> String {
        plain(&lines(diagrams, glyphs, width))
    }

    #[test]
    fn a_board_without_layers() {
        assert_eq!(
            text(&[diagram(&[])], Glyphs::Ascii, 80),
            "\
8  r n b q k b n r
7  p p p p p p p p
6  . . . . . . . .
5  . . . . . . . .
4  . . . . . . . .
3  . . . . . . . .
2  P P P P P P P P
1  R N B Q K B N R
   a b c d e f g h
"
        );
    }

    #[test]
    fn a_flipped_board_has_black_at_the_bottom() {
        let flipped = Diagram { is_flipped: true, ..diagram(&[]) };
        let drawn = text(&[flipped], Glyphs::Ascii, 80);
        assert!(drawn.starts_with("1  R N B K Q B N R\n2  P P P P P P P P\n"), "{drawn}");
        assert!(drawn.ends_with("\n8  r n b k q b n r\n   h g f e d c b a\n"), "{drawn}");
        let marked = Diagram { is_flipped: true, ..diagram(&[("x", Square::H1.bitboard())]) };
        assert!(text(&[marked], Glyphs::Ascii, 80).starts_with("x\n1 [R] N  B "));
    }

    #[test]
    fn marked_squares_stand_in_brackets_and_boards_side_by_side() {
        let diagrams = [
            diagram(&[("one", Square::A8.bitboard())]),
            diagram(&[("two", Square::H4.bitboard())]),
        ];
        let drawn = text(&diagrams, Glyphs::Unicode, 80);
        let lines: Vec<&str> = drawn.lines().collect();
        assert_eq!(lines.len(), 10);
        assert_eq!(lines[0], "one                          two");
        assert_eq!(lines[1], "8 [♜] ♞  ♝  ♛  ♚  ♝  ♞  ♜    8  ♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜");
        assert_eq!(lines[5], "4  ·  ·  ·  ·  ·  ·  ·  ·    4  ·  ·  ·  ·  ·  ·  · [ ]");
        // Too narrow for two.
        assert_eq!(text(&diagrams, Glyphs::Unicode, 50).lines().count(), 21);
    }

    #[test]
    fn several_layers_on_one_board_have_numbers() {
        let (a, b) = (Square::A8.bitboard(), Square::B8.bitboard());
        let drawn = text(&[diagram(&[("one", a), ("two", a | b)])], Glyphs::Ascii, 80);
        assert!(drawn.starts_with("8  r12 n2  b   q   k "), "{drawn}");
        assert!(drawn.contains("\n1  R   N   B "), "{drawn}");
        assert!(
            drawn.ends_with("\n   a   b   c   d   e   f   g   h\n  1 one\n  2 two\n"),
            "{drawn}"
        );
    }

    #[test]
    fn titles_coordinates_and_marks_have_styles() {
        let lines = lines(&[diagram(&[("one", Square::A8.bitboard())])], Glyphs::Ascii, 80);
        assert_eq!(lines[0], [segment(Style::Title, "one")]);
        assert_eq!(lines[1][0], segment(Style::Coordinate, "8"));
        assert_eq!(lines[1][2], segment(Style::Mark, "[r]"));
        assert_eq!(lines[1][3], segment(Style::Plain, " n "));
    }
}
