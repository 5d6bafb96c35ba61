//! The threads of a long run.

use std::fmt;
use std::num::NonZeroUsize;
use std::panic;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use tabiya::Position;

use super::status::{self, Session, now};
use super::{Checkpoint, CheckpointError, Status, UnitResult, WorkUnit, disputed, too_large};
use crate::count_leaves::{CountLeaves, NoCount};
use crate::engine::Engine;
use crate::progress::{Progress, Watch};
use crate::random::SplitMix;
use crate::reference::reference_perft;

/// A way of counting units.
pub trait UnitCounter: Sync {
    /// The name of this counter in the checkpoint.
    fn name(&self) -> String;

    /// A counter for one thread.
    fn worker<'a>(&'a self, watch: &'a dyn Watch) -> Box<dyn CountLeaves + 'a>;
}

/// Counts with vectors and a table, which all threads share.
impl UnitCounter for Engine {
    fn name(&self) -> String {
        let table = if self.table().is_some() { " with a table" } else { "" };
        format!("{}{table}", self.options().isa)
    }

    fn worker<'a>(&'a self, watch: &'a dyn Watch) -> Box<dyn CountLeaves + 'a> {
        self.counter(watch)
    }
}

/// Counts with [`reference_perft`].
#[derive(Clone, Copy, Debug, Default)]
pub struct ReferenceCounter;

impl UnitCounter for ReferenceCounter {
    fn name(&self) -> String {
        "reference".to_owned()
    }

    fn worker<'a>(&'a self, watch: &'a dyn Watch) -> Box<dyn CountLeaves + 'a> {
        Box::new(ReferenceWorker(watch))
    }
}

struct ReferenceWorker<'a>(&'a dyn Watch);

impl CountLeaves for ReferenceWorker<'_> {
    fn count(&mut self, position: &Position, depth: u32) -> Result<u128, NoCount> {
        if self.0.is_cancelled() {
            return Err(NoCount::Cancelled);
        }
        if depth <= 4 {
            return Ok(reference_perft(position, depth).into());
        }
        position.legal_moves().iter().try_fold(0u128, |sum, &mv| {
            let below = self.count(&position.play(mv), depth - 1)?;
            sum.checked_add(below).ok_or(NoCount::Overflow)
        })
    }

    fn look_ups(&self) -> u64 {
        0
    }
}

/// How to count.
#[derive(Clone, Copy)]
pub struct RunOptions<'a> {
    /// How many threads count.
    pub threads: NonZeroUsize,
    /// What counts.
    pub counter: &'a dyn UnitCounter,
    /// The share of units that is counted a second time: from 0 for none to 1 for all. The choice
    /// depends on nothing else, and a larger share includes the units of a smaller one.
    pub verify_share: f64,
    /// What counts the second time. A counter that works in another way finds more errors.
    pub verifier: &'a dyn UnitCounter,
    /// Is called with the status at the beginning, after every result, and once a second. The calls
    /// come from the thread that called [`run`](Checkpoint::run).
    pub report: Option<&'a (dyn Fn(&Status) + Sync)>,
}

impl Default for RunOptions<'_> {
    fn default() -> Self {
        Self {
            threads: NonZeroUsize::MIN,
            counter: &ReferenceCounter,
            verify_share: 0.0,
            verifier: &ReferenceCounter,
            report: None,
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
            .finish_non_exhaustive()
    }
}

/// A unit to count.
#[derive(Clone, Debug)]
enum Task {
    Count(u64),
    Verify(u64, UnitResult),
}

/// A counted unit. The worker waits until its result is written.
struct Finished {
    task: Task,
    unit: WorkUnit,
    result: UnitResult,
    written: SyncSender<()>,
}

/// How often the status is published.
const PUBLISH_EVERY: Duration = Duration::from_secs(1);

impl Checkpoint {
    /// Counts what has not been counted yet, until everything is done or the watch cancels the
    /// work. Partly counted units are then dropped.
    ///
    /// Returns how far the job has come. During the run, the status is also written to a file [next
    /// to the checkpoint](Self::status_path) every second.
    ///
    /// [`Watch::progress`] is called with the progress of this session: the leaf nodes found in it,
    /// and the share of the units it has counted among those that were left at its beginning.
    ///
    /// # Errors
    /// [`CheckpointError`] if results cannot be written, if a unit was counted twice with different
    /// results, or if a unit or the total has too many leaf nodes.
    ///
    /// # Panics
    /// If a counter panics. The results written before are safe.
    pub fn run(
        &self,
        options: &RunOptions<'_>,
        watch: &dyn Watch,
    ) -> Result<Status, CheckpointError> {
        let mut tasks = Vec::new();
        let mut status = status::of(&self.store, |row| match row.result {
            None => tasks.push(Task::Count(row.number)),
            Some(result) if row.check.is_none() && is_chosen(row.number, options.verify_share) => {
                tasks.push(Task::Verify(row.number, result));
            }
            Some(_) => {}
        })?;
        status.session = Some(Session::new(options.threads.get()));
        // Tasks are taken from the end.
        tasks.reverse();
        let queue = Queue { tasks: Mutex::new(tasks), stopped: AtomicBool::new(false) };
        let mut ledger = Ledger::new(self, options, status);
        ledger.publish()?;

        let outcome = thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            let start = |_| {
                let (queue, sender) = (&queue, sender.clone());
                scope.spawn(move || self.work(options, queue, watch, &sender))
            };
            let workers: Vec<_> = (0..options.threads.get()).map(start).collect();
            drop(sender);
            let outcome = ledger.keep(&receiver, &queue, watch);
            // The workers end after their current unit.
            queue.stop();
            // Workers that still wait for an answer get none.
            drop(receiver);
            for worker in workers {
                if let Err(panic) = worker.join() {
                    panic::resume_unwind(panic);
                }
            }
            outcome
        });
        // From now on the file itself can be read.
        let _ = std::fs::remove_file(Self::status_path(&self.path));
        outcome.map(|()| ledger.finish())
    }

    /// A worker: takes a task, counts, and waits until the result is on the disk.
    fn work(
        &self,
        options: &RunOptions<'_>,
        queue: &Queue,
        watch: &dyn Watch,
        finished: &mpsc::Sender<Result<Finished, CheckpointError>>,
    ) {
        let _stop = StopOnPanic(queue);
        let (mut counter, mut verifier) =
            (options.counter.worker(watch), options.verifier.worker(watch));
        while !watch.is_cancelled()
            && let Some(task) = queue.take()
        {
            let (number, worker, kind) = match &task {
                Task::Count(number) => (*number, &mut counter, options.counter),
                Task::Verify(number, _) => (*number, &mut verifier, options.verifier),
            };
            let (written, answer) = mpsc::sync_channel(1);
            let counted = self.store.unit(number).and_then(|unit| {
                let start = Instant::now();
                let count = worker.count(&unit.position, unit.depth);
                let micros = start.elapsed().as_micros() as u64;
                // Results have 64 bits in the file.
                match count.map(u64::try_from) {
                    Ok(Ok(nodes)) => {
                        Ok(Some((unit, UnitResult { nodes, micros, counter: kind.name() })))
                    }
                    Ok(Err(_)) | Err(NoCount::Overflow) => Err(too_large(number, &unit)),
                    Err(NoCount::Cancelled) => Ok(None),
                }
            });
            let message = match counted {
                Ok(Some((unit, result))) => Ok(Finished { task, unit, result, written }),
                Ok(None) => return,
                Err(error) => {
                    // There is no answer to an error.
                    drop(written);
                    Err(error)
                }
            };
            if finished.send(message).is_err() || answer.recv().is_err() {
                // Results are no longer written.
                return;
            }
        }
    }
}

/// What is left to do.
struct Queue {
    tasks: Mutex<Vec<Task>>,
    stopped: AtomicBool,
}

impl Queue {
    fn take(&self) -> Option<Task> {
        if self.stopped.load(Ordering::Relaxed) { None } else { self.tasks().pop() }
    }

    /// Adds a task that is taken next.
    fn put(&self, task: Task) {
        self.tasks().push(task);
    }

    /// Gives out no more tasks.
    fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    fn tasks(&self) -> std::sync::MutexGuard<'_, Vec<Task>> {
        self.tasks.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// Stops all workers if this one panics. Otherwise the panic would be noticed only at the end of a
/// long run.
struct StopOnPanic<'a>(&'a Queue);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

/// Writes the results of the workers.
struct Ledger<'a> {
    checkpoint: &'a Checkpoint,
    options: &'a RunOptions<'a>,
    status: Status,
    /// Units without a result when the session began.
    left_at_start: u64,
    start: Instant,
    published: Instant,
}

impl<'a> Ledger<'a> {
    fn new(checkpoint: &'a Checkpoint, options: &'a RunOptions<'a>, status: Status) -> Self {
        let start = Instant::now();
        let left_at_start = status.units - status.done;
        Self { checkpoint, options, status, left_at_start, start, published: start }
    }

    /// Writes everything that the workers send, as soon as it comes, until all workers have ended.
    fn keep(
        &mut self,
        receiver: &Receiver<Result<Finished, CheckpointError>>,
        queue: &Queue,
        watch: &dyn Watch,
    ) -> Result<(), CheckpointError> {
        loop {
            match receiver.recv_timeout(PUBLISH_EVERY) {
                Ok(first) => {
                    let batch: Vec<Finished> = std::iter::once(first)
                        .chain(receiver.try_iter())
                        .collect::<Result<_, _>>()?;
                    let done = self.status.done;
                    self.write(&batch, queue).map_err(|error| error.in_a_run(done))?;
                    for finished in &batch {
                        // A worker that has ended needs no answer.
                        let _ = finished.written.send(());
                    }
                    self.update_clock();
                    self.report(watch);
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => return Ok(()),
            }
            if self.published.elapsed() >= PUBLISH_EVERY {
                self.publish()?;
            }
        }
    }

    fn write(&mut self, batch: &[Finished], queue: &Queue) -> Result<(), CheckpointError> {
        let store = &self.checkpoint.store;
        let (mut results, mut checks) = (Vec::new(), Vec::new());
        let mut dispute = None;
        for finished in batch {
            match &finished.task {
                Task::Count(number) => results.push((*number, finished.result.clone())),
                Task::Verify(number, first) if first.nodes == finished.result.nodes => {
                    checks.push((*number, finished.result.clone()));
                }
                Task::Verify(number, first) => dispute = Some((*number, first, finished)),
            }
        }
        store.write(&results)?;
        store.write_checks(&checks)?;
        for finished in batch {
            if let Task::Count(number) = finished.task {
                self.status.add_new(&finished.unit, &finished.result)?;
                if is_chosen(number, self.options.verify_share) {
                    queue.put(Task::Verify(number, finished.result.clone()));
                }
            }
        }
        self.status.verified += checks.len() as u64;
        match dispute {
            None => Ok(()),
            Some((number, first, finished)) => {
                store.dispute(number, first, &finished.result)?;
                self.status.remove(&finished.unit, first);
                self.status.disputes = store.disputes()?;
                Err(disputed(number, &finished.unit, first.nodes, finished.result.nodes))
            }
        }
    }

    fn update_clock(&mut self) {
        self.status.time = now();
        if let Some(session) = &mut self.status.session {
            session.seconds = self.start.elapsed().as_secs_f64();
        }
    }

    /// Tells the caller how far the job has come.
    fn report(&self, watch: &dyn Watch) {
        if let Some(report) = self.options.report {
            report(&self.status);
        }
        if watch.wants_progress()
            && let Some(Session { units, nodes, .. }) = self.status.session
        {
            let share = units as f64 / self.left_at_start.max(1) as f64;
            watch.progress(Progress { nodes, share });
        }
    }

    /// Writes the status next to the checkpoint.
    fn publish(&mut self) -> Result<(), CheckpointError> {
        self.published = Instant::now();
        self.update_clock();
        if let Some(report) = self.options.report {
            report(&self.status);
        }
        self.status
            .publish(&Checkpoint::status_path(&self.checkpoint.path))
            .map_err(|error| error.in_a_run(self.status.done))
    }

    fn finish(mut self) -> Status {
        self.status.time = now();
        self.status.session = None;
        self.status
    }
}

/// Is a unit among the share that is counted a second time?
fn is_chosen(unit: u64, share: f64) -> bool {
    // Evenly spread, and the same in every session.
    (SplitMix::new(unit).next() as f64) < share * 2f64.powi(64)
}
