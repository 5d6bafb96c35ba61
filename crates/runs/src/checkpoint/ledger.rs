//! The open tasks of a job, and its results as they arrive.

use std::borrow::Borrow;
use std::collections::HashSet;
use std::time::Instant;

use super::status::{self, Session, now};
use super::store::Changes;
use super::{Checkpoint, CheckpointError, Status, UnitResult, disputed};
use crate::output_file::is_full;
use tabiya::SplitMix64;

/// A unit to count.
///
/// [`Checkpoint::unit`] returns its position and depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// The first count.
    Count {
        /// The number of the unit.
        unit: u64,
    },
    /// A second count. Another worker should make it, or another counter.
    Verify {
        /// The number of the unit.
        unit: u64,
        /// The result of the first count.
        first: UnitResult,
    },
}

impl Task {
    /// The number of the unit.
    pub const fn unit(&self) -> u64 {
        match self {
            Self::Count { unit } | Self::Verify { unit, .. } => *unit,
        }
    }
}

/// Options of a [`Ledger`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LedgerOptions {
    /// The share of units that are counted a second time: from 0 for none to 1 for all. The choice
    /// depends only on the share and on the units' numbers, and a larger share includes the units
    /// of a smaller one.
    pub verify_share: f64,
    /// The number of threads that count, here or elsewhere. The status mentions it.
    pub workers: usize,
}

impl Default for LedgerOptions {
    fn default() -> Self {
        Self { verify_share: 0.0, workers: 1 }
    }
}

/// The open tasks of a job, and its results as they arrive, from threads of this process or workers
/// elsewhere. [`Checkpoint::run`] uses a ledger as well.
///
/// A ledger hands out tasks and records results. It does not know who works on a task: if a task
/// that was handed out is neither recorded nor [put back](Self::put_back), only the next ledger of
/// the checkpoint hands it out again. A checkpoint should have only one ledger at a time, and
/// nothing else should write results in the meantime.
///
/// ```
/// use tabiya::Position;
/// use tabiya_runs::checkpoint::{Checkpoint, Job, Ledger, LedgerOptions, UnitResult};
/// use tabiya_perft::reference_perft;
///
/// let folder = tempfile::tempdir()?;
/// let job = Job::new(Position::START, 4)?;
/// let checkpoint = Checkpoint::open_or_create(&folder.path().join("start-4"), &job, &())?;
/// let options = LedgerOptions { verify_share: 0.5, workers: 1 };
/// let mut ledger = Ledger::new(&checkpoint, &options)?;
/// while let Some(task) = ledger.next_task() {
///     // Any process may do this.
///     let unit = checkpoint.unit(task.unit())?;
///     let nodes = reference_perft(&unit.position, unit.depth);
///     let counter = "another machine".to_owned();
///     let result = UnitResult { nodes, micros: 10, counter, categories: None };
///     ledger.record(vec![(task, result)])?;
/// }
/// let status = ledger.finish();
/// assert_eq!(status.total(), Some(197_281));
/// assert!(status.verified > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Ledger<C: Borrow<Checkpoint>> {
    checkpoint: C,
    verify_share: f64,
    /// Tasks are taken from the end.
    open: Vec<Task>,
    /// The state of each unit.
    known: Vec<Known>,
    status: Status,
    start: Instant,
}

/// The state of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Nothing,
    Counted,
    Verified,
}

impl<C: Borrow<Checkpoint>> Ledger<C> {
    /// Reads the results that a checkpoint already has, and begins a session, in which the status
    /// says how many results are new.
    ///
    /// # Errors
    /// [`CheckpointError`] if the file cannot be read, or if its total has too many leaf nodes.
    pub fn new(checkpoint: C, options: &LedgerOptions) -> Result<Self, CheckpointError> {
        let LedgerOptions { verify_share, workers } = *options;
        let (mut open, mut known) = (Vec::new(), Vec::new());
        let mut status = checkpoint.borrow().store.status(|row| {
            let unit = row.number;
            known.push(match (&row.result, &row.check) {
                (None, _) => Known::Nothing,
                (Some(_), None) => Known::Counted,
                (Some(_), Some(_)) => Known::Verified,
            });
            match row.result {
                None => open.push(Task::Count { unit }),
                Some(first) if row.check.is_none() && is_chosen(unit, verify_share) => {
                    open.push(Task::Verify { unit, first });
                }
                Some(_) => {}
            }
        })?;
        let is_second = |task: &&Task| matches!(task, Task::Verify { .. });
        status.unverified = open.iter().filter(is_second).count() as u64;
        open.reverse();
        status.session = Some(Session::new(workers));
        Ok(Self { checkpoint, verify_share, open, known, status, start: Instant::now() })
    }

    /// The checkpoint.
    pub fn checkpoint(&self) -> &Checkpoint {
        self.checkpoint.borrow()
    }

    /// The next open task; `None` if no task is open now. Units come in the order of their numbers.
    /// As soon as the first result of a unit is recorded, its verification is open and comes next.
    pub fn next_task(&mut self) -> Option<Task> {
        while let Some(task) = self.open.pop() {
            if self.is_wanted(&task) {
                return Some(task);
            }
        }
        None
    }

    /// Makes a task open again, because its worker was lost. The task comes next. If its result has
    /// been recorded in the meantime, nothing happens.
    pub fn put_back(&mut self, task: Task) {
        if self.is_wanted(&task) {
            self.open.push(task);
        }
    }

    /// Writes results. They are on the disk when this returns.
    ///
    /// Late results are ignored: a first count of a unit that already has a result, and a
    /// verification of a unit that has been verified or no longer has a result.
    ///
    /// # Errors
    /// [`CheckpointError::Write`] if results cannot be written: then none of these results has been
    /// recorded. Open the checkpoint again when the cause has been removed.
    ///
    /// [`CheckpointError::NoUnit`] for a number that the job does not have, and
    /// [`CheckpointError::OtherKind`] for a result without the categories that the job needs, or
    /// with categories that it does not need: then nothing is written.
    ///
    /// [`CheckpointError::Disputed`] if a verification differs from the first count. Both counts
    /// are kept as [evidence](Status::disputes), the unit no longer has a result, and its first
    /// count is open again. The other results are recorded. If there are several such units, the
    /// error names the first.
    ///
    /// [`CheckpointError::Moved`] if the file is no longer at its path, unless no unit is left to be
    /// counted, once or a second time.
    ///
    /// [`CheckpointError::TotalTooLarge`] if the total has too many leaf nodes.
    pub fn record(&mut self, results: Vec<(Task, UnitResult)>) -> Result<(), CheckpointError> {
        let done = self.status.done;
        self.write(results).map_err(|error| error.in_a_run(done))?;
        self.expect_kept()
    }

    /// Writes results without looking for the file afterwards.
    ///
    /// `known`, `open` and `status` describe what is in the file, so they change only when it has
    /// changed: if the write fails, they are still right.
    fn write(&mut self, results: Vec<(Task, UnitResult)>) -> Result<(), CheckpointError> {
        let store = &self.checkpoint.borrow().store;
        let mut changes = Changes::default();
        // The units of `changes.results` and of `changes.disputes`, in the same order.
        let (mut counted, mut contradicted) = (Vec::new(), Vec::new());
        let mut seen = HashSet::new();
        for (task, result) in results {
            let number = task.unit();
            if number >= self.status.units {
                return Err(CheckpointError::NoUnit(number));
            }
            if !self.is_wanted(&task) || !seen.insert(number) {
                continue;
            }
            store.expect_kind(number, &result)?;
            match task {
                Task::Count { .. } => {
                    counted.push(store.unit(number)?);
                    changes.results.push((number, result));
                }
                // The first result is read from the file, because the one in the task may be out of
                // date.
                Task::Verify { .. } => {
                    let Some(first) = store.result(number)? else { continue };
                    match first.difference(&result) {
                        None => changes.checks.push((number, result)),
                        Some(difference) => {
                            contradicted.push((store.unit(number)?, difference));
                            changes.disputes.push((number, first, result));
                        }
                    }
                }
            }
        }
        store.write(&changes)?;
        self.update_clock();
        let Changes { results, checks, disputes } = changes;
        for ((number, result), unit) in results.into_iter().zip(&counted) {
            self.learn(number, Known::Counted);
            self.status.add_new(unit, &result)?;
            if is_chosen(number, self.verify_share) {
                self.status.unverified += 1;
                self.open.push(Task::Verify { unit: number, first: result });
            }
        }
        for (number, _) in checks {
            self.learn(number, Known::Verified);
            self.status.verified += 1;
            self.status.unverified -= u64::from(is_chosen(number, self.verify_share));
        }
        if disputes.is_empty() {
            return Ok(());
        }
        for ((number, first, _), (unit, _)) in disputes.iter().zip(&contradicted) {
            self.learn(*number, Known::Nothing);
            self.status.remove(unit, first);
            self.status.unverified -= u64::from(is_chosen(*number, self.verify_share));
            self.open.push(Task::Count { unit: *number });
        }
        self.status.disputes = self.checkpoint.borrow().store.disputes()?;
        match (disputes.first(), contradicted.first()) {
            (Some((number, ..)), Some((unit, difference))) => {
                Err(disputed(*number, unit, *difference))
            }
            _ => Ok(()),
        }
    }

    /// The progress of the job.
    pub fn status(&self) -> &Status {
        &self.status
    }

    /// Sets the number of threads that count from now on.
    pub fn set_workers(&mut self, workers: usize) {
        if let Some(session) = &mut self.status.session {
            session.threads = workers;
        }
    }

    /// Writes the status to a file [next to the checkpoint](Checkpoint::status_path), where other
    /// processes find it. Call this about once a second.
    ///
    /// # Errors
    /// [`CheckpointError::Status`] if the file cannot be written, [`CheckpointError::Write`] if the
    /// disk is full, [`CheckpointError::Moved`] if the checkpoint is no longer at its path. There is
    /// no error if no unit is left to be counted, once or a second time.
    pub fn publish(&mut self) -> Result<(), CheckpointError> {
        self.update_clock();
        self.expect_kept()?;
        let path = status::path_of(self.checkpoint().place.path());
        let done = self.status.done;
        match self.status.publish(&path) {
            // The result is known, and the status goes away in a moment.
            Err(_) if self.is_finished() => Ok(()),
            Err(CheckpointError::Io(source)) if !is_full(&source) => {
                Err(CheckpointError::Status { path, done, source })
            }
            outcome => outcome.map_err(|error| error.in_a_run(done)),
        }
    }

    /// Is every unit counted, and verified if it was to be?
    fn is_finished(&self) -> bool {
        self.status.is_complete() && self.status.unverified == 0
    }

    /// Returns an error if something is left to count and the checkpoint is not kept. If nothing is
    /// left, the result is known, and no longer depends on the file.
    fn expect_kept(&self) -> Result<(), CheckpointError> {
        let Status { done, units, .. } = self.status;
        if self.is_finished() || self.checkpoint().is_kept() {
            return Ok(());
        }
        Err(CheckpointError::Moved { done, units })
    }

    /// Ends the session and returns the progress of the job. Removes the published status, because
    /// the checkpoint itself can be read from now on.
    pub fn finish(self) -> Status {
        // The published status is removed by `drop`.
        Status { session: None, time: now(), ..self.status.clone() }
    }

    /// Would the result of a task be recorded?
    fn is_wanted(&self, task: &Task) -> bool {
        let wanted = match task {
            Task::Count { .. } => Known::Nothing,
            Task::Verify { .. } => Known::Counted,
        };
        usize::try_from(task.unit()).is_ok_and(|unit| self.known.get(unit) == Some(&wanted))
    }

    fn learn(&mut self, unit: u64, known: Known) {
        // The index is valid, because the list has an item for each unit.
        self.known[unit as usize] = known;
    }

    fn update_clock(&mut self) {
        self.status.time = now();
        if let Some(session) = &mut self.status.session {
            session.seconds = self.start.elapsed().as_secs_f64();
        }
    }
}

/// Removes the published status.
impl<C: Borrow<Checkpoint>> Drop for Ledger<C> {
    fn drop(&mut self) {
        status::remove(self.checkpoint().place.path());
    }
}

/// Is this unit in the share that is counted a second time?
fn is_chosen(unit: u64, share: f64) -> bool {
    // The chosen units are evenly spread, and the same in every session.
    (SplitMix64::new(unit).number() as f64) < share * 2f64.powi(64)
}
