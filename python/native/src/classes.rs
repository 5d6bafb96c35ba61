//! The classes of the module.

use pyo3::PyClass;
use pyo3::prelude::*;

/// Adds a class to the module.
pub(crate) fn add<T: PyClass>(module: &Bound<'_, PyModule>) -> PyResult<()> {
    const { assert_aligned::<T>() };
    #[expect(clippy::disallowed_methods, reason = "its alignment is known now")]
    module.add_class::<T>()
}

/// Fails to compile if objects of a type need more alignment than Python gives them: that of a
/// pointer. PyO3 does not notice it. What needs more, such as a `Position`, goes into a box.
pub(crate) const fn assert_aligned<T: PyClass>() {
    assert!(align_of::<T>() <= align_of::<usize>(), "Python does not align objects so far");
}
