//! Positions from rows that may be bad.

use numpy::{PyArray1, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tabiya::{CastlingMode, PackedPosition, Position};

use super::PyBatch;
use super::reason::Reason;
use super::texts::{Part, Texts};
use crate::arrays;
use crate::errors::raise;
use crate::threads::{BLOCK, ThreadsArg, Work};
use crate::{signals, sizes, tensor};

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

/// Values made row by row, such as positions, and the bad rows.
pub(super) struct Reading<T> {
    values: Vec<T>,
    is_bad: Vec<bool>,
    on_error: OnError,
    work: Work,
    done: usize,
}

impl<T: Clone + Send> Reading<T> {
    /// Room for these rows, each of which is `empty` for now.
    pub(super) fn new(
        py: Python<'_>,
        rows: usize,
        empty: &T,
        on_error: OnError,
        threads: ThreadsArg,
    ) -> PyResult<Self> {
        let work = Work::on(rows, threads)?;
        let flags = if on_error == OnError::Mask { rows } else { 0 };
        let values = sizes::filled(py, rows, empty)?;
        Ok(Self { values, is_bad: vec![false; flags], on_error, work, done: 0 })
    }

    /// Makes the next rows. `read` writes a value to its place or returns the reason why the row
    /// is bad; `show` returns the text of the row for the message.
    ///
    /// # Errors
    /// `BatchError` for the first bad row, unless bad rows are to be masked.
    pub(super) fn read<'a, S: Default>(
        &mut self,
        py: Python<'_>,
        rows: usize,
        read: impl Fn(usize, &mut S, &mut T) -> Result<(), Reason<'a>> + Send + Sync,
        show: impl Fn(usize) -> String,
    ) -> PyResult<()> {
        let first = self.done;
        self.done += rows;
        let values = &mut self.values[first..first + rows];
        if self.on_error == OnError::Mask {
            let is_bad = &mut self.is_bad[first..first + rows];
            let blocks = values.chunks_mut(BLOCK).zip(is_bad.chunks_mut(BLOCK)).enumerate();
            return self.work.run(py, blocks, |(block, (values, is_bad))| {
                let mut state = S::default();
                for (row, (value, is_bad)) in values.iter_mut().zip(is_bad).enumerate() {
                    *is_bad = read(BLOCK * block + row, &mut state, value).is_err();
                }
            });
        }
        let blocks = values.chunks_mut(BLOCK).enumerate();
        let errors = self.work.map(py, blocks, |(block, values)| {
            let mut state = S::default();
            for (row, value) in values.iter_mut().enumerate() {
                if let Err(reason) = read(BLOCK * block + row, &mut state, value) {
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

    /// The values of the good rows; with a mask of the bad rows if the caller wanted one.
    ///
    /// # Errors
    /// Only those of Python.
    pub(super) fn finish(mut self, py: Python<'_>) -> PyResult<(Vec<T>, Option<Mask<'_>>)> {
        if self.on_error == OnError::Raise {
            return Ok((self.values, None));
        }
        if self.is_bad.contains(&true) {
            let mut kept = 0;
            for (row, is_bad) in self.is_bad.iter().enumerate() {
                if !is_bad {
                    self.values.swap(kept, row);
                    kept += 1;
                }
                signals::pause_at(py, row)?;
            }
            self.values.truncate(kept);
            self.values.shrink_to_fit();
        }
        Ok((self.values, Some(PyArray1::from_vec(py, self.is_bad))))
    }
}

/// The flags of the bad rows.
pub(super) type Mask<'py> = Bound<'py, PyArray1<bool>>;

impl Reading<Position> {
    /// The batch; with a mask of the bad rows if the caller wanted one.
    ///
    /// # Errors
    /// Only those of Python.
    pub(super) fn batch(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let (positions, is_bad) = self.finish(py)?;
        let batch = PyBatch::new(positions);
        match is_bad {
            None => Ok(batch.into_pyobject(py)?.into_any()),
            Some(is_bad) => Ok((batch, is_bad).into_pyobject(py)?.into_any()),
        }
    }
}

/// The position of a FEN.
///
/// # Errors
/// The reason why there is none.
#[inline]
pub(super) fn position(fen: &str, chess960: bool) -> Result<Position, String> {
    let position = Position::from_fen(fen).map_err(|error| error.to_string());
    if chess960 { in_chess960(position?) } else { position }
}

/// The position, with castling in the notation of Chess960.
///
/// # Errors
/// The reason why it cannot be written so.
pub(super) fn in_chess960(position: Position) -> Result<Position, String> {
    position.with_castling_mode(CastlingMode::Chess960).map_err(|error| error.to_string())
}

/// The positions of FENs.
pub(super) fn fens<'py>(
    py: Python<'py>,
    texts: &Texts<'py>,
    chess960: bool,
    threads: ThreadsArg,
    on_error: OnError,
) -> PyResult<Bound<'py, PyAny>> {
    let read = |text: &str, place: &mut Position| {
        *place = position(text, chess960)?;
        Ok(())
    };
    rows(py, texts, &Position::START, read, threads, on_error)?.batch(py)
}

/// What a function makes of each text and writes to its place.
pub(super) fn rows<'py, T: Clone + Send>(
    py: Python<'py>,
    texts: &Texts<'py>,
    empty: &T,
    read: impl Fn(&str, &mut T) -> Result<(), String> + Send + Sync,
    threads: ThreadsArg,
    on_error: OnError,
) -> PyResult<Reading<T>> {
    let mut parts = Vec::new();
    texts.parts(&mut parts)?;
    let rows = parts.iter().map(Part::rows).sum();
    let mut reading = Reading::new(py, rows, empty, on_error, threads)?;
    for part in &parts {
        let read = |row: usize, buffer: &mut String, place: &mut T| {
            Ok(read(part.get(row, buffer)?, place)?)
        };
        reading.read(py, part.rows(), read, |row| part.show(row))?;
    }
    Ok(reading)
}

/// The positions in packed form: 32 bytes for each.
pub(super) fn packed<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    threads: ThreadsArg,
    on_error: OnError,
) -> PyResult<Bound<'py, PyAny>> {
    if let Some(texts) = Texts::arrow(data)? {
        return packed_rows(py, &texts, threads, on_error);
    }
    let bytes = if data.cast::<PyUntypedArray>().is_ok() || tensor::is_tensor(data)? {
        let array = arrays::input_of_any_shape::<u8>("data", data)?;
        if !matches!(array.shape(), [_] | [_, PackedPosition::BYTES]) {
            let shape = PyTuple::new(py, array.shape())?;
            let text =
                format!("data: expected an array of shape (N, 32) or (32 * N,), not {shape}");
            return Err(PyValueError::new_err(text));
        }
        array
    } else {
        arrays::bytes("data", data)?
    };
    let (rows, rest) = bytes.as_slice()?.as_chunks::<{ PackedPosition::BYTES }>();
    if !rest.is_empty() {
        let found = 32 * rows.len() + rest.len();
        let text = format!("data: expected 32 bytes for each position, not {found} bytes in all");
        return Err(PyValueError::new_err(text));
    }
    let mut reading = Reading::new(py, rows.len(), &Position::START, on_error, threads)?;
    let read = |row: usize, (): &mut (), place: &mut Position| {
        *place = unpacked(rows[row])?;
        Ok(())
    };
    reading.read(py, rows.len(), read, |row| hexadecimal(&rows[row]))?;
    reading.batch(py)
}

/// The positions in packed form, each in a value of an Arrow array.
fn packed_rows<'py>(
    py: Python<'py>,
    values: &Texts<'py>,
    threads: ThreadsArg,
    on_error: OnError,
) -> PyResult<Bound<'py, PyAny>> {
    let mut parts = Vec::new();
    values.parts(&mut parts)?;
    let rows = parts.iter().map(Part::rows).sum();
    let mut reading = Reading::new(py, rows, &Position::START, on_error, threads)?;
    for part in &parts {
        let read = |row: usize, (): &mut (), place: &mut Position| {
            let bytes = part.bytes(row)?;
            let bytes =
                bytes.try_into().map_err(|_| format!("expected 32 bytes, not {}", bytes.len()))?;
            *place = unpacked(bytes)?;
            Ok(())
        };
        let show = |row: usize| hexadecimal(part.bytes(row).unwrap_or_default());
        reading.read(py, part.rows(), read, show)?;
    }
    reading.batch(py)
}

#[inline]
fn unpacked(bytes: [u8; PackedPosition::BYTES]) -> Result<Position, String> {
    PackedPosition::from_bytes(bytes).unpack().map_err(|error| error.to_string())
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
