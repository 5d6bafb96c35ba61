//! The counting engine: units of work, a pool of threads, and what they share.

use std::num::NonZeroUsize;
use std::sync::{Mutex, OnceLock, PoisonError};

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use tabiya::Position;

use crate::leaf::{Counter, Portable};
use crate::slices::{Found, WorkSlices};
use crate::table::Table;
use crate::total::{PerftTotal, Progress, RootCount, Watch};
use crate::{Isa, Plan, Unit};

/// Units are cut until there are so many for each thread: subtrees differ much in size.
const UNITS_PER_THREAD: usize = 256;
/// Units are not cut closer to the leaves than this.
const SMALLEST_UNIT: u32 = 4;

/// How to count.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many threads count.
    pub threads: NonZeroUsize,
    /// With which instruction set. The CPU must have it, else the portable one is taken.
    pub isa: Isa,
}

/// One thread, and the best instruction set of this CPU.
impl Default for Options {
    fn default() -> Self {
        Self { threads: NonZeroUsize::MIN, isa: Isa::best() }
    }
}

/// Counts leaves, with a table that later counts find filled.
///
/// ```
/// use tabiya::Position;
/// use tabiya_perft::{table::{HashSize, Table}, Engine, Options};
///
/// let table = Table::new(HashSize::mebibytes(16), 0)?;
/// let engine = Engine::new(Options::default()).with_table(table);
/// assert_eq!(engine.perft(&Position::START, 5, &()).nodes, 4_865_609);
/// # Ok::<(), tabiya_perft::table::TableError>(())
/// ```
#[derive(Debug)]
pub struct Engine {
    options: Options,
    table: Option<Table>,
    /// Made by the first count; nothing if one thread is enough, or if no more can be had.
    pool: OnceLock<Option<ThreadPool>>,
}

impl Engine {
    /// An engine without a table.
    pub const fn new(options: Options) -> Self {
        Self { options, table: None, pool: OnceLock::new() }
    }

    /// The same with a table, which all threads share.
    #[must_use]
    pub fn with_table(self, table: Table) -> Self {
        Self { table: Some(table), ..self }
    }

    /// How it counts.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// The table, if there is one.
    pub const fn table(&self) -> Option<&Table> {
        self.table.as_ref()
    }

    /// The threads that count, if there are several.
    fn pool(&self) -> Option<&ThreadPool> {
        let threads = self.options.threads.get();
        let make = || ThreadPoolBuilder::new().num_threads(threads).build().ok();
        self.pool.get_or_init(|| if threads > 1 { make() } else { None }).as_ref()
    }

    /// Counts the leaves of `depth` half-moves, root move by root move.
    ///
    /// The result does not depend on the number of threads, the instruction set or the table.
    ///
    /// If the watch says stop, what is found until then comes back: counting goes piece by piece,
    /// and each takes a small part of a second. The stack has to have room for `depth` lists of
    /// moves, which it has up to [`MAX_DEPTH`](crate::MAX_DEPTH).
    pub fn perft(&self, position: &Position, depth: u32, watch: &dyn Watch) -> PerftTotal {
        if depth == 0 {
            return PerftTotal { moves: Vec::new(), nodes: 1, complete: true, look_ups: 0 };
        }
        let wanted = UNITS_PER_THREAD * self.options.threads.get();
        let plan = Plan::new(position, depth, wanted, SMALLEST_UNIT);
        let counters = Counters { engine: self, watch, idle: Mutex::new(Vec::new()) };
        let counts = self.count_units(&plan, &counters, watch);
        tally(&plan, &counts, counters.look_ups())
    }

    /// Counts the leaves of `depth` half-moves on this thread.
    pub fn count(&self, position: &Position, depth: u32) -> u64 {
        self.counter(&()).count(position, depth).unwrap_or_default()
    }

    /// A counter for one thread, which keeps its memory from count to count.
    pub fn counter<'a>(&'a self, watch: &'a dyn Watch) -> Box<dyn CountLeaves + 'a> {
        let table = self.table.as_ref();
        match self.options.isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 if Isa::Avx512.is_available() => {
                Box::new(Counter::<crate::leaf::Avx512>::new(table, watch))
            }
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 if Isa::Avx2.is_available() => {
                Box::new(Counter::<crate::leaf::Avx2>::new(table, watch))
            }
            _ => Box::new(Counter::<Portable>::new(table, watch)),
        }
    }

    /// What was found of each unit.
    fn count_units(&self, plan: &Plan, counters: &Counters<'_>, watch: &dyn Watch) -> Vec<Found> {
        let reporter = watch.wants_progress().then(|| Reporter::new(plan, watch));
        let count = |(at, unit): (usize, &Unit)| {
            if watch.is_cancelled() {
                return Found::STOPPED;
            }
            let mut counter = counters.take();
            let found = counter.count(unit, &mut |leaves, part| {
                if let Some(reporter) = &reporter {
                    reporter.finished(at, leaves, part);
                }
            });
            counters.put_back(counter);
            found
        };
        match self.pool() {
            Some(pool) => pool
                .install(|| plan.units.par_iter().enumerate().with_max_len(1).map(count).collect()),
            None => plan.units.iter().enumerate().map(count).collect(),
        }
    }
}

/// Tells a watch how far a count is.
struct Reporter<'a> {
    watch: &'a dyn Watch,
    /// The share of each unit in the whole, estimated.
    shares: Vec<f64>,
    so_far: Mutex<Progress>,
}

impl<'a> Reporter<'a> {
    fn new(plan: &Plan, watch: &'a dyn Watch) -> Self {
        let mut shares: Vec<f64> = plan.units.iter().map(Unit::estimate).collect();
        let whole: f64 = shares.iter().sum();
        if whole > 0.0 {
            shares.iter_mut().for_each(|share| *share /= whole);
        }
        Self { watch, shares, so_far: Mutex::new(Progress { nodes: 0, share: 0.0 }) }
    }

    /// A part of a unit is finished.
    fn finished(&self, at: usize, leaves: u64, part: f64) {
        let mut so_far = lock(&self.so_far);
        so_far.nodes += u128::from(leaves);
        so_far.share = (so_far.share + self.shares[at] * part).min(1.0);
        self.watch.progress(*so_far);
    }
}

/// Something that counts leaves on one thread.
pub trait CountLeaves: Send {
    /// The leaves `depth` half-moves below a position; `None` if the count was cancelled.
    fn count(&mut self, position: &Position, depth: u32) -> Option<u64>;

    /// How often the table has been asked.
    fn look_ups(&self) -> u64;
}

/// Counters that wait for the next unit, on whatever thread.
struct Counters<'a> {
    engine: &'a Engine,
    watch: &'a dyn Watch,
    idle: Mutex<Vec<WorkSlices<'a>>>,
}

impl<'a> Counters<'a> {
    fn take(&self) -> WorkSlices<'a> {
        let idle = lock(&self.idle).pop();
        idle.unwrap_or_else(|| {
            WorkSlices::new(self.engine.counter(self.watch), self.engine.table())
        })
    }

    fn put_back(&self, counter: WorkSlices<'a>) {
        lock(&self.idle).push(counter);
    }

    fn look_ups(self) -> u64 {
        let idle = self.idle.into_inner().unwrap_or_else(PoisonError::into_inner);
        idle.iter().map(WorkSlices::look_ups).sum()
    }
}

/// A lock that does not mind that another thread panicked: what it guards is always whole.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Adds the units up by root move.
fn tally(plan: &Plan, found: &[Found], look_ups: u64) -> PerftTotal {
    let (mut shares, mut all) = (vec![Found::NOTHING; plan.moves.len()], Found::NOTHING);
    for (unit, &found) in plan.units.iter().zip(found) {
        shares[unit.root] = shares[unit.root].plus(found);
        all = all.plus(found);
    }
    let moves = plan.moves.iter().zip(shares);
    let share = |(&mv, Found { nodes, complete })| RootCount { mv, nodes, complete };
    let Found { nodes, complete } = all;
    PerftTotal { moves: moves.map(share).collect(), nodes, complete, look_ups }
}
