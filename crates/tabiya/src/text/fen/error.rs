//! What is wrong with a FEN, and where.

use core::fmt;
use core::ops::Range;

use super::read::fields;
use crate::setup::PositionError;
use crate::square::Rank;
use crate::text::noun;

/// A field of FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FenField {
    /// The men, rank by rank.
    Board,
    /// `w` or `b`.
    Turn,
    /// Castling rights.
    Castling,
    /// The en-passant square.
    EnPassant,
    /// Half-moves since the last capture or pawn move.
    Halfmoves,
    /// The number of the move.
    Fullmoves,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Board => "board",
            Self::Turn => "side to move",
            Self::Castling => "castling rights",
            Self::EnPassant => "en-passant square",
            Self::Halfmoves => "half-move clock",
            Self::Fullmoves => "move number",
        })
    }
}

/// Why a text is no FEN, or none that can be played on.
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

    /// The field in which the trouble is.
    pub const fn field(&self) -> FenField {
        self.field
    }

    /// The place of the trouble in the text, in bytes. It may be empty, at the end of the text.
    pub const fn span(&self) -> Range<usize> {
        self.start..self.end
    }

    /// What is wrong there.
    pub const fn cause(&self) -> FenCause {
        self.cause
    }

    /// A FEN that reads well but cannot be played on.
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

/// What is wrong in a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FenCause {
    /// The field is missing.
    Missing,
    /// There is more text after the last field.
    Trailing,
    /// A letter that means nothing here.
    Letter(char),
    /// The board does not have eight ranks.
    Ranks {
        /// How many it has.
        found: usize,
    },
    /// A rank does not have eight squares.
    Squares {
        /// Which rank.
        rank: Rank,
        /// How many it has.
        found: usize,
    },
    /// Two digits follow each other; their sum is one digit.
    TwoDigits {
        /// In which rank.
        rank: Rank,
    },
    /// A right is given twice.
    Twice(char),
    /// No rook is where the right needs one.
    NoRook(char),
    /// Neither a square nor `-`.
    NotASquare,
    /// Not a whole number up to 65535.
    NotANumber,
    /// The FEN reads well but cannot be played on.
    Unplayable(PositionError),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = self.field;
        match self.cause {
            FenCause::Missing => write!(f, "the {field} is missing"),
            FenCause::Trailing => f.write_str("the FEN should end here"),
            FenCause::Letter(letter) => write!(f, "{letter:?} means nothing in the {field}"),
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
                write!(f, "the castling right {letter:?} finds no king and rook on their rank")
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
