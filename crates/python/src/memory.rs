//! Memory in amounts that a caller controls.
//!
//! Rust's own collections end the process if memory runs out. These functions report a
//! `MemoryError` instead. Everything that grows with a caller's input should be made by them.

use std::hint::black_box;
use std::io::{self, ErrorKind, Write};
use std::ops::{Deref, DerefMut};

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

/// The number of values to write between two checks for Ctrl-C.
pub(crate) const STEP: usize = 1 << 14;

/// There is not enough memory. The exception is made later, when some memory is free again.
#[derive(Debug)]
pub(crate) struct Full;

impl From<Full> for PyErr {
    fn from(Full: Full) -> Self {
        PyMemoryError::new_err("there is not enough memory for this many values")
    }
}

/// An empty vector with room for this many values.
///
/// # Errors
/// There is not enough memory.
pub(crate) fn room<T>(values: usize) -> Result<Vec<T>, Full> {
    let mut vector = Vec::new();
    vector.try_reserve_exact(values).map_err(|_| Full)?;
    Ok(vector)
}

/// A value in a place of its own. `Box::new` would end the process without enough memory.
pub(crate) struct Boxed<T>(Box<[T; 1]>);

impl<T> Boxed<T> {
    /// Moves a value to a place of its own.
    ///
    /// # Errors
    /// There is not enough memory.
    #[inline]
    pub(crate) fn new(value: T) -> Result<Self, Full> {
        let mut vector = room(1)?;
        vector.push(value);
        vector.try_into().map(Self).map_err(|_| Full)
    }
}

impl<T> Deref for Boxed<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        let [value] = &*self.0;
        value
    }
}

impl<T> DerefMut for Boxed<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        let [value] = &mut *self.0;
        value
    }
}

/// Is there so much memory at the moment? For code that allocates by itself and would end the
/// process.
///
/// # Errors
/// There is not enough memory.
pub(crate) fn probe(bytes: usize) -> Result<(), Full> {
    // Without `black_box`, the compiler would remove the allocation.
    room::<u8>(bytes).map(|found| drop(black_box(found)))
}

/// Lets other Python threads run, and checks for Ctrl-C. Long work that holds the interpreter
/// should call it often.
///
/// # Errors
/// The exception of a signal handler.
pub(crate) fn pause(py: Python<'_>) -> PyResult<()> {
    py.detach(|| ());
    py.check_signals()
}

/// Makes room for this many more values.
///
/// # Errors
/// There is not enough memory.
#[inline]
pub(crate) fn reserve<T>(vector: &mut Vec<T>, more: usize) -> Result<(), Full> {
    vector.try_reserve(more).map_err(|_| Full)
}

/// Adds a value.
///
/// # Errors
/// There is not enough memory.
#[inline]
pub(crate) fn push<T>(vector: &mut Vec<T>, value: T) -> Result<(), Full> {
    reserve(vector, 1)?;
    vector.push(value);
    Ok(())
}

/// Adds a text.
///
/// # Errors
/// There is not enough memory.
#[inline]
pub(crate) fn push_str(text: &mut String, more: &str) -> Result<(), Full> {
    text.try_reserve(more.len()).map_err(|_| Full)?;
    text.push_str(more);
    Ok(())
}

/// A vector of `values` copies of a value.
///
/// # Errors
/// `MemoryError`, or the exception of a signal handler.
pub(crate) fn filled<T: Clone>(py: Python<'_>, values: usize, value: &T) -> PyResult<Vec<T>> {
    // The system provides memory only when it is written to, which takes seconds for gigabytes.
    let mut vector = room(values)?;
    while vector.len() < values {
        let step = STEP.min(values - vector.len());
        vector.resize(vector.len() + step, value.clone());
        pause(py)?;
    }
    Ok(vector)
}

/// The values of an iterator, which may be long: Ctrl-C interrupts it.
///
/// # Errors
/// The first error of the iterator, `MemoryError`, or the exception of a signal handler.
pub(crate) fn collect<T, E: Into<PyErr>>(
    py: Python<'_>,
    values: impl Iterator<Item = Result<T, E>>,
) -> PyResult<Vec<T>> {
    let mut vector = room(values.size_hint().0)?;
    for value in values {
        push(&mut vector, value.map_err(Into::into)?)?;
        if vector.len().is_multiple_of(STEP) {
            pause(py)?;
        }
    }
    Ok(vector)
}

/// A copy. Other Python threads do not run meanwhile, so the original may be part of an object that
/// they use.
///
/// # Errors
/// There is not enough memory.
pub(crate) fn copy<T: Clone>(values: &[T]) -> Result<Vec<T>, Full> {
    let mut copy = room(values.len())?;
    copy.extend_from_slice(values);
    Ok(copy)
}

/// Copies of parts, one after the other.
///
/// # Errors
/// `MemoryError`, or the exception of a signal handler.
pub(crate) fn concat<T: Clone>(py: Python<'_>, parts: &[&[T]]) -> PyResult<Vec<T>> {
    let values = parts.iter().fold(0_usize, |sum, part| sum.saturating_add(part.len()));
    let mut all = room(values)?;
    for (number, part) in parts.iter().enumerate() {
        for step in part.chunks(STEP) {
            all.extend_from_slice(step);
            if step.len() == STEP {
                pause(py)?;
            }
        }
        // There may be many empty parts as well.
        if number % STEP == STEP - 1 {
            pause(py)?;
        }
    }
    Ok(all)
}

/// A list of objects that are made one by one. `PyList::new` would panic without enough memory.
///
/// # Errors
/// The first error of the iterator, `MemoryError`, or the exception of a signal handler.
pub(crate) fn list<'py, T: IntoPyObject<'py>, E: Into<PyErr>>(
    py: Python<'py>,
    objects: impl Iterator<Item = Result<T, E>>,
) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for object in objects {
        // Other threads do not run meanwhile, so the original may be part of an object that they use.
        if list.len() % STEP == STEP - 1 {
            py.check_signals()?;
        }
        match object {
            Ok(object) => list.append(object)?,
            Err(error) => {
                // The exception may need the memory of the list.
                drop(list);
                return Err(error.into());
            }
        }
    }
    Ok(list)
}

/// A text. `PyString::new` would panic without enough memory.
///
/// # Errors
/// `MemoryError`.
pub(crate) fn text<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyString>> {
    PyString::from_bytes(py, text.as_bytes())
}

/// A buffer to write to.
#[derive(Debug, Default)]
pub(crate) struct Bytes(pub(crate) Vec<u8>);

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        reserve(&mut self.0, bytes.len()).map_err(|Full| ErrorKind::OutOfMemory)?;
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
