//! Bills of materials in the format CycloneDX: what the command, the native module for Python and
//! the module for the web are made of.

use std::fs;
use std::path::PathBuf;

use super::plan::Release;
use super::sources;
use crate::files::{copy, repository, temporary};
use crate::process::{cargo, run};

/// The program that makes them, and its version.
const PROGRAM: &str = "cargo-cyclonedx";
const VERSION: &str = "0.5.9";
/// Where it is installed.
const TOOLS: &str = "target/tools";

/// The crates that are delivered as programs or modules.
const DELIVERED: [(&str, &str); 3] = [
    ("crates/cli", "tabiya-cli"),
    ("python/native", "tabiya-python"),
    ("web/module", "tabiya-wasm"),
];

pub(super) fn make(release: &Release) -> Result<(), String> {
    let program = install()?;
    // The program writes next to the manifests, so it gets a copy of them.
    let folder = temporary()?;
    let sources = folder.path().join("sources");
    sources::clone(&repository(), &sources)?;
    let mut list = std::process::Command::new(program);
    list.args(["cyclonedx", "--quiet", "--format", "json", "--spec-version", "1.5"]);
    list.args(["--manifest-path", "Cargo.toml"]).current_dir(&sources);
    list.env("CARGO", cargo([""; 0]).get_program()).env("SOURCE_DATE_EPOCH", &release.time);
    run(&mut list)?;
    for (folder, name) in DELIVERED {
        copy(&sources.join(folder).join(format!("{name}.cdx.json")), &release.dist)?;
    }
    Ok(())
}

/// Installs the program from its sources, unless cargo's notes name this version.
fn install() -> Result<PathBuf, String> {
    let tools = repository().join(TOOLS);
    let program = tools.join("bin").join(PROGRAM);
    let notes = fs::read_to_string(tools.join(".crates.toml")).unwrap_or_default();
    if !notes.contains(&format!("\"{PROGRAM} {VERSION} (")) || !program.is_file() {
        // Without optimisation: compiling is a minute shorter, and a run takes half a second longer.
        let mut install = cargo(["install", PROGRAM, "--version", VERSION, "--root", TOOLS]);
        install.args(["--debug", "--force", "--quiet"]).env("CARGO_PROFILE_DEV_DEBUG", "false");
        run(&mut install)?;
    }
    Ok(program)
}
