//! Bills of materials in the format CycloneDX: what the command, the native module for Python and
//! the module for the web are made of.

use std::fs;

use super::{Release, tree};
use crate::process::{cargo, run};
use crate::tools::Tool;

const CYCLONEDX: Tool<'_> =
    Tool { package: "cargo-cyclonedx", program: "cargo-cyclonedx", version: "0.5.9", options: &[] };

/// The crates that are delivered as programs or modules.
const DELIVERED: [(&str, &str); 3] =
    [("cli", "tabiya-cli"), ("python", "tabiya-python"), ("wasm", "tabiya-wasm")];

pub(super) fn make(release: &Release) -> Result<(), String> {
    CYCLONEDX.install()?;
    // The program writes next to the manifests, so it gets a copy of them.
    let copy = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    tree::export(&crate::repository(), copy.path())?;
    let mut list = std::process::Command::new(CYCLONEDX.path());
    list.args(["cyclonedx", "--quiet", "--format", "json", "--spec-version", "1.5"]);
    list.args(["--manifest-path", "Cargo.toml"]).current_dir(copy.path());
    list.env("CARGO", cargo([""; 0]).get_program()).env("SOURCE_DATE_EPOCH", &release.time);
    run(&mut list)?;
    for (folder, name) in DELIVERED {
        let file = format!("{name}.cdx.json");
        let from = copy.path().join("crates").join(folder).join(&file);
        let to = release.dist.join(&file);
        fs::copy(&from, &to).map_err(|error| format!("{}: {error}", from.display()))?;
    }
    Ok(())
}
