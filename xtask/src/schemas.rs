//! Generates the schemas of the command's JSON output.
//!
//! They are made from the types of `tabiya-cli` by a test of that package, since its feature
//! `schema` has to be on.

use crate::process::{cargo, compiled_soon, run};

/// The packages of which the feature changes the code. They print schemas, so they need not be
/// fast.
const CHANGED: [&str; 2] = ["tabiya-runs", "tabiya-cli"];

/// Writes the schemas, or checks that those in the folder are the same.
pub(crate) fn write(check: bool) -> Result<(), String> {
    // Built with the whole workspace: for one package alone, its dependencies would be built again.
    let mut test = cargo(["test", "--quiet", "--release", "--bin", "tabiya"]);
    test.args(["--features", "tabiya-cli/schema"]);
    for package in CHANGED {
        test.args(compiled_soon(package));
    }
    test.args(["--", "commands::schemas"]);
    if !check {
        test.env("TABIYA_WRITE_SCHEMAS", "1");
    }
    run(&mut test)
}
