//! The wheel and the npm package of a release have the licence of each crate that is compiled in.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::files::{all_files, make, read};
use crate::process::{cargo, run};
use crate::release::notices;

/// The shortest text of a licence is longer than this.
const TEXT: usize = 400;

/// Checks an unpacked package: `package` is the crate of its module, built for `target`.
pub(super) fn check(folder: &Path, package: &str, target: &str) -> Result<(), String> {
    let all = all_files(folder)?;
    let one = |ending: &str| {
        let found = all.iter().find(|path| path.to_string_lossy().ends_with(ending));
        found.ok_or_else(|| format!("{}: no file *{ending}", folder.display()))
    };
    let page = read(one(notices::FILE)?)?;
    let module = one(if target.starts_with("wasm") { ".wasm" } else { ".so" })?;
    let module = fs::read(module).map_err(|error| format!("{}: {error}", module.display()))?;
    let named = named_by(&String::from_utf8_lossy(&module));
    if named.is_empty() {
        return Err(format!("{package}: the module names no crate, so nothing can be checked"));
    }
    let compiled: BTreeSet<_> = dependencies(package, target)?.union(&named).cloned().collect();
    match &without_licence(&page, &compiled)[..] {
        [] => Ok(()),
        missing => Err(format!("{package}: {} has no licence of {missing:?}", notices::FILE)),
    }
}

/// Unpacks an archive of either kind.
pub(super) fn unpack(archive: &Path, folder: &Path) -> Result<(), String> {
    make(folder)?;
    let mut unpack = match archive.extension().is_some_and(|ending| ending == "whl") {
        true => {
            let mut python = Command::new("python3");
            python.args(["-m", "zipfile", "-e"]).arg(archive).arg(folder);
            python
        }
        false => {
            let mut tar = Command::new("tar");
            tar.arg("-xzf").arg(archive).arg("-C").arg(folder);
            tar
        }
    };
    run(&mut unpack)
}

/// The crates whose licence a page lacks.
fn without_licence<'a>(page: &str, crates: &'a BTreeSet<String>) -> Vec<&'a String> {
    let has = |crate_: &str| {
        let line = format!("\n{crate_}: ");
        let section = page.split_once(&line).map(|(_, rest)| rest);
        let section = section.and_then(|rest| rest.split("\n=====").next()).unwrap_or_default();
        section.len() > TEXT || section.contains("in LICENSE-APACHE")
    };
    crates.iter().filter(|crate_| !has(crate_)).collect()
}

/// The crates of registries on which a package depends, as `name-version`. Macros that only run
/// when it is compiled are left out.
fn dependencies(package: &str, target: &str) -> Result<BTreeSet<String>, String> {
    let mut tree = cargo(["tree", "--package", package, "--target", target, "--prefix", "none"]);
    tree.args(["--edges", "normal,no-proc-macro", "--format", "{p}"]);
    let output = tree.output().map_err(|error| format!("cargo cannot be started: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let listed = String::from_utf8_lossy(&output.stdout).into_owned();
    let names = listed.lines().filter(|line| !line.contains(" (/")).filter_map(|line| {
        let (name, version) = line.split_once(" v")?;
        Some(format!("{name}-{}", version.split(' ').next()?))
    });
    Ok(names.collect())
}

/// The crates of registries whose sources a module names, in the messages of panics.
fn named_by(module: &str) -> BTreeSet<String> {
    let paths = module.split("registry/src/").skip(1);
    paths.filter_map(|path| path.split('/').nth(1).map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_licence_is_found() {
        let text = "Permission is hereby granted. ".repeat(20);
        let page = format!("head\n\n=====\nhas-1.0.0: MIT\n\n{text}\n\n=====\nlacks-1.0.0: MIT\n");
        let crates = ["has-1.0.0", "has-1.0.1", "lacks-1.0.0"].map(str::to_owned).into();
        assert_eq!(without_licence(&page, &crates), ["has-1.0.1", "lacks-1.0.0"]);
    }

    #[test]
    fn crates_are_read_from_panics() {
        let module = "\0/root/.cargo/registry/src/index-1f/numpy-0.1.0/src/a.rs\0crates/perft/x.rs";
        assert_eq!(named_by(module), ["numpy-0.1.0".to_owned()].into());
    }
}
