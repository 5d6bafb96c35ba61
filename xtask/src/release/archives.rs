//! An archive of the command, which is all that somebody without Rust needs.

use std::process::Command;

use super::notices;
use super::plan::{Built, Release};
use crate::files::{copy, copy_all, repository, temporary, write};
use crate::process::run;

/// Files of the repository that go into the archive.
const FILES: [&str; 3] = ["crates/cli/README.md", "LICENSE-APACHE", "LICENSE-MIT"];

pub(super) fn make(release: &Release, built: &Built<'_>) -> Result<(), String> {
    let folder = temporary()?;
    let name = release.name(built.target);
    let inside = folder.path().join(&name);
    let root = repository();
    for file in FILES {
        copy(&root.join(file), &inside)?;
    }
    copy(&built.program, &inside)?;
    copy_all(&built.pages, &inside.join("man"))?;
    copy_all(&built.completions, &inside.join("completions"))?;
    for (name, text) in [("CHANGELOG.md", &release.changelog), (notices::FILE, &built.notices)] {
        write(&inside.join(name), text)?;
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
