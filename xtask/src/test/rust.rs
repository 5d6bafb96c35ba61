//! The Rust workspace in its different builds.

use std::process::Command;

use super::{Failure, Form};
use crate::output::say;
use crate::process::{compiled_fairly, run, succeeds};

/// Every test of the workspace: those of the library with all of its features, the others with the
/// default ones.
///
/// Those of the library run with debug assertions. Its optimised form is tested by all that is
/// built on it.
pub(super) fn workspace(form: &Form) -> Result<(), Failure> {
    run(&mut form.test_workspace())?;
    Ok(run(&mut form.test_library())?)
}

/// The build for this CPU chooses other slider look-ups by default.
pub(super) fn native(form: &Form) -> Result<(), Failure> {
    let mut tests = form.cargo(["test", "--release", "--package", "tabiya", "--test", "perft"]);
    tests.args(compiled_fairly("tabiya"));
    let native = tests.env("RUSTFLAGS", "-C target-cpu=native");
    Ok(run(native.env("CARGO_TARGET_DIR", "target/native"))?)
}

/// The committed magic multipliers.
pub(super) fn magics(_: &Form) -> Result<(), Failure> {
    Ok(crate::magics::run(true)?)
}

/// The committed tables of named openings, and the list of names on which two sources differ.
pub(super) fn openings(_: &Form) -> Result<(), Failure> {
    Ok(crate::openings::write(true)?)
}

/// The committed schemas of the command's JSON.
pub(super) fn schemas(form: &Form) -> Result<(), Failure> {
    if form.tests_workspace {
        say("   the suite `rust` compares them");
        return Ok(());
    }
    Ok(crate::schemas::write(true)?)
}

/// The list of rules and the positions that exercise each.
pub(super) fn coverage(_: &Form) -> Result<(), Failure> {
    if !succeeds(Command::new("python3").arg("--version")) {
        return Err(Failure::Missing("python3 is not installed".to_owned()));
    }
    let mut check = Command::new("python3");
    Ok(run(check.args(["suites/coverage.py", "--check"]).current_dir(crate::repository()))?)
}

/// The adapters of `tabiya compare` in other languages, and the tutorial that shows them. The tests
/// of the workspace leave out languages that are not installed; this reports them.
pub(super) fn adapters(form: &Form) -> Result<(), Failure> {
    let tools = ["python3", "node", "cc"];
    let missing = tools.into_iter().find(|tool| !succeeds(Command::new(tool).arg("--version")));
    if let Some(tool) = missing {
        return Err(Failure::Missing(format!("{tool} is not installed")));
    }
    if form.tests_workspace {
        say("   the suite `rust` tests them");
        return Ok(());
    }
    run(form.test_workspace().args(["--test", "programs", "adapters"]))?;
    Ok(run(form.test_workspace().args(["--test", "repository", "tutorial"]))?)
}
