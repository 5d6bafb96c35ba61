//! The native part of `tabiya.cluster`: the job in its file, and a worker's counter.

mod counter;
mod job;

use pyo3::prelude::*;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    counter::register(module)?;
    job::register(module)
}
