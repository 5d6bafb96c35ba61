//! Tensors of other packages, as NumPy arrays that share their memory.
//!
//! `DLPack` (<https://dmlc.github.io/dlpack/latest/>) describes the memory. NumPy's own `from_dlpack`
//! makes most of these arrays read-only, so we read the description here.

use std::ffi::{CStr, c_void};
use std::slice;

use numpy::PyUntypedArray;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyTuple};

use crate::{arrays, classes};

/// The names of capsules: before version 1, and since then.
const PLAIN: &CStr = c"dltensor";
const VERSIONED: &CStr = c"dltensor_versioned";
/// The flag of a tensor that must not be written to.
const READ_ONLY: u64 = 1;
/// The devices whose memory is this machine's: its own, and pinned for CUDA or ROCm.
const DEVICES: [i32; 3] = [1, 3, 11];

#[repr(C)]
#[derive(Clone, Copy)]
struct DlTensor {
    data: *mut c_void,
    device: i32,
    device_id: i32,
    dimensions: i32,
    kind: u8,
    bits: u8,
    lanes: u16,
    shape: *const i64,
    /// In elements; null if the tensor is C-contiguous.
    strides: *const i64,
    byte_offset: u64,
}

/// The beginning of what a versioned capsule holds.
#[repr(C)]
#[derive(Clone, Copy)]
struct DlVersioned {
    major: u32,
    minor: u32,
    context: *mut c_void,
    deleter: *const c_void,
    flags: u64,
    tensor: DlTensor,
}

/// The memory of a tensor, for `numpy.asarray`. The capsule keeps the memory alive.
#[pyclass(frozen)]
struct Memory {
    _capsule: Py<PyCapsule>,
    #[pyo3(get, name = "__array_interface__")]
    interface: Py<PyDict>,
}

const _: () = classes::assert_aligned::<Memory>();

/// Does another package's object describe its memory by `DLPack`?
///
/// # Errors
/// Those of the object.
pub(crate) fn is_tensor(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(object.cast::<PyUntypedArray>().is_err() && object.hasattr("__dlpack__")?)
}

/// An array as it is, or a NumPy array with the memory of a tensor.
///
/// # Errors
/// `TypeError`: it is neither, or NumPy has no such elements. `ValueError`: the memory is another
/// device's. Or those of the object.
pub(crate) fn array<'py>(
    name: &str,
    object: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    if let Ok(array) = object.cast::<PyUntypedArray>() {
        return Ok(array.clone());
    }
    if !is_tensor(object)? {
        let kind = object.get_type();
        let text = format!("{name}: expected a NumPy array or a tensor, not {kind}");
        return Err(PyTypeError::new_err(text));
    }
    let py = object.py();
    let capsule = capsule(object)?;
    let Description { tensor, shape, strides, is_read_only } = Description::read(&capsule)?;
    if !DEVICES.contains(&tensor.device) {
        let text = "the tensor is in the memory of another device; move it to the CPU";
        return Err(PyValueError::new_err(format!("{name}: {text}")));
    }
    let letter = match tensor.kind {
        0 => Some('i'),
        1 => Some('u'),
        2 => Some('f'),
        5 => Some('c'),
        6 => Some('b'),
        _ => None,
    };
    let letter = letter.filter(|_| tensor.lanes == 1 && tensor.bits > 0 && tensor.bits % 8 == 0);
    let letter = letter.ok_or_else(|| {
        PyTypeError::new_err(format!("{name}: NumPy has no elements like those of the tensor"))
    })?;
    let order = if cfg!(target_endian = "little") { '<' } else { '>' };
    let bytes = tensor.bits / 8;
    let dtype = format!("{order}{letter}{bytes}");
    let numpy = arrays::numpy(py)?;
    if shape.contains(&0) {
        // Its address may be null.
        return Ok(numpy.call_method1("empty", (PyTuple::new(py, shape)?, dtype))?.cast_into()?);
    }
    let interface = PyDict::new(py);
    let address = tensor.data.addr() as u64 + tensor.byte_offset;
    interface.set_item("version", 3)?;
    interface.set_item("shape", PyTuple::new(py, shape)?)?;
    interface.set_item("typestr", dtype)?;
    interface.set_item("data", (address, is_read_only))?;
    if let Some(strides) = strides {
        let strides = strides.iter().map(|stride| stride * i64::from(bytes));
        interface.set_item("strides", PyTuple::new(py, strides.collect::<Vec<_>>())?)?;
    }
    let memory = Memory { _capsule: capsule.unbind(), interface: interface.unbind() };
    Ok(numpy.call_method1("asarray", (memory,))?.cast_into()?)
}

/// The capsule that a tensor makes, of version 1 if it knows that.
fn capsule<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyCapsule>> {
    let arguments = PyDict::new(object.py());
    arguments.set_item("max_version", (1, 0))?;
    let made = match object.call_method("__dlpack__", (), Some(&arguments)) {
        // It is older, and has no such argument.
        Err(error) if error.is_instance_of::<PyTypeError>(object.py()) => {
            object.call_method0("__dlpack__")
        }
        made => made,
    };
    Ok(made?.cast_into::<PyCapsule>()?)
}

/// What a capsule says about a tensor.
struct Description {
    tensor: DlTensor,
    shape: Vec<i64>,
    strides: Option<Vec<i64>>,
    /// Before version 1 a capsule could not say so; whoever makes it must refuse.
    is_read_only: bool,
}

impl Description {
    fn read(capsule: &Bound<'_, PyCapsule>) -> PyResult<Self> {
        let (tensor, flags) = if capsule.is_valid_checked(Some(VERSIONED)) {
            let pointer = capsule.pointer_checked(Some(VERSIONED))?;
            // SAFETY: A capsule of this name holds a structure that begins with the version.
            let major = unsafe { pointer.cast::<u32>().read() };
            if major != 1 {
                let text = format!("expected a tensor of DLPack 1, not of DLPack {major}");
                return Err(PyValueError::new_err(text));
            }
            // SAFETY: The structure is this one in all of version 1.
            let found = unsafe { pointer.cast::<DlVersioned>().read() };
            (found.tensor, found.flags)
        } else {
            let pointer = capsule.pointer_checked(Some(PLAIN))?;
            // SAFETY: A capsule of this name holds a structure that begins with the tensor.
            (unsafe { pointer.cast::<DlTensor>().read() }, 0)
        };
        let dimensions = usize::try_from(tensor.dimensions).unwrap_or(0);
        let numbers = |from: *const i64| {
            if dimensions == 0 {
                return Vec::new();
            }
            // SAFETY: There is a number for each dimension, and the capsule lives.
            unsafe { slice::from_raw_parts(from, dimensions) }.to_vec()
        };
        let strides = (!tensor.strides.is_null()).then(|| numbers(tensor.strides));
        let is_read_only = flags & READ_ONLY != 0;
        Ok(Self { tensor, shape: numbers(tensor.shape), strides, is_read_only })
    }
}
