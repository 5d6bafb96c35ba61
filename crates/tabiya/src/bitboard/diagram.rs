//! Diagrams of sets, read at compile time or run time, and written.

use core::fmt;
use core::str::FromStr;

use super::Bitboard;
use crate::square::{File, Rank, Square};
use crate::text::noun;

impl Bitboard {
    /// Reads a diagram of 64 marks, a8 first and h1 last: `X` for a square in the set and `.` for
    /// the others. White space is ignored.
    ///
    /// The macro [`bitboard!`](crate::bitboard!) does the same at compile time.
    ///
    /// # Errors
    /// [`DiagramError`] if there is another mark, or if there are not exactly 64.
    pub const fn from_diagram(text: &str) -> Result<Self, DiagramError> {
        let bytes = text.as_bytes();
        let (mut bits, mut squares, mut at) = (0u64, 0usize, 0);
        while at < bytes.len() {
            let mark = bytes[at];
            if mark == b'.' || mark == b'X' {
                if squares < 64 && mark == b'X' {
                    bits |= 1 << (squares ^ 56);
                }
                squares += 1;
            } else if !mark.is_ascii_whitespace() {
                return Err(DiagramError::Mark { offset: at });
            }
            at += 1;
        }
        if squares == 64 { Ok(Self(bits)) } else { Err(DiagramError::Squares { found: squares }) }
    }
}

/// A set from a diagram, at compile time: 64 marks, a8 first, `X` for the squares in the set and
/// `.` for the others.
///
/// ```
/// use tabiya::{bitboard, Rank};
/// assert_eq!(Rank::Seventh.bitboard(), bitboard! {
///     . . . . . . . .
///     X X X X X X X X
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
/// });
/// ```
#[macro_export]
macro_rules! bitboard {
    ($($mark:tt)*) => {
        const {
            match $crate::Bitboard::from_diagram(stringify!($($mark)*)) {
                Ok(set) => set,
                Err(_) => panic!("a diagram has 64 marks, each `.` or `X`"),
            }
        }
    };
}

/// The reason why a string is not a diagram of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DiagramError {
    /// The text contains something other than `.`, `X` and white space.
    Mark {
        /// Its place, in bytes.
        offset: usize,
    },
    /// The diagram does not have 64 squares.
    Squares {
        /// The number of its squares.
        found: usize,
    },
}

impl fmt::Display for DiagramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mark { offset } => write!(f, "byte {offset} is neither `.` nor `X`"),
            Self::Squares { found } => {
                write!(f, "the diagram has {found} {}, not 64", noun(*found, "square", "squares"))
            }
        }
    }
}

impl core::error::Error for DiagramError {}

impl FromStr for Bitboard {
    type Err = DiagramError;

    fn from_str(text: &str) -> Result<Self, DiagramError> {
        Self::from_diagram(text)
    }
}

/// Draws the set in the form that [`Bitboard::from_diagram`] reads.
impl fmt::Display for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                let mark = if self.has(Square::new(file, rank)) { 'X' } else { '.' };
                write!(f, "{mark}{}", if file == File::H { '\n' } else { ' ' })?;
            }
        }
        Ok(())
    }
}
