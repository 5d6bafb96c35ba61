//! What the documents of the repository show is what the program prints.
//!
//! These tests read files above this crate, so they are not part of its package. They run commands
//! in a POSIX shell.
#![cfg(unix)]

mod documented;
mod readme;

#[path = "../common/program.rs"]
mod program;
#[path = "../common/shell.rs"]
mod shell;

use std::path::PathBuf;

/// A file of the repository.
fn repository(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

/// Reads a document of the repository.
fn read(name: &str) -> String {
    std::fs::read_to_string(repository(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}
