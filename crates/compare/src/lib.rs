//! Finds the bug in a chess move generator, and says in words what is wrong.
//!
//! ```text
//! hunt ─▶ ladder                 which positions to ask about
//!   ├───▶ shrink ─▶ examine      ask, descend, and name: a case
//!   │                 ├───▶ classify, models ─▶ truth (the library)
//!   │                 └───▶ session ─▶ Generator ◀─ Program (UCI, scripts)
//!   └───▶ describe, opinion      from a case to a finding of the report
//! Program ─▶ process, pace       a child process, and how long to wait for its answers
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

mod case;
mod class;
mod classify;
mod comparison;
mod describe;
mod examine;
mod finding;
mod generator;
mod hunt;
mod ladder;
mod models;
mod opinion;
mod options;
#[cfg(feature = "process")]
mod pace;
#[cfg(feature = "process")]
mod process;
#[cfg(feature = "process")]
mod program;
#[cfg(feature = "process")]
mod protocol;
mod question;
mod reading;
mod report;
mod session;
mod shrink;
mod truth;

pub use class::{Class, ClassNameError};
pub use comparison::{
    Above, Asked, ComparedMove, Comparison, Diagnosis, MoveState, Outcome, Remark, RemarkKind,
    UnreadLine, compare_divide,
};
pub use finding::{Finding, Opinion, Shrunk};
pub use generator::{Divide, Generator, Query, Trouble};
pub use hunt::{Hunt, assert_agrees};
pub use options::Options;
#[cfg(feature = "process")]
pub use process::{Log, kill_all};
#[cfg(feature = "process")]
pub use program::Program;
#[cfg(feature = "process")]
pub use protocol::{Protocol, ProtocolNameError};
pub use reading::read_divide;
pub use report::{Report, Verdict};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
