//! WebAssembly, run by Node: counting, and in the long form the tests of the library and of the PGN reader.

use std::process::Command;

use super::{Failure, Form};
use crate::files::repository;
use crate::process::{self, can_build_for, run};

const TARGET: &str = "wasm32-unknown-unknown";
/// A WebAssembly that can print, for the tests.
const TEST_TARGET: &str = "wasm32-wasip1";

pub(super) fn run_in_node(form: &Form) -> Result<(), Failure> {
    if !can_build_for(TARGET) {
        return Err(Failure::Missing(format!("no Rust target {TARGET}")));
    }
    // The npm package has the same profile.
    let build = ["build", "--profile", "web", "--package", "tabiya-perft", "--example", "wasm"];
    run(form.cargo(build).args(["--no-default-features", "--target", TARGET]))?;
    let mut node = Command::new("node");
    node.args([
        "crates/perft/tests/wasm/run.mjs",
        "target/wasm32-unknown-unknown/web/examples/wasm.wasm",
    ]);
    run(node.current_dir(repository()))?;
    if form.long { run_tests() } else { Ok(()) }
}

/// The tests that need neither threads nor processes nor files. Otherwise those of the npm package run the same
/// code in the same kind of module, and the suite `emulation` the same tests on another machine.
fn run_tests() -> Result<(), Failure> {
    if !can_build_for(TEST_TARGET) {
        return Err(Failure::Missing(format!("no Rust target {TEST_TARGET}")));
    }
    let mut tests = process::cargo(["test", "--target", TEST_TARGET]);
    tests.args(["--package", "tabiya", "--package", "tabiya-pgn", "--lib", "--tests"]);
    let runner = repository().join("xtask/wasm/run.mjs");
    // Node 20 may free the compiled form of the script while the script waits for the tests.
    let runner = format!("node --no-warnings --no-flush-bytecode {}", runner.display());
    tests.env("CARGO_TARGET_WASM32_WASIP1_RUNNER", runner).env("TABIYA_SHORT_TESTS", "1");
    Ok(run(&mut tests)?)
}
