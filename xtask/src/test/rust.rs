//! The Rust workspace in its different builds.

use std::process::Command;

use super::{Failure, Form};
use crate::files::repository;
use crate::process::{compiled_fairly, run};

/// Every test of the workspace but those of the library. They're built by a command of its own: the limit is
/// for each command, and on a slow machine both together come close to it.
pub(super) fn workspace(form: &Form) -> Result<(), Failure> {
    run(form.test_workspace().arg("--no-run"))?;
    Ok(run(&mut form.test_workspace())?)
}

/// The tests of the library, with all of its features and with debug assertions. Its optimised form is
/// tested by all that is built on it.
pub(super) fn library(form: &Form) -> Result<(), Failure> {
    Ok(run(form.test_library().arg("--no-fail-fast"))?)
}

/// The build for this CPU chooses other slider look-ups by default. With a target, macros are compiled as for
/// the other suites.
pub(super) fn native(form: &Form) -> Result<(), Failure> {
    let mut tests = form.cargo(["test", "--release", "--package", "tabiya", "--test", "perft"]);
    tests.args(["--target", "host-tuple"]).args(compiled_fairly("tabiya"));
    Ok(run(tests.env("RUSTFLAGS", "-C target-cpu=native"))?)
}

/// The committed tables of named openings.
pub(super) fn openings(_: &Form) -> Result<(), Failure> {
    Ok(crate::openings::write(true)?)
}

/// Each rule has enough positions in the suites.
pub(super) fn coverage(_: &Form) -> Result<(), Failure> {
    let mut check = Command::new("python3");
    Ok(run(check.arg("suites/coverage.py").current_dir(repository()))?)
}
