//! Training data of chess engines.
//!
//! A file is a sequence of [`Block`]s that a [`Decoder`] turns into [`Record`]s, and an [`Encoder`] turns records
//! into bytes. Blocks know nothing of each other, so threads can share the work: a [`Pipeline`] of what a [`Plan`]
//! takes of each. [`Reader`] and [`Writer`] do it on one thread.
//!
//! Every record has a playable position, and its move is legal there.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod bad;
mod blocks;
mod filter;
mod format;
mod formats;
mod pipeline;
mod plan;
mod reader;
mod record;
mod shuffle;
mod writer;

pub use bad::{Bad, Reason, Refused};
pub use blocks::{Block, Blocks};
pub use filter::{Filter, FilterError};
pub use format::{Field, Format, UnknownFormat};
pub use formats::{BinpackRow, BinpackRows, BulletRow, Decoder, Encoder, VirGame};
pub use pipeline::{InOrder, Pipeline};
pub use plan::{Found, OnBad, Plan};
pub use reader::{ReadError, Reader};
pub use record::{GameResult, Record};
pub use shuffle::Shuffle;
pub use writer::{WriteError, Writer};

/// The example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
