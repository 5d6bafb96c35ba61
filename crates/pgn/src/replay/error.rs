//! Why a line of a game ends.

use std::error;
use std::fmt;

use tabiya::{FenError, NotationError, PositionError};

use crate::MAX_PLIES;

/// The length up to which a text of the file is shown in a message.
pub(super) const MAX_SHOWN: usize = 40;

/// The start of a text of the file for a message.
pub(super) fn shortened(text: &str) -> String {
    let start: String = text.chars().take(MAX_SHOWN).collect();
    let more = if start.len() < text.len() { "…" } else { "" };
    format!("{start:?}{more}")
}

/// The reason why a line of a game ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    pub(super) cause: ReplayCause,
    pub(super) ply: u32,
    pub(super) kept: u32,
    /// The move with its number.
    pub(super) number: Option<String>,
}

impl ReplayError {
    /// The cause of the error.
    pub const fn cause(&self) -> &ReplayCause {
        &self.cause
    }

    /// The ply in the line, from 1. It is 0 if the start position is wrong.
    pub const fn ply(&self) -> u32 {
        self.ply
    }

    /// The number of moves of the line that are kept, from the start of the game. After a number that
    /// is too high there may be fewer than were played: the line ends at a comment or remark before it.
    pub const fn kept(&self) -> u32 {
        self.kept
    }

    /// Is it a number that is too high? Then [`Reader::note_place`](crate::Reader::note_place) is the
    /// place where the line ends.
    pub const fn is_number(&self) -> bool {
        matches!(self.cause, ReplayCause::Number { .. })
    }

    pub(super) const fn of_start(cause: ReplayCause) -> Self {
        Self { cause, ply: 0, kept: 0, number: None }
    }
}

/// The cause of an error in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReplayCause {
    /// The text is not a legal move, or not a move.
    Move(Box<NotationError>),
    /// A null move in check.
    NullInCheck,
    /// The number before a move is too high, and a comment or a remark may have swallowed moves.
    Number {
        /// The number in the file.
        stated: u32,
        /// The number that fits.
        expected: u32,
    },
    /// The text of a malformed tag `FEN` or `Variant`.
    MalformedTag(String),
    /// The tag `FEN` does not hold a playable position.
    Fen(FenError),
    /// The position does not fit the tag `Variant`.
    Position(PositionError),
    /// The tag `Variant` names rules other than those of chess.
    Variant(String),
    /// A line has more moves than [`MAX_PLIES`].
    TooManyMoves,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(number) = &self.number {
            write!(f, "ply {} ({number}): ", self.ply)?;
        }
        self.cause.fmt(f)
    }
}

impl fmt::Display for ReplayCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move(error) => error.fmt(f),
            Self::NullInCheck => f.write_str("a side in check cannot pass"),
            Self::Number { stated, expected } if stated <= expected => write!(
                f,
                "a move of White is missing before {stated}...: the comment or word here may have \
                 swallowed it"
            ),
            Self::Number { stated, expected } => write!(
                f,
                "moves are missing before move {stated}, since {expected} is next: the comment or word \
                 here may have swallowed them"
            ),
            Self::MalformedTag(text) => write!(f, "malformed tag: {text}"),
            Self::Fen(error) => write!(f, "the tag FEN: {error}"),
            Self::Position(error) => write!(f, "the tag Variant: {error}"),
            Self::TooManyMoves => write!(f, "the line has more than {MAX_PLIES} moves"),
            Self::Variant(name) => write!(
                f,
                "unknown variant {}; only chess and Chess960 can be played",
                shortened(name)
            ),
        }
    }
}

impl error::Error for ReplayError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match &self.cause {
            ReplayCause::Move(error) => Some(error.as_ref()),
            ReplayCause::Fen(error) => Some(error),
            ReplayCause::Position(error) => Some(error),
            ReplayCause::NullInCheck
            | ReplayCause::Number { .. }
            | ReplayCause::MalformedTag(_)
            | ReplayCause::Variant(_)
            | ReplayCause::TooManyMoves => None,
        }
    }
}
