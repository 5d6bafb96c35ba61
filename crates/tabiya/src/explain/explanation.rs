//! Explanations of moves: legal, or not legal with the reasons.

use core::fmt;

use super::reason::Reason;
use super::reasons::Reasons;
use crate::moves::Move;
use crate::text::uci::UciMove;

/// The legal move, or all [reasons](Reason) why the move is not legal in a position.
///
/// ```
/// use tabiya::{Position, Reason, Role};
/// let position = Position::from_fen("4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1").unwrap();
///
/// let legal = position.explain("e1d1".parse().unwrap());
/// assert!(legal.is_legal() && legal.reasons().is_empty());
/// assert_eq!(legal.to_string(), "e1d1 is legal");
///
/// let pinned = position.explain("e2d3".parse().unwrap());
/// assert!(matches!(pinned.reasons(), [Reason::Pinned { by, .. }] if by.role == Role::Rook));
/// assert_eq!(
///     pinned.to_string(),
///     "e2d3 is not legal: the bishop on e2 is pinned on the e-file by the rook on e8",
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation(Result<(UciMove, Move), Refusal>);

impl Explanation {
    /// The number of reasons that fit. Only an unreachable position has more, such as one in which
    /// sixteen pieces attack the same square.
    pub const CAPACITY: usize = 16;

    pub(super) const fn of_legal(text: UciMove, mv: Move) -> Self {
        Self(Ok((text, mv)))
    }

    /// The same for another text of the move.
    pub(super) fn of_text(self, text: UciMove) -> Self {
        Self(match self.0 {
            Ok((_, mv)) => Ok((text, mv)),
            Err(refusal) => Err(Refusal { text, ..refusal }),
        })
    }

    /// The move in question.
    pub const fn uci_move(&self) -> UciMove {
        match self.0 {
            Ok((text, _)) | Err(Refusal { text, .. }) => text,
        }
    }

    /// The legal move with this text, or why there is none.
    ///
    /// # Errors
    /// [`Refusal`] has every reason, and at least one.
    pub const fn verdict(&self) -> Result<Move, Refusal> {
        match self.0 {
            Ok((_, mv)) => Ok(mv),
            Err(refusal) => Err(refusal),
        }
    }

    /// The legal move with this text, if there is one.
    pub fn legal(&self) -> Option<Move> {
        self.verdict().ok()
    }

    /// Is the move legal?
    pub const fn is_legal(&self) -> bool {
        self.0.is_ok()
    }

    /// All reasons why the move is not legal: none if it is legal, at least one if it is not.
    pub fn reasons(&self) -> &[Reason] {
        self.0.as_ref().map_or_else(|refusal| refusal.reasons.as_slice(), |_| &[])
    }

    /// The number of reasons that did not fit, see [`CAPACITY`](Self::CAPACITY).
    pub fn omitted(&self) -> usize {
        self.0.map_or_else(|refusal| refusal.reasons.omitted(), |_| 0)
    }
}

impl From<Refusal> for Explanation {
    fn from(refusal: Refusal) -> Self {
        Self(Err(refusal))
    }
}

/// A sentence without a full stop; semicolons separate the reasons.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Ok((text, _)) => write!(f, "{text} is legal"),
            Err(refusal) => refusal.fmt(f),
        }
    }
}

/// A move that is not legal, with one or more [reasons](Reason).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The move in question.
    pub text: UciMove,
    /// Why it is not legal.
    pub reasons: Reasons<Reason, { Explanation::CAPACITY }>,
}

/// A sentence without a full stop; semicolons separate the reasons.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not legal: {}", self.text, self.reasons)
    }
}
