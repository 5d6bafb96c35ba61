//! `Batch`: many positions at once, to and from arrays.
//!
//! One topic per file: where positions come from (`texts`, `read`, `random`), what they become
//! (`planes`, `mask`, `encoding`, `facts`, `write`), and what is done with moves (`moves`).

mod encoding;
mod mask;
mod planes;
mod read;
mod rows;
mod texts;

use std::ops::Range;
use std::sync::Arc;

use pyo3::prelude::*;
use tabiya::Position;

use self::encoding::{Encoding, Orientation};
use self::read::OnError;
use self::texts::Texts;
use crate::threads::ThreadsArg;

/// Many positions.
///
/// It never changes. Slices and threads share its memory.
#[pyclass(name = "Batch", module = "tabiya", frozen)]
pub(crate) struct PyBatch {
    positions: Arc<Vec<Position>>,
    /// The part of them that belongs to this batch.
    range: Range<usize>,
}

impl PyBatch {
    /// A batch of these positions.
    pub(crate) fn new(positions: Vec<Position>) -> Self {
        let range = 0..positions.len();
        Self { positions: Arc::new(positions), range }
    }

    /// The positions.
    pub(crate) fn positions(&self) -> &[Position] {
        &self.positions[self.range.clone()]
    }
}

#[pymethods]
impl PyBatch {
    /// The positions of FENs.
    #[staticmethod]
    #[pyo3(
        signature = (fens, *, chess960=false, threads=None, errors=OnError::Raise),
        text_signature = "(fens, *, chess960=False, threads=None, errors='raise')"
    )]
    fn from_fens<'py>(
        fens: &Bound<'py, PyAny>,
        chess960: bool,
        threads: ThreadsArg,
        errors: OnError,
    ) -> PyResult<Bound<'py, PyAny>> {
        read::fens(fens.py(), &Texts::new(fens)?, chess960, threads, errors)
    }

    /// The positions of FENs that lie in one buffer.
    #[staticmethod]
    #[pyo3(
        signature = (data, offsets, *, chess960=false, threads=None, errors=OnError::Raise),
        text_signature = "(data, offsets, *, chess960=False, threads=None, errors='raise')"
    )]
    fn from_fen_bytes<'py>(
        data: &Bound<'py, PyAny>,
        offsets: &Bound<'py, PyAny>,
        chess960: bool,
        threads: ThreadsArg,
        errors: OnError,
    ) -> PyResult<Bound<'py, PyAny>> {
        read::fens(data.py(), &Texts::in_bytes(data, offsets)?, chess960, threads, errors)
    }

    /// The positions of packed bytes.
    #[staticmethod]
    #[pyo3(
        signature = (data, *, threads=None, errors=OnError::Raise),
        text_signature = "(data, *, threads=None, errors='raise')"
    )]
    fn from_packed<'py>(
        data: &Bound<'py, PyAny>,
        threads: ThreadsArg,
        errors: OnError,
    ) -> PyResult<Bound<'py, PyAny>> {
        read::packed(data.py(), data, threads, errors)
    }

    fn __len__(&self) -> usize {
        self.range.len()
    }

    /// The sets of the pieces.
    #[pyo3(
        signature = (*, orientation=Orientation::White, out=None, threads=None),
        text_signature = "($self, *, orientation='white', out=None, threads=None)"
    )]
    fn bitboards<'py>(
        &self,
        py: Python<'py>,
        orientation: Orientation,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        rows::fill(py, self.positions(), out, &[12], threads, planes::bitboards(orientation))
    }

    /// Planes.
    #[pyo3(
        signature = (dtype=None, *, orientation=Orientation::White, extra=false, out=None, threads=None),
        text_signature = "($self, dtype=np.uint8, *, orientation='white', extra=False, out=None, threads=None)"
    )]
    fn planes<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        orientation: Orientation,
        extra: bool,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        planes::Planes { orientation, extra }.of(py, self.positions(), dtype, out, threads)
    }

    /// Legal moves as a mask.
    #[pyo3(
        signature = (encoding=Encoding::Uci, *, dtype=None, orientation=Orientation::White, out=None, threads=None),
        text_signature = "($self, encoding='uci', *, dtype=bool, orientation='white', out=None, threads=None)"
    )]
    fn legal_mask<'py>(
        &self,
        py: Python<'py>,
        encoding: Encoding,
        dtype: Option<&Bound<'py, PyAny>>,
        orientation: Orientation,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        mask::Mask { encoding, orientation }.of(py, self.positions(), dtype, out, threads)
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyBatch>()
}
