//! What can be wrong with a record.

use std::error::Error;
use std::fmt::{self, Display, Formatter};

use crate::record::Record;

/// A bad record of a file. Reading goes on after it: with the next record, or with the next chain if the format
/// makes positions from the moves before them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bad {
    /// The offset of the record in the file, in bytes.
    pub offset: u64,
    /// What's wrong.
    pub reason: Reason,
    /// The record without its bad values, if only values are bad: its position is playable and its move legal.
    pub record: Option<Box<Record>>,
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The position isn't playable, or its bytes are none.
    Position(String),
    /// The move isn't legal.
    Move(String),
    /// There's no legal move.
    NoLegalMove,
    /// The score is out of range.
    Score(i64),
    /// The result is none of the format's.
    Result(i64),
    /// A value isn't written as the format writes it.
    Value(String),
    /// The record doesn't have the form of the format.
    Form(String),
    /// The file ends within a record.
    Truncated,
}

impl Reason {
    /// Is only a value bad, and not the position or the move?
    pub fn is_value(&self) -> bool {
        matches!(self, Self::Score(_) | Self::Result(_) | Self::Value(_))
    }

    /// A word for the kind of reason, for tables: `position`, `move` and so on.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Position(_) => "position",
            Self::Move(_) => "move",
            Self::NoLegalMove => "no legal move",
            Self::Score(_) => "score",
            Self::Result(_) => "result",
            Self::Value(_) => "value",
            Self::Form(_) => "form",
            Self::Truncated => "truncated",
        }
    }
}

impl Display for Reason {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Position(text) | Self::Move(text) | Self::Value(text) | Self::Form(text) => {
                f.write_str(text)
            }
            Self::NoLegalMove => f.write_str("the position has no legal move"),
            Self::Score(score) => write!(f, "the score {score} is out of range"),
            Self::Result(result) => write!(f, "{result} isn't a result of this format"),
            Self::Truncated => f.write_str("the file ends within this record"),
        }
    }
}

impl Bad {
    /// A bad record, with what has been read of it if only a value is bad.
    pub(crate) fn new(offset: u64, reason: Reason, read: &Record) -> Self {
        let record = reason.is_value().then(|| Box::new(read.clone()));
        Self { offset, reason, record }
    }
}

impl Display for Bad {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "offset {}: {}", self.offset, self.reason)
    }
}

impl Error for Bad {}

/// Why a format can't hold a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Refused {
    /// The format needs a move.
    NoMove,
    /// The format needs a score.
    NoScore,
    /// The format needs a result.
    NoResult,
    /// The format has no Chess960.
    Chess960,
    /// A number is larger than the format's field for it.
    TooLarge,
}

impl Display for Refused {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoMove => "without a move",
            Self::NoScore => "without a score",
            Self::NoResult => "without a result",
            Self::Chess960 => "of Chess960",
            Self::TooLarge => "with a number too large for the format",
        })
    }
}

impl Error for Refused {}
