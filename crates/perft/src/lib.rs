//! Counting the leaves of the game tree.
//!
//! *Perft* of a position to a depth is the number of legal games of so many half-moves. It is
//! how move generators are proven right and compared for speed.
//!
//! ```
//! use tabiya::Position;
//! use tabiya_perft::{perft, Options};
//!
//! let tally = perft(&Position::START, 4, &Options::default(), &());
//! assert_eq!(tally.nodes, 197_281);
//! assert_eq!(tally.moves.len(), 20);
//! ```

pub mod table;
mod units;
mod walk;

pub use units::{Plan, Unit};
pub use walk::walk;

use std::num::NonZeroUsize;

use rayon::prelude::*;
use tabiya::{Move, Position};

/// How to count.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many threads count.
    pub threads: NonZeroUsize,
}

impl Default for Options {
    fn default() -> Self {
        Self { threads: NonZeroUsize::MIN }
    }
}

/// Somebody who watches a count, and may stop it.
///
/// `()` watches nothing.
pub trait Watch: Sync {
    /// Should counting stop? Asked often, from every thread.
    fn is_cancelled(&self) -> bool {
        false
    }

    /// A subtree has been counted: so many units of `total` are done, with so many leaves so far.
    fn progress(&self, _done: usize, _total: usize, _nodes: u128) {}
}

impl Watch for () {}

/// The leaves under one root move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootCount {
    /// The move.
    pub mv: Move,
    /// How many leaves come after it; `None` if counting stopped before that was known.
    pub nodes: Option<u128>,
}

/// What a count found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// Each root move with its share, in the order of the generator. Empty at depth 0.
    pub moves: Vec<RootCount>,
    /// All leaves counted; the whole count if it is complete.
    pub nodes: u128,
    /// Was everything counted?
    pub complete: bool,
}

/// Counts the leaves of `depth` half-moves.
///
/// The result does not depend on the number of threads.
pub fn perft(position: &Position, depth: u32, options: &Options, watch: &dyn Watch) -> Tally {
    if depth == 0 {
        return Tally { moves: Vec::new(), nodes: 1, complete: true };
    }
    let plan = Plan::new(position, depth, 256 * options.threads.get(), 4);
    let done = count_units(&plan, options, watch);
    tally(&plan, &done)
}

/// The count of each unit; `None` for those that were not reached.
fn count_units(plan: &Plan, options: &Options, watch: &dyn Watch) -> Vec<Option<u64>> {
    use std::sync::Mutex;

    let total = plan.units.len();
    let so_far = Mutex::new((0, 0u128));
    let count = |unit: &Unit| {
        if watch.is_cancelled() {
            return None;
        }
        let nodes = walk(&unit.position, unit.depth);
        let mut so_far = so_far.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        so_far.0 += 1;
        so_far.1 += u128::from(nodes);
        watch.progress(so_far.0, total, so_far.1);
        Some(nodes)
    };
    let threads = options.threads.get();
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) if threads > 1 => {
            pool.install(|| plan.units.par_iter().with_max_len(1).map(count).collect())
        }
        // One thread, or no more to be had.
        _ => plan.units.iter().map(count).collect(),
    }
}

/// Adds the units up by root move.
fn tally(plan: &Plan, done: &[Option<u64>]) -> Tally {
    let mut moves: Vec<RootCount> =
        plan.moves.iter().map(|&mv| RootCount { mv, nodes: Some(0) }).collect();
    for (unit, nodes) in plan.units.iter().zip(done) {
        let share = &mut moves[unit.root].nodes;
        *share = share.zip(*nodes).map(|(share, nodes)| share + u128::from(nodes));
    }
    Tally {
        nodes: done.iter().flatten().map(|&nodes| u128::from(nodes)).sum(),
        complete: done.iter().all(Option::is_some),
        moves,
    }
}
