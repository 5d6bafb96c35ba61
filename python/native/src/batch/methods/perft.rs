//! Leaf nodes.

use pyo3::prelude::*;

use crate::batch::{PyBatch, perft};
use crate::threads::ThreadsArg;

#[pymethods]
impl PyBatch {
    /// The number of leaf nodes of each position at a depth in plies: shape (N,), dtype ``uint64``.
    ///
    /// Each position is counted by one thread. To count one position on all threads, with a table
    /// or further than 2^64, use ``tabiya.perft``.
    ///
    /// ``OverflowError`` if there are 2^64 leaf nodes or more.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Batch.from_fens([tabiya.START]).perft(4).tolist()
    /// [197281]
    #[pyo3(signature = (depth, *, out=None, threads=None))]
    fn perft<'py>(
        &self,
        py: Python<'py>,
        depth: i64,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        perft::counts(py, self.positions(), &perft::Depths::all(depth)?, out, threads)
    }

    /// The number of leaf nodes of each position at a depth of its own; otherwise as ``perft``.
    ///
    /// ``depths`` are N integers.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Batch.from_fens([tabiya.START] * 3).perft_many([0, 1, 2]).tolist()
    /// [1, 20, 400]
    #[pyo3(signature = (depths, *, out=None, threads=None))]
    fn perft_many<'py>(
        &self,
        py: Python<'py>,
        depths: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        let positions = self.positions();
        let depths = perft::Depths::each(depths, positions.len())?;
        perft::counts(py, positions, &depths, out, threads)
    }
}
