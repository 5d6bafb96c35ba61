//! Squares: numbers from 0 (a1) to 63 (h8). Every function that takes a square also takes its name.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use tabiya::Square;

use crate::errors;

/// A square as an argument: its number or its name.
pub(crate) struct SquareArg(pub(crate) Square);

impl<'a, 'py> FromPyObject<'a, 'py> for SquareArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(name) = object.cast::<PyString>() {
            let name = name.to_str()?;
            let square = name.parse().map_err(|_| {
                let name = errors::quoted(name);
                PyValueError::new_err(format!("expected a square from a1 to h8, not {name}"))
            })?;
            return Ok(Self(square));
        }
        let py = object.py();
        let number: i64 = object.extract().map_err(|error| {
            errors::of_argument(py, error, || {
                let kind = object.get_type();
                let expected = "expected a square such as \"e4\" or 28";
                PyTypeError::new_err(format!("{expected}, not {kind}"))
            })
        })?;
        let index = usize::try_from(number).ok();
        let square = index.and_then(|index| Square::ALL.get(index)).ok_or_else(|| {
            PyValueError::new_err(format!("expected a square from 0 (a1) to 63 (h8), not {number}"))
        })?;
        Ok(Self(*square))
    }
}
