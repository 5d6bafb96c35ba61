//! Objects of which there is one for each value.

use std::sync::OnceLock;

use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::pyclass_init::PyClassInitializer;

/// A place for the object of a value.
///
/// PyO3's own cell lets other threads run while it is filled. Here a board may be borrowed, and
/// they may want the same board, so this one never waits: if two threads make the object, one is
/// dropped.
pub(crate) type Interned<T> = OnceLock<Py<T>>;

/// The only object of a value, which is made when it is first asked for.
pub(crate) fn object<T>(
    place: &'static Interned<T>,
    py: Python<'_>,
    value: T,
) -> PyResult<&'static Py<T>>
where
    T: PyClass + Into<PyClassInitializer<T>>,
{
    if let Some(object) = place.get() {
        return Ok(object);
    }
    let made = Py::new(py, value)?;
    Ok(place.get_or_init(|| made))
}
