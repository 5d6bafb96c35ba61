//! What kinds of moves lead to the leaves of a perft: captures, checks, mates and so on.
//!
//! A category says something about the *last* move of a game, or about the position it leads to.
//! Each leaf counts once in every category it belongs to: a capture that promotes to a queen and
//! mates is a capture, a promotion, a check and a checkmate. [`Category::definition`] has the
//! exact words. At depth 0 there is no last move, and every category is empty.
//!
//! Two conventions are in use for the numbers of checks, of all and of each kind: most tables count
//! mates among them, some leave them out. [`Convention`] names them. All other categories are the
//! same in both.

mod cpu;
mod escape;
mod leaves;
mod table;
mod walk;

pub use table::CategoryTable;

use std::fmt;
use std::ops::{AddAssign, Index};
use std::sync::{Mutex, PoisonError};

use tabiya::Position;

use crate::engine::UNITS_PER_THREAD;
use crate::options::Options;
use crate::pool::Pool;
use crate::progress::{Progress, Watch};
use crate::slices::{MAX_SLICE_DEPTH, for_each_slice};
use crate::units::Plan;
use walk::Means;

macro_rules! categories {
    ($($(#[$doc:meta])* $variant:ident, $key:literal, $title:literal, $definition:literal;)*) => {
        /// A category of leaves.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Category {
            $(#[doc = $definition] $variant,)*
        }

        impl Category {
            /// All of them, in the order of the usual tables.
            pub const ALL: [Self; [$($key),*].len()] = [$(Self::$variant),*];

            /// The name in files: lower case with underscores.
            pub const fn key(self) -> &'static str {
                match self { $(Self::$variant => $key,)* }
            }

            /// The heading in tables.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }

            /// Which leaves belong to it.
            pub const fn definition(self) -> &'static str {
                match self { $(Self::$variant => $definition,)* }
            }
        }
    };
}

categories! {
    Captures, "captures", "Captures",
        "The last move took a man; captures en passant and capturing promotions included.";
    EnPassant, "en_passant", "E.p.",
        "The last move was a capture en passant.";
    Castles, "castles", "Castles",
        "The last move was castling.";
    Promotions, "promotions", "Promotions",
        "The last move was a promotion; each of the four pieces is a leaf of its own.";
    KnightPromotions, "promotions_knight", "to N",
        "The last move was a promotion to a knight.";
    BishopPromotions, "promotions_bishop", "to B",
        "The last move was a promotion to a bishop.";
    RookPromotions, "promotions_rook", "to R",
        "The last move was a promotion to a rook.";
    QueenPromotions, "promotions_queen", "to Q",
        "The last move was a promotion to a queen.";
    Checks, "checks", "Checks",
        "The side to move is in check, mated or not.";
    Discovered, "discovered", "Discovered",
        "Exactly one man gives check, and it is not the one that moved. In castling both king and \
         rook moved, so that a check by the rook is direct.";
    DirectDiscovered, "direct_discovered", "Direct+disc.",
        "Two or more men give check, the one that moved and others.";
    DoubleDiscovered, "double_discovered", "Double disc.",
        "Two or more men give check, and none of them moved.";
    DoubleChecks, "double_checks", "Double",
        "Two or more men give check: direct+discovered and double-discovered checks together.";
    Checkmates, "checkmates", "Mates",
        "The side to move is in check and has no legal move.";
    DiscoveredMates, "discovered_mates", "Disc. mates",
        "Checkmate by a discovered check.";
    DirectDiscoveredMates, "direct_discovered_mates", "Dir.+disc. mates",
        "Checkmate by a direct and discovered check.";
    DoubleDiscoveredMates, "double_discovered_mates", "Double disc. mates",
        "Checkmate by a double-discovered check.";
    Stalemates, "stalemates", "Stalemates",
        "The side to move is not in check and has no legal move.";
}

/// Do mates count as checks, of whatever kind?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Convention {
    /// Every check counts, mate or not: as in the tables of the Chess Programming Wiki.
    #[default]
    MatesIncluded,
    /// Only checks that do not mate count; so it is with discovered and double checks.
    MatesExcluded,
}

impl Convention {
    /// The name in files.
    pub const fn key(self) -> &'static str {
        match self {
            Self::MatesIncluded => "mates_included",
            Self::MatesExcluded => "mates_excluded",
        }
    }
}

impl fmt::Display for Convention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::MatesIncluded => "checks include mates",
            Self::MatesExcluded => "checks exclude mates",
        })
    }
}

/// How many leaves there are, and how many in each category.
///
/// ```
/// use tabiya::Position;
/// use tabiya_perft::{categories, Category, Convention, Options};
/// let found = categories(&Position::START, 4, &Options::default(), &()).categories;
/// assert_eq!(found.nodes, 197_281);
/// assert_eq!(found[Category::Captures], 1576);
/// assert_eq!(found[Category::Checkmates], 8);
/// assert_eq!(found.count(Category::Checks, Convention::MatesIncluded), 469);
/// assert_eq!(found.count(Category::Checks, Convention::MatesExcluded), 461);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Categories {
    /// All leaves.
    pub nodes: u128,
    counts: [u128; Category::ALL.len()],
}

impl Categories {
    const NOTHING: Self = Self { nodes: 0, counts: [0; Category::ALL.len()] };

    /// The number in a category, with checks of all kinds counted by a convention.
    pub fn count(&self, category: Category, convention: Convention) -> u128 {
        match convention {
            Convention::MatesIncluded => self[category],
            Convention::MatesExcluded => {
                let mates: u128 = category.mates().iter().map(|&mates| self[mates]).sum();
                self[category] - mates
            }
        }
    }
}

impl Category {
    /// Those of the checks of this kind that mate.
    const fn mates(self) -> &'static [Self] {
        match self {
            Self::Checks => &[Self::Checkmates],
            Self::Discovered => &[Self::DiscoveredMates],
            Self::DirectDiscovered => &[Self::DirectDiscoveredMates],
            Self::DoubleDiscovered => &[Self::DoubleDiscoveredMates],
            Self::DoubleChecks => &[Self::DirectDiscoveredMates, Self::DoubleDiscoveredMates],
            _ => &[],
        }
    }
}

/// The number in a category; checks include mates.
impl Index<Category> for Categories {
    type Output = u128;

    fn index(&self, category: Category) -> &u128 {
        &self.counts[category as usize]
    }
}

impl AddAssign for Categories {
    fn add_assign(&mut self, other: Self) {
        self.nodes += other.nodes;
        for (sum, count) in self.counts.iter_mut().zip(other.counts) {
            *sum += count;
        }
    }
}

/// What a count by categories found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CategoryTotal {
    /// The leaves counted.
    pub categories: Categories,
    /// Was everything counted?
    pub complete: bool,
    /// How often the table was asked.
    pub look_ups: u64,
}

impl CategoryTotal {
    const NOTHING: Self = Self { categories: Categories::NOTHING, complete: true, look_ups: 0 };
}

impl AddAssign for CategoryTotal {
    fn add_assign(&mut self, other: Self) {
        self.categories += other.categories;
        self.complete &= other.complete;
        self.look_ups += other.look_ups;
    }
}

/// Counts the leaves of `depth` half-moves by category.
///
/// The moves to the leaves are not made: whole sets of targets are counted at once, and only
/// moves that might mate or stalemate are looked at one by one. The result does not depend on the
/// number of threads.
pub fn categories(
    position: &Position,
    depth: u32,
    options: &Options,
    watch: &dyn Watch,
) -> CategoryTotal {
    count(position, depth, options, None, watch)
}

/// The same with a table, which all threads share: what transpositions lead to is counted once.
///
/// Two different positions are mistaken for each other with a chance of at most
/// [`Table::risk`](crate::table::Table::risk) of the tally's look-ups.
pub fn categories_with_table(
    position: &Position,
    depth: u32,
    options: &Options,
    table: &CategoryTable,
    watch: &dyn Watch,
) -> CategoryTotal {
    count(position, depth, options, Some(table), watch)
}

fn count(
    position: &Position,
    depth: u32,
    options: &Options,
    table: Option<&CategoryTable>,
    watch: &dyn Watch,
) -> CategoryTotal {
    let means = Means { table, watch };
    match depth {
        0 => {
            let categories = Categories { nodes: 1, ..Categories::default() };
            CategoryTotal { categories, ..CategoryTotal::NOTHING }
        }
        1 => count_slice(means, position, 1),
        _ => {
            let plan = Plan::new(position, depth, UNITS_PER_THREAD * options.threads.get(), 3);
            count_units(&plan, options, means)
        }
    }
}

fn count_units(plan: &Plan, options: &Options, means: Means<'_>) -> CategoryTotal {
    let units = plan.units.len();
    let counted = Mutex::new((0, CategoryTotal::NOTHING));
    Pool::new(options.threads).map(units, |number| {
        let unit = &plan.units[number];
        let mut below = CategoryTotal::NOTHING;
        // Deeper counts might not fit into 64 bits.
        for_each_slice(&unit.position, unit.depth, MAX_SLICE_DEPTH, &mut |position, depth| {
            below += count_slice(means, position, depth);
            below.complete
        });
        let mut counted = counted.lock().unwrap_or_else(PoisonError::into_inner);
        counted.0 += 1;
        counted.1 += below;
        means.watch.progress(Progress::of(counted.0, units, counted.1.categories.nodes));
    });
    counted.into_inner().unwrap_or_else(PoisonError::into_inner).1
}

/// Counts below a position, at least one half-move deep, on one thread.
fn count_slice(means: Means<'_>, position: &Position, depth: u32) -> CategoryTotal {
    let mut found = leaves::Counts::default();
    if means.watch.is_cancelled() {
        found.stopped = true;
    } else {
        cpu::walk(means, position, depth, &mut found);
    }
    let mut counts = Category::ALL.map(|category| u128::from(found[category]));
    let sum = |parts: &[Category]| parts.iter().map(|&part| u128::from(found[part])).sum();
    counts[Category::Promotions as usize] = sum(&[
        Category::KnightPromotions,
        Category::BishopPromotions,
        Category::RookPromotions,
        Category::QueenPromotions,
    ]);
    counts[Category::DoubleChecks as usize] =
        sum(&[Category::DirectDiscovered, Category::DoubleDiscovered]);
    CategoryTotal {
        categories: Categories { nodes: u128::from(found.nodes), counts },
        complete: !found.stopped,
        look_ups: found.look_ups,
    }
}
