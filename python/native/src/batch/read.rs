//! Positions from rows that may be bad.

use numpy::{PyArray1, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tabiya::{CastlingMode, PackedPosition, Position};

use super::PyBatch;
use super::reason::Reason;
use super::rows;
use super::texts::{Part, Texts};
use crate::arrays;
use crate::errors::raise;
use crate::signals;
use crate::threads::{BLOCK, ThreadsArg, Work};

/// The treatment of bad rows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OnError {
    /// The first one raises an exception.
    Raise,
    /// They are left out, and a mask marks their places.
    Mask,
}

impl<'a, 'py> FromPyObject<'a, 'py> for OnError {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match object.extract::<&str>() {
            Ok("raise") => Ok(Self::Raise),
            Ok("mask") => Ok(Self::Mask),
            _ => {
                let found = object.repr()?;
                let text = format!("errors: expected \"raise\" or \"mask\", not {found}");
                Err(PyValueError::new_err(text))
            }
        }
    }
}

/// Positions made row by row, and the bad rows.
pub(super) struct Reading {
    positions: Vec<Position>,
    is_bad: Vec<bool>,
    on_error: OnError,
    work: Work,
    done: usize,
}

impl Reading {
    pub(super) fn new(
        py: Python<'_>,
        rows: usize,
        on_error: OnError,
        threads: ThreadsArg,
    ) -> PyResult<Self> {
        let work = Work::on(rows, threads)?;
        let flags = if on_error == OnError::Mask { rows } else { 0 };
        let positions = rows::room(py, rows)?;
        Ok(Self { positions, is_bad: vec![false; flags], on_error, work, done: 0 })
    }

    /// Makes the next rows. `read` writes a position to its place or returns the reason why the row
    /// is bad; `show` returns the text of the row for the message.
    ///
    /// # Errors
    /// `BatchError` for the first bad row, unless bad rows are to be masked.
    pub(super) fn read<'a, S: Default>(
        &mut self,
        py: Python<'_>,
        rows: usize,
        read: impl Fn(usize, &mut S, &mut Position) -> Result<(), Reason<'a>> + Send + Sync,
        show: impl Fn(usize) -> String,
    ) -> PyResult<()> {
        let first = self.done;
        self.done += rows;
        let positions = &mut self.positions[first..first + rows];
        if self.on_error == OnError::Mask {
            let is_bad = &mut self.is_bad[first..first + rows];
            let blocks = positions.chunks_mut(BLOCK).zip(is_bad.chunks_mut(BLOCK)).enumerate();
            return self.work.run(py, blocks, |(block, (positions, is_bad))| {
                let mut state = S::default();
                for (row, (position, is_bad)) in positions.iter_mut().zip(is_bad).enumerate() {
                    *is_bad = read(BLOCK * block + row, &mut state, position).is_err();
                }
            });
        }
        let blocks = positions.chunks_mut(BLOCK).enumerate();
        let errors = self.work.map(py, blocks, |(block, positions)| {
            let mut state = S::default();
            for (row, position) in positions.iter_mut().enumerate() {
                if let Err(reason) = read(BLOCK * block + row, &mut state, position) {
                    return Some((BLOCK * block + row, reason));
                }
            }
            None
        })?;
        match errors.into_iter().flatten().next() {
            None => Ok(()),
            Some((row, reason)) => {
                Err(raise!(py, BatchError, (reason.words(py), first + row, show(row))))
            }
        }
    }

    /// The batch; with a mask of the bad rows if the caller wanted one.
    ///
    /// # Errors
    /// Only those of Python.
    pub(super) fn finish(mut self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        if self.on_error == OnError::Raise {
            return Ok(PyBatch::new(self.positions).into_pyobject(py)?.into_any());
        }
        if self.is_bad.contains(&true) {
            let mut kept = 0;
            for (row, is_bad) in self.is_bad.iter().enumerate() {
                if !is_bad {
                    self.positions.swap(kept, row);
                    kept += 1;
                }
                signals::pause_at(py, row)?;
            }
            self.positions.truncate(kept);
            self.positions.shrink_to_fit();
        }
        let mask = PyArray1::from_vec(py, self.is_bad);
        Ok((PyBatch::new(self.positions), mask).into_pyobject(py)?.into_any())
    }
}

/// The positions of FENs.
pub(super) fn fens<'py>(
    py: Python<'py>,
    texts: &Texts<'py>,
    chess960: bool,
    threads: ThreadsArg,
    on_error: OnError,
) -> PyResult<Bound<'py, PyAny>> {
    let mut parts = Vec::new();
    texts.parts(&mut parts)?;
    let rows = parts.iter().map(Part::rows).sum();
    let mut reading = Reading::new(py, rows, on_error, threads)?;
    for part in &parts {
        let read = |row: usize, buffer: &mut String, place: &mut Position| {
            let fen = part.get(row, buffer)?;
            *place = Position::from_fen(fen).map_err(|error| error.to_string())?;
            if chess960 {
                let position = place.clone().with_castling_mode(CastlingMode::Chess960);
                *place = position.map_err(|error| error.to_string())?;
            }
            Ok(())
        };
        reading.read(py, part.rows(), read, |row| part.show(row))?;
    }
    reading.finish(py)
}

/// The positions in packed form: 32 bytes for each.
pub(super) fn packed<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    threads: ThreadsArg,
    on_error: OnError,
) -> PyResult<Bound<'py, PyAny>> {
    let bytes = match data.cast::<PyUntypedArray>() {
        Ok(array) if !matches!(array.shape(), [_, PackedPosition::BYTES]) => {
            let shape = PyTuple::new(py, array.shape())?;
            let text = format!("data: expected an array of shape (N, 32), not {shape}");
            return Err(PyValueError::new_err(text));
        }
        Ok(array) => arrays::input_of_any_shape::<u8>("data", array)?,
        Err(_) => arrays::bytes("data", data)?,
    };
    let (rows, rest) = bytes.as_slice()?.as_chunks::<{ PackedPosition::BYTES }>();
    if !rest.is_empty() {
        let found = 32 * rows.len() + rest.len();
        let text = format!("data: expected 32 bytes for each position, not {found} bytes in all");
        return Err(PyValueError::new_err(text));
    }
    let mut reading = Reading::new(py, rows.len(), on_error, threads)?;
    let read = |row: usize, (): &mut (), place: &mut Position| {
        let position = PackedPosition::from_bytes(rows[row]).unpack();
        *place = position.map_err(|error| error.to_string())?;
        Ok(())
    };
    let show = |row: usize| rows[row].iter().map(|byte| format!("{byte:02x}")).collect();
    reading.read(py, rows.len(), read, show)?;
    reading.finish(py)
}
