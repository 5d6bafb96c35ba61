//! The repository as git sees it.

use std::path::Path;
use std::process::Command;

/// The output of git about a repository.
fn git(root: &Path, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new("git")
        .args(arguments)
        .current_dir(root)
        .output()
        .map_err(|error| format!("git cannot be started: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!(
            "git {}: {}",
            arguments.join(" "),
            String::from_utf8_lossy(&output.stderr).trim()
        )),
    }
}

/// The files that are under version control, relative to the root.
pub(super) fn files(root: &Path) -> Result<Vec<String>, String> {
    Ok(git(root, &["ls-files", "-z"])?.split_terminator('\0').map(str::to_owned).collect())
}

/// An error that names what is not committed.
pub(super) fn is_clean(root: &Path) -> Result<(), String> {
    let changed = git(root, &["status", "--porcelain"])?;
    match changed.is_empty() {
        true => Ok(()),
        false => Err(format!("a release is made from what is committed; this is not:\n{changed}")),
    }
}

/// The time of the newest commit, in seconds since 1970.
pub(super) fn time(root: &Path) -> Result<String, String> {
    Ok(git(root, &["log", "-1", "--format=%ct"])?.trim().to_owned())
}

/// The day of the newest commit.
pub(super) fn day(root: &Path) -> Result<String, String> {
    Ok(git(root, &["log", "-1", "--format=%cs"])?.trim().to_owned())
}

/// Commits some files and folders, unless they are the same already.
pub(super) fn commit(root: &Path, paths: &[&str], message: &str) -> Result<(), String> {
    git(root, &[&["add", "--"], paths].concat())?;
    if git(root, &["status", "--porcelain"])?.is_empty() {
        return Ok(());
    }
    git(root, &["commit", "--quiet", "--message", message]).map(|_| ())
}
