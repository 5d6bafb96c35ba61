//! The crates as they would be published: packed, and unpacked outside the repository with only the
//! other packages next to them.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{cargo, run};

/// The folder in which cargo packs.
const FOLDER: &str = "target/package";

/// The libraries: the crates that promise an interface in Rust. The command and the modules for
/// Python and JavaScript do not.
pub(crate) const LIBRARIES: [&str; 9] = [
    "tabiya",
    "tabiya-compare",
    "tabiya-machine",
    "tabiya-openings",
    "tabiya-perft",
    "tabiya-pgn",
    "tabiya-runs",
    "tabiya-suites",
    "tabiya-views",
];

/// What is not published as a crate.
pub(crate) const UNPUBLISHED: [&str; 3] = ["xtask", "tabiya-python", "tabiya-wasm"];

/// Packs each crate of a workspace and returns the files.
pub(crate) fn pack(root: &Path) -> Result<Vec<PathBuf>, String> {
    // Packages are made again: old ones may contain files that were removed.
    let made = root.join(FOLDER);
    if made.exists() {
        fs::remove_dir_all(&made).map_err(|error| format!("{}: {error}", made.display()))?;
    }
    // They are compiled outside.
    let mut package = cargo(["package", "--workspace", "--no-verify", "--allow-dirty"]);
    package.args(UNPUBLISHED.iter().flat_map(|name| ["--exclude", name]));
    run(package.current_dir(root))?;
    let is_crate = |file: &PathBuf| file.extension() == Some(OsStr::new("crate"));
    Ok(files(&made)?.into_iter().filter(is_crate).collect())
}

/// Packs each crate of a workspace, unpacks it in a folder, and makes a workspace of all. Returns
/// their names.
pub(crate) fn unpack_all(root: &Path, outside: &Path) -> Result<Vec<String>, String> {
    for file in pack(root)? {
        // The files get new times of change, because an earlier build of the same package
        // refers to another folder.
        let mut unpack = Command::new("tar");
        run(unpack.arg("-xzmf").arg(&file).arg("-C").arg(outside))?;
    }
    write_workspace(outside).map_err(|error| format!("the unpacked packages: {error}"))?;
    Ok(packages(outside)?.into_iter().map(|(name, _)| name).collect())
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

/// The names of the crates that are published, each after those that it depends on: only then can
/// it be published.
pub(crate) fn in_order(root: &Path) -> Result<Vec<String>, String> {
    let mut waiting = BTreeMap::new();
    for folder in files(&root.join("crates"))?.into_iter().chain([root.join("suites")]) {
        let path = folder.join("Cargo.toml");
        let manifest =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        if !manifest.contains("\npublish = false") {
            let name = manifest.lines().find_map(|line| line.strip_prefix("name = \""));
            let name = name.unwrap_or_default().trim_end_matches('"').to_owned();
            waiting.insert(name, dependencies(&manifest));
        }
    }
    let mut order = Vec::new();
    while !waiting.is_empty() {
        let is_ready =
            |needed: &BTreeSet<String>| !waiting.keys().any(|name| needed.contains(name));
        let ready = waiting.iter().filter(|(_, needed)| is_ready(needed));
        let ready: Vec<_> = ready.map(|(name, _)| name.clone()).collect();
        if ready.is_empty() {
            return Err(format!("these crates depend on each other: {:?}", waiting.keys()));
        }
        waiting.retain(|name, _| !ready.contains(name));
        order.extend(ready);
    }
    Ok(order)
}

/// Our crates that a manifest names: also those for tests, which an index wants to know as well.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    let lines = manifest
        .lines()
        .filter(|line| line.contains("workspace = true") || line.contains("path = \""));
    let names = lines.filter_map(|line| line.split([' ', '.', '=']).next());
    names.filter(|name| name.starts_with("tabiya")).map(str::to_owned).collect()
}

/// What a folder holds.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error| format!("{}: {error}", folder.display());
    let entries = fs::read_dir(folder).map_err(failed)?;
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(failed)).collect()
}

/// The path of the one file that something makes in a folder of the repository.
pub(crate) fn only_file(
    folder: &str,
    make: impl FnOnce() -> Result<(), String>,
) -> Result<String, String> {
    let folder = crate::repository().join(folder);
    if folder.exists() {
        let about = |error: std::io::Error| format!("{}: {error}", folder.display());
        fs::remove_dir_all(&folder).map_err(about)?;
    }
    make()?;
    let made = files(&folder)?;
    let file = made.first().ok_or_else(|| format!("{}: it is empty", folder.display()))?;
    Ok(file.to_string_lossy().into_owned())
}

/// All files in a folder and the folders in it.
pub(crate) fn all_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut all = Vec::new();
    for path in files(folder)? {
        if path.is_dir() {
            all.extend(all_files(&path)?);
        } else {
            all.push(path);
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_come_after_what_they_depend_on() {
        let order = in_order(&crate::repository()).unwrap();
        let mut expected: Vec<_> = LIBRARIES.into_iter().chain(["tabiya-cli"]).collect();
        expected.sort_unstable();
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, expected);
        assert_eq!(order.first().unwrap(), "tabiya-suites");
        assert_eq!(order.last().unwrap(), "tabiya-cli");
        let place = |name: &str| order.iter().position(|other| other == name).unwrap();
        assert!(place("tabiya") < place("tabiya-machine"));
        assert!(place("tabiya-machine") < place("tabiya-perft"));
        assert!(place("tabiya-views") < place("tabiya-compare"));
    }
}
