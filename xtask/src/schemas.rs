//! Generates the schemas of the command's JSON output.
//!
//! They are made from the types of `tabiya-cli` by a test of that package, since its feature
//! `schema` has to be on.

use std::process::Stdio;

use crate::output::say;
use crate::process::workspace;

/// The test that compares or writes them.
const TEST: &str = "commands::schemas::the_schemas_in_the_documents_are_those_of_the_types";

/// Writes the schemas, or checks that those in the folder are the same.
pub(crate) fn write(check: bool) -> Result<(), String> {
    let mut test = workspace("test");
    test.args(["--quiet", "--bin", "tabiya"]);
    // Its name is exact, and it must have run: a test that is not found passes.
    test.args(["--", "--exact", TEST]);
    if !check {
        test.env("TABIYA_WRITE_SCHEMAS", "1");
    }
    let output = test.stderr(Stdio::inherit()).output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    say(text.trim());
    match output.status.success() && text.contains("1 passed") {
        true => Ok(()),
        false => Err(format!("{TEST} did not pass")),
    }
}
