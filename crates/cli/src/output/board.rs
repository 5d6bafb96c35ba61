//! Boards as text, one or several beside each other.

use std::io::{self, Write};

use tabiya::{Bitboard, Board, File, Piece, Rank, Square};

use super::style;

/// How men are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Glyphs {
    /// The letters of FEN.
    Ascii,
    /// The chess symbols of Unicode.
    Unicode,
}

impl Glyphs {
    fn man(self, piece: Piece) -> char {
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

/// A board with some squares marked.
#[derive(Clone, Debug)]
pub(crate) struct Diagram {
    /// What is marked; a board of its own, without a title, marks nothing.
    pub(crate) title: Option<String>,
    pub(crate) board: Board,
    pub(crate) marked: Bitboard,
}

impl Diagram {
    /// The width of a line in columns, the same for all diagrams of one kind.
    fn width(&self) -> usize {
        let board = match self.title {
            None => "8 ".len() + 2 * 8,
            Some(_) => "8 ".len() + 3 * 8,
        };
        board.max(self.title.as_ref().map_or(0, |title| title.chars().count()))
    }

    /// The lines, each with its number of columns.
    fn lines(&self, glyphs: Glyphs) -> Vec<(String, usize)> {
        let mut lines = Vec::new();
        let (bold, bold_end) = style::ends(style::HEAD);
        let (aside, aside_end) = style::ends(style::ASIDE);
        if let Some(title) = &self.title {
            lines.push((format!("{bold}{title}{bold_end}"), title.chars().count()));
        }
        let cell = if self.title.is_some() { 3 } else { 2 };
        for rank in Rank::ALL.into_iter().rev() {
            let mut line = format!("{aside}{rank}{aside_end} ");
            for file in File::ALL {
                line += &self.cell(Square::new(file, rank), glyphs);
            }
            lines.push((line, 2 + cell * 8));
        }
        let files: String = File::ALL
            .into_iter()
            .map(|file| if cell == 3 { format!(" {file} ") } else { format!(" {file}") })
            .collect();
        let files = files.trim_end();
        lines.push((format!("{aside}  {files}{aside_end}"), 2 + files.len()));
        lines
    }

    fn cell(&self, square: Square, glyphs: Glyphs) -> String {
        let man = self.board.piece_on(square).map(|piece| glyphs.man(piece));
        let (mark, mark_end) = style::ends(style::MARK);
        if self.title.is_none() {
            format!(" {}", man.unwrap_or(glyphs.empty()))
        } else if self.marked.has(square) {
            format!("{mark}[{}]{mark_end}", man.unwrap_or(' '))
        } else {
            format!(" {} ", man.unwrap_or(glyphs.empty()))
        }
    }
}

/// How many of so many diagrams stand in a row, at most `limit`: rows of the same length, where
/// that can be had.
pub(crate) fn in_a_row(diagrams: usize, limit: usize) -> usize {
    let rows = diagrams.div_ceil(limit.max(1)).max(1);
    diagrams.div_ceil(rows).max(1)
}

/// Writes diagrams, as many beside each other as the width has room for.
pub(crate) fn write(
    out: &mut dyn Write,
    diagrams: &[Diagram],
    glyphs: Glyphs,
    width: usize,
) -> io::Result<()> {
    const GAP: usize = 3;
    let column = diagrams.iter().map(Diagram::width).max().unwrap_or(0) + GAP;
    let in_a_row = in_a_row(diagrams.len(), (width + GAP) / column);
    for (number, row) in diagrams.chunks(in_a_row).enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        let blocks: Vec<_> = row.iter().map(|diagram| diagram.lines(glyphs)).collect();
        for line in 0..blocks.first().map_or(0, Vec::len) {
            let mut text = String::new();
            for (index, block) in blocks.iter().enumerate() {
                let (part, columns) = &block[line];
                text += part;
                if index + 1 < blocks.len() {
                    text += &" ".repeat(column - columns);
                }
            }
            writeln!(out, "{}", text.trim_end())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(diagrams: &[Diagram], glyphs: Glyphs, width: usize) -> String {
        let mut out = Vec::new();
        write(&mut out, diagrams, glyphs, width).unwrap();
        anstream::adapter::strip_str(&String::from_utf8(out).unwrap()).to_string()
    }

    #[test]
    fn a_plain_board() {
        let start = Diagram { title: None, board: Board::START, marked: Bitboard::EMPTY };
        assert_eq!(
            text(&[start], Glyphs::Ascii, 80),
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
    fn marked_squares_stand_in_brackets_and_boards_beside_each_other() {
        let diagram = |title: &str, marked: Square| Diagram {
            title: Some(title.to_owned()),
            board: Board::START,
            marked: marked.bitboard(),
        };
        let diagrams = [diagram("one", Square::A8), diagram("two", Square::H4)];
        let drawn = text(&diagrams, Glyphs::Unicode, 80);
        let lines: Vec<&str> = drawn.lines().collect();
        assert_eq!(lines.len(), 10);
        assert_eq!(lines[0], "one                          two");
        assert_eq!(lines[1], "8 [♜] ♞  ♝  ♛  ♚  ♝  ♞  ♜    8  ♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜");
        assert_eq!(lines[5], "4  ·  ·  ·  ·  ·  ·  ·  ·    4  ·  ·  ·  ·  ·  ·  · [ ]");
        // Too filter for two.
        assert_eq!(text(&diagrams, Glyphs::Unicode, 50).lines().count(), 21);
    }

    #[test]
    fn rows_are_evenly_filled() {
        assert_eq!(in_a_row(4, 3), 2);
        assert_eq!(in_a_row(3, 3), 3);
        assert_eq!(in_a_row(5, 3), 3);
        assert_eq!(in_a_row(7, 3), 3);
        assert_eq!(in_a_row(0, 0), 1);
    }
}
