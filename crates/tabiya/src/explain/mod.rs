//! Explains whether a move is legal, and gives every reason if it is not.
//!
//! The generator alone decides whether a move is legal. The reasons are found afterwards, from the
//! same facts: checkers, pins and masks of [`Legality`](crate::Legality), and the rules of en
//! passant and castling.

mod detail;
mod diagnosis;
mod explanation;
mod line;
mod reason;
mod reasons;
mod uci;
mod words;

pub use detail::Detail;
pub use explanation::{Explanation, Refusal};
pub use line::Line;
pub use reason::Reason;
pub use reasons::Reasons;
pub use uci::UciError;
pub use words::PlacedPiece;

use crate::moves::Move;
use crate::position::Position;
use crate::text::uci::UciMove;
use diagnosis::Diagnosis;

/// Explanations of moves.
impl Position {
    /// Says whether a move is legal, and gives every reason if it is not.
    ///
    /// The text is read strictly, in the position's [mode](Self::castling_mode) of castling: it is
    /// legal if and only if [`find_uci`](Self::find_uci) finds a move. If the piece cannot move
    /// like this on any board, checks and pins are not examined.
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
        let diagnosis = || Diagnosis::new(self, text);
        match self.find_uci(text) {
            Some(mv) => {
                debug_assert_eq!(diagnosis().reasons(), None, "{text} is legal in {self:?}");
                Explanation::of_legal(text, mv)
            }
            None => diagnosis().refuse().into(),
        }
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
        if self.is_legal(mv) {
            return Explanation::of_legal(self.uci(mv), mv);
        }
        self.refuse_move(mv).into()
    }

    /// Why a move is not legal. It must not be.
    pub(crate) fn refuse_move(&self, mv: Move) -> Refusal {
        let us = self.turn();
        let castles = mv.castling().filter(|side| mv.to() == side.king_target(us));
        let text = match castles {
            Some(_) => self.uci(mv),
            None => UciMove { from: mv.from(), to: mv.to(), promotion: mv.promotion() },
        };
        match (self.find_uci(text), castles) {
            (Some(here), _) => {
                let reason = Reason::WrongKind { given: mv.kind(), here: here.kind() };
                Refusal { text, reasons: Reasons::new(reason) }
            }
            (None, Some(side)) if mv.from() == self.king(us) => {
                Diagnosis::new(self, text).refuse_castling(side)
            }
            (None, _) => Diagnosis::new(self, text).refuse(),
        }
    }

    /// Why no piece but a castling king can make a move that is written with its piece, as in `Kg1`.
    pub(crate) fn refuse_step(&self, text: UciMove) -> Refusal {
        Diagnosis::new(self, text).refuse_san()
    }
}
