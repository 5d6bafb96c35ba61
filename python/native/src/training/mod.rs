//! Files of training data, for the Python module `tabiya.data`.
//!
//! `stream` reads them on threads; `write` writes them.

mod stream;
mod write;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use numpy::PyArray1;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tabiya_data::{Bad, Field, Filter, FilterError, Format, OnBad, ReadError};

use self::stream::{BadRecords, Batches, End, FileError, Message, Plan, Rows};
use crate::batch::PyBatch;
use crate::classes;
use crate::data::make;
use crate::errors::{self, raise};
use crate::threads::{self, ThreadsArg};

/// The number of batches that are made before the first is taken.
const AHEAD: usize = 2;
/// The time between two checks for Ctrl-C.
const TICK: Duration = Duration::from_millis(20);
/// More threads than any machine has CPUs would only cost memory.
const MAX_THREADS: usize = 256;

/// The batches of files of training data, as returned by ``tabiya.data.Data.batches``.
///
/// It is an iterator of ``Records``. Its threads end with it, when it is closed, and when it is dropped. It
/// is a context manager as well. Don't use it in a process that was forked after it was made.
#[pyclass(module = "tabiya.data")]
struct DataBatches {
    /// `None` at the end.
    messages: Option<Mutex<Receiver<Message>>>,
    is_stopped: Arc<AtomicBool>,
    plan: Arc<Plan>,
    bad: BadRecords,
}

impl DataBatches {
    fn stop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        self.messages = None;
    }

    /// The exception for an end before that of the files.
    fn error(&self, py: Python<'_>, end: End) -> Option<PyErr> {
        Some(match end {
            End::Files => return None,
            End::Nothing => {
                let (shard, shards) = self.plan.shard;
                let text = format!(
                    "shard {shard} of {shards} of these files has no record, and epochs=None would \
                     read them without end"
                );
                PyValueError::new_err(text)
            }
            End::Error(FileError { path, error: ReadError::Bad(Bad { offset, reason, .. }) }) => {
                raise!(py, DataError, (reason.to_string(), path.into_os_string(), offset))
            }
            End::Error(FileError { path, error: ReadError::Io(error) }) => {
                errors::file(&path, &error)
            }
        })
    }

    fn records<'py>(py: Python<'py>, rows: Rows) -> PyResult<Bound<'py, PyAny>> {
        let Rows { positions, moves, scores, results, plies } = rows;
        let columns = (
            PyBatch::new(positions),
            PyArray1::from_vec(py, moves),
            PyArray1::from_vec(py, scores),
            PyArray1::from_vec(py, results),
            PyArray1::from_vec(py, plies),
        );
        make!(py, "tabiya.data", "Records", columns)
    }
}

#[pymethods]
impl DataBatches {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        loop {
            py.check_signals()?;
            let Some(messages) = &self.messages else { return Ok(None) };
            let messages = || messages.lock().unwrap_or_else(PoisonError::into_inner);
            match py.detach(|| messages().recv_timeout(TICK)) {
                Ok((Ok(rows), bad)) => {
                    self.bad = bad;
                    return Self::records(py, rows).map(Some);
                }
                Ok((Err(end), bad)) => {
                    self.bad = bad;
                    self.stop();
                    return self.error(py, end).map_or(Ok(None), Err);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    self.stop();
                    let text = "the files could not be read, which is a bug of tabiya";
                    return Err(PyRuntimeError::new_err(text));
                }
            }
        }
    }

    /// The number of bad records so far, by kind.
    #[getter]
    fn bad<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let counts = PyDict::new(py);
        self.bad.counts.iter().try_for_each(|(kind, count)| counts.set_item(kind, count))?;
        Ok(counts)
    }

    /// The first twenty bad records in words: the file, the offset in bytes, and the reason.
    #[getter]
    fn messages(&self) -> Vec<String> {
        self.bad.messages.clone()
    }

    /// Ends the threads. The iterator is then at its end.
    fn close(&mut self) {
        self.stop();
    }

    const fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&mut self, _exception: &Bound<'_, PyAny>) {
        self.stop();
    }
}

impl Drop for DataBatches {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The filter of a text.
fn filter(text: &str) -> PyResult<Filter> {
    text.parse().map_err(|error: FilterError| {
        let span = error.span();
        let mark = |end: usize| text.get(..end).map_or(0, |part| part.chars().count());
        let (start, end) = (mark(span.start), mark(span.end));
        let line = "^".repeat(end.saturating_sub(start).max(1));
        let shown = errors::cut(text);
        PyValueError::new_err(format!("filter: {error}\n  {shown}\n  {}{line}", " ".repeat(start)))
    })
}

/// The format with a name.
fn named(name: &str) -> PyResult<Format> {
    name.parse().map_err(|error| PyValueError::new_err(format!("format {name:?}: {error}")))
}

/// The batches of files; `tabiya.data` checks the numbers.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "it is called in one place")]
fn read_data(
    files: Vec<(PathBuf, String)>,
    size: usize,
    shuffle_buffer: usize,
    shard: (u64, u64),
    seed: u64,
    filter_text: Option<&str>,
    errors: &str,
    epochs: Option<u64>,
    threads: ThreadsArg,
) -> PyResult<DataBatches> {
    let on_bad = errors
        .parse::<OnBad>()
        .map_err(|expected| PyValueError::new_err(format!("errors: {expected}, not {errors:?}")))?;
    let files = files.into_iter().map(|(path, name)| Ok((path, named(&name)?)));
    let files = files.collect::<PyResult<Vec<_>>>()?;
    let threads = threads::wanted(threads)?.min(MAX_THREADS);
    let threads = NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN);
    let filter = filter_text.map(filter).transpose()?;
    let (records, shuffle) = (tabiya_data::Plan { on_bad, filter }, shuffle_buffer);
    let plan = Plan { files, size, shuffle, shard, seed, records, epochs, threads };
    let (plan, is_stopped) = (Arc::new(plan), Arc::new(AtomicBool::new(false)));
    let mut batches = Batches::start(Arc::clone(&plan), Arc::clone(&is_stopped))?;
    let (sender, receiver) = mpsc::sync_channel(AHEAD);
    let thread = thread::Builder::new().name("tabiya data".to_owned());
    thread.spawn(move || {
        loop {
            let message = batches.next();
            let is_end = message.0.is_err();
            // The receiver is gone if the iterator was dropped.
            if sender.send(message).is_err() || is_end {
                return;
            }
        }
    })?;
    let messages = Some(Mutex::new(receiver));
    Ok(DataBatches { messages, is_stopped, plan, bad: BadRecords::default() })
}

/// All formats: name, extensions, what they hold, and whether they can be written.
#[pyfunction]
fn data_formats() -> Vec<(&'static str, Vec<&'static str>, Vec<String>, bool)> {
    let row = |format: Format| {
        let holds = Field::ALL.into_iter().filter(|&field| format.holds(field));
        let holds = holds.map(|field| field.to_string()).collect();
        (format.name(), format.extensions().to_vec(), holds, format.encoder().is_some())
    };
    Format::ALL.into_iter().map(row).collect()
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    classes::add::<DataBatches>(module)?;
    module.add_function(wrap_pyfunction!(data_formats, module)?)?;
    module.add_function(wrap_pyfunction!(read_data, module)?)?;
    module.add_function(wrap_pyfunction!(write::write_data, module)?)
}
