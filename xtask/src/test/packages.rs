//! The packages as they would be published: each is unpacked outside the repository, with only the
//! other packages next to it. There it compiles with its documents. In the long form its tests compile as
//! well, and those that read files of their package run: they find no more than a file that is missing in a
//! list of the manifest and that only tests need.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use super::{Failure, Form};
use crate::files::{files, repository, temporary};
use crate::packed;
use crate::process::{compiled_soon, run};

pub(super) fn test_outside(form: &Form) -> Result<(), Failure> {
    let outside = temporary()?;
    let members = packed::unpack_all(&repository(), outside.path())?;

    let cargo = |arguments: &[&str]| {
        let mut cargo = form.cargo(arguments.iter().copied());
        // The dependencies are the same in the same versions, so they are compiled already.
        cargo.env("CARGO_TARGET_DIR", repository().join("target"));
        cargo.current_dir(outside.path());
        cargo
    };
    let test = |arguments: &[String]| {
        let mut tests = cargo(&["test", "--release", "--workspace"]);
        for package in &members {
            tests.args(compiled_soon(package));
        }
        run(tests.args(arguments))
    };
    // With an example, dependencies have the features that clippy has checked.
    let targets =
        if form.long { &["--all-targets"][..] } else { &["--lib", "--bins", "--example", "mate"] };
    let mut check = cargo(&["check", "--quiet", "--workspace", "--all-features"]);
    run(check.args(targets))?;
    // Only documentation includes the pages of the guide.
    let mut guide = cargo(&["doc", "--package", "tabiya", "--no-deps", "--quiet"]);
    run(guide.env("RUSTDOCFLAGS", "-D warnings"))?;

    if !form.long {
        return Ok(());
    }
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
