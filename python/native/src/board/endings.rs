//! Check, the end of the game, repetitions and claims.

use pyo3::prelude::*;
use tabiya::{Color, Outcome, Position};

use super::PyBoard;
use super::square_set::SquareSet;
use super::state::attackers_of_king;
use crate::color::ColorArg;
use crate::outcome;

impl PyBoard {
    /// The current position and those before it, newest first, as far back as a repetition can
    /// reach.
    fn reversible(&self) -> impl Iterator<Item = &Position> {
        let mut zeroed = false;
        let before = self.stack.iter().rev().map_while(move |entry| {
            let position = entry.before.position()?;
            let is_zeroing = entry
                .mv
                .is_some_and(|mv| mv.is_capture() || position.role_of(mv) == tabiya::Role::Pawn);
            zeroed |= is_zeroing;
            (!zeroed).then_some(position)
        });
        self.state.position().into_iter().chain(before)
    }

    /// Has the current position occurred at least `count` times?
    fn occurs(&self, count: usize) -> bool {
        let mut positions = self.reversible();
        let Some(now) = positions.next() else { return count == 0 };
        count <= 1
            || positions
                .filter(|before| before.key() == now.key() && *before == now)
                .nth(count - 2)
                .is_some()
    }

    /// Can the side to move reach a position that has occurred twice before?
    fn reaches_third_occurrence(&self, position: &Position) -> bool {
        let positions: Vec<_> = self.reversible().collect();
        // With null moves, a position can occur again after two plies, so the third occurrence
        // comes at least four plies after the first. The last of them is the move that is tried.
        if positions.len() < 4 {
            return false;
        }
        let occurs_again = |after: &Position| {
            let same = positions.iter().filter(|before| before.key() == after.key());
            same.filter(|before| **before == after).count() >= 2
        };
        position.legal_moves().iter().any(|&mv| {
            let is_reversible = !mv.is_capture() && !mv.is_promotion();
            is_reversible && occurs_again(&position.play(mv))
        })
    }

    /// Can the side to move reach the limit of the fifty-move rule?
    fn reaches_fifty_moves(&self, position: &Position) -> bool {
        position.halfmove_clock() >= 99
            && position.legal_moves().iter().any(|&mv| {
                let after = position.play(mv);
                after.halfmove_clock() >= 100 && after.has_legal_move()
            })
    }

    /// The outcome of the game; `None` if it goes on.
    fn end(&self, py: Python<'_>, claim_draw: bool) -> PyResult<Option<Outcome>> {
        let position = self.playable(py)?;
        let occurrences = if self.occurs(5) { 5 } else { 1 };
        if let Some(outcome) = position.outcome_with(occurrences) {
            return Ok(Some(outcome));
        }
        if !claim_draw {
            return Ok(None);
        }
        Ok(if self.claims_fifty_moves(position) {
            Some(Outcome::FiftyMoves)
        } else if self.claims_threefold(position) {
            Some(Outcome::ThreefoldRepetition)
        } else {
            None
        })
    }

    fn claims_fifty_moves(&self, position: &Position) -> bool {
        is_halfmoves(position, 100) || self.reaches_fifty_moves(position)
    }

    fn claims_threefold(&self, position: &Position) -> bool {
        self.occurs(3) || self.reaches_third_occurrence(position)
    }
}

/// Have so many plies been played without a capture or a pawn move, and can the game go on?
fn is_halfmoves(position: &Position, plies: u16) -> bool {
    position.halfmove_clock() >= plies && position.has_legal_move()
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
    fn is_checkmate(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.playable(py)?.is_checkmate())
    }

    /// Is the side to move stalemated?
    fn is_stalemate(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.playable(py)?.is_stalemate())
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
    fn is_game_over(&self, py: Python<'_>, claim_draw: bool) -> PyResult<bool> {
        Ok(self.end(py, claim_draw)?.is_some())
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
        let end = slf.try_borrow()?.end(py, claim_draw)?;
        end.map(|end| outcome::to_python(py, end)).transpose()
    }

    /// ``1-0``, ``0-1``, ``1/2-1/2``, or ``*`` if the game goes on.
    #[pyo3(signature = (*, claim_draw=false))]
    fn result(&self, py: Python<'_>, claim_draw: bool) -> PyResult<&'static str> {
        Ok(self.end(py, claim_draw)?.map_or("*", |outcome| outcome.result().name()))
    }

    /// Have 75 moves of each side without a capture or a pawn move been made, and can the game go
    /// on?
    fn is_seventyfive_moves(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(is_halfmoves(self.playable(py)?, 150))
    }

    /// Have 50 moves of each side without a capture or a pawn move been made, and can the game go
    /// on?
    fn is_fifty_moves(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(is_halfmoves(self.playable(py)?, 100))
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
    fn can_claim_draw(&self, py: Python<'_>) -> PyResult<bool> {
        let position = self.playable(py)?;
        Ok(self.claims_fifty_moves(position) || self.claims_threefold(position))
    }

    /// Can the side to move claim a draw by the fifty-move rule, now or by announcing a move?
    fn can_claim_fifty_moves(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.claims_fifty_moves(self.playable(py)?))
    }

    /// Can the side to move claim a draw because the position occurs for the third time, now or
    /// after a move that it announces?
    fn can_claim_threefold_repetition(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.claims_threefold(self.playable(py)?))
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
