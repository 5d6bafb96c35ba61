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
#[cfg(feature = "files")]
pub mod checkpoint;
mod count_leaves;
#[cfg(feature = "files")]
mod disk;
#[cfg(feature = "files")]
mod distinct;
mod engine;
mod estimate;
#[cfg(feature = "files")]
mod frontier;
mod isa;
mod leaf;
mod options;
mod packed;
mod pool;
mod progress;
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
pub use count_leaves::CountLeaves;
#[cfg(feature = "files")]
pub use distinct::{DistinctError, DistinctOptions, DistinctTotal, MIN_MEMORY, distinct};
pub use engine::{Engine, perft};
pub use estimate::{Effort, Estimate, EstimateOptions, Estimator, MIN_SAMPLES, estimate};
#[cfg(feature = "files")]
pub use frontier::{FrontierFile, FrontierFileError, FrontierHeader, frontier, write_frontier};
pub use isa::{Isa, IsaError};
pub use options::{MAX_DEPTH, Options};
pub use packed::{PackedPosition, UnpackError};
pub use progress::{Progress, Watch};
pub use reference::reference_perft;
pub use total::{PerftTotal, RootCount};
pub use units::{Plan, Unit};
