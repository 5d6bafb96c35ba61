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
//! [`Engine`] counts with vector instructions, threads and a shared [`table`]; [`walk`] is the
//! plain way, against which it is tested.

mod categories;
#[cfg(feature = "checkpoint")]
pub mod checkpoint;
mod distinct;
mod engine;
mod estimate;
mod frontier;
mod isa;
mod leaf;
mod packed;
mod pieces;
mod random;
pub mod suite;
pub mod table;
mod tally;
mod units;
mod walk;

pub use categories::{
    Categories, Category, CategoryTable, CategoryTally, Convention, categories,
    categories_with_table,
};
pub use distinct::{
    DistinctOptions, DistinctTally, Error as DistinctError, LEAST_MEMORY, distinct,
};
pub use engine::{CountLeaves, Engine, Options};
pub use estimate::{Effort, Estimate, EstimateOptions, Estimator, LEAST_SAMPLES, estimate};
pub use frontier::{FrontierFile, FrontierFileError, FrontierHeader, frontier, write_frontier};
pub use isa::{Isa, IsaError};
pub use packed::{Packed, UnpackError};
pub use tally::{Progress, RootCount, Tally, Watch};
pub use units::{Plan, Unit};
pub use walk::walk;

use tabiya::Position;

/// Nobody counts deeper than so many half-moves; suites and commands take no more. That bounds
/// the stack that a count needs.
pub const MOST_PLIES: u32 = 255;

/// Counts the leaves of `depth` half-moves, without a table.
///
/// The result does not depend on the options.
pub fn perft(position: &Position, depth: u32, options: &Options, watch: &dyn Watch) -> Tally {
    Engine::new(options.clone()).perft(position, depth, watch)
}
