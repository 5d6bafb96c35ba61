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
//!
//! [`Engine`] counts with vector instructions, threads and a shared [`table`]; [`reference_perft`] is the
//! plain way, against which it is tested.

mod categories;
#[cfg(feature = "checkpoint")]
pub mod checkpoint;
mod disk;
mod distinct;
mod engine;
mod estimate;
mod frontier;
mod isa;
mod leaf;
mod packed;
mod random;
mod reference;
mod slices;
pub mod suite;
pub mod table;
mod total;
mod units;

pub use categories::{
    Categories, Category, CategoryTable, CategoryTotal, Convention, categories,
    categories_with_table,
};
pub use distinct::{DistinctError, DistinctOptions, DistinctTotal, MIN_MEMORY, distinct};
pub use engine::{CountLeaves, Engine, Options};
pub use estimate::{Effort, Estimate, EstimateOptions, Estimator, MIN_SAMPLES, estimate};
pub use frontier::{FrontierFile, FrontierFileError, FrontierHeader, frontier, write_frontier};
pub use isa::{Isa, IsaError};
pub use packed::{PackedPosition, UnpackError};
pub use reference::reference_perft;
pub use total::{PerftTotal, Progress, RootCount, Watch};
pub use units::{Plan, Unit};

use tabiya::Position;

/// EmptySquare counts deeper than so many half-moves; suites and commands take no more. That bounds
/// the stack that a count needs.
pub const MAX_DEPTH: u32 = 255;

/// Counts the leaves of `depth` half-moves, without a table.
///
/// The result does not depend on the options.
pub fn perft(position: &Position, depth: u32, options: &Options, watch: &dyn Watch) -> PerftTotal {
    Engine::new(options.clone()).perft(position, depth, watch)
}
