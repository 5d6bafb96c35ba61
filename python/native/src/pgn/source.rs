//! The source of games: a file, bytes, or a Python object with a method `read`.

use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyException, PyRuntimeError, PyStopIteration, PyTypeError};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::PyString;

use crate::errors;

/// The time between two checks for signals.
const SIGNALS: Duration = Duration::from_millis(20);

/// A source of bytes.
pub(super) struct Source {
    kind: Kind,
    /// The time of the next check for signals.
    next: Instant,
}

enum Kind {
    File(File),
    Bytes(Cursor<PyBackedBytes>),
    Object(ObjectReader),
}

/// The exception of a signal handler that came before the source was read: it can be read on.
#[derive(Debug)]
struct Signal(PyErr);

impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for Signal {}

/// Why there are no more games.
pub(super) enum Failure {
    /// The exception of a signal handler. Reading can go on.
    Signal(PyErr),
    /// `KeyboardInterrupt` or the like while an object was read, which may have lost data.
    Interrupted(PyErr),
    Error(PyErr),
}

impl From<io::Error> for Failure {
    /// Exceptions travel inside an `io::Error`.
    fn from(error: io::Error) -> Self {
        match error.downcast::<Signal>() {
            Ok(Signal(error)) => Self::Signal(error),
            Err(error) => {
                let error = error.downcast::<PyErr>().unwrap_or_else(PyErr::from);
                let is_error = Python::attach(|py| error.is_instance_of::<PyException>(py));
                if is_error { Self::Error(error) } else { Self::Interrupted(error) }
            }
        }
    }
}

impl Source {
    /// The source that `tabiya.pgn_input.open_source` returned: a path, bytes or an object to read
    /// from.
    ///
    /// # Errors
    /// `OSError`: the file cannot be opened.
    pub(super) fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let kind = if let Ok(bytes) = object.extract::<PyBackedBytes>() {
            Kind::Bytes(Cursor::new(bytes))
        } else if let Ok(path) = object.extract::<PathBuf>() {
            Kind::File(File::open(path)?)
        } else {
            let object = Arc::new(object.clone().unbind());
            Kind::Object(ObjectReader { object, block: Block::Empty })
        };
        Ok(Self { kind, next: Instant::now() + SIGNALS })
    }

    /// The object that is read, for Python's garbage collector.
    pub(super) fn object(&self) -> Option<Arc<Py<PyAny>>> {
        match &self.kind {
            Kind::Object(reader) => Some(Arc::clone(&reader.object)),
            Kind::File(_) | Kind::Bytes(_) => None,
        }
    }

    /// Runs Python's signal handlers, if the time has come.
    fn look(&mut self) -> io::Result<()> {
        if Instant::now() < self.next {
            return Ok(());
        }
        self.next = Instant::now() + SIGNALS;
        // The standard library would read again at once after `Interrupted`.
        Python::attach(|py| py.check_signals())
            .map_err(|error| io::Error::new(io::ErrorKind::WouldBlock, Signal(error)))
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // A part of long games takes many reads.
        self.look()?;
        match &mut self.kind {
            Kind::File(file) => file.read(buffer),
            Kind::Bytes(bytes) => bytes.read(buffer),
            Kind::Object(object) => object.read(buffer),
        }
    }
}

/// Reads a Python object in blocks.
struct ObjectReader {
    object: Arc<Py<PyAny>>,
    block: Block,
}

/// The block that the object returned last.
enum Block {
    Empty,
    Bytes(Cursor<PyBackedBytes>),
    Text(Cursor<PyBackedStr>),
}

impl ObjectReader {
    /// The number of bytes to ask the object for.
    const BLOCK: usize = 1 << 18;

    fn next_block(&mut self) -> io::Result<()> {
        let block = Python::attach(|py| {
            let block = self.object.bind(py).call_method1("read", (Self::BLOCK,));
            Block::new(&block.map_err(|error| without_stop(py, error))?)
        });
        self.block = block.map_err(io::Error::other)?;
        Ok(())
    }
}

impl Block {
    /// # Errors
    /// `TypeError`: the object has returned something else.
    fn new(block: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = block.extract::<PyBackedBytes>() {
            Ok(Self::Bytes(Cursor::new(bytes)))
        } else if let Ok(text) = block.cast::<PyString>() {
            Ok(Self::Text(Cursor::new(errors::unicode(text)?)))
        } else {
            let kind = block.get_type();
            let expected = "expected bytes or str from the method read";
            Err(PyTypeError::new_err(format!("{expected}, not {kind}")))
        }
    }
}

/// The exception of an object that is read. A `StopIteration` would end the iteration over the games
/// as if the source were at its end, so it becomes a `RuntimeError`, as in generators (PEP 479).
fn without_stop(py: Python<'_>, error: PyErr) -> PyErr {
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
            self.next_block()?;
            is_new = true;
        }
    }
}
