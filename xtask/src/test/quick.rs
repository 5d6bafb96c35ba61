//! A check that catches most mistakes in a minute or two, for use between two edits.

use crate::process::{cargo, run};

/// The format, the types of every target of the workspace, and the quick tests of the library and
/// of the PGN reader. One that fails does not hide the next.
///
/// The counter is left out, because an optimised build of it takes longer than all of this.
pub(super) fn check() -> Result<(), String> {
    // The tests of the library as one program, the one that mutation testing uses.
    let mut tests = cargo(["test", "--quiet", "--lib"]);
    tests.args(["--test", "mutants", "--test", "pgn"]);
    tests.args(["--package", "tabiya", "--package", "tabiya-pgn"]);
    tests.env("TABIYA_SHORT_TESTS", "1");
    let results = [
        run(&mut cargo(["fmt", "--all", "--check"])),
        run(&mut cargo(["check", "--quiet", "--workspace", "--all-targets"])),
        run(&mut tests),
    ];
    let failed: Vec<_> = results.into_iter().filter_map(Result::err).collect();
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n")) }
}
