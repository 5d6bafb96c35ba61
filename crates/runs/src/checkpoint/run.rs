//! The threads of a long run.

use std::fmt;
use std::num::NonZeroUsize;
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use super::{
    Checkpoint, CheckpointError, CountCategories, Ledger, LedgerOptions, ReferenceCounter, Session,
    Status, Task, UnitCategories, UnitCounter, UnitResult, WorkUnit, too_large,
};
use tabiya_perft::{CountLeaves, NoCount};
use tabiya_perft::{Progress, Watch};

/// Options of a run.
#[derive(Clone, Copy)]
pub struct RunOptions<'a> {
    /// The number of threads that count.
    pub threads: NonZeroUsize,
    /// The counter.
    pub counter: &'a dyn UnitCounter,
    /// The share of units that are counted a second time: from 0 for none to 1 for all. The choice
    /// depends only on the share and on the units' numbers, and a larger share includes the units
    /// of a smaller one.
    pub verify_share: f64,
    /// The counter for the second count. A different kind of counter finds more errors.
    pub verifier: &'a dyn UnitCounter,
    /// A function that is called with the status at the beginning, after results have been written,
    /// and once a second. The calls come from the thread that called [`run`](Checkpoint::run).
    pub report: Option<&'a (dyn Fn(&Status) + Sync)>,
    /// The shortest time from one write to the next, 0.2 seconds by default. A sync of the disk
    /// takes milliseconds, so results of units that take less time are written together. If the
    /// process is killed, results that wait for the next write are lost, and their units are
    /// counted again. With 0, a worker begins its next unit only when the result of the last one is
    /// on the disk.
    pub write_every: Duration,
}

impl Default for RunOptions<'_> {
    fn default() -> Self {
        Self {
            threads: NonZeroUsize::MIN,
            counter: &ReferenceCounter,
            verify_share: 0.0,
            verifier: &ReferenceCounter,
            report: None,
            write_every: Duration::from_millis(200),
        }
    }
}

impl fmt::Debug for RunOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunOptions")
            .field("threads", &self.threads)
            .field("counter", &self.counter.name())
            .field("verify_share", &self.verify_share)
            .field("verifier", &self.verifier.name())
            .field("write_every", &self.write_every)
            .finish_non_exhaustive()
    }
}

/// A counted unit. The worker waits for its next task.
struct Finished {
    task: Task,
    result: UnitResult,
    next: SyncSender<Option<Task>>,
}

/// The time between two statuses.
const PUBLISH_EVERY: Duration = Duration::from_secs(1);

impl Checkpoint {
    /// Counts the remaining units, until everything is done or the watch cancels the work. Partly
    /// counted units are then dropped.
    ///
    /// Returns the progress of the job. During the run, the status is also written every second to
    /// a file [next to the checkpoint](Self::status_path).
    ///
    /// [`Watch::progress`] is called with the progress of this session: the leaf nodes found in it,
    /// and the share of its initially open units that it has counted.
    ///
    /// # Errors
    /// [`CheckpointError`] if results cannot be written, if the file is not
    /// [kept](Self::is_kept) although something is left to count, if a unit was counted twice with
    /// different results, if a unit or the total has too many leaf nodes, if the job is by category
    /// and a counter does not count by category, or if a thread cannot be started.
    ///
    /// # Panics
    /// If a counter panics. The results written before are safe.
    pub fn run(
        &self,
        options: &RunOptions<'_>,
        watch: &dyn Watch,
    ) -> Result<Status, CheckpointError> {
        let verifier = (options.verify_share > 0.0).then_some(options.verifier);
        for counter in [Some(options.counter), verifier].into_iter().flatten() {
            if self.job().is_by_category() && counter.category_worker(watch).is_none() {
                return Err(no_categories(counter));
            }
        }
        let workers = options.threads.get();
        let ledger_options = LedgerOptions { verify_share: options.verify_share, workers };
        let mut keeper = Keeper::new(Ledger::new(self, &ledger_options)?, options);
        keeper.publish()?;
        let stopped = AtomicBool::new(false);

        let outcome = thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            let mut started = Vec::new();
            // There may be fewer tasks than threads.
            for _ in 0..workers {
                let Some(task) = keeper.ledger.next_task() else { break };
                let (stopped, sender) = (&stopped, sender.clone());
                let work = move || self.work(options, task, stopped, watch, &sender);
                match thread::Builder::new().spawn_scoped(scope, work) {
                    Ok(worker) => started.push(worker),
                    Err(error) => {
                        stopped.store(true, Ordering::Relaxed);
                        return Err(CheckpointError::Threads(error));
                    }
                }
            }
            drop(sender);
            let kept = keeper.keep(&receiver, watch);
            // Results from before an error are recorded as well.
            let outcome = keeper.write(watch).and(kept);
            // The workers end after their current unit.
            stopped.store(true, Ordering::Relaxed);
            // Workers that still wait for an answer get none.
            drop(receiver);
            for worker in started {
                if let Err(panic) = worker.join() {
                    panic::resume_unwind(panic);
                }
            }
            outcome
        });
        outcome?;
        Ok(keeper.ledger.finish())
    }

    /// Counts a unit; `None` if that was cancelled.
    fn count_unit(
        &self,
        number: u64,
        worker: &mut Worker<'_>,
        counter: &dyn UnitCounter,
    ) -> Result<Option<UnitResult>, CheckpointError> {
        // Reading a tiny unit takes longer than counting it.
        let start = Instant::now();
        let unit = self.store.unit(number)?;
        let count = worker.count(&unit);
        let micros = start.elapsed().as_micros() as u64;
        match count {
            Ok((nodes, categories)) => {
                Ok(Some(UnitResult { nodes, micros, counter: counter.name(), categories }))
            }
            Err(NoCount::Overflow) => Err(too_large(number, &unit)),
            Err(NoCount::Cancelled) => Ok(None),
        }
    }

    /// A worker: counts, hands over the result, and gets the next task.
    fn work(
        &self,
        options: &RunOptions<'_>,
        mut task: Task,
        stopped: &AtomicBool,
        watch: &dyn Watch,
        finished: &mpsc::Sender<Result<Finished, CheckpointError>>,
    ) {
        let _stop = StopOnPanic(stopped);
        let mut pair = WorkerPair::new(self, options, watch);
        while !stopped.load(Ordering::Relaxed) && !watch.is_cancelled() {
            let (next, answer) = mpsc::sync_channel(1);
            let counted = match pair.count(&task) {
                Ok(Some(result)) => Finished { task, result, next },
                Ok(None) => return,
                Err(error) => {
                    // An error gets no answer.
                    let _ = finished.send(Err(error));
                    return;
                }
            };
            if finished.send(Ok(counted)).is_err() {
                // Results are no longer written.
                return;
            }
            match answer.recv() {
                Ok(Some(next)) => task = next,
                // No task is left, or results are no longer written.
                Ok(None) | Err(_) => return,
            }
        }
    }
}

/// What a thread counts and verifies with.
struct WorkerPair<'a> {
    checkpoint: &'a Checkpoint,
    options: &'a RunOptions<'a>,
    counter: Option<Worker<'a>>,
    verifier: Option<Worker<'a>>,
}

impl<'a> WorkerPair<'a> {
    fn new(checkpoint: &'a Checkpoint, options: &'a RunOptions<'a>, watch: &'a dyn Watch) -> Self {
        let by_category = checkpoint.job().is_by_category();
        let worker = |counter| Worker::new(counter, by_category, watch);
        let (counter, verifier) = (worker(options.counter), worker(options.verifier));
        Self { checkpoint, options, counter, verifier }
    }

    /// The result of a task; `None` if counting was cancelled.
    fn count(&mut self, task: &Task) -> Result<Option<UnitResult>, CheckpointError> {
        let (worker, kind) = match task {
            Task::Count { .. } => (&mut self.counter, self.options.counter),
            Task::Verify { .. } => (&mut self.verifier, self.options.verifier),
        };
        match worker {
            Some(worker) => self.checkpoint.count_unit(task.unit(), worker, kind),
            None => Err(no_categories(kind)),
        }
    }
}

/// A counter for one thread and one kind of job.
enum Worker<'a> {
    Leaves(Box<dyn CountLeaves + 'a>),
    Categories(Box<dyn CountCategories + 'a>),
}

impl<'a> Worker<'a> {
    /// Creates the counter; `None` if it should count by category but cannot.
    fn new(counter: &'a dyn UnitCounter, by_category: bool, watch: &'a dyn Watch) -> Option<Self> {
        if by_category {
            counter.category_worker(watch).map(Self::Categories)
        } else {
            Some(Self::Leaves(counter.worker(watch)))
        }
    }

    /// The number of leaf nodes, and the number in each category. An overflow means that 64 bits
    /// are not enough.
    fn count(&mut self, unit: &WorkUnit) -> Result<(u64, Option<UnitCategories>), NoCount> {
        let WorkUnit { position, depth, .. } = unit;
        let narrow = |nodes| u64::try_from(nodes).map_err(|_| NoCount::Overflow);
        match self {
            Self::Leaves(worker) => Ok((narrow(worker.count(position, *depth)?)?, None)),
            Self::Categories(worker) => {
                let found = worker.count(position, *depth)?;
                let categories = UnitCategories::of(&found).ok_or(NoCount::Overflow)?;
                Ok((narrow(found.nodes)?, Some(categories)))
            }
        }
    }
}

fn no_categories(counter: &dyn UnitCounter) -> CheckpointError {
    CheckpointError::NoCategories { counter: counter.name() }
}

/// Stops all workers if this one panics. Without it, the panic would be noticed only at the end of
/// a long run.
struct StopOnPanic<'a>(&'a AtomicBool);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Records the results of the workers, and reports the progress of the job.
struct Keeper<'a> {
    ledger: Ledger<&'a Checkpoint>,
    report: Option<&'a (dyn Fn(&Status) + Sync)>,
    write_every: Duration,
    /// Results that wait for the next write.
    results: Vec<(Task, UnitResult)>,
    /// When the last write ended.
    written: Option<Instant>,
    /// Units without a result when the session began.
    left_at_start: u64,
    published: Instant,
}

impl<'a> Keeper<'a> {
    fn new(ledger: Ledger<&'a Checkpoint>, options: &RunOptions<'a>) -> Self {
        let RunOptions { report, write_every, .. } = *options;
        let left_at_start = ledger.status().units - ledger.status().done;
        let (results, written, published) = (Vec::new(), None, Instant::now());
        Self { ledger, report, write_every, results, written, left_at_start, published }
    }

    /// Receives the results of the workers as they arrive, until all workers have ended. The first
    /// result is written at once, and the others as soon as enough time has passed since the last
    /// write. If units take longer than that, a result is on the disk before its worker continues.
    fn keep(
        &mut self,
        receiver: &Receiver<Result<Finished, CheckpointError>>,
        watch: &dyn Watch,
    ) -> Result<(), CheckpointError> {
        loop {
            let pause = match self.results.is_empty() {
                true => PUBLISH_EVERY,
                false => self.until_write().min(PUBLISH_EVERY),
            };
            match receiver.recv_timeout(pause) {
                Ok(first) => {
                    let mut waiting = Vec::new();
                    for finished in std::iter::once(first).chain(receiver.try_iter()) {
                        let Finished { task, result, next } = finished?;
                        self.results.push((task, result));
                        waiting.push(next);
                    }
                    if self.until_write().is_zero() {
                        self.write(watch)?;
                    }
                    for next in waiting {
                        // A worker that has ended needs no answer.
                        let _ = next.send(self.next_task(watch)?);
                    }
                }
                Err(mpsc::RecvTimeoutError::Timeout) if self.until_write().is_zero() => {
                    self.write(watch)?;
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => return Ok(()),
            }
            self.publish_if_due()?;
        }
    }

    /// The next task; `None` if nothing is left.
    fn next_task(&mut self, watch: &dyn Watch) -> Result<Option<Task>, CheckpointError> {
        if let Some(task) = self.ledger.next_task() {
            return Ok(Some(task));
        }
        // The results that are written may have to be verified.
        self.write(watch)?;
        Ok(self.ledger.next_task())
    }

    /// The time until the next write.
    fn until_write(&self) -> Duration {
        self.written.map_or(Duration::ZERO, |at| self.write_every.saturating_sub(at.elapsed()))
    }

    /// Writes the waiting results.
    fn write(&mut self, watch: &dyn Watch) -> Result<(), CheckpointError> {
        if self.results.is_empty() {
            return Ok(());
        }
        let outcome = self.ledger.record(std::mem::take(&mut self.results));
        self.written = Some(Instant::now());
        self.report(watch);
        outcome
    }

    /// Reports the progress of the job to the caller.
    fn report(&self, watch: &dyn Watch) {
        let status = self.ledger.status();
        if let Some(report) = self.report {
            report(status);
        }
        if watch.wants_progress()
            && let Some(Session { units, nodes, .. }) = status.session
        {
            let share = units as f64 / self.left_at_start.max(1) as f64;
            watch.progress(Progress { nodes, share });
        }
    }

    /// Writes the status next to the checkpoint once a second.
    fn publish_if_due(&mut self) -> Result<(), CheckpointError> {
        if self.published.elapsed() >= PUBLISH_EVERY { self.publish() } else { Ok(()) }
    }

    /// Writes the status next to the checkpoint.
    fn publish(&mut self) -> Result<(), CheckpointError> {
        self.published = Instant::now();
        let outcome = self.ledger.publish();
        if let Some(report) = self.report {
            report(self.ledger.status());
        }
        outcome
    }
}
