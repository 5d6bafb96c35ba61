//! Threads: their number, and the rows that they share.
//!
//! Threads live as long as one call. A pool would not survive `os.fork()`, which data loaders use.

use std::iter;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tabiya_perft::Watch;

/// The number of rows that a thread takes at a time. Their arrays fit into a cache.
pub(crate) const BLOCK: usize = 256;
/// Up to this many rows are processed without letting other Python threads run.
const SHORT: usize = 32;
/// The number of rows for which it is worth starting a thread.
const WORTH_A_THREAD: usize = 4 * BLOCK;
/// The time between two checks for Ctrl-C by the calling thread.
const SIGNALS: Duration = Duration::from_millis(20);

/// The argument `threads=`, not yet checked.
pub(crate) type ThreadsArg = Option<i64>;

/// The number of threads that a caller wants: by default, all CPUs that the process may use.
///
/// # Errors
/// `ValueError`: the number is not positive.
pub(crate) fn wanted(threads: ThreadsArg) -> PyResult<usize> {
    match threads {
        None => Ok(thread::available_parallelism().map_or(1, usize::from)),
        Some(number) => {
            usize::try_from(number).ok().filter(|&number| number > 0).ok_or_else(|| {
                PyValueError::new_err(format!("threads: expected a positive number, not {number}"))
            })
        }
    }
}

/// Rows that threads share, block by block.
#[derive(Clone, Copy)]
pub(crate) struct Work {
    threads: usize,
    /// Is it over before another Python thread could start?
    is_short: bool,
}

impl Work {
    /// Work on this many rows, which all take less than a few microseconds.
    ///
    /// # Errors
    /// `ValueError`: the number of threads is not positive.
    pub(crate) fn on(rows: usize, threads: ThreadsArg) -> PyResult<Self> {
        let useful = rows.div_ceil(WORTH_A_THREAD).max(1);
        Ok(Self { threads: wanted(threads)?.min(useful), is_short: rows <= SHORT })
    }

    /// Work on this many rows, each of which may take long.
    ///
    /// # Errors
    /// `ValueError`: the number of threads is not positive.
    pub(crate) fn on_long(rows: usize, threads: ThreadsArg) -> PyResult<Self> {
        Ok(Self { threads: wanted(threads)?.min(rows.max(1)), is_short: false })
    }

    /// Does all jobs, which are blocks of rows. Other Python threads may run meanwhile.
    ///
    /// # Errors
    /// The exception of a signal handler, such as `KeyboardInterrupt`. Some jobs are then not done.
    pub(crate) fn run<J: Send>(
        self,
        py: Python<'_>,
        jobs: impl Iterator<Item = J> + Send,
        work: impl Fn(J) + Send + Sync,
    ) -> PyResult<()> {
        if self.is_short {
            jobs.for_each(work);
            return Ok(());
        }
        let interrupt = Interrupt::new();
        py.detach(|| self.share(jobs, || (), |(), job| work(job), &interrupt));
        interrupt.finish()
    }

    /// The same with a state for each thread. Long jobs should ask `interrupt` whether to stop.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub(crate) fn run_with<J: Send, S>(
        self,
        py: Python<'_>,
        jobs: impl Iterator<Item = J> + Send,
        interrupt: &Interrupt,
        state: impl Fn() -> S + Send + Sync,
        work: impl Fn(&mut S, J) + Send + Sync,
    ) -> PyResult<()> {
        py.detach(|| self.share(jobs, state, work, interrupt));
        interrupt.finish()
    }

    /// The results of all jobs, in their order.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub(crate) fn map<J: Send, R: Send>(
        self,
        py: Python<'_>,
        jobs: impl ExactSizeIterator<Item = J> + Send,
        work: impl Fn(J) -> R + Send + Sync,
    ) -> PyResult<Vec<R>> {
        let mut results: Vec<_> = iter::repeat_with(|| None).take(jobs.len()).collect();
        self.run(py, results.iter_mut().zip(jobs), |(result, job)| *result = Some(work(job)))?;
        Ok(results.into_iter().flatten().collect())
    }

    fn share<J: Send, S>(
        self,
        jobs: impl Iterator<Item = J> + Send,
        state: impl Fn() -> S + Send + Sync,
        work: impl Fn(&mut S, J) + Send + Sync,
        interrupt: &Interrupt,
    ) {
        let queue = Mutex::new(jobs);
        let work = || {
            let mut state = state();
            while !interrupt.is_cancelled() {
                let job = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some(job) = job else { break };
                work(&mut state, job);
            }
        };
        if self.threads == 1 {
            return work();
        }
        thread::scope(|scope| {
            let (at_work, all_done) = mpsc::channel::<()>();
            for _ in 1..self.threads {
                let at_work = at_work.clone();
                let help = || {
                    work();
                    drop(at_work);
                };
                // If the system has no more threads, the existing ones do all the work.
                if thread::Builder::new().spawn_scoped(scope, help).is_err() {
                    break;
                }
            }
            drop(at_work);
            work();
            // The other threads may be busy for a while, and Ctrl-C should reach them.
            while all_done.recv_timeout(SIGNALS) == Err(RecvTimeoutError::Timeout) {
                interrupt.is_cancelled();
            }
        });
    }
}

/// The interruption of a call by a signal such as that of Ctrl-C.
pub(crate) struct Interrupt {
    /// Only the thread that Python called runs signal handlers.
    caller: ThreadId,
    next: Mutex<Instant>,
    is_set: AtomicBool,
    error: Mutex<Option<PyErr>>,
}

impl Interrupt {
    pub(crate) fn new() -> Self {
        Self {
            caller: thread::current().id(),
            next: Mutex::new(Instant::now() + SIGNALS),
            is_set: AtomicBool::new(false),
            error: Mutex::new(None),
        }
    }

    /// Fails with the exception of a signal handler, if there is one.
    pub(crate) fn finish(&self) -> PyResult<()> {
        let error = self.error.lock().unwrap_or_else(PoisonError::into_inner).take();
        error.map_or(Ok(()), Err)
    }

    /// Runs Python's signal handlers, if the time has come. After the first exception, other signals
    /// wait until the call has raised it.
    fn look(&self) {
        if self.is_set.load(Ordering::Relaxed) {
            return;
        }
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        if Instant::now() < *next {
            return;
        }
        if let Err(error) = Python::attach(|py| py.check_signals()) {
            *self.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            self.is_set.store(true, Ordering::Relaxed);
        }
        *next = Instant::now() + SIGNALS;
    }
}

impl Watch for Interrupt {
    fn is_cancelled(&self) -> bool {
        if thread::current().id() == self.caller {
            self.look();
        }
        self.is_set.load(Ordering::Relaxed)
    }
}
