//! Keys and facts of each position.

use pyo3::prelude::*;
use tabiya::{Color, Position};

use crate::batch::{PyBatch, facts, rows};
use crate::threads::ThreadsArg;

#[pymethods]
impl PyBatch {
    /// The keys, by which equal positions can be found: shape (N,), dtype ``uint64``.
    ///
    /// >>> import tabiya
    /// >>> batch = tabiya.Batch.from_fens([tabiya.START])
    /// >>> int(batch.keys()[0]) == batch[0].key
    /// True
    #[pyo3(signature = (*, out=None, threads=None))]
    fn keys<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        rows::values(py, self.positions(), out, threads, Position::key)
    }

    /// Is White to move? Shape (N,), dtype ``bool``: ``tabiya.WHITE`` or ``tabiya.BLACK``.
    #[pyo3(signature = (*, out=None, threads=None))]
    fn turns<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        rows::values(py, self.positions(), out, threads, |it| it.turn() == Color::White)
    }

    /// The castling rights: shape (N, 4), dtype ``bool``. The columns are White's right on the king
    /// side and on the queen side, then Black's.
    #[pyo3(signature = (*, out=None, threads=None))]
    fn castling<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        rows::fill(py, self.positions(), out, &[4], threads, facts::castling)
    }

    /// The squares on which a capture en passant is legal, or -1: shape (N,), dtype ``int8``.
    #[pyo3(signature = (*, out=None, threads=None))]
    fn en_passant<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        rows::values(py, self.positions(), out, threads, facts::en_passant)
    }

    /// The clocks: shape (N, 2), dtype ``uint16``. The columns are the halfmove clock, which is the
    /// number of plies since a capture or a pawn move, and the number of the move.
    #[pyo3(signature = (*, out=None, threads=None))]
    fn clocks<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        rows::fill(py, self.positions(), out, &[2], threads, facts::clocks)
    }

    /// Is the side to move in check? Shape (N,), dtype ``bool``.
    #[pyo3(signature = (*, out=None, threads=None))]
    fn is_check<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        rows::values(py, self.positions(), out, threads, Position::is_check)
    }

    /// Is it checkmate? Shape (N,), dtype ``bool``.
    #[pyo3(signature = (*, out=None, threads=None))]
    fn is_checkmate<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        rows::values(py, self.positions(), out, threads, Position::is_checkmate)
    }

    /// Is it stalemate? Shape (N,), dtype ``bool``.
    #[pyo3(signature = (*, out=None, threads=None))]
    fn is_stalemate<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        rows::values(py, self.positions(), out, threads, Position::is_stalemate)
    }

    /// Has neither side enough material for a mate? Shape (N,), dtype ``bool``.
    #[pyo3(signature = (*, out=None, threads=None))]
    fn is_insufficient_material<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        rows::values(py, self.positions(), out, threads, Position::is_insufficient_material)
    }

    /// The outcomes of the games, as far as single positions tell: shape (N,), dtype ``int8``.
    ///
    /// 0: the game goes on; 1: White has won by checkmate; -1: Black has; 2: stalemate;
    /// 3: insufficient material; 4: 75 moves of each side without a capture or a pawn move. So all
    /// draws are above 1. ``tabiya.encodings.OUTCOMES`` has the values of ``Position.outcome()``.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Batch.from_fens(["7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"]).outcomes().tolist()
    /// [1]
    #[pyo3(signature = (*, out=None, threads=None))]
    fn outcomes<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        rows::values(py, self.positions(), out, threads, facts::outcome)
    }

    /// The named openings of the positions, as indices of ``tabiya.openings()``, or -1: shape (N,),
    /// dtype ``int16``.
    ///
    /// >>> import tabiya
    /// >>> batch = tabiya.Batch.from_positions([tabiya.Position(), tabiya.Position().play("e4")])
    /// >>> none, pawn = batch.openings().tolist()
    /// >>> none, tabiya.openings()[pawn].name
    /// (-1, "King's Pawn Game")
    #[pyo3(signature = (*, out=None, threads=None))]
    fn openings<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        rows::values(py, self.positions(), out, threads, facts::opening)
    }
}
