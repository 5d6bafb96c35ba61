//! The workers of a long run.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use tabiya::Position;

use super::status::{Running, now};
use super::{Checkpoint, CheckpointError, Status, UnitResult, WorkUnit, disputed};
use crate::count_leaves::CountLeaves;
use crate::engine::Engine;
use crate::progress::{Progress, Watch};
use crate::random::SplitMix;
use crate::reference::reference_perft;

/// Somebody who can count units.
pub trait Counter: Sync {
    /// How this counter is called in the checkpoint.
    fn name(&self) -> String;

    /// Somebody who counts on one thread.
    fn worker<'a>(&'a self, watch: &'a dyn Watch) -> Box<dyn CountLeaves + 'a>;
}

/// Counting with vectors and a table; the table is shared by all threads.
impl Counter for Engine {
    fn name(&self) -> String {
        let table = if self.table().is_some() { " with a table" } else { "" };
        format!("{}{table}", self.options().isa)
    }

    fn worker<'a>(&'a self, watch: &'a dyn Watch) -> Box<dyn CountLeaves + 'a> {
        self.counter(watch)
    }
}

/// Counting by the plain [`reference_perft`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Walk;

impl Counter for Walk {
    fn name(&self) -> String {
        "walk".to_owned()
    }

    fn worker<'a>(&'a self, watch: &'a dyn Watch) -> Box<dyn CountLeaves + 'a> {
        Box::new(Walker(watch))
    }
}

struct Walker<'a>(&'a dyn Watch);

impl CountLeaves for Walker<'_> {
    fn count(&mut self, position: &Position, depth: u32) -> Option<u64> {
        if self.0.is_cancelled() {
            return None;
        }
        if depth <= 4 {
            return Some(reference_perft(position, depth));
        }
        position.legal_moves().iter().map(|&mv| self.count(&position.play(mv), depth - 1)).sum()
    }

    fn look_ups(&self) -> u64 {
        0
    }
}

/// How a long run is to be done.
#[derive(Clone, Copy)]
pub struct RunOptions<'a> {
    /// How many threads count.
    pub threads: NonZeroUsize,
    /// Who counts.
    pub counter: &'a dyn Counter,
    /// Which share of the units is counted a second time: from 0 for none to 1 for all. Which
    /// units are chosen depends on nothing else: a larger share has all those of a smaller one.
    pub verify_share: f64,
    /// Who counts the second time. Somebody who works in another way finds more.
    pub verifier: &'a dyn Counter,
}

impl Default for RunOptions<'_> {
    fn default() -> Self {
        Self { threads: NonZeroUsize::MIN, counter: &Walk, verify_share: 0.0, verifier: &Walk }
    }
}

impl fmt::Debug for RunOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunOptions")
            .field("threads", &self.threads)
            .field("counter", &self.counter.name())
            .field("verify_share", &self.verify_share)
            .field("verifier", &self.verifier.name())
            .finish()
    }
}

/// Something for a worker to do.
#[derive(Clone, Debug)]
enum Task {
    Count(u64),
    Verify(u64, UnitResult),
}

/// Something that a worker has done; it waits for the answer before it goes on.
struct Done {
    task: Task,
    unit: WorkUnit,
    result: UnitResult,
    written: SyncSender<()>,
}

/// How often the status is published.
const PUBLISH_EVERY: Duration = Duration::from_secs(1);

impl Checkpoint {
    /// Counts what has not been counted yet, until all is done or the watch says stop. Units
    /// that are half counted then are given up.
    ///
    /// Returns how far the job has come. While the run goes on, this is also written
    /// [beside the file](Self::status_path) every second.
    ///
    /// # Errors
    /// [`CheckpointError`] if results cannot be written down, or if a unit was counted
    /// differently the second time.
    pub fn run(
        &self,
        options: &RunOptions<'_>,
        watch: &dyn Watch,
    ) -> Result<Status, CheckpointError> {
        let mut tasks = Vec::new();
        self.store.each_unit(|number, _, result, check| {
            match result {
                None => tasks.push(Task::Count(number)),
                Some(result) if check.is_none() && is_chosen(number, options.verify_share) => {
                    tasks.push(Task::Verify(number, result));
                }
                Some(_) => {}
            }
            Ok(())
        })?;
        // They are taken from the end.
        tasks.reverse();
        let queue = Queue { tasks: Mutex::new(tasks), stopped: AtomicBool::new(false) };
        let mut ledger = Ledger::new(self, options)?;
        ledger.publish()?;

        let outcome = thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for _ in 0..options.threads.get() {
                let sender = sender.clone();
                let queue = &queue;
                scope.spawn(move || self.work(options, queue, watch, &sender));
            }
            drop(sender);
            let outcome = ledger.keep(&receiver, &queue, watch);
            // The workers end with the units that they are at.
            queue.stopped.store(true, Ordering::Relaxed);
            outcome
        });
        // From now on the file itself tells.
        let _ = std::fs::remove_file(Self::status_path(&self.path));
        outcome.map(|()| ledger.finish())
    }

    /// A worker: takes a task, does it, waits until the result is on the disk.
    fn work(
        &self,
        options: &RunOptions<'_>,
        queue: &Queue,
        watch: &dyn Watch,
        done: &mpsc::Sender<Result<Done, CheckpointError>>,
    ) {
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
            let message = match self.store.unit(number) {
                Ok(unit) => {
                    let start = Instant::now();
                    let Some(nodes) = worker.count(&unit.position, unit.depth) else { return };
                    let micros = start.elapsed().as_micros() as u64;
                    let result = UnitResult { nodes, micros, counter: kind.name() };
                    Ok(Done { task, unit, result, written })
                }
                Err(error) => Err(error),
            };
            if done.send(message).is_err() || answer.recv().is_err() {
                // EmptySquare writes results down any more.
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

    /// Puts a task where it is taken next.
    fn put(&self, task: Task) {
        self.tasks().push(task);
    }

    fn tasks(&self) -> std::sync::MutexGuard<'_, Vec<Task>> {
        self.tasks.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// Writes down what the workers find.
struct Ledger<'a> {
    checkpoint: &'a Checkpoint,
    verify_share: f64,
    status: Status,
    start: Instant,
    published: Instant,
}

impl<'a> Ledger<'a> {
    fn new(checkpoint: &'a Checkpoint, options: &RunOptions<'_>) -> Result<Self, CheckpointError> {
        let mut status = checkpoint.status()?;
        status.running = Some(Running {
            process: std::process::id(),
            threads: options.threads.get(),
            seconds: 0.0,
            units: 0,
            visited: 0,
        });
        let start = Instant::now();
        let verify_share = options.verify_share;
        Ok(Self { checkpoint, verify_share, status, start, published: start })
    }

    /// Takes what the workers send, as much as there is, and writes it down at once, until all
    /// workers have ended.
    fn keep(
        &mut self,
        receiver: &Receiver<Result<Done, CheckpointError>>,
        queue: &Queue,
        watch: &dyn Watch,
    ) -> Result<(), CheckpointError> {
        loop {
            match receiver.recv_timeout(PUBLISH_EVERY) {
                Ok(first) => {
                    let batch: Vec<Done> = std::iter::once(first)
                        .chain(receiver.try_iter())
                        .collect::<Result<_, _>>()?;
                    self.write(&batch, queue)?;
                    for done in &batch {
                        // A worker that has ended needs no answer.
                        let _ = done.written.send(());
                    }
                    if watch.wants_progress() {
                        let Status { done, units, nodes, .. } = self.status;
                        let share = done as f64 / units as f64;
                        watch.progress(Progress { nodes, share });
                    }
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => return Ok(()),
            }
            if self.published.elapsed() >= PUBLISH_EVERY {
                self.publish()?;
            }
        }
    }

    fn write(&mut self, batch: &[Done], queue: &Queue) -> Result<(), CheckpointError> {
        let store = &self.checkpoint.store;
        let (mut results, mut checks) = (Vec::new(), Vec::new());
        let mut dispute = None;
        for done in batch {
            match &done.task {
                Task::Count(number) => results.push((*number, done.result.clone())),
                Task::Verify(number, first) if first.nodes == done.result.nodes => {
                    checks.push((*number, done.result.clone()));
                }
                Task::Verify(number, first) => dispute = Some((*number, first, done)),
            }
        }
        store.write(&results)?;
        store.write_checks(&checks)?;
        for done in batch {
            if let Task::Count(number) = done.task {
                self.status.add(&done.unit, &done.result);
                if let Some(running) = &mut self.status.running {
                    running.units += 1;
                    running.visited += u128::from(done.result.nodes);
                }
                if is_chosen(number, self.verify_share) {
                    queue.put(Task::Verify(number, done.result.clone()));
                }
            }
        }
        self.status.verified += checks.len() as u64;
        match dispute {
            None => Ok(()),
            Some((number, first, done)) => {
                store.dispute(number, first, &done.result)?;
                self.status.remove(&done.unit, first);
                self.status.disputes = store.disputes()?;
                Err(disputed(number, &done.unit, first.nodes, done.result.nodes))
            }
        }
    }

    fn finish(mut self) -> Status {
        self.status.time = now();
        self.status.running = None;
        self.status
    }

    fn publish(&mut self) -> Result<(), CheckpointError> {
        self.published = Instant::now();
        self.status.time = now();
        if let Some(running) = &mut self.status.running {
            running.seconds = self.start.elapsed().as_secs_f64();
        }
        self.status.publish(&Checkpoint::status_path(&self.checkpoint.path))
    }
}

/// Is a unit among the share that is counted a second time?
fn is_chosen(unit: u64, share: f64) -> bool {
    // Evenly spread, and the same whenever the run goes on.
    (SplitMix::new(unit).next() as f64) < share * 2f64.powi(64)
}
