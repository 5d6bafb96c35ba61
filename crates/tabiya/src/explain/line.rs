//! Lines of the board and their names.

use core::fmt;

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::square::{Rank, Square};

/// A file, rank or diagonal, from edge to edge; displays as its name.
///
/// ```
/// use tabiya::{Bitboard, Line, Square};
/// assert_eq!(Line::through(Square::E2, Square::E8).to_string(), "e-file");
/// assert_eq!(Line::through(Square::A1, Square::H1).to_string(), "first rank");
/// let diagonal = Line::through(Square::B3, Square::D5);
/// assert_eq!(diagonal.to_string(), "diagonal a2-g8");
/// assert_eq!(diagonal.squares().len(), 7);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Line {
    squares: Bitboard,
}

impl Line {
    /// The line through two squares; an empty line if they share none.
    pub fn through(a: Square, b: Square) -> Self {
        Self { squares: attacks::line(a, b) }
    }

    /// All its squares.
    pub const fn squares(self) -> Bitboard {
        self.squares
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.squares.first(), self.squares.last()) {
            (Some(low), Some(high)) if low.file() == high.file() => {
                write!(f, "{}-file", low.file())
            }
            (Some(low), Some(high)) if low.rank() == high.rank() => {
                write!(f, "{} rank", ordinal(low.rank()))
            }
            (Some(low), Some(high)) => write!(f, "diagonal {low}-{high}"),
            _ => f.write_str("empty line"),
        }
    }
}

/// The name of a rank in words.
pub(super) const fn ordinal(rank: Rank) -> &'static str {
    ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"][rank as usize]
}
