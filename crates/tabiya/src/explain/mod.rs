//! Why a move is legal, or every reason why it is not.
//!
//! The generator alone decides whether a move is legal. The reasons are found afterwards, from the
//! same facts: checkers, pins and masks of [`Legality`](crate::Legality), and the rules of en
//! passant and castling.

mod detail;
mod diagnosis;
mod line;
mod reason;
mod words;

pub use detail::Detail;
pub use line::Line;
pub use reason::Reason;
pub use words::PlacedPiece;

use core::fmt;

use crate::moves::Move;
use crate::position::Position;
use crate::text::uci::{UciMove, UciMoveError};
use diagnosis::Diagnosis;

/// Whether a move is legal in a position, and all [reasons](Reason) if it is not.
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

    const fn new(text: UciMove, legal: Option<Move>) -> Self {
        Self { text, legal, found: 0, reasons: [Reason::SameSquare; Self::CAPACITY] }
    }

    /// Adds a reason, if it fits.
    const fn push(&mut self, reason: Reason) {
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

/// Explanations of moves.
impl Position {
    /// Says whether a move is legal, and gives every reason if it is not.
    ///
    /// The text is read strictly, in the position's [mode](Self::castling_mode) of castling: it is legal
    /// if and only if [`find_uci`](Self::find_uci) finds a move. If the piece cannot move like this on
    /// any board, checks and pins are not examined.
    ///
    /// ```
    /// use tabiya::Position;
    /// let position = Position::from_fen("4k3/8/b7/8/8/8/7r/R3K2R w KQ - 0 1").unwrap();
    /// assert_eq!(
    ///     position.explain("e1g1".parse().unwrap()).to_string(),
    ///     "e1g1 is not legal: the king would pass through f1, which the bishop on a6 attacks",
    /// );
    /// assert!(position.explain("e1c1".parse().unwrap()).is_legal());
    /// ```
    pub fn explain(&self, text: UciMove) -> Explanation {
        let legal = self.find_uci(text);
        let explanation = Explanation::new(text, legal);
        // A legal move needs no reasons; with assertions on, check that none is found.
        if legal.is_some() && cfg!(not(debug_assertions)) {
            return explanation;
        }
        let explanation = Diagnosis::new(self, explanation).explain_text();
        debug_assert_eq!(
            explanation.found == 0,
            legal.is_some(),
            "{text} in {self:?} must be legal or have a reason: {:?}",
            explanation.reasons()
        );
        explanation
    }

    /// Reads a move in any of the forms that people write, says whether it is legal, and gives
    /// every reason if it is not.
    ///
    /// It accepts the same input as [`parse_uci`](Self::parse_uci), including castling in the
    /// notation of the other mode, and agrees with it about what is legal.
    ///
    /// # Errors
    /// [`UciMoveError`] if the text is not a move.
    ///
    /// ```
    /// use tabiya::{CastlingMode, Position, Reason};
    /// let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    /// let position = Position::from_fen(fen).unwrap().with_castling_mode(CastlingMode::Chess960).unwrap();
    /// let strict = position.explain("e1g1".parse().unwrap());
    /// assert!(matches!(strict.reasons(), [Reason::CastlingNotation { .. }]));
    /// assert!(position.explain_uci("e1g1").unwrap().is_legal());
    /// assert!(position.explain_uci("castle").is_err());
    /// ```
    pub fn explain_uci(&self, text: &str) -> Result<Explanation, UciMoveError> {
        let text = UciMove::parse_lenient(text)?;
        let explanation = self.explain(text);
        Ok(match explanation.reasons() {
            // The notation does not matter here: explain the castling move that is meant.
            &[Reason::CastlingNotation { instead }, ..] if text.promotion.is_none() => {
                Explanation { text, ..self.explain(instead) }
            }
            _ => explanation,
        })
    }

    /// Says whether a move from any source is legal, and gives every reason if it is not.
    ///
    /// Unlike text, a [`Move`] can also have the wrong [kind](crate::MoveKind) for its squares.
    ///
    /// ```
    /// use tabiya::{Move, MoveKind, Position, Square};
    /// let capture = Move::new(Square::E2, Square::E4, MoveKind::Capture);
    /// assert_eq!(
    ///     Position::START.explain_move(capture).to_string(),
    ///     "e2e4 is not legal: it is a double push here, not a capture",
    /// );
    /// ```
    pub fn explain_move(&self, mv: Move) -> Explanation {
        let us = self.turn();
        let castles = mv.castling().filter(|side| mv.to() == side.king_target(us));
        let text = match castles {
            Some(_) => self.uci(mv),
            None => UciMove { from: mv.from(), to: mv.to(), promotion: mv.promotion() },
        };
        if self.is_legal(mv) {
            return Explanation::new(text, Some(mv));
        }
        match (self.find_uci(text), castles) {
            (Some(here), _) => {
                let mut explanation = Explanation::new(text, None);
                explanation.push(Reason::WrongKind { given: mv.kind(), here: here.kind() });
                explanation
            }
            (None, Some(side)) if mv.from() == self.king(us) => {
                Diagnosis::new(self, Explanation::new(text, None)).explain_castling(side)
            }
            (None, _) => self.explain(text),
        }
    }
}
