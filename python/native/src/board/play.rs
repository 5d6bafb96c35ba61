//! Pushing and popping moves.

use std::mem;

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use tabiya::fen::EnPassantMode;
use tabiya::{CastlingMode, Game, Move, Position};

use super::state::State;
use super::{Entry, PyBoard, legal};
use crate::moves::{MoveArg, PyMove};

impl PyBoard {
    /// Plays a legal move, or passes.
    pub(super) fn push_move(&mut self, mv: Option<Move>) {
        let after = self.state.after(mv);
        // Copied once, straight into its place: a second copy would read the first one back while
        // it's still being written.
        self.stack.push(Entry { before: State::clone(&self.state), mv });
        *self.state = after;
    }

    /// The position with the moves that led to it, from the last null move or board that was not
    /// playable on; without moves if the board was edited after them.
    ///
    /// # Errors
    /// `UnplayableError`.
    pub(crate) fn game(&self, py: Python<'_>) -> PyResult<Game> {
        let position = self.state.playable(py)?;
        let fields = |it: &Position| it.to_setup_with(EnPassantMode::Always);
        let played = self.played(position.castling_mode());
        let played = played.filter(|game| fields(game.position()) == fields(position));
        Ok(played.unwrap_or_else(|| Game::from_position(position.clone())))
    }

    /// The game of the moves, if they can be played in this notation of castling.
    fn played(&self, mode: CastlingMode) -> Option<Game> {
        let is_end = |it: &Entry| it.mv.is_none() || it.before.position().is_none();
        let first = self.stack.iter().rposition(is_end).map_or(0, |last| last + 1);
        let played = &self.stack[first..];
        let start = played.first()?.before.position()?.clone();
        let mut game = Game::from_position(start.with_castling_mode(mode).ok()?);
        for mv in played.iter().filter_map(|entry| entry.mv) {
            game.push(mv).ok()?;
        }
        Some(game)
    }

    /// The object of a pushed move.
    pub(super) fn object(py: Python<'_>, entry: &Entry) -> PyResult<&'static Py<PyMove>> {
        match entry.mv {
            Some(mv) => entry.before.object(py, mv),
            None => PyMove::NULL.object(py),
        }
    }
}

#[pymethods]
impl PyBoard {
    /// Plays a move: a ``Move``, or a text in any notation. ``Move.null()`` passes the turn.
    ///
    /// Raises ``MoveError`` if the move is not legal (python-chess does not check that).
    ///
    /// >>> import tabiya
    /// >>> board = tabiya.Board()
    /// >>> board.push(tabiya.Move.from_uci("g1f3"))
    /// >>> board.push(tabiya.Move.from_uci("g1f3"))
    /// Traceback (most recent call last):
    ///   ...
    /// tabiya.errors.IllegalMoveError: g1f3 is not legal: ...
    fn push(&mut self, py: Python<'_>, r#move: MoveArg<'_>) -> PyResult<()> {
        let mv = legal::resolve(py, &self.state, &r#move)?;
        self.push_move(mv);
        Ok(())
    }

    /// Takes the last move back and returns it.
    ///
    /// Raises ``IndexError`` if no move was pushed.
    ///
    /// >>> import tabiya
    /// >>> board = tabiya.Board()
    /// >>> board.push_san("Nf3")
    /// Move.from_uci('g1f3')
    /// >>> board.pop()
    /// Move.from_uci('g1f3')
    fn pop(&mut self, py: Python<'_>) -> PyResult<&'static Py<PyMove>> {
        let entry = self.stack.last_mut().ok_or_else(|| no_move("pop"))?;
        let object = Self::object(py, entry);
        let mode = self.state.mode();
        mem::swap(&mut *self.state, &mut entry.before);
        // Dropped in its place: `Vec::pop` would copy it once more.
        self.stack.truncate(self.stack.len() - 1);
        if self.state.mode() != mode {
            // It says how castling is written, and belongs to the board, not to the position.
            self.state.edit(|setup| setup.castling_mode = mode);
        }
        object
    }

    /// The last move, without taking it back.
    ///
    /// Raises ``IndexError`` if no move was pushed.
    fn peek(&self, py: Python<'_>) -> PyResult<&'static Py<PyMove>> {
        Self::object(py, self.stack.last().ok_or_else(|| no_move("peek"))?)
    }

    /// The moves that were pushed, as a new list. Changing the list does not change the board.
    ///
    /// >>> import tabiya
    /// >>> board = tabiya.Board()
    /// >>> board.push_san("Nf3")
    /// Move.from_uci('g1f3')
    /// >>> board.move_stack
    /// [Move.from_uci('g1f3')]
    #[getter]
    fn move_stack<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let objects = self.stack.iter().map(|entry| Self::object(py, entry));
        PyList::new(py, objects.collect::<PyResult<Vec<_>>>()?)
    }

    /// Forgets the moves. The pieces stay.
    fn clear_stack(&mut self) {
        self.stack.clear();
    }

    /// The number of plies since the start of the game, by the number of the move and the side to
    /// move.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Board("4k3/8/8/8/8/8/8/4K2R b - - 0 10").ply()
    /// 19
    fn ply(&self) -> i64 {
        2 * (i64::from(self.state.fullmove_number()) - 1)
            + i64::from(self.state.turn() == tabiya::Color::Black)
    }
}

/// The error for a board on which no move was pushed.
fn no_move(action: &str) -> PyErr {
    PyIndexError::new_err(format!("there is no move to {action}"))
}
