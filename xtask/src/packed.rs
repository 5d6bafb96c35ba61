//! The crates as they would be published: packed, and unpacked outside the repository with only the
//! other packages next to them.

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

/// What a folder holds.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error| format!("{}: {error}", folder.display());
    let entries = fs::read_dir(folder).map_err(failed)?;
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(failed)).collect()
}
