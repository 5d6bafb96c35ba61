//! Pushing and popping moves.

use std::mem;

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use tabiya::Move;

use super::state::State;
use super::{Entry, PyBoard, legal};
use crate::errors;
use crate::moves::{MoveArg, PyMove};

impl PyBoard {
    /// Plays a legal move, or passes.
    ///
    /// # Errors
    /// `UnplayableError`, or `IllegalMoveError` for a null move in check.
    pub(super) fn push_move(&mut self, py: Python<'_>, mv: Option<Move>) -> PyResult<()> {
        let position = self.playable(py)?;
        let after = match mv {
            Some(mv) => position.play(mv),
            None => position.play_null().ok_or_else(|| errors::null_in_check(py, position))?,
        };
        let before = mem::replace(&mut *self.state, State::Playable(after));
        self.stack.push(Entry { before, mv });
        Ok(())
    }

    /// The object of a pushed move.
    pub(super) fn object(py: Python<'_>, entry: &Entry) -> PyResult<&'static Py<PyMove>> {
        match (entry.mv, entry.before.position()) {
            (Some(mv), Some(position)) => PyMove::of(py, position, mv),
            _ => PyMove::NULL.object(py),
        }
    }
}

#[pymethods]
impl PyBoard {
    /// Plays a move: a ``Move``, or a text in any notation. ``Move.null()`` passes the turn.
    ///
    /// Raises ``MoveError`` if the move is not legal (python-chess does not check that), or if the
    /// side to move passes in check.
    ///
    /// >>> import tabiya
    /// >>> board = tabiya.Board()
    /// >>> board.push(tabiya.Move.from_uci("g1f3"))
    /// >>> board.push(tabiya.Move.from_uci("g1f3"))
    /// Traceback (most recent call last):
    ///   ...
    /// tabiya.errors.IllegalMoveError: g1f3 is not legal: ...
    fn push(&mut self, py: Python<'_>, r#move: MoveArg<'_>) -> PyResult<()> {
        let mv = legal::resolve(py, self.playable(py)?, &r#move)?;
        self.push_move(py, mv)
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
        let entry = self.stack.pop().ok_or_else(|| no_move("pop"))?;
        let object = Self::object(py, &entry);
        let mode = self.state.mode();
        *self.state = entry.before;
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
