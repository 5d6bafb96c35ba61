//! Generates the schemas of the command's JSON output.
//!
//! They are made from the types of `tabiya-cli` by an example of that package, since its feature
//! `schema` has to be on.

use crate::process::{cargo, run};

/// Writes the schemas, or checks that those in the folder are the same.
pub(crate) fn write(check: bool) -> Result<(), String> {
    let build = ["run", "--quiet", "--release", "--package", "tabiya-cli"];
    let mut example = cargo(build);
    example.args(["--features", "schema", "--example", "schemas", "--", "docs/schemas"]);
    if check {
        example.arg("--check");
    }
    run(&mut example)
}
