//! An error in a FEN, and its place.

use core::fmt;
use core::ops::Range;

use super::fields;
use crate::setup::PositionError;
use crate::square::Rank;
use crate::text::noun;

/// A field of FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FenField {
    /// The pieces, rank by rank.
    Board,
    /// The side to move, `w` or `b`.
    Turn,
    /// Castling rights.
    Castling,
    /// The en-passant square.
    EnPassant,
    /// The halfmove clock: plies since the last capture or pawn move.
    HalfmoveClock,
    /// The number of the current move.
    FullmoveNumber,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Board => "board",
            Self::Turn => "side to move",
            Self::Castling => "castling rights",
            Self::EnPassant => "en-passant square",
            Self::HalfmoveClock => "halfmove clock",
            Self::FullmoveNumber => "fullmove number",
        })
    }
}

/// The error for a string that is not a FEN, or not that of a playable position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FenError {
    field: FenField,
    start: usize,
    end: usize,
    cause: FenCause,
}

impl FenError {
    pub(super) const fn new(field: FenField, span: Range<usize>, cause: FenCause) -> Self {
        Self { field, start: span.start, end: span.end, cause }
    }

    /// The field with the error.
    pub const fn field(&self) -> FenField {
        self.field
    }

    /// The place of the error in the text, in bytes. It is empty at the end of the text if a field
    /// is missing.
    pub const fn span(&self) -> Range<usize> {
        self.start..self.end
    }

    /// The cause of the error.
    pub const fn cause(&self) -> FenCause {
        self.cause
    }

    /// The error for a well-formed FEN that is not playable.
    pub(crate) fn unplayable(fen: &str, error: PositionError) -> Self {
        let field = match error {
            PositionError::CastlingRook { .. }
            | PositionError::CastlingKing { .. }
            | PositionError::CastlingTwice { .. }
            | PositionError::CastlingNotStandard => FenField::Castling,
            PositionError::EnPassant { .. } => FenField::EnPassant,
            _ => FenField::Board,
        };
        let (start, text) = fields(fen).nth(field as usize).unwrap_or((fen.len(), ""));
        Self::new(field, start..start + text.len(), FenCause::Unplayable(error))
    }
}

/// The cause of an error in a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FenCause {
    /// The field is missing.
    Missing,
    /// There is more text after the last field.
    Trailing,
    /// A character that is not valid in this field.
    Letter(char),
    /// The board does not have eight ranks.
    Ranks {
        /// The number found.
        found: usize,
    },
    /// A rank does not have eight squares.
    Squares {
        /// The rank.
        rank: Rank,
        /// The number found.
        found: usize,
    },
    /// Two digits follow each other; their sum should be written as one digit.
    TwoDigits {
        /// The rank.
        rank: Rank,
    },
    /// A right is given twice.
    Twice(char),
    /// There is no king and rook for a castling right.
    NoRook(char),
    /// The field is neither a square nor `-`.
    NotASquare,
    /// The field is not a whole number up to 65535.
    NotANumber,
    /// The FEN is well-formed, but the position is not playable.
    Unplayable(PositionError),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = self.field;
        match self.cause {
            FenCause::Missing => {
                let verb = if field == FenField::Castling { "are" } else { "is" };
                write!(f, "the {field} {verb} missing")
            }
            FenCause::Trailing => f.write_str("the FEN should end here"),
            FenCause::Letter(letter) => write!(f, "{letter:?} is not valid in the {field} field"),
            FenCause::Ranks { found } => {
                write!(f, "the board has {found} {}, not 8", noun(found, "rank", "ranks"))
            }
            FenCause::Squares { rank, found } => {
                let squares = noun(found, "square", "squares");
                write!(f, "rank {rank} of the board has {found} {squares}, not 8")
            }
            FenCause::TwoDigits { rank } => {
                write!(f, "rank {rank} of the board has two digits in a row")
            }
            FenCause::Twice(letter) => write!(f, "the castling right {letter:?} is given twice"),
            FenCause::NoRook(letter) => {
                write!(f, "the castling right {letter:?} has no king and rook on the back rank")
            }
            FenCause::NotASquare => write!(f, "the {field} is neither a square nor \"-\""),
            FenCause::NotANumber => {
                write!(f, "the {field} is not a whole number up to {}", u16::MAX)
            }
            FenCause::Unplayable(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for FenError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.cause {
            FenCause::Unplayable(error) => Some(error),
            _ => None,
        }
    }
}
