//! Explanations of moves: legal, or not legal with the reasons.

use core::fmt;

use super::reason::Reason;
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
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Explanation {
    text: UciMove,
    legal: Option<Move>,
    /// The number of reasons, including those that did not fit.
    found: u8,
    reasons: [Reason; Self::CAPACITY],
}

impl Explanation {
    /// The number of reasons that fit. Only an unreachable position has more, such as one in which
    /// sixteen pieces attack the same square.
    pub const CAPACITY: usize = 16;

    pub(super) const fn new(text: UciMove, legal: Option<Move>) -> Self {
        Self { text, legal, found: 0, reasons: [Reason::SameSquare; Self::CAPACITY] }
    }

    /// The same for another text of the move.
    pub(super) const fn of_text(self, text: UciMove) -> Self {
        Self { text, ..self }
    }

    /// Adds a reason, if it fits.
    pub(super) const fn push(&mut self, reason: Reason) {
        if (self.found as usize) < Self::CAPACITY {
            self.reasons[self.found as usize] = reason;
        }
        self.found = self.found.saturating_add(1);
    }

    /// The move in question.
    pub const fn uci_move(&self) -> UciMove {
        self.text
    }

    /// The legal move with this text, if there is one.
    pub const fn legal(&self) -> Option<Move> {
        self.legal
    }

    /// Is the move legal?
    pub const fn is_legal(&self) -> bool {
        self.legal.is_some()
    }

    /// All reasons why the move is not legal: none if it is legal, at least one if it is not.
    pub fn reasons(&self) -> &[Reason] {
        &self.reasons[..Self::CAPACITY.min(self.found as usize)]
    }

    /// The number of reasons that did not fit, see [`CAPACITY`](Self::CAPACITY).
    pub const fn omitted(&self) -> usize {
        (self.found as usize).saturating_sub(Self::CAPACITY)
    }
}

impl fmt::Debug for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Explanation")
            .field("text", &format_args!("{}", self.text))
            .field("legal", &self.legal)
            .field("reasons", &self.reasons())
            .finish()
    }
}

/// A sentence without a full stop; semicolons separate the reasons.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is ", self.text)?;
        if self.is_legal() {
            return f.write_str("legal");
        }
        f.write_str("not legal")?;
        for (number, reason) in self.reasons().iter().enumerate() {
            write!(f, "{}{reason}", if number == 0 { ": " } else { "; " })?;
        }
        match self.omitted() {
            0 => Ok(()),
            more => write!(f, "; and {more} more"),
        }
    }
}
