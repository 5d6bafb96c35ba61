//! Perft by category: captures, checks, mates and so on among the moves to the leaf nodes.
//!
//! A category says something about the *last* move of a game, or about the position after it. A
//! leaf node counts once in every category to which it belongs: a capture that promotes to a queen
//! and mates is a capture, a promotion, a check and a checkmate. [`Category::definition`] gives the
//! exact words. At depth 0 there is no last move, and every category is empty.
//!
//! There are two conventions for the number of checks: most tables include mates, some exclude
//! them. [`Convention`] names both. All other categories are the same under both conventions.

mod category;
mod counter;
mod counts;
mod escape;
mod leaves;
mod reference;
#[cfg_attr(not(target_arch = "x86_64"), path = "no_siblings.rs")]
mod siblings;
mod subtree;
mod table;

pub use category::{Categories, Category, Convention};
pub use counter::CategoryCounter;
pub use reference::reference_categories;
pub use table::CategoryTable;

use std::ops::AddAssign;
use std::sync::{Mutex, PoisonError};

use tabiya::Position;

use crate::engine::UNITS_PER_THREAD;
use crate::machine::{Pool, cpu};
use crate::options::Options;
use crate::progress::{Progress, Watch};
use crate::slices::MAX_SLICE_DEPTH;
use crate::units::Plan;
use counts::Counts;
use siblings::Scratch;
use subtree::{Context, CountSubtree};

/// Units are not split any further at this depth.
const MIN_UNIT_DEPTH: u32 = 3;

/// The result of a count by category.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CategoryTotal {
    /// The leaf nodes counted.
    pub categories: Categories,
    /// Have all leaf nodes been counted? If not, counting was stopped early.
    pub complete: bool,
    /// Are there 2^128 leaf nodes or more? Then counting was stopped, and the numbers mean nothing.
    pub overflow: bool,
    /// The number of look-ups in the table.
    pub look_ups: u64,
}

/// An empty count, which is complete.
impl Default for CategoryTotal {
    fn default() -> Self {
        Self { categories: Categories::ZERO, complete: true, overflow: false, look_ups: 0 }
    }
}

impl AddAssign for CategoryTotal {
    fn add_assign(&mut self, other: Self) {
        // No category has more leaf nodes than there are in all.
        let fits = self.categories.nodes.checked_add(other.categories.nodes).is_some();
        self.overflow |= other.overflow || !fits;
        self.categories += other.categories;
        self.complete &= other.complete && !self.overflow;
        self.look_ups += other.look_ups;
    }
}

/// Counts the leaf nodes `depth` plies below a position by category.
///
/// The last moves are not made: whole sets of targets are counted at once, and only a few moves are
/// examined alone, such as those that may stalemate. With vectors, the moves of the previous ply
/// are not made either, and checks are examined eight at a time. The result does not depend on the
/// options.
pub fn categories(
    position: &Position,
    depth: u32,
    options: &Options,
    watch: &dyn Watch,
) -> CategoryTotal {
    count(position, depth, options, Context { isa: options.isa, table: None, watch })
}

/// Counts like [`categories()`], with a table that all threads share. A position that many games
/// lead to is counted once.
///
/// The chance that a wrong record was used is at most [`Table::risk`](crate::table::Table::risk) of
/// the total's look-ups.
pub fn categories_with_table(
    position: &Position,
    depth: u32,
    options: &Options,
    table: &CategoryTable,
    watch: &dyn Watch,
) -> CategoryTotal {
    count(position, depth, options, Context { isa: options.isa, table: Some(table), watch })
}

fn count(
    position: &Position,
    depth: u32,
    options: &Options,
    context: Context<'_>,
) -> CategoryTotal {
    if depth <= 1 {
        return count_below(context, position, depth);
    }
    let wanted = UNITS_PER_THREAD * options.threads.get();
    count_units(&Plan::new(position, depth, wanted, MIN_UNIT_DEPTH), options, context)
}

fn count_units(plan: &Plan, options: &Options, context: Context<'_>) -> CategoryTotal {
    let units = plan.units.len();
    let counted = Mutex::new((0, CategoryTotal::default()));
    Pool::new(options.threads).map(units, |number| {
        let unit = &plan.units[number];
        let below = count_below(context, &unit.position, unit.depth);
        let mut counted = counted.lock().unwrap_or_else(PoisonError::into_inner);
        counted.0 += 1;
        counted.1 += below;
        context.watch.progress(Progress::of(counted.0, units, counted.1.categories.nodes));
    });
    counted.into_inner().unwrap_or_else(PoisonError::into_inner).1
}

/// Counts the leaf nodes `depth` plies below a position, on one thread.
fn count_below(context: Context<'_>, position: &Position, depth: u32) -> CategoryTotal {
    let mut below = CategoryTotal::default();
    if depth == 0 {
        below.categories.nodes = 1;
        return below;
    }
    // The counts of deeper subtrees might not fit into 64 bits.
    if depth <= MAX_SLICE_DEPTH {
        return count_slice(context, position, depth);
    }
    if let Some(table) = context.table {
        below.look_ups = 1;
        if let Some(known) = table.get_wide(position, depth) {
            below.categories = known;
            return below;
        }
    }
    for &mv in &position.legal_moves() {
        below += count_below(context, &position.play(mv), depth - 1);
        if !below.complete {
            return below;
        }
    }
    if let Some(table) = context.table {
        table.put_wide(position, depth, &below.categories);
    }
    below
}

/// Counts the leaf nodes `depth` plies, at least one, below a position, on one thread.
fn count_slice(context: Context<'_>, position: &Position, depth: u32) -> CategoryTotal {
    let mut counts = Counts::default();
    if context.watch.is_cancelled() {
        counts.stopped = true;
    } else {
        let scratch = &mut Scratch::new(context.isa);
        cpu::run(
            context.isa,
            CountSubtree { context, position, depth, counts: &mut counts, scratch },
        );
    }
    CategoryTotal {
        categories: counts.with_sums(),
        complete: !counts.stopped,
        overflow: false,
        look_ups: counts.look_ups,
    }
}
