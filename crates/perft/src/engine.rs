//! The engine: the fast counter on all threads, with the data that they share.

use std::sync::{Mutex, OnceLock, PoisonError};

use tabiya::Position;

use crate::count_leaves::{CountLeaves, NoCount};
#[cfg(target_arch = "x86_64")]
use crate::leaf::{Avx512, Bmi2};
use crate::leaf::{Counter, Portable};
#[cfg(target_arch = "x86_64")]
use crate::machine::Isa;
use crate::machine::Pool;
use crate::options::Options;
use crate::progress::{Progress, Watch};
use crate::table::Table;
use crate::total::{LeafCount, PerftTotal};
use crate::units::{self, Plan, Unit};

/// The number of units for each thread. The sizes of subtrees differ widely, so there are many
/// units.
pub(crate) const UNITS_PER_THREAD: usize = 256;
/// Units are not split any further at this depth.
const MIN_UNIT_DEPTH: u32 = 4;

/// Counts leaf nodes of the game tree on several threads, optionally with a table.
///
/// The table keeps its entries from one count to the next.
///
/// ```
/// use tabiya::Position;
/// use tabiya_perft::{Engine, Options};
///
/// let engine = Engine::new(Options::default());
/// assert_eq!(engine.perft(&Position::START, 5, &()).nodes, 4_865_609);
/// ```
#[derive(Debug)]
pub struct Engine {
    options: Options,
    table: Option<Table>,
    /// Created by the first count that needs it.
    pool: OnceLock<Pool>,
}

impl Engine {
    /// An engine without a table.
    pub const fn new(options: Options) -> Self {
        Self { options, table: None, pool: OnceLock::new() }
    }

    /// The same engine with a table, which all threads share.
    #[must_use]
    pub fn with_table(self, table: Table) -> Self {
        Self { table: Some(table), ..self }
    }

    /// The options.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// The table, if there is one.
    pub const fn table(&self) -> Option<&Table> {
        self.table.as_ref()
    }

    /// The engine's threads.
    pub(crate) fn pool(&self) -> &Pool {
        self.pool.get_or_init(|| Pool::new(self.options.threads))
    }

    /// Counts the leaf nodes `depth` plies below a position, for each root move.
    ///
    /// The result does not depend on the number of threads, the instruction set or the table.
    ///
    /// If the watch stops the count, the result holds what was counted until then. The work is done
    /// in slices, and each takes a small part of a second. If there are 2^128 leaf nodes or more,
    /// the result says so ([`PerftTotal::overflow`]). The depth is bounded by the
    /// [stack](crate#stack) of the calling thread, which is usually enough for
    /// [`MAX_DEPTH`](crate::MAX_DEPTH).
    pub fn perft(&self, position: &Position, depth: u32, watch: &dyn Watch) -> PerftTotal {
        if depth == 0 {
            return PerftTotal::of_leaf();
        }
        let wanted = UNITS_PER_THREAD * self.options.threads.get();
        let plan = Plan::new(position, depth, wanted, MIN_UNIT_DEPTH);
        let workers = Workers { engine: self, watch, idle: Mutex::new(Vec::new()) };
        let counts = self.count_units(&plan, &workers, watch);
        PerftTotal::of(&plan, &counts, workers.look_ups())
    }

    /// Counts the leaf nodes `depth` plies below a position, on the calling thread.
    ///
    /// # Errors
    /// [`NoCount::Overflow`] if there are 2^128 leaf nodes or more.
    pub fn count(&self, position: &Position, depth: u32) -> Result<u128, NoCount> {
        self.counter(&()).count(position, depth)
    }

    /// A counter for one thread. It keeps its memory from one count to the next.
    pub fn counter<'a>(&'a self, watch: &'a dyn Watch) -> Box<dyn CountLeaves + 'a> {
        let table = self.table.as_ref();
        // A counter for an instruction set takes the proof that this CPU has it.
        #[cfg(target_arch = "x86_64")]
        match self.options.isa {
            Isa::Avx512 => {
                if let Some(machine) = Avx512::detect() {
                    return Box::new(Counter::new(machine, table, watch));
                }
            }
            Isa::Bmi2 => {
                if let Some(machine) = Bmi2::detect() {
                    return Box::new(Counter::new(machine, table, watch));
                }
            }
            _ => {}
        }
        Box::new(Counter::new(Portable, table, watch))
    }

    /// The counts of all units.
    fn count_units(&self, plan: &Plan, workers: &Workers<'_>, watch: &dyn Watch) -> Vec<LeafCount> {
        let reporter = watch.wants_progress().then(|| Reporter::new(plan, watch));
        self.pool().map(plan.units.len(), |number| {
            if watch.is_cancelled() {
                return LeafCount::of(Err(NoCount::Cancelled), 0);
            }
            let (unit, mut until_now) = (&plan.units[number], 0u128);
            let mut worker = workers.take();
            let counted =
                worker.count_in_slices(&unit.position, unit.depth, &mut |leaves, part| {
                    until_now = until_now.saturating_add(leaves);
                    if let Some(reporter) = &reporter {
                        reporter.slice_counted(number, leaves, part);
                    }
                });
            workers.put_back(worker);
            LeafCount::of(counted, until_now)
        })
    }
}

/// Counts the leaf nodes `depth` plies below a position, for each root move, without a table.
///
/// The result does not depend on the options.
///
/// ```
/// use tabiya::Position;
/// use tabiya_perft::{Options, perft};
///
/// let total = perft(&Position::START, 4, &Options::default(), &());
/// assert_eq!(total.nodes, 197_281);
/// ```
pub fn perft(position: &Position, depth: u32, options: &Options, watch: &dyn Watch) -> PerftTotal {
    Engine::new(options.clone()).perft(position, depth, watch)
}

/// Reports progress to a watch.
struct Reporter<'a> {
    watch: &'a dyn Watch,
    /// The estimated share of each unit in the whole work.
    shares: Vec<f64>,
    progress: Mutex<Progress>,
}

impl<'a> Reporter<'a> {
    fn new(plan: &Plan, watch: &'a dyn Watch) -> Self {
        let shares = units::shares(plan.units.iter().map(Unit::estimate).collect());
        Self { watch, shares, progress: Mutex::new(Progress { nodes: 0, share: 0.0 }) }
    }

    /// Reports that a slice of a unit has been counted: a `part` of the unit, from 0 to 1.
    fn slice_counted(&self, unit: usize, leaves: u128, part: f64) {
        let mut progress = lock(&self.progress);
        progress.nodes = progress.nodes.saturating_add(leaves);
        progress.share = (progress.share + self.shares[unit] * part).min(1.0);
        self.watch.progress(*progress);
    }
}

/// The workers of a count. A thread takes an idle one for each unit, or makes a new one.
struct Workers<'a> {
    engine: &'a Engine,
    watch: &'a dyn Watch,
    idle: Mutex<Vec<Box<dyn CountLeaves + 'a>>>,
}

impl<'a> Workers<'a> {
    fn take(&self) -> Box<dyn CountLeaves + 'a> {
        let idle = lock(&self.idle).pop();
        idle.unwrap_or_else(|| self.engine.counter(self.watch))
    }

    fn put_back(&self, worker: Box<dyn CountLeaves + 'a>) {
        lock(&self.idle).push(worker);
    }

    fn look_ups(self) -> u64 {
        let idle = self.idle.into_inner().unwrap_or_else(PoisonError::into_inner);
        idle.iter().map(|worker| worker.look_ups()).sum()
    }
}

/// Locks, even if another thread panicked while it held the lock: the values are always valid.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn isa_and_the_counters_agree_on_what_the_cpu_can_run() {
        assert_eq!(Isa::Bmi2.is_available(), Bmi2::detect().is_some());
        assert_eq!(Isa::Avx512.is_available(), Avx512::detect().is_some());
    }
}
