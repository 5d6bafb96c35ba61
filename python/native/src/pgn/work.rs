//! All threads work on one source. The calling thread reads it and cuts it into parts of whole
//! games; all threads, including the calling one, play the games; the parts come back in order.
//!
//! Only the calling thread touches Python, so the others may end at any time.

use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::PyErr;
use pyo3::exceptions::PyRuntimeError;
use tabiya_perft::Watch;
use tabiya_pgn::{Chunk, Chunks};

use super::part::{Part, Plan};
use super::record::record;
use super::source::{Failure, Source};
use crate::threads::Interrupt;

/// The time after which the calling thread can check for signals again.
const TICK: Duration = Duration::from_millis(20);
/// The greatest number of games in a part. A larger chunk is read in several parts.
const GAMES_PER_PART: u64 = 1024;
/// The number of parts for each thread that are read before the first of them is taken.
const AHEAD: usize = 2;

/// The games of a part could not be played because of a bug.
#[derive(Debug)]
struct Bug;

/// The data that the threads share.
struct Shared {
    plan: Plan,
    state: Mutex<State>,
    /// Signals that there is a job, or that the work is over.
    has_job: Condvar,
    /// Signals that there is a result.
    has_result: Condvar,
    is_stopped: AtomicBool,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<(u64, Chunk)>,
    results: BTreeMap<u64, Result<Part, Bug>>,
}

impl Shared {
    /// The state, which is valid even if a thread panicked while it held the lock.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Plays the games of a part, until `is_stopped`.
    fn play(&self, chunk: &Chunk, is_stopped: impl Fn() -> bool) -> Result<Part, Bug> {
        let read = || record(chunk, &self.plan, is_stopped);
        catch_unwind(AssertUnwindSafe(read)).map_err(|_| Bug)
    }

    /// Works on parts until the work is over.
    fn work_on_all(&self) {
        loop {
            let mut state = self.state();
            let (number, chunk) = loop {
                if self.is_stopped() {
                    return;
                }
                match state.jobs.pop_front() {
                    Some(job) => break job,
                    None => {
                        let woken = self.has_job.wait(state);
                        state = woken.unwrap_or_else(PoisonError::into_inner);
                    }
                }
            };
            drop(state);
            let result = self.play(&chunk, || self.is_stopped());
            self.state().results.insert(number, result);
            self.has_result.notify_one();
        }
    }
}

/// The result of one step of the calling thread.
pub(super) enum Step {
    /// The next part. Does it end a chunk?
    Part(Box<Part>, bool),
    /// No part yet: check for signals, and call again.
    Again,
    End,
}

/// The work on a source.
pub(super) struct Work {
    shared: Arc<Shared>,
    chunks: Option<Chunks<Source>>,
    /// The number of games in a chunk.
    games: u64,
    /// The number of games in the parts of the chunk that have been read. A part of long games has
    /// fewer than it could have.
    games_read: u64,
    /// Does each part that was read and not taken end a chunk?
    ends: VecDeque<bool>,
    /// The error that ended the source early. It is reported after the parts before it.
    failure: Option<PyErr>,
    ahead: u64,
    /// The number of the next part to read.
    read: u64,
    /// The number of the next part to take.
    taken: u64,
}

impl Work {
    /// Starts the threads. `games` is the number of games in a chunk, which consists of one or
    /// several parts.
    pub(super) fn start(source: Source, plan: Plan, threads: usize, games: u64) -> Self {
        let shared = Arc::new(Shared {
            plan,
            state: Mutex::default(),
            has_job: Condvar::new(),
            has_result: Condvar::new(),
            is_stopped: AtomicBool::new(false),
        });
        let worker = |number| {
            let shared = Arc::clone(&shared);
            let thread = thread::Builder::new().name(format!("tabiya pgn {number}"));
            // If the system has no more threads, the existing ones do the work.
            thread.spawn(move || shared.work_on_all()).ok()
        };
        let workers = (1..threads).map_while(worker).count();
        // The number of bytes does not matter: parts are cut by games.
        let chunks = Some(Chunks::new(source, 1 << 18));
        let ahead = if workers == 0 { 1 } else { (AHEAD * threads) as u64 };
        let (games_read, ends, failure, read, taken) = (0, VecDeque::new(), None, 0, 0);
        Self { shared, chunks, games, games_read, ends, failure, ahead, read, taken }
    }

    pub(super) fn plan(&self) -> &Plan {
        &self.shared.plan
    }

    /// Reads, works or waits for a short time.
    ///
    /// # Errors
    /// A signal; or there was an error, and all parts before it have been taken.
    pub(super) fn step(&mut self) -> Result<Step, Failure> {
        if self.read - self.taken < self.ahead
            && let Some(chunks) = &mut self.chunks
        {
            let games = (self.games - self.games_read).min(GAMES_PER_PART);
            match chunks.next_games(games) {
                Ok(Some(chunk)) => {
                    self.games_read += chunks.games() - chunk.games_before;
                    let is_end = self.games_read >= self.games;
                    if is_end {
                        self.games_read = 0;
                    }
                    self.ends.push_back(is_end);
                    self.shared.state().jobs.push_back((self.read, chunk));
                    self.shared.has_job.notify_one();
                    self.read += 1;
                }
                Ok(None) => self.chunks = None,
                Err(error) => match Failure::from(error) {
                    Failure::Error(error) => {
                        self.chunks = None;
                        self.failure = Some(error);
                    }
                    at_once => return Err(at_once),
                },
            }
            return Ok(Step::Again);
        }
        let mut state = self.shared.state();
        if let Some(result) = state.results.remove(&self.taken) {
            self.taken += 1;
            let is_end = self.ends.pop_front().unwrap_or(true);
            let part = result.map_err(|Bug| {
                let message = "a part of the file could not be read, which is a bug of tabiya";
                Failure::Error(PyRuntimeError::new_err(message))
            })?;
            return Ok(Step::Part(Box::new(part), is_end));
        }
        if let Some((number, chunk)) = state.jobs.pop_front() {
            drop(state);
            let interrupt = Interrupt::new();
            let result = self.shared.play(&chunk, || interrupt.is_cancelled());
            let mut state = self.shared.state();
            if let Err(error) = interrupt.finish() {
                // It is played anew, from its first game.
                state.jobs.push_front((number, chunk));
                self.shared.has_job.notify_one();
                return Err(Failure::Signal(error));
            }
            state.results.insert(number, result);
        } else if self.taken < self.read {
            let woken = self.shared.has_result.wait_timeout(state, TICK);
            drop(woken.unwrap_or_else(PoisonError::into_inner));
        } else {
            return self.failure.take().map_or(Ok(Step::End), |error| Err(Failure::Error(error)));
        }
        Ok(Step::Again)
    }
}

impl Drop for Work {
    /// Ends the threads, each within its current game.
    fn drop(&mut self) {
        self.shared.is_stopped.store(true, Ordering::Relaxed);
        // A thread that missed the flag holds the lock until it waits, so all such threads wait
        // after this.
        drop(self.shared.state());
        self.shared.has_job.notify_all();
    }
}
