//! The sources of a release: a clone of the newest commit, with what only a published package needs.
//! Every package is made from it. `cargo publish` runs in it as well.

use std::path::Path;
use std::process::Command;

use super::notices::{self, Bundle};
use super::{npm, python, readme};
use crate::files::{remove, write};
use crate::process::{cargo, run};

/// The folder of the clone, relative to the repository.
pub(super) const FOLDER: &str = "target/release-sources";

/// The packages that contain compiled crates, and where their licences go.
const BUNDLES: [(&str, Bundle<'static>); 2] = [
    (
        "python",
        // The sources for Python are built on every system.
        Bundle { package: "tabiya-python", target: "all", runtime: "", name: "The native module" },
    ),
    (
        "web/npm",
        Bundle {
            package: "tabiya-wasm",
            target: "wasm32-unknown-unknown",
            runtime: "",
            name: "The WebAssembly module",
        },
    ),
];

/// Clones the repository into a folder, in place of what is there.
pub(super) fn clone(root: &Path, folder: &Path) -> Result<(), String> {
    remove(folder)?;
    run(Command::new("git").args(["clone", "--quiet"]).arg(root).arg(folder))
}

/// Adds the licences of the crates that packages contain.
pub(super) fn add_licences(folder: &Path) -> Result<(), String> {
    run(cargo(["fetch", "--quiet", "--locked"]).current_dir(folder))?;
    for (place, bundle) in BUNDLES {
        write(&folder.join(place).join(notices::FILE), notices::of(folder, &bundle)?)?;
    }
    Ok(())
}

/// Writes the address of the repository where the packages need it, besides the manifests of
/// crates, which take it from that of the workspace.
pub(super) fn add_address(folder: &Path, address: &str, version: &str) -> Result<(), String> {
    npm::add_address(&folder.join(npm::FOLDER).join("package.json"), address)?;
    python::add_address(&folder.join("python/pyproject.toml"), address, version)?;
    readme::publish_all(folder, address, version)
}
