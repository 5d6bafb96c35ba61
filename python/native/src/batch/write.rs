//! Positions as FENs and as packed bytes.

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyList;
use tabiya::{PackedPosition, Position};

use crate::signals;
use crate::threads::{BLOCK, ThreadsArg, Work};

/// Texts one after the other, with the end of each.
#[derive(Default)]
pub(super) struct Lines {
    pub(super) text: String,
    pub(super) ends: Vec<usize>,
}

impl Lines {
    /// Adds a text.
    pub(super) fn push(&mut self, text: &str) {
        self.text += text;
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
    let texts = PyList::empty(py);
    for block in blocks {
        for text in block.iter() {
            texts.append(text)?;
        }
        signals::pause(py)?;
    }
    Ok(texts)
}

/// The FENs of the positions.
pub(super) fn fens(
    py: Python<'_>,
    positions: &[Position],
    threads: ThreadsArg,
) -> PyResult<Vec<Lines>> {
    Work::on(positions.len(), threads)?.map(py, positions.chunks(BLOCK), |positions| {
        let mut lines = Lines::default();
        for position in positions {
            lines.push(&position.fen().text());
        }
        lines
    })
}

/// Bytes, and the offsets of the texts in them.
type Texts<'py> = (Bound<'py, PyArray1<u8>>, Bound<'py, PyArray1<i64>>);

/// The bytes of texts, and the offset of each; the last number is the end of the last text.
///
/// # Errors
/// The exception of a signal handler.
pub(super) fn bytes<'py>(py: Python<'py>, blocks: &[Lines]) -> PyResult<Texts<'py>> {
    let mut data = Vec::with_capacity(blocks.iter().map(|block| block.text.len()).sum());
    let texts: usize = blocks.iter().map(|block| block.ends.len()).sum();
    let mut offsets = Vec::with_capacity(texts + 1);
    offsets.push(0);
    for block in blocks {
        signals::pause(py)?;
        let start = data.len();
        offsets.extend(block.ends.iter().map(|end| (start + end) as i64));
        data.extend_from_slice(block.text.as_bytes());
    }
    Ok((PyArray1::from_vec(py, data), PyArray1::from_vec(py, offsets)))
}

/// The packed form of a position.
pub(super) fn pack(position: &Position, row: &mut [u8]) {
    row.copy_from_slice(&PackedPosition::of(position).to_bytes());
}
