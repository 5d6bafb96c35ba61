//! Why there's no answer.

use std::fmt;

use crate::material::{MOST_PIECES, TableFile};

/// Why tables don't answer for a position.
///
/// ```
/// use tabiya::Position;
/// use tabiya_syzygy::{Memory, Tables};
///
/// let tables = Tables::new(Memory::default());
/// let refusal = |fen| tables.wdl(&Position::from_fen(fen).unwrap()).unwrap_err().to_string();
/// assert_eq!(refusal("4k3/8/8/8/8/8/8/4KR2 w - - 0 1"), "KRvK.rtbw is missing");
/// assert_eq!(
///     refusal("4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
///     "tables know no castling, and a side still has the right to",
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableError {
    /// A side may still castle. Tables assume that nobody can.
    CastlingRights,
    /// No table has as many pieces.
    TooManyPieces {
        /// The number of pieces, kings included.
        found: u32,
    },
    /// This file is needed, and isn't there.
    Missing(TableFile),
    /// This file is there, and can't be read.
    Unreadable(TableFile, std::io::ErrorKind),
    /// This file isn't what it should be.
    Damaged(TableFile, Damage),
}

/// Where a file is damaged, and how it can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The place in the file, in bytes.
    pub offset: u64,
    /// What's wrong there.
    pub reason: &'static str,
}

impl Damage {
    pub(crate) const fn new(offset: usize, reason: &'static str) -> Self {
        Self { offset: offset as u64, reason }
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CastlingRights => {
                f.write_str("tables know no castling, and a side still has the right to")
            }
            Self::TooManyPieces { found } => {
                write!(f, "there are {found} pieces, and tables have at most {MOST_PIECES}")
            }
            Self::Missing(file) => write!(f, "{file} is missing"),
            Self::Unreadable(file, kind) => write!(f, "{file} can't be read: {kind}"),
            Self::Damaged(file, damage) => write!(f, "{file} is damaged: {damage}"),
        }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at byte {})", self.reason, self.offset)
    }
}

impl std::error::Error for TableError {}
