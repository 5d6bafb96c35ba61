//! Work in the background: other threads count, while the calling thread shows progress and handles
//! signals such as that of Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyBool;
use tabiya_perft::{Progress, Watch};

/// The time between two checks for signals by the calling thread.
const TICK: Duration = Duration::from_millis(20);
/// The time between two displays of progress.
const SHOW_EVERY: Duration = Duration::from_millis(100);
/// Work that is shorter displays nothing.
const SHOW_AFTER: Duration = Duration::from_secs(1);
/// The time that the threads have after a signal to report what they know.
const GRACE: Duration = Duration::from_millis(500);

/// The display of a count's progress.
pub(crate) enum Display {
    Nothing,
    /// An object of `tabiya.progress`, after a second.
    Ours(Py<PyAny>),
    /// A callable that the caller gave, from the start.
    Theirs(Py<PyAny>),
}

impl Display {
    /// The argument `progress=`. Short work has no automatic display.
    ///
    /// # Errors
    /// `TypeError`.
    pub(crate) fn new(
        py: Python<'_>,
        argument: Option<&Bound<'_, PyAny>>,
        what: &str,
        is_long: bool,
    ) -> PyResult<Self> {
        let ours = |function| -> PyResult<Self> {
            let found = py.import("tabiya.progress")?.call_method1(function, (what,))?;
            Ok(if found.is_none() { Self::Nothing } else { Self::Ours(found.unbind()) })
        };
        match argument {
            None if is_long => ours("automatic"),
            None => Ok(Self::Nothing),
            Some(argument) => match argument.cast::<PyBool>() {
                Ok(flag) if flag.is_true() => ours("shown"),
                Ok(_) => Ok(Self::Nothing),
                Err(_) if argument.is_callable() => Ok(Self::Theirs(argument.clone().unbind())),
                Err(_) => {
                    let kind = argument.get_type();
                    let expected = "expected None, True, False or a callable as progress";
                    Err(PyTypeError::new_err(format!("{expected}, not {kind}")))
                }
            },
        }
    }

    const fn is_wanted(&self) -> bool {
        !matches!(self, Self::Nothing)
    }

    /// Shows the progress.
    fn show(&self, py: Python<'_>, progress: Progress, elapsed: Duration) -> PyResult<()> {
        match self {
            Self::Ours(object) if elapsed >= SHOW_AFTER => {
                object.call1(py, (progress.nodes, progress.share)).map(drop)
            }
            Self::Theirs(callable) => {
                callable.call1(py, (progress.nodes, progress.share)).map(drop)
            }
            Self::Nothing | Self::Ours(_) => Ok(()),
        }
    }

    /// Shows that the work is finished, or removes the display.
    fn finish(&self, py: Python<'_>, progress: Progress, elapsed: Duration) -> PyResult<()> {
        match self {
            Self::Theirs(_) => self.show(py, progress, elapsed),
            Self::Nothing | Self::Ours(_) => self.close(py),
        }
    }

    /// Removes the display.
    ///
    /// # Errors
    /// The exception of a signal handler, most likely: this runs Python code.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        match self {
            Self::Ours(object) => object.call_method0(py, "close").map(drop),
            Self::Nothing | Self::Theirs(_) => Ok(()),
        }
    }
}

/// The data that the threads and the caller share.
struct Shared {
    is_stopped: AtomicBool,
    wants_progress: bool,
    progress: Mutex<Progress>,
}

impl Shared {
    fn progress(&self) -> Progress {
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watch for Shared {
    fn is_cancelled(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    fn wants_progress(&self) -> bool {
        self.wants_progress
    }

    fn progress(&self, progress: Progress) {
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner) = progress;
    }
}

/// The end of the work.
pub(crate) enum Ended<T> {
    Finished(T),
    Stopped(Stopped<T>),
}

/// Work that was stopped.
pub(crate) struct Stopped<T> {
    /// The exception that stopped it, from a signal handler or from a callable that shows progress.
    pub(crate) error: PyErr,
    /// The count so far; `None` if the threads did not report it in time.
    pub(crate) known: Option<T>,
    /// The progress that was reported last.
    pub(crate) progress: Progress,
    pub(crate) elapsed: Duration,
}

/// Runs the work on a thread of its own. The work has to ask its [`Watch`] often whether to stop,
/// and to report progress if it takes long.
///
/// # Errors
/// There are no more threads, or the work panicked.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    display: &Display,
    is_long: bool,
    work: impl FnOnce(&dyn Watch) -> T + Send + 'static,
) -> PyResult<Ended<T>> {
    let shared = Arc::new(Shared {
        is_stopped: AtomicBool::new(false),
        wants_progress: is_long || display.is_wanted(),
        progress: Mutex::new(Progress { nodes: 0, share: 0.0 }),
    });
    let (sender, receiver) = mpsc::channel();
    let receiver = Mutex::new(receiver);
    let wait = |time| {
        let receiver = &receiver;
        let receive =
            move || receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(time);
        py.detach(receive)
    };
    let begin = Instant::now();
    let theirs = Arc::clone(&shared);
    let start = move || {
        // If the receiver is gone, the result is not needed.
        let _ = sender.send(work(&*theirs));
    };
    let thread = thread::Builder::new().name("tabiya count".to_owned()).spawn(start);
    let thread =
        thread.map_err(|error| PyRuntimeError::new_err(format!("no thread to count: {error}")))?;
    let mut shown = begin;
    let ended = loop {
        match wait(TICK) {
            Ok(result) => break Ok(result),
            Err(RecvTimeoutError::Disconnected) => {
                let message = "the count failed, which is a bug of tabiya";
                display.close(py)?;
                return Err(PyRuntimeError::new_err(message));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        let mut heard = py.check_signals();
        if heard.is_ok() && shown.elapsed() >= SHOW_EVERY {
            shown = Instant::now();
            heard = display.show(py, shared.progress(), begin.elapsed());
        }
        if let Err(error) = heard {
            break Err(error);
        }
    };
    match ended {
        Ok(result) => {
            // The thread may still have to release memory.
            let _ = py.detach(|| thread.join());
            let (progress, elapsed) =
                (Progress { share: 1.0, ..shared.progress() }, begin.elapsed());
            Ok(match display.finish(py, progress, elapsed) {
                Ok(()) => Ended::Finished(result),
                Err(error) => {
                    Ended::Stopped(Stopped { error, known: Some(result), progress, elapsed })
                }
            })
        }
        Err(error) => {
            shared.is_stopped.store(true, Ordering::Relaxed);
            let elapsed = begin.elapsed();
            // A thread that takes longer, for example to release memory, ends on its own.
            let known = wait(GRACE).ok();
            // The exception that stopped the count is the one to raise.
            let _ = display.close(py);
            Ok(Ended::Stopped(Stopped { error, known, progress: shared.progress(), elapsed }))
        }
    }
}
