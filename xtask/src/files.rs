//! Files and folders, with their names in errors.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The folder of the workspace.
pub(crate) fn repository() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    folder.parent().expect("xtask is a folder of the workspace").to_owned()
}

/// The error with the path.
fn about<E: Display>(path: &Path) -> impl Fn(E) -> String {
    move |error| format!("{}: {error}", path.display())
}

pub(crate) fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(about(path))
}

pub(crate) fn write(path: &Path, text: impl AsRef<[u8]>) -> Result<(), String> {
    fs::write(path, text).map_err(about(path))
}

/// Changes the text of a file.
pub(crate) fn edit(
    path: &Path,
    change: impl FnOnce(&str) -> Result<String, &'static str>,
) -> Result<(), String> {
    write(path, change(&read(path)?).map_err(about(path))?)
}

/// Makes a folder, and those around it, if they are not there.
pub(crate) fn make(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(about(folder))
}

/// Removes a folder with all that is in it, if it is there.
pub(crate) fn remove(folder: &Path) -> Result<(), String> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(about(folder)(error)),
        _ => Ok(()),
    }
}

/// An empty folder that is removed when it is dropped.
pub(crate) fn temporary() -> Result<tempfile::TempDir, String> {
    tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))
}

/// Copies a file to a place, and makes the folder for it.
pub(crate) fn copy_to(file: &Path, place: &Path) -> Result<(), String> {
    make(place.parent().unwrap_or(place))?;
    fs::copy(file, place).map(|_| ()).map_err(about(file))
}

/// Copies a file into a folder, which is made if it is not there.
pub(crate) fn copy(file: &Path, folder: &Path) -> Result<(), String> {
    copy_to(file, &folder.join(file.file_name().unwrap_or_default()))
}

/// Copies the files of a folder into another one.
pub(crate) fn copy_all(from: &Path, to: &Path) -> Result<(), String> {
    files(from)?.iter().filter(|path| path.is_file()).try_for_each(|file| copy(file, to))
}

/// What a folder holds.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(about(folder))?;
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(about(folder))).collect()
}

/// The path of the one file that something makes in a folder of the repository.
pub(crate) fn only_file(
    folder: &str,
    make: impl FnOnce() -> Result<(), String>,
) -> Result<String, String> {
    let folder = repository().join(folder);
    remove(&folder)?;
    make()?;
    let made = files(&folder)?;
    let file = made.first().ok_or_else(|| about(&folder)("it is empty"))?;
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
