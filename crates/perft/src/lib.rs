//! Perft at the speed of the hardware.
//!
//! *Perft* of a position to a depth is the number of leaf nodes of its game tree at that depth: the
//! number of sequences of that many legal moves. Correct move generators agree on it, so it shows
//! whether one is correct, and how fast it is.
//!
//! ```
//! use tabiya::Position;
//! use tabiya_perft::{Options, perft};
//!
//! let total = perft(&Position::START, 5, &Options::default(), &());
//! assert_eq!(total.nodes, 4_865_609);
//! // The count of each root move, known as divide.
//! assert_eq!(total.moves.len(), 20);
//! ```
//!
//! # What is here
//!
//! | to do | use |
//! |---|---|
//! | count on all threads, with a table | [`Engine`], [`table`], [`Seed`] |
//! | count a little, or check a counter | [`reference_perft`] |
//! | count captures, checks, mates … | [`categories()`], [`categories_with_table`] |
//! | check a count by category | [`reference_categories`] |
//! | estimate what is too deep to count | [`estimate()`] |
//! | check a file of known counts | [`suite`] |
//! | have parts of a count counted elsewhere | [`Split`] |
//! | show progress, stop a count | [`Watch`] |
//! | count for days, with results kept in a file | `checkpoint` |
//! | count distinct positions | `distinct`, `DistinctCount` |
//! | write distinct positions | `frontier`, `write_frontier` |
//!
//! # Features
//!
//! Both are on by default. Without them, the crate needs nothing but memory, and it also runs in a
//! browser's WebAssembly (`wasm32-unknown-unknown`).
//!
//! * `threads`: counts on several threads. Without it, the calling thread counts alone.
//! * `files`: what needs an operating system. That is `checkpoint`, distinct positions and frontier
//!   files, tables in huge pages, [`HashSize::Auto`](table::HashSize::Auto) and `Seed::random`.
//!
//! # How it counts
//!
//! The fast counter makes no moves in the last two plies. Most moves of a node change the number of
//! replies in a way that can be summed up over all moves at once. The positions after the other
//! moves are put side by side into vector registers, and their replies are counted eight positions
//! at a time. There is one implementation, compiled for AVX-512, AVX2 and any other CPU. [`Isa`]
//! chooses between them when the program runs.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod categories;
#[cfg(feature = "files")]
pub mod checkpoint;
mod clock;
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
#[cfg(feature = "files")]
mod output_file;
mod pool;
mod progress;
mod random;
mod reference;
mod seed;
mod slices;
mod split;
pub mod suite;
pub mod table;
mod total;
mod units;

pub use categories::{
    Categories, Category, CategoryTable, CategoryTotal, Convention, categories,
    categories_with_table, reference_categories,
};
pub use count_leaves::{CountLeaves, NoCount};
#[cfg(feature = "files")]
pub use distinct::{
    DistinctCount, DistinctError, DistinctOptions, DistinctStatus, DistinctTotal, MIN_MEMORY,
    PartialPly, distinct, distinct_status,
};
pub use engine::{Engine, perft};
pub use estimate::{Effort, Estimate, EstimateOptions, Estimator, MIN_SAMPLES, estimate};
#[cfg(feature = "files")]
pub use frontier::{FrontierFile, FrontierFileError, FrontierHeader, frontier, write_frontier};
pub use isa::{Isa, IsaError};
pub use options::{MAX_DEPTH, Options};
#[cfg(feature = "files")]
pub use output_file::OutputFile;
pub use progress::{Progress, Watch};
pub use reference::reference_perft;
pub use seed::{Seed, SeedError};
pub use split::{Part, Split};
pub use total::{PerftTotal, RootCount};

/// The program in the README is tested, too.
#[cfg(all(doctest, feature = "files"))]
#[doc = include_str!("../README.md")]
struct Readme;
