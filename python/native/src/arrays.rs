//! NumPy arrays as arguments and as results.

use numpy::{
    Element, PyArrayDescr, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn,
    PyReadwriteArrayDyn, PyUntypedArray, PyUntypedArrayMethods, dtype,
};
use pyo3::exceptions::{PyBufferError, PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMemoryView, PyTuple};

use crate::tensor;

/// The module `numpy`.
pub(crate) fn numpy(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("numpy")
}

/// Imports NumPy's part in C. Otherwise the first array would, and panic if that fails, for example
/// by the exception of a signal handler.
pub(crate) fn import(py: Python<'_>) -> PyResult<()> {
    numpy::get_array_module(py).map(drop)
}

/// The data type that a caller asks for; `None` if the caller names none.
pub(crate) fn descriptor<'py>(
    dtype: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, PyArrayDescr>>> {
    dtype.map(|dtype| PyArrayDescr::new(dtype.py(), dtype.clone())).transpose()
}

/// Is it the data type of these elements?
pub(crate) fn is<T: Element>(descriptor: &Bound<'_, PyArrayDescr>) -> bool {
    descriptor.is_equiv_to(&dtype::<T>(descriptor.py()))
}

/// The data type of an array to write to: the given one, else that of `out`.
///
/// # Errors
/// `TypeError`: `dtype` is not a data type, or `out` is not an array.
pub(crate) fn wanted<'py>(
    dtype: Option<&Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, PyArrayDescr>>> {
    match (descriptor(dtype)?, out) {
        (Some(descriptor), _) => Ok(Some(descriptor)),
        (None, Some(out)) => Ok(Some(tensor::array("out", out)?.dtype())),
        (None, None) => Ok(None),
    }
}

/// The index of the data type that a caller wants among those that are possible; the first if
/// neither `dtype` nor `out` is given.
///
/// # Errors
/// `TypeError`: the caller wants another type. `things` names the results, such as "masks".
pub(crate) fn choice(
    dtype: Option<&Bound<'_, PyAny>>,
    out: Option<&Bound<'_, PyAny>>,
    things: &str,
    possible: &[Bound<'_, PyArrayDescr>],
) -> PyResult<usize> {
    let Some(wanted) = wanted(dtype, out)? else { return Ok(0) };
    let found = possible.iter().position(|possible| wanted.is_equiv_to(possible));
    found.ok_or_else(|| {
        let names: Vec<_> = possible.iter().map(ToString::to_string).collect();
        let names = names.join(" or ");
        PyTypeError::new_err(format!("dtype: {things} are {names}, not {wanted}"))
    })
}

/// An array to write to: that of the caller, or a new one.
pub(crate) struct Output<'py, T: Element> {
    /// What the caller gets: a new array, or the array or the tensor that was given.
    object: Bound<'py, PyAny>,
    values: PyReadwriteArrayDyn<'py, T>,
}

impl<'py, T: Element> Output<'py, T> {
    /// The array `out`, which must have this shape, or a new one.
    ///
    /// # Errors
    /// `TypeError` or `ValueError`, if `out` cannot be written to; `MemoryError`.
    pub(crate) fn new(
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        shape: &[usize],
    ) -> PyResult<Self> {
        let array = match out {
            Some(out) => checked(&tensor::array("out", out)?, shape)?,
            None => {
                let shape = PyTuple::new(py, shape)?;
                let array = numpy(py)?.call_method1("empty", (shape, dtype::<T>(py)))?;
                array.cast_into::<PyArrayDyn<T>>()?
            }
        };
        let values = array.try_readwrite().map_err(|_| {
            PyValueError::new_err("out: the array is read-only, or another call is using it")
        })?;
        let object = out.map_or_else(|| array.into_any(), Bound::clone);
        Ok(Self { object, values })
    }

    /// The elements in their order.
    ///
    /// # Errors
    /// `ValueError`: they are not contiguous.
    pub(crate) fn values(&mut self) -> PyResult<&mut [T]> {
        Ok(self.values.as_slice_mut()?)
    }

    /// The array.
    pub(crate) fn finish(self) -> Bound<'py, PyAny> {
        self.object
    }
}

/// Do two slices share memory? Arrays that were made of one buffer may, and NumPy does not say so.
pub(crate) fn share_memory<A, B>(a: &[A], b: &[B]) -> bool {
    let (a, b) = (a.as_ptr_range(), b.as_ptr_range());
    a.start.addr() < b.end.addr() && b.start.addr() < a.end.addr()
}

/// The array, if it has this shape and can be written to as a whole.
fn checked<'py, T: Element>(
    untyped: &Bound<'py, PyUntypedArray>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let py = untyped.py();
    let (expected, found) = (dtype::<T>(py), untyped.dtype());
    if !found.is_equiv_to(&expected) {
        return Err(PyTypeError::new_err(format!("out: expected dtype {expected}, not {found}")));
    }
    if untyped.shape() != shape {
        let (expected, found) = (PyTuple::new(py, shape)?, PyTuple::new(py, untyped.shape())?);
        return Err(PyValueError::new_err(format!("out: expected shape {expected}, not {found}")));
    }
    let array = untyped.as_any().cast::<PyArrayDyn<T>>()?.clone();
    // The attribute `flags` of a subclass could run code that changes what was checked before.
    if !array.is_c_contiguous() || !array.data().is_aligned() {
        return Err(PyValueError::new_err("out: expected an aligned C-contiguous array"));
    }
    Ok(array)
}

/// The elements of an array of one dimension: without a copy if they have this type already,
/// otherwise converted.
///
/// # Errors
/// `TypeError`: the elements are not of this kind, such as floating-point numbers for integers.
/// `ValueError`: there are more dimensions, or none; or a number is too large.
pub(crate) fn input<'py, T: Element>(
    name: &str,
    array: &Bound<'py, PyAny>,
) -> PyResult<PyReadonlyArrayDyn<'py, T>> {
    let values = input_of_any_shape(name, array)?;
    if values.ndim() == 1 {
        return Ok(values);
    }
    let found = values.ndim();
    Err(PyValueError::new_err(format!("{name}: expected one dimension, not {found}")))
}

/// The same for any number of dimensions.
///
/// # Errors
/// `TypeError`: the elements are not of this kind, or of one that holds larger numbers.
/// `ValueError`: a number is too large, or masked.
pub(crate) fn input_of_any_shape<'py, T: Element>(
    name: &str,
    array: &Bound<'py, PyAny>,
) -> PyResult<PyReadonlyArrayDyn<'py, T>> {
    let py = array.py();
    let array = whole(name, array)?;
    let arguments = PyDict::new(py);
    arguments.set_item("dtype", dtype::<T>(py))?;
    arguments.set_item("order", "C")?;
    arguments.set_item("copy", false)?;
    // Other conversions would silently take numbers modulo 256 or 2^64.
    let mut casting = "safe";
    if array.getattr("size")?.extract::<usize>()? == 0 {
        // An empty list has no type of its own.
        casting = "unsafe";
    } else if size_of::<T>() == size_of::<u64>() {
        if let Some(number) = too_large(&array)? {
            return Err(PyValueError::new_err(format!("{name}: {number} is too large")));
        }
        casting = "same_kind";
    }
    arguments.set_item("casting", casting)?;
    let converted = array.call_method("astype", (), Some(&arguments)).map_err(|error| {
        if error.is_instance_of::<PyMemoryError>(py) {
            return error;
        }
        let expected = dtype::<T>(py);
        let found = array.getattr("dtype").map_or_else(|_| String::new(), |it| it.to_string());
        PyTypeError::new_err(format!("{name}: expected an array of {expected}, not {found}"))
    })?;
    let mut converted = converted.cast_into::<PyArrayDyn<T>>()?;
    if !converted.data().is_aligned() {
        converted = converted.call_method0("copy")?.cast_into::<PyArrayDyn<T>>()?;
    }
    readonly(name, converted)
}

/// The class of NumPy's arrays with values that are masked.
pub(crate) fn masked(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    numpy(py)?.getattr("ma")?.getattr("MaskedArray")
}

/// The object as an array without a mask. A tensor shares its memory with the array.
///
/// # Errors
/// `TypeError` or `ValueError`: it cannot be an array. `ValueError`: it has masked values, which
/// NumPy would turn into those behind the mask.
pub(crate) fn whole<'py>(name: &str, object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    refuse_masked(name, object)?;
    if tensor::is_tensor(object)? {
        return Ok(tensor::array(name, object)?.into_any());
    }
    numpy(object.py())?.call_method1("asarray", (object,))
}

fn refuse_masked(name: &str, object: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = object.py();
    if object.is_instance(&masked(py)?)?
        && numpy(py)?.getattr("ma")?.call_method1("is_masked", (object,))?.is_truthy()?
    {
        let text = format!("{name}: the array has masked values; leave them out before the call");
        return Err(PyValueError::new_err(text));
    }
    Ok(())
}

/// The largest number of an array, if 64 bits with a sign cannot hold it.
///
/// # Errors
/// Only those of Python.
pub(crate) fn too_large(array: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    let dtype = array.getattr("dtype")?;
    let is_wide = dtype.getattr("itemsize")?.extract::<usize>()? == size_of::<u64>();
    if !is_wide || dtype.getattr("kind")?.extract::<String>()? != "u" {
        return Ok(None);
    }
    let largest: u64 = array.call_method0("max")?.extract()?;
    Ok(Some(largest).filter(|&number| i64::try_from(number).is_err()))
}

/// The elements of an array, for reading.
pub(crate) fn readonly<'py, T: Element>(
    name: &str,
    array: Bound<'py, PyArrayDyn<T>>,
) -> PyResult<PyReadonlyArrayDyn<'py, T>> {
    array
        .try_readonly()
        .map_err(|_| PyValueError::new_err(format!("{name}: another call is writing to the array")))
}

/// The bytes of a buffer, such as `bytes`, a memory map or an array, without a copy.
///
/// # Errors
/// `TypeError` or `ValueError`: it is not a buffer, or its bytes are not contiguous or masked.
pub(crate) fn bytes<'py>(
    name: &str,
    buffer: &Bound<'py, PyAny>,
) -> PyResult<PyReadonlyArrayDyn<'py, u8>> {
    let py = buffer.py();
    refuse_masked(name, buffer)?;
    let no_buffer = |error: PyErr| {
        let is_wrong = error.is_instance_of::<PyTypeError>(py)
            || error.is_instance_of::<PyValueError>(py)
            || error.is_instance_of::<PyBufferError>(py);
        if !is_wrong {
            // The buffer's own methods raised it.
            return error;
        }
        let kind = buffer.get_type();
        PyTypeError::new_err(format!(
            "{name}: expected bytes or another buffer, not {kind}: {error}"
        ))
    };
    let is_empty = match buffer.len() {
        Ok(len) => len == 0,
        // A buffer need not have a length.
        Err(error) if error.is_instance_of::<PyTypeError>(py) => false,
        Err(error) => return Err(error),
    };
    if is_empty {
        PyMemoryView::from(buffer).map_err(no_buffer)?;
        // NumPy refuses an empty buffer.
        return input(name, &numpy(py)?.call_method1("empty", (0, dtype::<u8>(py)))?);
    }
    let array = numpy(py)?.call_method1("frombuffer", (buffer, dtype::<u8>(py)));
    let array = array.map_err(no_buffer)?;
    readonly(name, array.cast_into::<PyArrayDyn<u8>>()?)
}
