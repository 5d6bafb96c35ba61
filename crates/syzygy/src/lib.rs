//! Syzygy endgame tables.
//!
//! [`Tables`] reads them from a [`Source`]: a folder, memory, or your own.
//!
//! ```
//! use tabiya::Position;
//! use tabiya_syzygy::{Memory, Tables, Wdl};
//!
//! // A draw needs no table; any other material does.
//! let tables = Tables::new(Memory::default());
//! let position = Position::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").unwrap();
//! assert_eq!(tables.wdl(&position), Ok(Wdl::Draw));
//! ```
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(unsafe_code)]

mod checksum;
mod encoding;
mod error;
mod material;
mod pairs;
mod probe;
mod root;
mod source;
mod table;
mod tables;
mod value;

pub use error::{Damage, TableError};
pub use material::{Kind, MOST_PIECES, Material, NameError, TableFile};
pub use root::{FiftyMoves, RootMove};
#[cfg(feature = "folder")]
pub use source::Folder;
pub use source::{Memory, Source};
pub use tables::Tables;
pub use value::{Dtz, Wdl};

/// The examples of the README.
#[cfg(all(doctest, feature = "folder"))]
#[doc = include_str!("../README.md")]
mod readme {}

/// The examples of the guide.
#[cfg(doctest)]
#[doc = include_str!("../docs/guide.md")]
mod guide {}
