//! Colours: `True` is White and `False` is Black, as usual in Python's chess programs.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use tabiya::Color;

use crate::errors;

/// A colour as an argument: a truth value, or 0 or 1, such as `turn ^ 1`.
pub(crate) struct ColorArg(pub(crate) Color);

impl<'py> FromPyObject<'_, 'py> for ColorArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(is_white) = object.extract::<bool>() {
            return Ok(Self(from_bool(is_white)));
        }
        match object.extract::<i64>() {
            Ok(0) => Ok(Self(Color::Black)),
            Ok(1) => Ok(Self(Color::White)),
            found => {
                let text = "expected a colour, True (White) or False (Black), not";
                let wrong = PyTypeError::new_err(format!("{text} {}", object.repr()?));
                match found {
                    Ok(_) => Err(wrong),
                    Err(error) => Err(errors::of_argument(object.py(), error, || wrong)),
                }
            }
        }
    }
}

/// The colour for a truth value.
pub(crate) const fn from_bool(is_white: bool) -> Color {
    if is_white { Color::White } else { Color::Black }
}

/// The truth value for a colour.
pub(crate) const fn to_bool(color: Color) -> bool {
    matches!(color, Color::White)
}
