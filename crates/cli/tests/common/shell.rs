//! Runs commands in a shell as documents show them, for several test targets.
#![cfg_attr(not(unix), allow(dead_code, reason = "needs a POSIX shell"))]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::program::Run;

/// Runs a line in a directory, with the program of this build as `tabiya`. The line must succeed.
/// Returns its output.
pub(crate) fn fine(line: &str, directory: &Path) -> String {
    let end = run(line, directory);
    assert_eq!((end.code, end.err.as_str()), (Some(0), ""), "$ {line}\n{}", end.out);
    end.out
}

/// Runs a line in a directory, with the program of this build as `tabiya`.
pub(crate) fn run(line: &str, directory: &Path) -> Run {
    let bin = directory.join(".bin");
    fs::create_dir_all(&bin).unwrap();
    let program = bin.join("tabiya");
    if !program.exists() {
        link(Path::new(env!("CARGO_BIN_EXE_tabiya")), &program);
    }
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .arg("-c")
        .arg(line)
        .current_dir(directory)
        .env("HOME", directory)
        .env("PATH", format!("{}:{path}", bin.display()))
        .env_remove("CLICOLOR_FORCE")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    Run::from(output)
}

#[cfg(unix)]
pub(crate) fn link(from: &Path, to: &Path) {
    std::os::unix::fs::symlink(from, to).unwrap();
}

#[cfg(not(unix))]
pub(crate) fn link(from: &Path, to: &Path) {
    fs::copy(from, to).unwrap();
}
