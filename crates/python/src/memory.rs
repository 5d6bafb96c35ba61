//! Memory for as many values as a caller asks for.
//!
//! Rust's own collections end the process if there is not enough. Here it is a `MemoryError`. All
//! that grows with what a caller gives should be made by these functions.

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

/// Values are written this many at a time. Between them, Ctrl-C is looked for.
const STEP: usize = 1 << 14;

/// There is not enough memory. The exception is made later, when some of it is free again.
#[derive(Debug)]
pub(crate) struct Full;

impl From<Full> for PyErr {
    fn from(Full: Full) -> Self {
        PyMemoryError::new_err("there is not enough memory for this many values")
    }
}

/// An empty vector with room for this many values.
///
/// # Errors
/// There is not enough memory.
pub(crate) fn room<T>(values: usize) -> Result<Vec<T>, Full> {
    let mut vector = Vec::new();
    vector.try_reserve_exact(values).map_err(|_| Full)?;
    Ok(vector)
}

/// Makes room for this many more values.
///
/// # Errors
/// There is not enough memory.
#[inline]
pub(crate) fn reserve<T>(vector: &mut Vec<T>, more: usize) -> Result<(), Full> {
    vector.try_reserve(more).map_err(|_| Full)
}

/// Adds a value.
///
/// # Errors
/// There is not enough memory.
#[inline]
pub(crate) fn push<T>(vector: &mut Vec<T>, value: T) -> Result<(), Full> {
    reserve(vector, 1)?;
    vector.push(value);
    Ok(())
}

/// Adds a text.
///
/// # Errors
/// There is not enough memory.
#[inline]
pub(crate) fn push_str(text: &mut String, more: &str) -> Result<(), Full> {
    text.try_reserve(more.len()).map_err(|_| Full)?;
    text.push_str(more);
    Ok(())
}

/// As many values as the caller wants, which are all the same at first.
///
/// # Errors
/// `MemoryError`, or what a signal handler raised.
pub(crate) fn filled<T: Clone>(py: Python<'_>, values: usize, value: &T) -> PyResult<Vec<T>> {
    let mut vector = room(values)?;
    while vector.len() < values {
        let step = STEP.min(values - vector.len());
        vector.resize(vector.len() + step, value.clone());
        py.check_signals()?;
    }
    Ok(vector)
}

/// The values of an iterator that may be long, and that Ctrl-C interrupts.
///
/// # Errors
/// The first error of the iterator, `MemoryError`, or what a signal handler raised.
pub(crate) fn collect<T, E: Into<PyErr>>(
    py: Python<'_>,
    values: impl Iterator<Item = Result<T, E>>,
) -> PyResult<Vec<T>> {
    let mut vector = room(values.size_hint().0)?;
    for value in values {
        push(&mut vector, value.map_err(Into::into)?)?;
        if vector.len().is_multiple_of(STEP) {
            py.check_signals()?;
        }
    }
    Ok(vector)
}

/// Copies of parts, one after the other.
///
/// # Errors
/// `MemoryError`, or what a signal handler raised.
pub(crate) fn concat<T: Clone>(py: Python<'_>, parts: &[&[T]]) -> PyResult<Vec<T>> {
    let values = parts.iter().fold(0_usize, |sum, part| sum.saturating_add(part.len()));
    let mut all = room(values)?;
    for (number, part) in parts.iter().enumerate() {
        for step in part.chunks(STEP) {
            all.extend_from_slice(step);
            py.check_signals()?;
        }
        // Empty parts may be many as well.
        if number.is_multiple_of(STEP) {
            py.check_signals()?;
        }
    }
    Ok(all)
}
