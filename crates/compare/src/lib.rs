//! Finds the bug in a chess move generator, and describes it in words.
//!
//! ```text
//! hunt ─▶ ladder, coverage       which positions to ask about, and which were
//!   ├───▶ causes ─▶ classify     which error explains which
//!   ├───▶ shrink ─▶ examine      ask, descend, and name: a case
//!   │                 ├───▶ classify, models ─▶ truth (the library)
//!   │                 └───▶ session, spelling ─▶ Generator ◀─ Program (UCI, scripts)
//!   └───▶ describe, opinion      from a case to a finding of the report
//! Program ─▶ process, pace,      a child process, and how long to wait for its answers
//!            patience
//! ```
//!
//! * [`Generator`]: a program under test. It need not support all questions.
//! * [`Program`]: a generator in a separate process.
//! * [`Hunt`]: asks questions, descends to the wrong position, names the [`Class`] and shrinks the
//!   example.
//! * [`Report`]: the findings, for people and for programs.
//! * [`assert_agrees`]: a complete hunt in a test.
//! * [`compare_divide`]: compares a pasted text with the right counts. The result is a
//!   [`Comparison`], move by move.
//! * [`read_divide`]: reads the output of programs, in many dialects.
//!
//! The feature `process` starts processes. Everything else builds for `wasm32-unknown-unknown`.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod case;
mod causes;
mod class;
mod classify;
mod comparison;
mod coverage;
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
mod patience;
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
mod spelling;
mod truth;

pub use class::{Class, ClassNameError};
pub use comparison::{
    Above, Asked, ComparedMove, Comparison, Diagnosis, MoveState, Outcome, Remark, RemarkKind,
    UnreadLine, compare_divide,
};
pub use coverage::Ladder;
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

/// Tests the examples in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
