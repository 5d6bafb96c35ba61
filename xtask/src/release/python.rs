//! The Python package: the sources, and a wheel that is built from them outside the repository.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use super::address;
use super::plan::Release;
use crate::environment::Environment;
use crate::files::{edit, files, repository, temporary};
use crate::process::run;

/// The program that builds it, and the one that checks what an index would say of it.
const TOOLS: [&str; 2] = ["maturin==1.16.0", "twine==7.0.0"];

/// The section of the manifest before which the addresses go.
const BEFORE: &str = "[project.optional-dependencies]";

/// Writes the addresses that an index shows next to the package into its manifest.
pub(super) fn add_address(manifest: &Path, address: &str, version: &str) -> Result<(), String> {
    let changelog = address::of_file(address, &format!("v{version}"), "CHANGELOG.md", false);
    let urls = format!(
        "[project.urls]\nRepository = \"{address}\"\nIssues = \"{address}/issues\"\n\
         Changelog = \"{changelog}\"\n\n{BEFORE}"
    );
    edit(manifest, |text| match text.contains(BEFORE) {
        true => Ok(text.replacen(BEFORE, &urls, 1)),
        false => Err("where are the optional dependencies?"),
    })
}

pub(super) fn make(release: &Release) -> Result<(), String> {
    let environment = Environment::new("tools/python", (3, 11))?.with(&TOOLS)?;
    let mut sources = environment.module("maturin", release.sources.join("python"));
    run(sources.args(["sdist", "--out"]).arg(&release.dist))?;
    let name = format!("tabiya-{}", release.version);
    let packed = release.dist.join(format!("{name}.tar.gz"));

    let outside = temporary()?;
    run(Command::new("tar").arg("-xzmf").arg(&packed).arg("-C").arg(outside.path()))?;
    let mut wheel = environment.module("maturin", outside.path().join(&name));
    wheel.env("CARGO_TARGET_DIR", repository().join("target"));
    wheel.env("SOURCE_DATE_EPOCH", &release.time);
    run(wheel.args(["build", "--out"]).arg(&release.dist))?;

    let is_wheel = |file: &&std::path::PathBuf| file.extension() == Some(OsStr::new("whl"));
    let made = files(&release.dist)?;
    let mut check = environment.module("twine", "");
    check.args(["check", "--strict"]).args(made.iter().filter(is_wheel)).arg(&packed);
    run(&mut check)
}
