//! An archive of the command, which is all that somebody without Rust needs.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::binaries::Built;
use super::{Release, notices};
use crate::packed::files;
use crate::process::run;

/// Files of the repository that go into the archive.
const FILES: [&str; 3] = ["crates/cli/README.md", "LICENSE-APACHE", "LICENSE-MIT"];

pub(super) fn make(release: &Release, built: &Built<'_>) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let name = release.name(built.target);
    let inside = folder.path().join(&name);
    let root = crate::repository();
    for file in FILES {
        copy(&root.join(file), &inside)?;
    }
    copy(&built.program, &inside)?;
    copy_all(&built.pages, &inside.join("man"))?;
    copy_all(&built.completions, &inside.join("completions"))?;
    for (name, text) in [("CHANGELOG.md", &release.changelog), (notices::FILE, &built.notices)] {
        let to = inside.join(name);
        fs::write(&to, text).map_err(|error| format!("{}: {error}", to.display()))?;
    }
    let ending = if built.target.contains("windows") { "zip" } else { "tar.gz" };
    let archive = release.dist.join(format!("{name}.{ending}"));
    run(pack(release).arg("-caf").arg(archive).arg("-C").arg(folder.path()).arg(&name))
}

/// `tar` with arguments that make the same files the same archive.
fn pack(release: &Release) -> Command {
    let mut tar = Command::new("tar");
    // Those of other systems know other arguments.
    if cfg!(target_os = "linux") {
        tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner"]);
        tar.arg(format!("--mtime=@{}", release.time)).env("GZIP", "-n");
    }
    tar
}

/// Copies a file into a folder, which is made if it is not there.
pub(super) fn copy(file: &Path, folder: &Path) -> Result<(), String> {
    let to = folder.join(file.file_name().unwrap_or_default());
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    fs::copy(file, to).map(|_| ()).map_err(|error| format!("{}: {error}", file.display()))
}

/// Copies the files of a folder into another one.
pub(super) fn copy_all(from: &Path, to: &Path) -> Result<(), String> {
    files(from)?.iter().filter(|path| path.is_file()).try_for_each(|file| copy(file, to))
}
