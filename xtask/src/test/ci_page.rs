//! The workflow on the page about CI: the schema of GitHub's workflows permits it. The tests of the
//! command try the hook of the same page.

use std::fs;

use super::environment::Environment;
use super::{Failure, Form};
use crate::process::run;

const PAGE: &str = "docs/compare-ci.md";
/// The schema is part of the package.
const CHECKER: &str = "check-jsonschema==0.39.0";

pub(super) fn check_workflow(_: &Form) -> Result<(), Failure> {
    let repository = crate::repository();
    let page = fs::read_to_string(repository.join(PAGE)).map_err(|it| format!("{PAGE}: {it}"))?;
    let workflow = page
        .split_once("```yaml\n")
        .and_then(|(_, rest)| rest.split_once("```"))
        .map(|(workflow, _)| workflow)
        .ok_or_else(|| format!("{PAGE} has no workflow"))?;
    let environment = Environment::new("ci-page", (3, 10))?;
    if !environment.python().exists() {
        environment.create()?;
    }
    environment.install(&[CHECKER])?;
    let file = repository.join("target/ci-page/workflow.yml");
    fs::write(&file, workflow).map_err(|error| format!("{}: {error}", file.display()))?;
    let mut check = environment.module("check_jsonschema", "");
    Ok(run(check.args(["--builtin-schema", "vendor.github-workflows"]).arg(file))?)
}
