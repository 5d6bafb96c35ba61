//! Check, the end of the game, repetitions and claims.

use pyo3::prelude::*;
use tabiya::{Color, Outcome, Role};

use super::PyBoard;
use super::square_set::SquareSet;
use super::state::{Rules, State, attackers_of_king};
use crate::color::ColorArg;
use crate::outcome;

impl PyBoard {
    /// The current state and those before it, newest first, as far back as a repetition can reach.
    fn reversible(&self) -> impl Iterator<Item = &State> {
        let before = self.stack.iter().rev().map_while(|entry| {
            let is_zeroing = entry.mv.is_some_and(|mv| {
                mv.is_capture() || entry.before.board().role_on(mv.from()) == Some(Role::Pawn)
            });
            (!is_zeroing).then_some(&entry.before)
        });
        std::iter::once(&*self.state).chain(before)
    }

    /// Has the current position occurred at least `count` times?
    fn occurs(&self, count: usize) -> bool {
        let mut before = self.reversible().skip(1).filter(|before| before.is_same(&self.state));
        count <= 1 || before.nth(count - 2).is_some()
    }

    /// Can the side to move reach a position that has occurred twice before?
    fn reaches_third_occurrence(&self) -> bool {
        let states: Vec<_> = self.reversible().collect();
        // With null moves, a position can occur again after two plies, so the third occurrence
        // comes at least four plies after the first. The last of them is the move that is tried.
        if states.len() < 4 {
            return false;
        }
        self.state.legal_moves().into_iter().any(|mv| {
            let is_reversible = !mv.is_capture() && !mv.is_promotion();
            is_reversible && {
                let after = self.state.after(Some(mv));
                states.iter().filter(|before| before.is_same(&after)).count() >= 2
            }
        })
    }

    /// Can the side to move reach the limit of the fifty-move rule?
    fn reaches_fifty_moves(&self) -> bool {
        self.state.halfmove_clock() >= 99
            && self.state.legal_moves().into_iter().any(|mv| {
                let after = self.state.after(Some(mv));
                after.halfmove_clock() >= 100 && after.has_legal_move()
            })
    }

    /// The outcome of the game; `None` if it goes on.
    fn end(&self, claim_draw: bool) -> Option<Outcome> {
        let outcome = match self.state.rules() {
            Rules::Position(position) => position.outcome_with(if self.occurs(5) { 5 } else { 1 }),
            Rules::Setup(_) => self.end_of_setup(),
        };
        if outcome.is_some() || !claim_draw {
            return outcome;
        }
        if self.can_claim_fifty_moves() {
            Some(Outcome::FiftyMoves)
        } else if self.can_claim_threefold_repetition() {
            Some(Outcome::ThreefoldRepetition)
        } else {
            None
        }
    }

    /// The same on a board that is not playable.
    fn end_of_setup(&self) -> Option<Outcome> {
        if self.is_checkmate() {
            Some(Outcome::Checkmate { winner: !self.state.turn() })
        } else if self.is_insufficient_material() {
            Some(Outcome::InsufficientMaterial)
        } else if !self.state.has_legal_move() {
            Some(Outcome::Stalemate)
        } else if self.is_seventyfive_moves() {
            Some(Outcome::SeventyFiveMoves)
        } else if self.is_fivefold_repetition() {
            Some(Outcome::FivefoldRepetition)
        } else {
            None
        }
    }

    /// Have so many plies been played without a capture or a pawn move, and can the game go on?
    fn has_halfmoves(&self, plies: u16) -> bool {
        self.state.halfmove_clock() >= plies && self.state.has_legal_move()
    }
}

#[pymethods]
impl PyBoard {
    /// Is the side to move in check?
    ///
    /// >>> import tabiya
    /// >>> tabiya.Board("4k3/8/8/8/8/8/8/4K2r w - - 0 1").is_check()
    /// True
    fn is_check(&self) -> bool {
        self.state.checkers().any()
    }

    /// The pieces that give check.
    fn checkers(&self) -> SquareSet {
        SquareSet::of(self.checkers_mask())
    }

    /// The pieces that give check, as a number of 64 bits.
    fn checkers_mask(&self) -> u64 {
        self.state.checkers().0
    }

    /// Could the king of the side that is *not* to move be captured? Never on a playable board.
    fn was_into_check(&self) -> bool {
        attackers_of_king(self.state.board(), !self.state.turn()).any()
    }

    /// Is the side to move checkmated?
    ///
    /// >>> import tabiya
    /// >>> tabiya.Board("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").is_checkmate()
    /// True
    fn is_checkmate(&self) -> bool {
        self.is_check() && !self.state.has_legal_move()
    }

    /// Is the side to move stalemated?
    fn is_stalemate(&self) -> bool {
        !self.is_check() && !self.state.has_legal_move()
    }

    /// Does neither side have the material for a mate?
    fn is_insufficient_material(&self) -> bool {
        !Color::ALL.into_iter().any(|color| self.state.board().can_mate(color))
    }

    /// Does a side not have the material for a mate, even if the opponent helps?
    fn has_insufficient_material(&self, color: ColorArg) -> bool {
        !self.state.board().can_mate(color.0)
    }

    /// Is the game over? With ``claim_draw``, also if a draw can be claimed.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Board().is_game_over()
    /// False
    #[pyo3(signature = (*, claim_draw=false))]
    fn is_game_over(&self, claim_draw: bool) -> bool {
        self.end(claim_draw).is_some()
    }

    /// The outcome of the game as an ``Outcome``, or ``None`` if it goes on. With ``claim_draw``,
    /// draws that can be claimed count.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Board("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").outcome().termination
    /// <Termination.CHECKMATE: 'checkmate'>
    #[pyo3(name = "outcome", signature = (*, claim_draw=false))]
    fn outcome_of<'py>(
        slf: &Bound<'py, Self>,
        claim_draw: bool,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = slf.py();
        // The call runs Python code, so the board must not be borrowed during it.
        let end = slf.try_borrow()?.end(claim_draw);
        end.map(|end| outcome::to_python(py, end)).transpose()
    }

    /// ``1-0``, ``0-1``, ``1/2-1/2``, or ``*`` if the game goes on.
    #[pyo3(signature = (*, claim_draw=false))]
    fn result(&self, claim_draw: bool) -> &'static str {
        self.end(claim_draw).map_or("*", |outcome| outcome.result().name())
    }

    /// Have 75 moves of each side without a capture or a pawn move been made, and can the game go
    /// on?
    fn is_seventyfive_moves(&self) -> bool {
        self.has_halfmoves(150)
    }

    /// Have 50 moves of each side without a capture or a pawn move been made, and can the game go
    /// on?
    fn is_fifty_moves(&self) -> bool {
        self.has_halfmoves(100)
    }

    /// Has the position occurred five times?
    fn is_fivefold_repetition(&self) -> bool {
        self.occurs(5)
    }

    /// Has the position occurred at least ``count`` times?
    ///
    /// >>> import tabiya
    /// >>> board = tabiya.Board()
    /// >>> for text in ["Nf3", "Nf6", "Ng1", "Ng8"]:
    /// ...     move = board.push_san(text)
    /// >>> board.is_repetition(2), board.is_repetition(3)
    /// (True, False)
    #[pyo3(signature = (count=3))]
    fn is_repetition(&self, count: i64) -> bool {
        usize::try_from(count).map_or(true, |count| self.occurs(count))
    }

    /// Can the side to move claim a draw, now or by announcing a move?
    fn can_claim_draw(&self) -> bool {
        self.can_claim_fifty_moves() || self.can_claim_threefold_repetition()
    }

    /// Can the side to move claim a draw by the fifty-move rule, now or by announcing a move?
    fn can_claim_fifty_moves(&self) -> bool {
        self.is_fifty_moves() || self.reaches_fifty_moves()
    }

    /// Can the side to move claim a draw because the position occurs for the third time, now or
    /// after a move that it announces?
    fn can_claim_threefold_repetition(&self) -> bool {
        self.occurs(3) || self.reaches_third_occurrence()
    }

    /// ``False``: standard chess has no other ends of the game.
    const fn is_variant_end(&self) -> bool {
        false
    }

    /// ``False``: standard chess has no other ends of the game.
    const fn is_variant_loss(&self) -> bool {
        false
    }

    /// ``False``: standard chess has no other ends of the game.
    const fn is_variant_win(&self) -> bool {
        false
    }

    /// ``False``: standard chess has no other ends of the game.
    const fn is_variant_draw(&self) -> bool {
        false
    }
}
