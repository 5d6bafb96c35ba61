//! The documents and schemas of the repository agree with the program.
//!
//! These tests read files above this crate, so they are not part of its package. They run commands
//! in a POSIX shell.
#![cfg(unix)]

mod compare_ci;
mod document;
mod objects;
mod readme;
mod schemas;
mod tutorial;

#[path = "../common/program.rs"]
mod program;
#[path = "../common/shell.rs"]
mod shell;
#[path = "../common/syzygy.rs"]
mod syzygy;

use std::path::PathBuf;

/// A file of the repository.
fn repository(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

/// Reads a document of the repository.
fn read(name: &str) -> String {
    std::fs::read_to_string(repository(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}
