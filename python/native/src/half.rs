//! Floating-point numbers of 16 bits, as NumPy's `float16`. Rust has no stable type for them.

use numpy::{Element, PyArrayDescr};
use pyo3::prelude::*;

/// The bits of a number.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub(crate) struct Half(u16);

impl Half {
    pub(crate) const ZERO: Self = Self(0);
    pub(crate) const ONE: Self = Self(0x3c00);

    /// A number of at most 8 bits, which is exact.
    pub(crate) const fn of_byte(number: u8) -> Self {
        match (number as u16).checked_ilog2() {
            None => Self::ZERO,
            // The exponent has a bias of 15, and the highest bit of the number is implied.
            Some(exponent) => {
                let rest = (number as u16 ^ 1 << exponent) << (10 - exponent);
                Self((exponent as u16 + 15) << 10 | rest)
            }
        }
    }
}

// SAFETY: `float16` has two bytes, any of which are a number, and no objects.
unsafe impl Element for Half {
    const IS_COPY: bool = true;

    fn get_dtype(py: Python<'_>) -> Bound<'_, PyArrayDescr> {
        PyArrayDescr::new(py, "float16").expect("NumPy has this type")
    }

    fn clone_ref(&self, _: Python<'_>) -> Self {
        *self
    }
}
