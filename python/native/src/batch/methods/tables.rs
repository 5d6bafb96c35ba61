//! Syzygy's endgame tables.

use std::sync::OnceLock;

use numpy::Element;
use pyo3::prelude::*;
use tabiya::Position;
use tabiya_syzygy::{TableError, Tables};

use crate::batch::{PyBatch, rows};
use crate::syzygy::{self, Folders, PyTablebase};
use crate::threads::ThreadsArg;

#[pymethods]
impl PyBatch {
    /// The results of endgame tables for the side to move, if the halfmove clocks are 0: shape (N,),
    /// dtype ``int8``.
    ///
    /// 2 is a win, 1 a win that the fifty-move rule makes a draw, 0 a draw, -1 and -2 are such losses,
    /// and -128 (``tabiya.syzygy.NO_WDL``) means that the tables do not have the position.
    ///
    /// ``DamagedTableError`` if a file is not what it should be, and ``OSError`` if it cannot be read.
    ///
    /// >>> import tabiya
    /// >>> tables = tabiya.syzygy.Tablebase()
    /// >>> tabiya.Batch.from_fens([tabiya.START, "8/8/1k6/8/8/8/8/K7 w - - 0 1"]).wdl(tables).tolist()
    /// [-128, 0]
    #[pyo3(signature = (tables, *, out=None, threads=None))]
    fn wdl<'py>(
        &self,
        py: Python<'py>,
        tables: &Bound<'py, PyTablebase>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        look_up(py, self.positions(), tables, out, threads, (i8::MIN, syzygy::wdl))
    }

    /// The distances of endgame tables to the next capture, pawn move or mate, as
    /// ``Tablebase.probe_dtz`` gives them: shape (N,), dtype ``int16``.
    ///
    /// -32768 (``tabiya.syzygy.NO_DTZ``) means that the tables do not have the position.
    ///
    /// ``DamagedTableError`` if a file is not what it should be, and ``OSError`` if it cannot be read.
    ///
    /// >>> import tabiya
    /// >>> tables = tabiya.syzygy.Tablebase()
    /// >>> tabiya.Batch.from_fens([tabiya.START, "8/8/1k6/8/8/8/8/K7 w - - 0 1"]).dtz(tables).tolist()
    /// [-32768, 0]
    #[pyo3(signature = (tables, *, out=None, threads=None))]
    fn dtz<'py>(
        &self,
        py: Python<'py>,
        tables: &Bound<'py, PyTablebase>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        look_up(py, self.positions(), tables, out, threads, (i16::MIN, syzygy::dtz))
    }
}

/// A look-up.
type Look<T> = fn(&Tables<Folders>, &Position) -> Result<T, TableError>;

/// A number for each position, or `none` if the tables do not have it.
fn look_up<'py, T: Element + Send + Sync + Copy>(
    py: Python<'py>,
    positions: &[Position],
    tables: &Bound<'py, PyTablebase>,
    out: Option<&Bound<'py, PyAny>>,
    threads: ThreadsArg,
    (none, look): (T, Look<T>),
) -> PyResult<Bound<'py, PyAny>> {
    let tables = tables.get().tables();
    let failure = OnceLock::new();
    let numbers = rows::values(py, positions, out, threads, |position| {
        look(&tables, position).unwrap_or_else(|error| {
            if !syzygy::is_absent(&error) {
                // The first one is as good as the others.
                let _ = failure.set(error);
            }
            none
        })
    })?;
    match failure.into_inner() {
        None => Ok(numbers),
        Some(error) => Err(syzygy::exception(py, error)),
    }
}
