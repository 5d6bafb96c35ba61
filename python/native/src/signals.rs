//! Ctrl-C in long work that holds the interpreter.

use pyo3::prelude::*;

/// The number of values to make between two checks for Ctrl-C.
pub(crate) const STEP: usize = 1 << 14;

/// Lets other Python threads run, and checks for Ctrl-C.
///
/// # Errors
/// The exception of a signal handler.
pub(crate) fn pause(py: Python<'_>) -> PyResult<()> {
    py.detach(|| ());
    py.check_signals()
}

/// The same after each [`STEP`] values, of which this is the number of the last, from 0.
///
/// # Errors
/// The exception of a signal handler.
#[inline]
pub(crate) fn pause_at(py: Python<'_>, number: usize) -> PyResult<()> {
    if number % STEP == STEP - 1 { pause(py) } else { Ok(()) }
}
