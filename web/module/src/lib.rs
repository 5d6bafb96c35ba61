//! tabiya in WebAssembly.
//!
//! This crate only converts between Rust and JavaScript: rules, texts and pictures come from the
//! other crates. Squares are names (`"e4"`), sets of squares and large counts are `bigint`, colours
//! and roles are English words in lower case. The TypeScript types are derived from the Rust types.
//!
//! Each of its features becomes a module of its own. Objects of one aren't known to the other, which
//! takes a position as its FEN.

#![allow(unreachable_pub, reason = "JavaScript reaches what is exported")]
#![cfg_attr(
    not(all(feature = "board", feature = "tools")),
    allow(dead_code, unused_imports, reason = "a module needs a part of what they share")
)]

mod arguments;
#[cfg(feature = "board")]
mod board;
#[cfg(feature = "chess")]
mod chess_js;
mod error;
#[cfg(feature = "explorer")]
mod explorer;
#[cfg(feature = "games")]
mod games;
#[cfg(any(feature = "explorer", feature = "tools"))]
mod layers;
mod moves;
#[cfg(feature = "tools")]
mod tools;

pub use error::Failure;
