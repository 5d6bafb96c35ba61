//! The source of games: a file, bytes, or a Python object with a method `read`.

use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyException, PyMemoryError, PyRuntimeError, PyStopIteration, PyTypeError};
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
    interrupt: Interrupt,
}

enum Kind {
    File(File),
    Bytes(Cursor<PyBackedBytes>),
    Object(ObjectReader),
}

/// The error of a source that a signal has interrupted before it was read: it can be read on.
#[derive(Debug)]
pub(super) struct Signal;

impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a signal has come")
    }
}

impl Error for Signal {}

impl From<Signal> for io::Error {
    fn from(signal: Signal) -> Self {
        // The standard library would read again at once after `Interrupted`.
        Self::new(io::ErrorKind::WouldBlock, signal)
    }
}

impl Source {
    /// The source that `tabiya.pgn_input.open_source` returned: a path, bytes or an object to read
    /// from, and whether that is an object of this module.
    ///
    /// # Errors
    /// `OSError`: the file cannot be opened.
    pub(super) fn new(
        object: &Bound<'_, PyAny>,
        is_ours: bool,
        interrupt: &Interrupt,
    ) -> PyResult<Self> {
        let kind = if let Ok(bytes) = object.extract::<PyBackedBytes>() {
            Kind::Bytes(Cursor::new(bytes))
        } else if let Ok(path) = object.extract::<PathBuf>() {
            Kind::File(File::open(path)?)
        } else {
            let (object, interrupt) = (Arc::new(object.clone().unbind()), Arc::clone(interrupt));
            Kind::Object(ObjectReader { object, is_ours, block: Block::Empty, interrupt })
        };
        Ok(Self { kind, next: Instant::now() + SIGNALS, interrupt: Arc::clone(interrupt) })
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
        Python::attach(|py| py.check_signals()).map_err(|error| {
            set(&self.interrupt, Interruption { error, has_lost_data: false });
            Signal.into()
        })
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
pub(super) struct ObjectReader {
    object: Arc<Py<PyAny>>,
    /// Is it an object of `tabiya.pgn_input`, which says whether it can be read on?
    is_ours: bool,
    block: Block,
    interrupt: Interrupt,
}

/// The place of an exception that came while the source was read. It is raised at once, without the
/// games before it.
pub(super) type Interrupt = Arc<Mutex<Option<Interruption>>>;

/// An exception of a signal, such as `KeyboardInterrupt`.
pub(super) struct Interruption {
    pub(super) error: PyErr,
    /// Did it come from the object, which may have lost the data that it was reading?
    pub(super) has_lost_data: bool,
}

fn set(interrupt: &Interrupt, interruption: Interruption) {
    *interrupt.lock().unwrap_or_else(PoisonError::into_inner) = Some(interruption);
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
        Python::attach(|py| {
            let object = self.object.bind(py);
            match object.call_method1("read", (Self::BLOCK,)) {
                Ok(block) => self.block = Block::new(&block).map_err(io::Error::other)?,
                Err(error) => {
                    let (error, can_go_on) = self.can_go_on(object, error);
                    if can_go_on {
                        set(&self.interrupt, Interruption { error, has_lost_data: false });
                        return Err(Signal.into());
                    }
                    let error = without_stop(py, error);
                    if !error.is_instance_of::<PyException>(py) {
                        let error = error.clone_ref(py);
                        set(&self.interrupt, Interruption { error, has_lost_data: true });
                    }
                    return Err(io::Error::other(error));
                }
            }
            Ok(())
        })
    }

    /// Has a signal handler raised the exception, and the object has lost nothing? Another handler may
    /// raise one while the object is asked, whose context is the first then. If the first was the end
    /// of the data, the object raises it again.
    fn can_go_on(&self, object: &Bound<'_, PyAny>, mut error: PyErr) -> (PyErr, bool) {
        let py = object.py();
        // Not even a timer raises more.
        for _ in 0..if self.is_ours { 1000 } else { 0 } {
            let is_failure = object.call_method1("is_failure", (error.value(py),));
            match is_failure.and_then(|it| it.extract::<bool>()) {
                Ok(is_failure) => return (error, !is_failure),
                Err(later) => {
                    let _ = later.value(py).setattr("__context__", error.value(py));
                    error = later;
                }
            }
        }
        (error, false)
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
            self.next_block()?;
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
