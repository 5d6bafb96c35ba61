//! Finds the bug in a chess move generator, and describes it in words.
//!
//! ```text
//! hunt ─▶ ladder, coverage          which positions to ask about, and which rules they reach
//!   ├───▶ examine ─▶ session ─▶ Generator ◀─ Program (UCI, scripts) ─▶ pace, tabiya-uci
//!   │        ├────▶ evidence        every answer, beside the right one
//!   │        └────▶ models          the rules of chess with one change: the causes
//!   └───▶ describe, known, opinion  from a cause to a finding of the report
//! reading                           text ─▶ Divide, by one grammar
//! comparison                        a pasted divide, by the same reader and models
//! ```
//!
//! A cause is named only if it's proven: a model with this fault gives exactly the program's answers
//! wherever the fault matters, or an experiment in new processes shows it.
//!
//! * [`Generator`]: a program under test. It need not support all questions.
//! * [`Program`]: a generator in a separate process.
//! * [`Hunt`]: asks questions, descends to the wrong position, proves the [`Class`] and shrinks the
//!   example.
//! * [`Report`]: the findings, for people and for programs.
//! * [`assert_agrees`]: a complete hunt in a test.
//! * [`compare_divide`]: compares a pasted text with the right counts. The result is a
//!   [`Comparison`], move by move.
//! * [`read_divide`]: reads the output of programs.
//!
//! The feature `process` starts processes. Everything else builds for `wasm32-unknown-unknown`.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod case;
mod class;
mod comparison;
mod coverage;
mod describe;
mod divide;
mod evidence;
mod examine;
mod finding;
mod generator;
mod hunt;
mod known;
mod ladder;
mod listed;
mod models;

mod opinion;
mod options;
#[cfg(feature = "process")]
mod pace;
#[cfg(feature = "process")]
mod program;
#[cfg(feature = "process")]
mod protocol;
mod question;
mod reading;
mod report;
mod session;
mod spelling;
mod truth;

pub use class::{Class, ClassNameError};
pub use comparison::{
    Above, Asked, ComparedMove, Comparison, Diagnosis, MoveState, Outcome, Remark, RemarkKind,
    UnreadLine, compare_divide,
};
pub use coverage::Ladder;
pub use divide::Divide;
pub use finding::{Finding, Opinion, Shrunk};
pub use generator::{Foreign, Generator, Query, Trouble};
pub use hunt::{Hunt, assert_agrees};
pub use options::Options;
#[cfg(feature = "process")]
pub use program::Program;
#[cfg(feature = "process")]
pub use protocol::{Protocol, ProtocolNameError};
pub use reading::{ReadError, read_divide};
pub use report::{Report, Verdict};
#[cfg(feature = "process")]
pub use tabiya_uci::process::{Log, kill_all};

/// Tests the examples in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
