//! The source of games: a file, bytes, or a Python object with a method `read`.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::{PyException, PyMemoryError, PyRuntimeError, PyStopIteration, PyTypeError};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::PyString;

use crate::errors;

/// A source of bytes.
pub(super) enum Source {
    File(File),
    Bytes(Cursor<PyBackedBytes>),
    Object(ObjectReader),
}

impl Source {
    /// The source that `tabiya.pgn_input.open_source` returned: a path, bytes or an object to read
    /// from.
    ///
    /// # Errors
    /// `OSError`: the file cannot be opened.
    pub(super) fn new(object: &Bound<'_, PyAny>, interrupt: &Interrupt) -> PyResult<Self> {
        if let Ok(bytes) = object.extract::<PyBackedBytes>() {
            return Ok(Self::Bytes(Cursor::new(bytes)));
        }
        if let Ok(path) = object.extract::<PathBuf>() {
            return Ok(Self::File(File::open(path)?));
        }
        let (object, interrupt) = (Arc::new(object.clone().unbind()), Arc::clone(interrupt));
        Ok(Self::Object(ObjectReader { object, block: Block::Empty, interrupt }))
    }

    /// The object that is read, for Python's garbage collector.
    pub(super) fn object(&self) -> Option<Arc<Py<PyAny>>> {
        match self {
            Self::Object(reader) => Some(Arc::clone(&reader.object)),
            Self::File(_) | Self::Bytes(_) => None,
        }
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Bytes(bytes) => bytes.read(buffer),
            Self::Object(object) => object.read(buffer),
        }
    }
}

/// Reads a Python object in blocks.
pub(super) struct ObjectReader {
    object: Arc<Py<PyAny>>,
    block: Block,
    interrupt: Interrupt,
}

/// An exception of a signal, such as `KeyboardInterrupt`, that came while an object was being read.
/// It is raised at once, without the games before it.
pub(super) type Interrupt = Arc<Mutex<Option<PyErr>>>;

/// The block that the object returned last.
enum Block {
    Empty,
    Bytes(Cursor<PyBackedBytes>),
    Text(Cursor<PyBackedStr>),
}

impl ObjectReader {
    /// The number of bytes to ask the object for.
    const BLOCK: usize = 1 << 18;

    fn next_block(&mut self) -> PyResult<()> {
        Python::attach(|py| {
            let block = self.object.bind(py).call_method1("read", (Self::BLOCK,));
            let block = block.map_err(|error| without_stop(py, error)).inspect_err(|error| {
                if !error.is_instance_of::<PyException>(py) {
                    let mut interrupt =
                        self.interrupt.lock().unwrap_or_else(PoisonError::into_inner);
                    *interrupt = Some(error.clone_ref(py));
                }
            })?;
            self.block = if let Ok(bytes) = block.extract::<PyBackedBytes>() {
                Block::Bytes(Cursor::new(bytes))
            } else if let Ok(text) = block.cast::<PyString>() {
                Block::Text(Cursor::new(errors::unicode(text)?))
            } else {
                let kind = block.get_type();
                let expected = "expected bytes or str from the method read";
                return Err(PyTypeError::new_err(format!("{expected}, not {kind}")));
            };
            Ok(())
        })
    }
}

/// The exception of an object that is read. A `StopIteration` would end the iteration over the games
/// as if the source were at its end, so it becomes a `RuntimeError`, as in generators (PEP 479).
pub(super) fn without_stop(py: Python<'_>, error: PyErr) -> PyErr {
    if !error.is_instance_of::<PyStopIteration>(py) {
        return error;
    }
    let instead = PyRuntimeError::new_err("the method read raised StopIteration");
    instead.set_cause(py, Some(error));
    instead
}

impl Read for ObjectReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut is_new = false;
        loop {
            let len = match &mut self.block {
                Block::Empty => 0,
                Block::Bytes(bytes) => bytes.read(buffer)?,
                Block::Text(text) => text.read(buffer)?,
            };
            // An empty block is the end.
            if len > 0 || is_new || buffer.is_empty() {
                return Ok(len);
            }
            // The exception travels inside an `io::Error`; `exception` takes it out again.
            self.next_block().map_err(io::Error::other)?;
            is_new = true;
        }
    }
}

/// The exception for an `io::Error`: the exception of the object itself, or an `OSError`.
pub(super) fn exception(error: io::Error) -> PyErr {
    if error.kind() == io::ErrorKind::OutOfMemory {
        return PyMemoryError::new_err("there is no memory for the text of the games");
    }
    match error.downcast::<PyErr>() {
        Ok(exception) => exception,
        Err(error) => error.into(),
    }
}
