//! The native module of the Python package `tabiya`.
//!
//! One Python class or family of functions per file. The Rust crates contain the rules, the texts
//! and the pictures; this crate only converts. Every file that exports something has a function
//! `register`.

mod arrays;
mod batch;
mod bitboard;
mod board;
mod classes;
mod cluster;
mod color;
mod counting;
mod data;
mod drawing;
mod errors;
mod explain;
mod game;
mod half;
mod interned;
mod moves;
mod openings;
mod outcome;
mod perft;
mod pgn;
mod picture;
mod piece;
mod plain_picture;
mod position;
mod position_arg;
mod signals;
mod sizes;
mod square;
mod syzygy;
mod tensor;
mod threads;
mod training;
mod uci;

use pyo3::prelude::*;

#[pymodule(name = "_tabiya")]
fn native_module(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    errors::classes::import(module.py())?;
    arrays::import(module.py())?;
    batch::register(module)?;
    bitboard::register(module)?;
    board::register(module)?;
    cluster::register(module)?;
    game::register(module)?;
    moves::register(module)?;
    openings::register(module)?;
    perft::register(module)?;
    pgn::register(module)?;
    picture::register(module)?;
    piece::register(module)?;
    position::register(module)?;
    syzygy::register(module)?;
    training::register(module)?;
    uci::register(module)
}
