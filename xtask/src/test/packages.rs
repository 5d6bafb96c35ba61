//! The packages as they would be published: each is unpacked outside the repository and passes its
//! own tests there, with only the other packages next to it.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Failure, Form};
use crate::process::run;

pub(super) fn test_outside(form: &Form) -> Result<(), Failure> {
    // Packages are made again: old ones may contain files that were removed.
    let made = crate::repository().join("target/package");
    if made.exists() {
        fs::remove_dir_all(&made).map_err(|error| format!("{}: {error}", made.display()))?;
    }
    // Compiling them is what happens outside.
    let package = ["package", "--workspace", "--no-verify", "--allow-dirty"];
    // What is not published as a crate.
    let excluded = ["--exclude", "xtask", "--exclude", "tabiya-python", "--exclude", "tabiya-wasm"];
    run(form.cargo(package).args(excluded))?;

    let outside = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    for file in files(&made)? {
        if file.extension() == Some(OsStr::new("crate")) {
            // With new times of change: an earlier build of the same package knows another folder.
            let mut unpack = Command::new("tar");
            run(unpack.arg("-xzmf").arg(&file).arg("-C").arg(outside.path()))?;
        }
    }
    write_workspace(outside.path()).map_err(|error| format!("the unpacked packages: {error}"))?;

    let test = |arguments: &[&str]| {
        let mut tests = form.cargo(["test", "--release", "--workspace"]);
        // The same dependencies in the same versions: they are compiled already.
        tests.env("CARGO_TARGET_DIR", crate::repository().join("target"));
        run(tests.args(arguments).current_dir(outside.path()))
    };
    test(&["--no-run"])?;
    // The hunts of `tabiya compare` take minutes, and nothing in them depends on the place.
    let hunts = ["agrees::", "faults::", "found::", "pasted::", "seeds::"];
    let skipped = hunts.into_iter().flat_map(|module| ["--skip", module]);
    Ok(test(&["--"].into_iter().chain(skipped).collect::<Vec<_>>())?)
}

/// Makes the unpacked packages find each other, as they would find each other published.
fn write_workspace(folder: &Path) -> Result<(), String> {
    let mut members = files(folder)?;
    members.sort();
    let (mut names, mut patches) = (String::new(), String::new());
    for member in &members {
        let full = member.file_name().unwrap_or_default().to_string_lossy();
        let (name, _version) = full.rsplit_once('-').ok_or(format!("{full}: no version"))?;
        writeln!(names, "    \"{full}\",").map_err(|error| error.to_string())?;
        writeln!(patches, "{name} = {{ path = \"{full}\" }}").map_err(|error| error.to_string())?;
    }
    let repository = crate::repository();
    let root = fs::read_to_string(repository.join("Cargo.toml")).map_err(|e| e.to_string())?;
    // The same profiles, or everything is compiled again.
    let profiles = root.find("[profile").map_or("", |at| &root[at..]);
    let manifest = format!(
        "[workspace]\nresolver = \"3\"\nmembers = [\n{names}]\n\n[patch.crates-io]\n{patches}\n{profiles}"
    );
    fs::write(folder.join("Cargo.toml"), manifest).map_err(|error| error.to_string())?;
    let lock = repository.join("Cargo.lock");
    fs::copy(lock, folder.join("Cargo.lock")).map_err(|error| error.to_string())?;
    Ok(())
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error| format!("{}: {error}", folder.display());
    let entries = fs::read_dir(folder).map_err(failed)?;
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(failed)).collect()
}
