//! tabiya in WebAssembly.
//!
//! This crate converts between Rust and JavaScript, and decides nothing: rules, texts and pictures
//! come from the other crates. Squares are names (`"e4"`), sets of squares and large counts are
//! `bigint`, colours and roles are English words in lower case. The types that TypeScript sees are
//! derived from the Rust types.

#![allow(unreachable_pub, reason = "JavaScript reaches what is exported")]

mod calculator;
mod comparison;
mod edit;
mod error;
mod explain;
mod game;
mod layers;
mod methods;
mod perft;
mod position;
mod view;

pub use error::Failure;
