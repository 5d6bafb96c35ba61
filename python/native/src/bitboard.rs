//! Sets of squares.

use std::convert::Infallible;

use numpy::PyUntypedArray;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyMemoryView, PyString, PyType};
use tabiya::{Bitboard, Board};
use tabiya_views::Diagram;
use tabiya_views::layer::LayerSquares;
use tabiya_views::svg::Picture;

use crate::arrays;
use crate::classes;
use crate::signals;
use crate::square::SquareArg;

/// A set of squares, as one number of 64 bits: bit 0 is a1, bit 7 is h1, bit 63 is h8.
///
/// It cannot be changed. ``|``, ``&``, ``^``, ``-`` and ``~`` make new sets; either operand may be
/// a number.
///
/// >>> import tabiya
/// >>> corners = tabiya.Bitboard(["a1", "h1", "a8", "h8"])
/// >>> hex(corners)
/// '0x8100000000000081'
/// >>> "a1" in corners, tabiya.E4 in corners, len(corners)
/// (True, False, 4)
/// >>> list(corners & 0xFF)
/// [0, 7]
#[pyclass(name = "Bitboard", module = "tabiya", frozen)]
#[derive(Clone, Copy)]
pub(crate) struct PyBitboard(pub(crate) Bitboard);

/// A set of squares as an argument: a set, its number, or its squares.
pub(crate) struct BitboardArg(pub(crate) Bitboard);

impl<'a, 'py> FromPyObject<'a, 'py> for BitboardArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(set) = object.cast::<PyBitboard>() {
            return Ok(Self(set.get().0));
        }
        match object.extract::<u64>() {
            Ok(bits) => return Ok(Self(Bitboard(bits))),
            // It is no number, or not one of 64 bits. Other exceptions are those of the object.
            Err(error)
                if error.is_instance_of::<PyTypeError>(object.py())
                    || error.is_instance_of::<PyOverflowError>(object.py()) => {}
            Err(error) => return Err(error),
        }
        // A complement such as `~board.occupied` is a negative number.
        if let Ok(bits) = object.extract::<i128>()
            && (-1 << 64..0).contains(&bits)
        {
            return Ok(Self(Bitboard(bits as u64)));
        }
        if object.is_instance_of::<PyInt>() {
            let text = "expected a set of squares as a number of 64 bits, not";
            return Err(PyValueError::new_err(format!("{text} {}", object.str()?)));
        }
        if object.is_instance_of::<PyString>() {
            let text = "expected a set of squares, such as [\"e4\"], not a single text";
            return Err(PyTypeError::new_err(text));
        }
        if is_array_of_sets(&object) {
            let text = "expected one set of squares, not an array of uint64, which holds a set in \
                        each element; give squares in another dtype";
            return Err(PyTypeError::new_err(text));
        }
        let mut set = Bitboard::EMPTY;
        for (number, square) in object.try_iter()?.enumerate() {
            set |= square?.extract::<SquareArg>()?.0.bitboard();
            // The squares may never end.
            signals::pause_at(object.py(), number)?;
        }
        Ok(Self(set))
    }
}

/// Is it an array as `Batch.bitboards` makes it, or a column or a buffer with such elements? They are
/// not squares.
fn is_array_of_sets(object: &Bound<'_, PyAny>) -> bool {
    let is_array = object.is_instance_of::<PyUntypedArray>()
        || object.hasattr("__array__").is_ok_and(|it| it)
        || PyMemoryView::from(object).is_ok();
    let has_sets = || -> PyResult<bool> {
        let array = arrays::numpy(object.py())?.call_method1("asarray", (object,))?;
        let dtype = array.getattr("dtype")?;
        let kind: String = dtype.getattr("kind")?.extract()?;
        Ok(kind == "u" && dtype.getattr("itemsize")?.extract::<usize>()? == size_of::<u64>())
    };
    is_array && has_sets().unwrap_or(false)
}

/// The other operand of an operator: the set, or the exception that was raised when it was read;
/// `None` if it is nothing that a set can be made of.
///
/// For an argument that cannot be extracted, PyO3 drops the exception and Python tries another
/// operator. An iterator would be at its end then. So the extraction of this type never fails.
pub(crate) struct Operand(PyResult<Option<Bitboard>>);

impl<'a, 'py> FromPyObject<'a, 'py> for Operand {
    type Error = Infallible;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> Result<Self, Infallible> {
        Ok(Self(match object.extract::<BitboardArg>() {
            Ok(set) => Ok(Some(set.0)),
            Err(error)
                if error.is_instance_of::<PyTypeError>(object.py())
                    // NumPy knows what to do with each of several sets.
                    && (is_array_of_sets(&object)
                        || object.get_type().hasattr("__iter__").is_ok_and(|it| !it)) =>
            {
                Ok(None)
            }
            Err(error) => Err(error),
        }))
    }
}

impl Operand {
    /// The set.
    ///
    /// # Errors
    /// `TypeError`: it is none. Or the exception that reading it raised.
    pub(crate) fn set(self) -> PyResult<Bitboard> {
        self.0?.ok_or_else(|| {
            PyTypeError::new_err("expected a set of squares, its number, or squares")
        })
    }

    /// The result of an operator; `NotImplemented` if the other operand is no set.
    pub(crate) fn combine<'py, T: IntoPyObject<'py, Error = PyErr>>(
        self,
        py: Python<'py>,
        operator: impl FnOnce(Bitboard) -> PyResult<T>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match self.0? {
            Some(set) => operator(set)?.into_bound_py_any(py),
            None => Ok(py.NotImplemented().into_bound(py)),
        }
    }
}

/// The numbers of the squares of a set, in ascending order.
#[pyclass(module = "tabiya._tabiya")]
struct SquareIterator(tabiya::Squares);

const _: () = classes::assert_aligned::<SquareIterator>();

#[pymethods]
impl SquareIterator {
    const fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self) -> Option<u8> {
        self.0.next().map(|square| square as u8)
    }
}

#[pymethods]
impl PyBitboard {
    #[new]
    #[pyo3(signature = (squares=BitboardArg(Bitboard::EMPTY)), text_signature = "(squares=0)")]
    const fn new(squares: BitboardArg) -> Self {
        Self(squares.0)
    }

    /// The names of the squares, such as ``["e4", "d5"]``.
    fn names(&self) -> Vec<String> {
        self.0.iter().map(|square| square.to_string()).collect()
    }

    const fn __int__(&self) -> u64 {
        self.0.0
    }

    const fn __index__(&self) -> u64 {
        self.0.0
    }

    const fn __len__(&self) -> usize {
        self.0.len() as usize
    }

    const fn __bool__(&self) -> bool {
        self.0.any()
    }

    fn __contains__(&self, square: SquareArg) -> bool {
        self.0.has(square.0)
    }

    fn __iter__(&self) -> SquareIterator {
        SquareIterator(self.0.iter())
    }

    fn __or__<'py>(&self, py: Python<'py>, other: Operand) -> PyResult<Bound<'py, PyAny>> {
        other.combine(py, |other| Ok(Self(self.0 | other)))
    }

    fn __ror__<'py>(&self, py: Python<'py>, other: Operand) -> PyResult<Bound<'py, PyAny>> {
        other.combine(py, |other| Ok(Self(self.0 | other)))
    }

    fn __and__<'py>(&self, py: Python<'py>, other: Operand) -> PyResult<Bound<'py, PyAny>> {
        other.combine(py, |other| Ok(Self(self.0 & other)))
    }

    fn __rand__<'py>(&self, py: Python<'py>, other: Operand) -> PyResult<Bound<'py, PyAny>> {
        other.combine(py, |other| Ok(Self(self.0 & other)))
    }

    fn __xor__<'py>(&self, py: Python<'py>, other: Operand) -> PyResult<Bound<'py, PyAny>> {
        other.combine(py, |other| Ok(Self(self.0 ^ other)))
    }

    fn __rxor__<'py>(&self, py: Python<'py>, other: Operand) -> PyResult<Bound<'py, PyAny>> {
        other.combine(py, |other| Ok(Self(self.0 ^ other)))
    }

    fn __sub__<'py>(&self, py: Python<'py>, other: Operand) -> PyResult<Bound<'py, PyAny>> {
        other.combine(py, |other| Ok(Self(self.0 & !other)))
    }

    fn __rsub__<'py>(&self, py: Python<'py>, other: Operand) -> PyResult<Bound<'py, PyAny>> {
        other.combine(py, |other| Ok(Self(other & !self.0)))
    }

    fn __invert__(&self) -> Self {
        Self(!self.0)
    }

    fn __richcmp__<'py>(
        &self,
        other: &Bound<'py, PyAny>,
        operation: pyo3::basic::CompareOp,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = other.py();
        let number = match other.cast::<Self>() {
            Ok(other) => other.get().0.0,
            Err(_) => match other.extract::<u64>() {
                Ok(number) => number,
                Err(error)
                    if error.is_instance_of::<PyTypeError>(py)
                        || error.is_instance_of::<PyOverflowError>(py) =>
                {
                    return Ok(py.NotImplemented().into_bound(py));
                }
                Err(error) => return Err(error),
            },
        };
        let is_so = operation.matches(self.0.0.cmp(&number));
        Ok(pyo3::types::PyBool::new(py, is_so).to_owned().into_any())
    }

    fn __hash__<'py>(&self, py: Python<'py>) -> PyResult<isize> {
        // A set is equal to its number, so it has the same hash.
        self.0.0.into_pyobject(py)?.hash()
    }

    fn __str__(&self) -> String {
        self.0.to_string().trim_end().to_owned()
    }

    fn __repr__(&self) -> String {
        format!("Bitboard({:#018x})", self.0.0)
    }

    fn _repr_svg_(&self) -> String {
        let layer =
            LayerSquares { name: format!("{:#018x}", self.0.0), squares: self.0, note: None };
        let diagram = Diagram { layers: vec![layer], ..Diagram::new(Board::EMPTY) };
        Picture::new(vec![diagram], "A set of squares").to_string()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (u64,)) {
        (py.get_type::<Self>(), (self.0.0,))
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    classes::add::<PyBitboard>(module)
}
