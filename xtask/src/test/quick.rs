//! A check that catches most mistakes in a minute or two, for use between two edits.

use super::Failure;
use crate::process::{cargo, run};

/// The format, the types of every target of the workspace, and the quick tests of the library and
/// of the PGN reader.
///
/// The counter is left out, because an optimised build of it takes longer than all of this.
pub(super) fn check() -> Result<(), Failure> {
    run(&mut cargo(["fmt", "--all", "--check"]))?;
    run(&mut cargo(["check", "--quiet", "--workspace", "--all-targets"]))?;
    // The tests of the library as one program, the one that mutation testing uses.
    let mut tests = cargo(["test", "--profile", "quick", "--quiet", "--lib"]);
    tests.args(["--test", "mutants", "--test", "pgn"]);
    tests.args(["--package", "tabiya", "--package", "tabiya-pgn"]);
    Ok(run(tests.env("TABIYA_SHORT_TESTS", "1"))?)
}
