//! The crates as they would be published: packed, and unpacked outside the repository with only the
//! other packages next to them.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::crates::UNPUBLISHED;
use crate::files::{copy, files, read, remove, repository, write};
use crate::process::{cargo, run};

/// The folder in which cargo packs.
const FOLDER: &str = "target/package";

/// Packs each crate of a workspace and returns the files.
pub(crate) fn pack(root: &Path) -> Result<Vec<PathBuf>, String> {
    // Packages are made again: old ones may contain files that were removed.
    let made = root.join(FOLDER);
    remove(&made)?;
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
    write_workspace(outside)?;
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
        names += &format!("    \"{folder}\",\n");
        patches += &format!("{name} = {{ path = \"{folder}\" }}\n");
    }
    let root = read(&repository().join("Cargo.toml"))?;
    // The profiles are the same; otherwise everything would be compiled again.
    let profiles = root.find("[profile").map_or("", |at| &root[at..]);
    let manifest = format!(
        "[workspace]\nresolver = \"3\"\nmembers = [\n{names}]\n\n[patch.crates-io]\n{patches}\n{profiles}"
    );
    write(&folder.join("Cargo.toml"), manifest)?;
    copy(&repository().join("Cargo.lock"), folder)
}
