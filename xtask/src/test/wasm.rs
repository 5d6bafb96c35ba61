//! Counting in WebAssembly, run by Node.

use std::process::Command;

use super::{Failure, Form};
use crate::process::{can_build_for, run, succeeds};

const TARGET: &str = "wasm32-unknown-unknown";

pub(super) fn run_in_node(form: &Form) -> Result<(), Failure> {
    if !can_build_for(TARGET) {
        return Err(Failure::Missing(format!("no Rust target {TARGET}")));
    }
    if !succeeds(Command::new("node").arg("--version")) {
        return Err(Failure::Missing("node is not installed".to_owned()));
    }
    let build = ["build", "--release", "--package", "tabiya-perft", "--example", "wasm"];
    run(form.cargo(build).args(["--no-default-features", "--target", TARGET]))?;
    let mut node = Command::new("node");
    node.args([
        "crates/perft/tests/wasm/run.mjs",
        "target/wasm32-unknown-unknown/release/examples/wasm.wasm",
    ]);
    Ok(run(node.current_dir(crate::repository()))?)
}
