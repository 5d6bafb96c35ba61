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
//!
//! Counts that take days, kept in a file, and distinct positions are in the crate
//! `tabiya-runs`.
//!
//! # Features
//!
//! Both are on by default. Without them, the crate needs nothing but memory, and it also runs in a
//! browser's WebAssembly (`wasm32-unknown-unknown`).
//!
//! * `threads`: counts on several threads. Without it, the calling thread counts alone.
//! * `system`: features of an operating system: tables in huge pages,
//!   [`HashSize::Auto`](table::HashSize::Auto) and `Seed::random`.
//!
//! # Stack
//!
//! The thread that calls needs 72 KiB of stack and 2 KiB for each ply, in optimised builds, and
//! several times as much in others. So 128 KiB, as much as musl gives a thread, are enough for
//! depth 28, and 1 MiB for [`MAX_DEPTH`]. Too small a stack ends the process. The threads of an
//! [`Engine`] have enough.
//!
//! # How it counts
//!
//! The fast counter makes no moves in the last two plies. Most moves of a node change the number of
//! replies in a way that can be summed up over all moves at once. The positions after the other
//! moves are placed in the lanes of vector registers, and their replies are counted eight positions
//! at a time. This code is compiled for AVX-512. On other CPUs, the same sums are computed for one
//! position after another. [`Isa`] chooses between them at run time.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod categories;
mod clock;
mod count_leaves;
mod engine;
mod estimate;
#[cfg(target_arch = "x86_64")]
mod lanes;
mod leaf;
mod machine;
mod node;
mod options;
mod progress;
mod reference;
mod seed;
mod slices;
mod split;
pub mod suite;
pub mod table;
mod total;
mod units;

pub use categories::{
    Categories, Category, CategoryCounter, CategoryTable, CategoryTotal, Convention, categories,
    categories_with_table, reference_categories,
};
pub use count_leaves::{CountLeaves, NoCount};
pub use engine::{Engine, perft};
pub use estimate::{Effort, Estimate, EstimateOptions, Estimator, MIN_SAMPLES, estimate};
pub use machine::{Isa, IsaError};
pub use options::{MAX_DEPTH, Options};
pub use progress::{Progress, Watch};
pub use reference::reference_perft;
pub use seed::{Seed, SeedError};
pub use split::{Part, Split};
pub use total::{PerftTotal, RootCount};

/// What `tabiya-runs`, the command and the Python package ask of a machine as well. For others it
/// has no stability promise.
#[doc(hidden)]
pub mod internal {
    pub use crate::machine::{Pages, Pool, Zeroed, available_memory, cpu};
}

/// Tests the program in the README.
#[cfg(all(doctest, feature = "system"))]
#[doc = include_str!("../README.md")]
struct Readme;
