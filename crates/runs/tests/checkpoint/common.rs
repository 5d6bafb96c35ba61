//! Helpers of the tests: jobs, and counters made of functions.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use tabiya::Position;
use tabiya_perft::{CountLeaves, NoCount, Watch, reference_perft};
use tabiya_runs::checkpoint::{Checkpoint, CheckpointError, Job, RunOptions, Status, UnitCounter};

pub(crate) const KIWIPETE: &str =
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

pub(crate) fn threads(number: usize) -> NonZeroUsize {
    NonZeroUsize::new(number).unwrap()
}

pub(crate) fn start(depth: u32, split: u32) -> Job {
    Job::new(Position::START, depth).unwrap().with_split(split).unwrap()
}

pub(crate) fn run(
    path: &Path,
    job: &Job,
    options: &RunOptions<'_>,
) -> Result<Status, CheckpointError> {
    Checkpoint::open_or_create(path, job, &())?.run(options, &())
}

/// A counter made of a function.
pub(crate) struct ByFunction<F>(pub(crate) F);

impl<F: Fn(&Position, u32) -> u64 + Sync> UnitCounter for ByFunction<F> {
    fn name(&self) -> String {
        std::env::var("COUNTER_NAME").unwrap_or("function".to_owned())
    }

    fn worker<'a>(&'a self, _: &'a dyn Watch) -> Box<dyn CountLeaves + 'a> {
        Box::new(Worker(&self.0))
    }
}

struct Worker<'a, F>(&'a F);

impl<F: Fn(&Position, u32) -> u64 + Sync> CountLeaves for Worker<'_, F> {
    fn count(&mut self, position: &Position, depth: u32) -> Result<u128, NoCount> {
        Ok(self.0(position, depth).into())
    }

    fn look_ups(&self) -> u64 {
        0
    }
}

/// Counts slowly, and prints a line on standard error when a unit is counted.
pub(crate) fn slowly(position: &Position, depth: u32) -> u64 {
    let nodes = reference_perft(position, depth);
    thread::sleep(Duration::from_micros(300));
    if std::env::var_os("CHECKPOINT").is_some() {
        // This is one unbuffered write, so it is not lost if the process is killed now.
        let _ = std::io::stderr().write_all(b"+\n");
    }
    nodes
}

/// A watch that calls a function when it is asked for the first time.
pub(crate) struct AtFirst<F> {
    function: F,
    is_asked: AtomicBool,
}

impl<F: Fn()> AtFirst<F> {
    pub(crate) const fn new(function: F) -> Self {
        Self { function, is_asked: AtomicBool::new(false) }
    }
}

impl<F: Fn() + Sync> Watch for AtFirst<F> {
    fn is_cancelled(&self) -> bool {
        if !self.is_asked.swap(true, Ordering::Relaxed) {
            (self.function)();
        }
        false
    }
}
