//! Which moves are legal, as a row of flags for each position.

use numpy::Element;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use tabiya::Position;
use tabiya::attacks::{MethodVisitor, Sliders};
use tabiya::movegen::Legal;

use super::encoding::{Az, Code, Encoding, IndexSink, Orientation, Uci};
use super::rows;
use crate::arrays;
use crate::threads::ThreadsArg;

/// An element of a mask.
trait Flag: Element + Copy + Send {
    const NO: Self;
    const YES: Self;
}

impl Flag for bool {
    const NO: Self = false;
    const YES: Self = true;
}

impl Flag for u8 {
    const NO: Self = 0;
    const YES: Self = 1;
}

/// How a mask is to be made.
#[derive(Clone, Copy)]
pub(super) struct Mask {
    pub(super) encoding: Encoding,
    pub(super) orientation: Orientation,
}

impl Mask {
    /// The mask of the positions.
    ///
    /// # Errors
    /// The data type is neither `bool` nor `uint8`; or as [`rows::fill`].
    pub(super) fn of<'py>(
        self,
        py: Python<'py>,
        positions: &[Position],
        dtype: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        match arrays::wanted(dtype, out)? {
            None => self.with_flags::<bool>(py, positions, out, threads),
            Some(wanted) if arrays::is::<bool>(&wanted) => {
                self.with_flags::<bool>(py, positions, out, threads)
            }
            Some(wanted) if arrays::is::<u8>(&wanted) => {
                self.with_flags::<u8>(py, positions, out, threads)
            }
            Some(wanted) => {
                let text = format!("dtype: masks are bool or uint8, not {wanted}");
                Err(PyTypeError::new_err(text))
            }
        }
    }

    fn with_flags<'py, T: Flag>(
        self,
        py: Python<'py>,
        positions: &[Position],
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        match self.encoding {
            Encoding::Uci => self.with_code::<T, _>(py, Uci, positions, out, threads),
            Encoding::Az => self.with_code::<T, _>(py, Az, positions, out, threads),
        }
    }

    fn with_code<'py, T: Flag, C: Code>(
        self,
        py: Python<'py>,
        code: C,
        positions: &[Position],
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        let orientation = self.orientation;
        rows::fill_blocks(py, positions, out, &[C::MOVES], threads, |positions, flags: &mut [T]| {
            rows::with_sliders(&mut Block { positions, flags, orientation, code });
        })
    }
}

/// A block of rows, for any slider method.
struct Block<'a, T, C> {
    positions: &'a [Position],
    flags: &'a mut [T],
    orientation: Orientation,
    code: C,
}

impl<T: Flag, C: Code> MethodVisitor for Block<'_, T, C> {
    #[inline(always)]
    fn visit<S: Sliders>(&mut self, sliders: S) {
        for (position, row) in self.positions.iter().zip(self.flags.chunks_exact_mut(C::MOVES)) {
            row.fill(T::NO);
            let mut sink = IndexSink::new(position, self.orientation, self.code, |index| {
                if let Some(flag) = row.get_mut(index) {
                    *flag = T::YES;
                }
            });
            position.generate_with::<Legal, _, _>(sliders, &mut sink);
        }
    }
}
