//! A batch as a Python sequence that can be compared, copied and pickled.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tabiya::PackedPosition;

use crate::batch::{PyBatch, select, write};
use crate::classes;
use crate::plain_picture;
use crate::position::PyPosition;
use crate::signals::{self, STEP};

/// The positions of a batch, one after the other.
#[pyclass(module = "tabiya._tabiya")]
pub(crate) struct BatchIterator {
    batch: PyBatch,
    next: usize,
}

const _: () = classes::assert_aligned::<BatchIterator>();

#[pymethods]
impl BatchIterator {
    const fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<PyPosition>> {
        // `list` takes all positions without a look at signals.
        if self.next % STEP == STEP - 1 {
            py.check_signals()?;
        }
        let Some(position) = self.batch.positions().get(self.next) else {
            return Ok(None);
        };
        let position = PyPosition::of(position.clone());
        self.next += 1;
        Ok(Some(position))
    }

    fn __length_hint__(&self) -> usize {
        self.batch.positions().len() - self.next
    }
}

#[pymethods]
impl PyBatch {
    fn __len__(&self) -> usize {
        self.range.len()
    }

    fn __getitem__<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        select::item(self, key)
    }

    fn __iter__(&self) -> BatchIterator {
        BatchIterator { batch: self.whole(), next: 0 }
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.positions() == other.positions()
    }

    fn __repr__(&self) -> String {
        match self.range.len() {
            1 => "<tabiya.Batch of 1 position>".to_owned(),
            len => format!("<tabiya.Batch of {len} positions>"),
        }
    }

    /// A picture of the first positions, for notebooks; ``None`` if there are none.
    fn _repr_svg_(&self) -> Option<String> {
        let positions = self.positions();
        let boards = positions.iter().map(|position| (*position.board(), None));
        plain_picture::svg_of_first("row", positions.len(), boards)
    }

    const fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let positions = self.positions();
        let len = PackedPosition::BYTES * positions.len();
        let bytes = PyBytes::new_with(py, len, |bytes| {
            let rows = bytes.chunks_mut(PackedPosition::BYTES * STEP);
            for (positions, rows) in positions.chunks(STEP).zip(rows) {
                let rows = rows.chunks_exact_mut(PackedPosition::BYTES);
                for (position, row) in positions.iter().zip(rows) {
                    write::pack(position, row);
                }
                signals::pause(py)?;
            }
            Ok(())
        })?;
        Ok((py.get_type::<Self>().getattr("from_packed")?, (bytes,)))
    }
}
