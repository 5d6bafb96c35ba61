//! The sizes that a caller names.
//!
//! Rust's collections end the process if memory runs out. A number of positions is the caller's, and
//! a slip of the keyboard makes it absurd, so memory for it is asked for here.

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

use crate::signals::{self, STEP};

/// An empty vector with room for this many values.
///
/// # Errors
/// `MemoryError`.
pub(crate) fn room<T>(values: usize) -> PyResult<Vec<T>> {
    let mut vector = Vec::new();
    vector.try_reserve_exact(values).map_err(|_| {
        PyMemoryError::new_err(format!("there is not enough memory for {values} values"))
    })?;
    Ok(vector)
}

/// A vector of `values` copies of a value.
///
/// # Errors
/// `MemoryError`, or the exception of a signal handler.
pub(crate) fn filled<T: Clone>(py: Python<'_>, values: usize, value: &T) -> PyResult<Vec<T>> {
    // The system provides memory only when it is written to, which takes seconds for gigabytes.
    let mut vector = room(values)?;
    while vector.len() < values {
        let step = STEP.min(values - vector.len());
        vector.resize(vector.len() + step, value.clone());
        signals::pause(py)?;
    }
    Ok(vector)
}

/// The values of an iterator, which may be long.
///
/// # Errors
/// The first error of the iterator, the exception of a signal handler, or `MemoryError` if the
/// iterator says that there are more values than fit into memory.
pub(crate) fn collect<T>(
    py: Python<'_>,
    values: impl Iterator<Item = PyResult<T>>,
) -> PyResult<Vec<T>> {
    let mut vector = room(values.size_hint().0)?;
    for value in values {
        vector.push(value?);
        signals::pause_at(py, vector.len() - 1)?;
    }
    Ok(vector)
}
