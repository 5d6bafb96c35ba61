//! Counts that take hours or days, and the files in which their results are kept.
//!
//! | to do | use |
//! |---|---|
//! | count for days, with results kept in a file | [`checkpoint`] |
//! | have other processes or machines count parts | [`checkpoint::Ledger`] |
//! | count distinct positions | [`distinct()`], [`DistinctCount`] |
//! | write distinct positions with their multiplicities | [`frontier()`], [`write_frontier`] |
//! | write a file as a whole | [`OutputFile`] |
//! | read a file that zstd has packed | [`ZstdReader`] |
//!
//! ```
//! use tabiya::Position;
//! use tabiya_runs::frontier;
//!
//! // The 197,281 games of four plies lead to 72,078 positions.
//! let positions = frontier(&Position::START, 4)?;
//! assert_eq!(positions.len(), 72_078);
//! let games: u64 = positions.iter().map(|(_, games)| games).sum();
//! assert_eq!(games, 197_281);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod checkpoint;
mod distinct;
mod frontier;
mod output_file;
mod zstd;

pub use distinct::{
    DistinctCount, DistinctError, DistinctOptions, DistinctStatus, DistinctTotal, MIN_MEMORY,
    PartialPly, distinct, distinct_status,
};
pub use frontier::{FrontierFile, FrontierFileError, FrontierHeader, frontier, write_frontier};
pub use output_file::OutputFile;
pub use zstd::ZstdReader;

/// Tests the program in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
