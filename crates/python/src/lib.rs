//! The native module of the Python package `tabiya`.
//!
//! One Python class or family of functions per file. The rules, the texts and the pictures come from
//! the Rust crates; what stands here converts. Every file with something to export has a function
//! `register`.

mod bitboard;
mod cluster;
mod color;
mod data;
mod errors;
mod explain;
mod moves;
mod outcome;
mod piece;
mod position;
mod square;

use pyo3::prelude::*;

#[pymodule(name = "_tabiya")]
fn native_module(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    bitboard::register(module)?;
    cluster::register(module)?;
    moves::register(module)?;
    piece::register(module)?;
    position::register(module)
}
