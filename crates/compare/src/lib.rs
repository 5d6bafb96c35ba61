//! Finds the bug in a chess move generator, and says in words what is wrong.
//!
//! ```text
//! report ◀─ hunt ─▶ ladder, shrink, classify ─▶ truth (the library)
//!             └──▶ Generator ◀─ Program (UCI, scripts) ─▶ process
//!                                    └──▶ reading
//! ```
//!
//! * [`Generator`]: a program under test. Each of its questions may be missing.
//! * [`Program`]: a generator in a process of its own.
//! * [`Hunt`]: asks, descends to the position that goes wrong, names the [`Class`] and shrinks.
//! * [`Report`]: what was found, for people and for programs.
//! * [`assert_agrees`]: all of it in a test.
//! * [`compare_divide`]: the same for a text that somebody pasted: a [`Comparison`], move by move.
//! * [`read_divide`]: reads what programs print, in the dialects found in the wild.
//!
//! Starting processes is the feature `process`. Everything else builds for
//! `wasm32-unknown-unknown`.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod class;
mod classify;
mod comparison;
mod generator;
mod hunt;
mod ladder;
mod models;
#[cfg(feature = "process")]
mod pace;
#[cfg(feature = "process")]
mod process;
#[cfg(feature = "process")]
mod program;
#[cfg(feature = "process")]
mod protocol;
mod reading;
mod report;
mod shrink;
mod truth;

pub use class::{Class, ClassNameError};
pub use comparison::{
    Above, Asked, ComparedMove, Comparison, Diagnosis, MoveState, Outcome, Remark, RemarkKind,
    UnreadLine, compare_divide,
};
pub use generator::{Divide, Generator, Query, Trouble};
pub use hunt::{Hunt, Options};
#[cfg(feature = "process")]
pub use process::{Log, kill_all};
#[cfg(feature = "process")]
pub use program::Program;
#[cfg(feature = "process")]
pub use protocol::{Protocol, ProtocolNameError};
pub use reading::read_divide;
pub use report::{Finding, Report, Shrunk, Verdict, assert_agrees};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
