//! Threads: how many, and how rows are shared among them.
//!
//! Threads live as long as one call. A pool would not survive `os.fork()`, which data loaders use.

use std::iter;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A thread takes this many rows at a time. Their arrays fit into a cache.
pub(crate) const BLOCK: usize = 256;
/// Up to this many rows are done without letting other Python threads run.
const SHORT: usize = 32;
/// A thread is worth starting for this many rows.
const WORTH_A_THREAD: usize = 4 * BLOCK;
/// The calling thread looks for Ctrl-C this often.
const SIGNALS: Duration = Duration::from_millis(20);

/// The argument `threads=` of a caller, which is not yet checked.
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
    rows: usize,
    threads: usize,
}

impl Work {
    /// Work on this many rows, which all take about as long.
    ///
    /// # Errors
    /// `ValueError`: the number of threads is not positive.
    pub(crate) fn on(rows: usize, threads: ThreadsArg) -> PyResult<Self> {
        let useful = rows.div_ceil(WORTH_A_THREAD).max(1);
        Ok(Self { rows, threads: wanted(threads)?.min(useful) })
    }

    /// Does all jobs, which are blocks of rows. Other Python threads may run meanwhile.
    ///
    /// # Errors
    /// What a signal handler raised, such as `KeyboardInterrupt`. Then not all jobs are done.
    pub(crate) fn run<J: Send>(
        self,
        py: Python<'_>,
        jobs: impl Iterator<Item = J> + Send,
        work: impl Fn(J) + Send + Sync,
    ) -> PyResult<()> {
        if self.rows <= SHORT {
            jobs.for_each(work);
            return Ok(());
        }
        py.detach(|| self.share(jobs, work))
    }

    /// The results of all jobs, in their order.
    ///
    /// # Errors
    /// What a signal handler raised.
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

    fn share<J: Send>(
        self,
        jobs: impl Iterator<Item = J> + Send,
        work: impl Fn(J) + Send + Sync,
    ) -> PyResult<()> {
        let queue = Mutex::new(jobs);
        let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            for _ in 1..self.threads {
                let help = || {
                    while !stop.load(Ordering::Relaxed) {
                        let Some(job) = next() else { break };
                        work(job);
                    }
                };
                // If the system has no more threads, those that there are do all the work.
                if thread::Builder::new().spawn_scoped(scope, help).is_err() {
                    break;
                }
            }
            let mut asked = Instant::now();
            while let Some(job) = next() {
                work(job);
                if asked.elapsed() > SIGNALS {
                    if let Err(error) = check_signals() {
                        stop.store(true, Ordering::Relaxed);
                        return Err(error);
                    }
                    asked = Instant::now();
                }
            }
            Ok(())
        })
    }
}

/// Runs Python's signal handlers, if signals have arrived.
fn check_signals() -> PyResult<()> {
    Python::attach(|py| py.check_signals())
}
