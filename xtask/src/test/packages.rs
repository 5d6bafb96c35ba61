//! The packages as they would be published: each is unpacked outside the repository, with only the
//! other packages next to it. There it compiles with all its tests and documents, and the tests
//! that read its files pass.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Failure, Form};
use crate::process::{compiled_soon, run};

pub(super) fn test_outside(form: &Form) -> Result<(), Failure> {
    // Packages are made again: old ones may contain files that were removed.
    let made = crate::repository().join("target/package");
    if made.exists() {
        fs::remove_dir_all(&made).map_err(|error| format!("{}: {error}", made.display()))?;
    }
    // They are compiled outside.
    let package = ["package", "--workspace", "--no-verify", "--allow-dirty"];
    // These are not published as crates.
    let excluded = ["--exclude", "xtask", "--exclude", "tabiya-python", "--exclude", "tabiya-wasm"];
    run(form.cargo(package).args(excluded))?;

    let outside = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    for file in files(&made)? {
        if file.extension() == Some(OsStr::new("crate")) {
            // The files get new times of change, because an earlier build of the same package
            // refers to another folder.
            let mut unpack = Command::new("tar");
            run(unpack.arg("-xzmf").arg(&file).arg("-C").arg(outside.path()))?;
        }
    }
    write_workspace(outside.path()).map_err(|error| format!("the unpacked packages: {error}"))?;

    let cargo = |arguments: &[&str]| {
        let mut cargo = form.cargo(arguments.iter().copied());
        // The dependencies are the same in the same versions, so they are compiled already.
        cargo.env("CARGO_TARGET_DIR", crate::repository().join("target"));
        cargo.current_dir(outside.path());
        cargo
    };
    let members = packages(outside.path())?;
    let test = |arguments: &[String]| {
        let mut tests = cargo(&["test", "--release", "--workspace"]);
        for (package, _) in &members {
            tests.args(compiled_soon(package));
        }
        run(tests.args(arguments))
    };
    run(&mut cargo(&["check", "--quiet", "--workspace", "--all-targets"]))?;
    // Only documentation includes the pages of the guide.
    let mut guide = cargo(&["doc", "--package", "tabiya", "--no-deps", "--quiet"]);
    run(guide.env("RUSTDOCFLAGS", "-D warnings"))?;

    // Other tests find nothing here that they do not find in the repository. The same holds for
    // some modules of the tests that read files: those that ask the faulty program of
    // `tabiya compare`, which take long, and those that count.
    let reading = reading_tests(outside.path())?;
    let mut arguments: Vec<String> =
        reading.iter().flat_map(|test| ["--test", test]).map(str::to_owned).collect();
    arguments.push("--".to_owned());
    let asking =
        ["agrees::", "faults::", "found::", "in_process::", "pasted::", "right::", "seeds::"];
    let counting =
        ["counts::", "interruptions::", "ledger::", "processes::", "status::", "verification::"];
    arguments.extend(
        asking.into_iter().chain(counting).flat_map(|module| ["--skip", module]).map(str::to_owned),
    );
    test(&arguments)?;
    // Build the command again, so that users do not find the quickly compiled one in
    // `target/release`.
    form.build_command()?;
    Ok(())
}

/// The integration tests that read files of their package when they run. They find them by
/// `CARGO_MANIFEST_DIR`.
fn reading_tests(folder: &Path) -> Result<BTreeSet<String>, String> {
    let mut tests = BTreeSet::new();
    for package in files(folder)? {
        let place = package.join("tests");
        for test in if place.is_dir() { files(&place)? } else { Vec::new() } {
            let is_test =
                test.extension() == Some(OsStr::new("rs")) || test.join("main.rs").exists();
            if is_test && reads(&test)? {
                tests.insert(test.file_stem().unwrap_or_default().to_string_lossy().into_owned());
            }
        }
    }
    match tests.is_empty() {
        true => Err("no test of a package reads a file".to_owned()),
        false => Ok(tests),
    }
}

/// Does a source, or one in this folder, ask for the folder of its package?
fn reads(path: &Path) -> Result<bool, String> {
    if path.is_dir() {
        return files(path)?.iter().try_fold(false, |found, path| Ok(found || reads(path)?));
    }
    let text = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(String::from_utf8_lossy(&text).contains("CARGO_MANIFEST_DIR"))
}

/// The unpacked packages: their names and folders. A folder ends with the version.
fn packages(folder: &Path) -> Result<Vec<(String, String)>, String> {
    let mut packages = Vec::new();
    for path in files(folder)?.iter().filter(|path| path.is_dir()) {
        let folder = path.file_name().unwrap_or_default().to_string_lossy();
        let (name, _version) = folder.rsplit_once('-').ok_or(format!("{folder}: no version"))?;
        packages.push((name.to_owned(), folder.clone().into_owned()));
    }
    packages.sort();
    Ok(packages)
}

/// Makes the unpacked packages find each other, as they would find each other published.
fn write_workspace(folder: &Path) -> Result<(), String> {
    let (mut names, mut patches) = (String::new(), String::new());
    for (name, folder) in packages(folder)? {
        writeln!(names, "    \"{folder}\",").map_err(|error| error.to_string())?;
        writeln!(patches, "{name} = {{ path = \"{folder}\" }}")
            .map_err(|error| error.to_string())?;
    }
    let repository = crate::repository();
    let root = fs::read_to_string(repository.join("Cargo.toml")).map_err(|e| e.to_string())?;
    // The profiles are the same; otherwise everything would be compiled again.
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
