//! tabiya in WebAssembly.
//!
//! This crate only converts between Rust and JavaScript: rules, texts and pictures come from the
//! other crates. Squares are names (`"e4"`), sets of squares and large counts are `bigint`, colours
//! and roles are English words in lower case. The TypeScript types are derived from the Rust types.

#![allow(unreachable_pub, reason = "JavaScript reaches what is exported")]

mod arguments;
mod calculator;
#[cfg(feature = "counting")]
mod comparison;
mod edit;
mod error;
mod explain;
#[cfg(feature = "counting")]
mod game;
mod layers;
mod methods;
mod pasted;
#[cfg(feature = "counting")]
mod perft;
#[cfg(feature = "counting")]
mod position;
mod scene;
#[cfg(feature = "counting")]
mod tables;
#[cfg(feature = "counting")]
mod tree;
mod view;

pub use error::Failure;
