//! Finds the bug in a move generator.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod class;
mod classify;
mod generator;
mod hunt;
mod ladder;
#[cfg(feature = "process")]
mod process;
#[cfg(feature = "process")]
mod protocol;
mod reading;
mod report;
mod shrink;
mod truth;

pub use class::{Class, ClassNameError};
pub use generator::{Divide, Generator, Query, Trouble};
pub use hunt::{Hunt, Options};
#[cfg(feature = "process")]
pub use process::{Log, kill_all};
#[cfg(feature = "process")]
pub use protocol::{Program, Protocol, ProtocolNameError};
pub use reading::read_divide;
pub use report::{Finding, Report, Shrunk, Verdict, assert_agrees};
