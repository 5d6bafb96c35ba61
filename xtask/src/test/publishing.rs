//! What leads to a release: one version everywhere, one address, and files for the hosts that
//! people get it from, as those hosts want them.

use std::path::PathBuf;
use std::process::Command;

use super::{Failure, Form};
use crate::environment::Environment;
use crate::files::{files, read, repository, write};
use crate::process::run;
use crate::release;

/// The program that has the schemas of these files, and the one that looks for mistakes in
/// workflows, above all for those that let strangers in.
const CHECKERS: [&str; 2] = ["check-jsonschema==0.39.0", "zizmor==1.32.0"];
/// The folder of the workflows.
const WORKFLOWS: &str = ".github/workflows";

/// The files, by the names of their schemas. A folder stands for the files in it.
const FILES: [(&str, &str); 4] = [
    ("github-workflows", WORKFLOWS),
    ("github-issue-config", ".github/ISSUE_TEMPLATE/config.yml"),
    ("github-issue-forms", ".github/ISSUE_TEMPLATE"),
    ("citation-file-format", "CITATION.cff"),
];

/// The page that shows a workflow to the authors of other engines.
const PAGE: &str = "docs/compare-ci.md";

pub(super) fn check(_: &Form) -> Result<(), Failure> {
    release::check_versions()?;
    let environment = Environment::new("tools/schemas", (3, 11));
    let environment =
        environment.and_then(|made| made.with(&CHECKERS)).map_err(Failure::Missing)?;
    for (schema, place) in FILES {
        let path = repository().join(place);
        let mut checked = if path.is_dir() { files(&path)? } else { vec![path] };
        // The configuration of the forms lies among them, and has a schema of its own.
        checked.retain(|file| place.ends_with("config.yml") || !file.ends_with("config.yml"));
        validate(&environment, schema, &checked)?;
    }
    validate(&environment, "github-workflows", &[workflow_of_page()?])?;
    // Without what it could learn from the network: a test does not depend on that.
    let mut audit = Command::new(environment.python().with_file_name("zizmor"));
    audit.args(["--offline", "--no-progress", "--quiet", "--min-severity", "low", WORKFLOWS]);
    Ok(run(audit.current_dir(repository()))?)
}

/// Checks that a schema permits some files.
fn validate(environment: &Environment, schema: &str, files: &[PathBuf]) -> Result<(), Failure> {
    let mut check = environment.module("check_jsonschema", "");
    check.args(["--quiet", "--builtin-schema", &format!("vendor.{schema}")]).args(files);
    Ok(run(&mut check)?)
}

/// Copies the workflow on the page into a file. The tests of the command try the hook there.
fn workflow_of_page() -> Result<PathBuf, Failure> {
    let page = read(&repository().join(PAGE))?;
    let workflow = page
        .split_once("```yaml\n")
        .and_then(|(_, rest)| rest.split_once("```"))
        .map(|(workflow, _)| workflow)
        .ok_or_else(|| format!("{PAGE} has no workflow"))?;
    let file = repository().join("target/tools/schemas/compare.yml");
    write(&file, workflow)?;
    Ok(file)
}
