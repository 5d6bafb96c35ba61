//! Values of the classes that are written in Python, such as exceptions and data classes.

/// An instance of a class of a Python module, called with these arguments.
macro_rules! make {
    ($py:expr, $module:literal, $class:literal, $arguments:expr) => {{
        use pyo3::types::PyAnyMethods as _;
        static CLASS: pyo3::sync::PyOnceLock<pyo3::Py<pyo3::types::PyType>> =
            pyo3::sync::PyOnceLock::new();
        let class = CLASS.import($py, $module, $class);
        class.and_then(|class| class.call1($arguments))
    }};
}
pub(crate) use make;
