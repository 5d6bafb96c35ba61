//! Positions as FENs and as packed bytes.

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use tabiya::{PackedPosition, Position};

use crate::threads::{BLOCK, ThreadsArg, Work};

/// Texts one after the other, with the end of each.
#[derive(Default)]
pub(super) struct Lines {
    pub(super) text: String,
    pub(super) ends: Vec<usize>,
}

impl Lines {
    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.ends.push(self.text.len());
    }

    /// The texts.
    fn iter(&self) -> impl Iterator<Item = &str> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.text[start..end])
    }
}

/// The texts of all blocks as a list.
pub(super) fn list<'py>(py: Python<'py>, blocks: &[Lines]) -> PyResult<Bound<'py, PyList>> {
    let texts: Vec<_> = blocks.iter().flat_map(Lines::iter).collect();
    PyList::new(py, texts.into_iter().map(|text| PyString::new(py, text)))
}

/// The FENs of the positions.
pub(super) fn fens(
    py: Python<'_>,
    positions: &[Position],
    threads: ThreadsArg,
) -> PyResult<Vec<Lines>> {
    Work::on(positions.len(), threads)?.map(py, positions.chunks(BLOCK), |positions| {
        let mut lines = Lines::default();
        lines.text.reserve(64 * positions.len());
        for position in positions {
            lines.push(&position.fen().text());
        }
        lines
    })
}

/// The bytes of texts, and where each begins; the last number is where the last one ends.
pub(super) fn bytes<'py>(
    py: Python<'py>,
    blocks: &[Lines],
) -> (Bound<'py, PyArray1<u8>>, Bound<'py, PyArray1<i64>>) {
    let mut data = Vec::with_capacity(blocks.iter().map(|block| block.text.len()).sum());
    let mut offsets = vec![0];
    for block in blocks {
        let start = data.len();
        offsets.extend(block.ends.iter().map(|end| (start + end) as i64));
        data.extend_from_slice(block.text.as_bytes());
    }
    (PyArray1::from_vec(py, data), PyArray1::from_vec(py, offsets))
}

/// The packed form of a position.
pub(super) fn pack(position: &Position, row: &mut [u8]) {
    row.copy_from_slice(&PackedPosition::of(position).to_bytes());
}
