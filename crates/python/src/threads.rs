//! The number of threads that a caller asks for.

use std::num::NonZeroUsize;
use std::thread;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// More than any machine has.
const MAX: usize = 4096;

/// The argument `threads=`: a number, or `None` for all CPUs that the process may use.
///
/// # Errors
/// `ValueError`.
pub(crate) fn count(threads: Option<i64>) -> PyResult<NonZeroUsize> {
    let Some(wanted) = threads else {
        return Ok(thread::available_parallelism().unwrap_or(NonZeroUsize::MIN));
    };
    let count = usize::try_from(wanted).ok().and_then(NonZeroUsize::new);
    count.filter(|count| count.get() <= MAX).ok_or_else(|| {
        PyValueError::new_err(format!("expected a number of threads from 1 to {MAX}, not {wanted}"))
    })
}
