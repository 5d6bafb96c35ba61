//! Finds the bug in a move generator.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod class;

pub use class::{Class, ClassNameError};
