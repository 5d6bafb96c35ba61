//! `Board`: a board on which moves are pushed and popped, with the method names that users of
//! python-chess know.
//!
//! One topic per file; each has its own block of methods.

mod attacks;
mod copy;
mod edit;
mod endings;
mod epd;
mod fen;
mod fields;
mod functions;
mod kinds;
mod legal;
mod notation;
mod play;
mod show;
mod square_set;
mod state;
mod tables;
mod unplayable;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};
use tabiya::{CastlingMode, Move, Position};

use crate::classes;
use crate::position::PyPosition;
use state::State;

/// A board with pieces, and the moves that were pushed on it. The names and the behaviour of its
/// methods are those that users of python-chess know; a page of the documentation has a table of
/// them, with the differences.
///
/// Without a FEN it is the start of a game, and with ``None`` it is empty. With ``chess960``,
/// castling is written as the king taking its own rook. Any board can be set up and edited, and has
/// moves; only ``position`` raises ``UnplayableError`` if the board is not playable.
///
/// Unlike python-chess, only legal moves can be pushed. Boards are not hashable; ``position`` is.
///
/// Raises ``FenError`` if the text is not a FEN.
///
/// >>> import tabiya
/// >>> board = tabiya.Board()
/// >>> board.push_san("e4")
/// Move.from_uci('e2e4')
/// >>> tabiya.Move.from_uci("e7e5") in board.legal_moves
/// True
/// >>> print(board)
/// r n b q k b n r
/// p p p p p p p p
/// . . . . . . . .
/// . . . . . . . .
/// . . . . P . . .
/// . . . . . . . .
/// P P P P . P P P
/// R N B Q K B N R
/// >>> board.pop()
/// Move.from_uci('e2e4')
#[pyclass(name = "Board", module = "tabiya", subclass, weakref)]
pub(crate) struct PyBoard {
    state: Box<State>,
    /// The moves that were pushed.
    stack: Vec<Entry>,
}

/// A move that was pushed.
#[derive(Clone)]
struct Entry {
    /// The state of the board before it.
    before: State,
    /// The move; `None` for the null move.
    mv: Option<Move>,
}

impl PyBoard {
    /// A board without history.
    fn with(state: State) -> Self {
        Self { state: Box::new(state), stack: Vec::new() }
    }

    /// The position, and those before it, the last one first. Those that are not playable are left
    /// out.
    pub(crate) fn positions_back(&self) -> impl Iterator<Item = &Position> {
        let before = self.stack.iter().rev().map(|entry| &entry.before);
        std::iter::once(&*self.state).chain(before).filter_map(State::position)
    }

    /// A board of this class, which may be a user's subclass.
    ///
    /// # Errors
    /// Any exception that the constructor of that class raises.
    fn instance<'py>(self, class: &Bound<'py, PyType>) -> PyResult<Bound<'py, Self>> {
        let py = class.py();
        if class.is(py.get_type::<Self>()) {
            return Bound::new(py, self);
        }
        let board = class.call1((py.None(),))?.cast_into::<Self>()?;
        *board.try_borrow_mut()? = self;
        Ok(board)
    }
}

/// The notation of castling for the flag `chess960`.
const fn mode(chess960: bool) -> CastlingMode {
    if chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard }
}

#[pymethods]
impl PyBoard {
    // `__init__` has the real parameters, so that users' subclasses can have constructors of their
    // own.
    #[new]
    #[pyo3(
        signature = (*_args, **_kwargs),
        text_signature = "(fen=STARTING_FEN, *, chess960=False)"
    )]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        Self::with(State::Playable(Position::START))
    }

    #[pyo3(signature = (fen=Some(START_FEN), *, chess960=false))]
    fn __init__(&mut self, py: Python<'_>, fen: Option<&str>, chess960: bool) -> PyResult<()> {
        let mode = mode(chess960);
        *self.state = match fen {
            Some(START_FEN) => State::of(Position::START, mode),
            Some(fen) => fen::read(py, fen, mode)?,
            None => State::empty(mode),
        };
        self.stack.clear();
        Ok(())
    }

    /// An empty board.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Board.empty()
    /// Board('8/8/8/8/8/8/8/8 w - - 0 1')
    #[classmethod]
    #[pyo3(signature = (*, chess960=false))]
    fn empty<'py>(class: &Bound<'py, PyType>, chess960: bool) -> PyResult<Bound<'py, Self>> {
        Self::with(State::empty(mode(chess960))).instance(class)
    }

    /// A board with a ``Position``, without history.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Board.from_position(tabiya.Position().play("e4")).turn
    /// False
    #[classmethod]
    fn from_position<'py>(
        class: &Bound<'py, PyType>,
        position: &PyPosition,
    ) -> PyResult<Bound<'py, Self>> {
        Self::with(State::Playable(position.position().clone())).instance(class)
    }

    /// The position of the board, which does not change with it. It can be hashed.
    ///
    /// Raises ``UnplayableError`` if the position is not playable.
    ///
    /// >>> import tabiya
    /// >>> board = tabiya.Board()
    /// >>> before = board.position
    /// >>> board.push_san("e4")
    /// Move.from_uci('e2e4')
    /// >>> before == tabiya.Position()
    /// True
    #[getter]
    pub(crate) fn position(&self, py: Python<'_>) -> PyResult<PyPosition> {
        Ok(PyPosition::of(self.state.playable(py)?.clone()))
    }
}

/// The start of a game, in FEN.
const START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    classes::add::<PyBoard>(module)?;
    legal::register(module)?;
    square_set::register(module)?;
    functions::register(module)?;
    tables::register(module)
}
