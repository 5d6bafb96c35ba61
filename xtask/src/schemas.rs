//! Generates the schemas of the command's JSON output.
//!
//! They are made from the types of `tabiya-cli` by an example of that package, since its feature
//! `schema` has to be on.

use std::process::Command;

use crate::process::{cargo, compiled_soon, run};

/// The packages of which the feature changes the code. They print schemas, so they need not be
/// fast.
const CHANGED: [&str; 2] = ["tabiya-runs", "tabiya-cli"];

/// Writes the schemas, or checks that those in the folder are the same.
pub(crate) fn write(check: bool) -> Result<(), String> {
    // Built with the whole workspace: for one package alone, its dependencies would be built again.
    let mut build = cargo(["build", "--quiet", "--release", "--example", "schemas"]);
    build.args(["--features", "tabiya-cli/schema"]);
    for package in CHANGED {
        build.args(compiled_soon(package));
    }
    run(&mut build)?;
    let mut example = Command::new(crate::repository().join("target/release/examples/schemas"));
    example.arg("docs/schemas").current_dir(crate::repository());
    if check {
        example.arg("--check");
    }
    run(&mut example)
}
