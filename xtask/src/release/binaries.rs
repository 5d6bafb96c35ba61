//! The command for each system, built from the packed crates outside the repository. On Linux it is
//! linked statically, so one program runs on every distribution.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::notices::{self, Bundle};
use super::{Release, archives, debian};
use crate::output::say;
use crate::packed;
use crate::process::{can_build_for, cargo, run};

/// The targets that one machine with Linux can build.
pub(super) const TARGETS: [&str; 2] = ["x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl"];

/// What belongs to the command, built for a target.
pub(super) struct Built<'a> {
    pub(super) target: &'a str,
    pub(super) program: PathBuf,
    /// A folder with its manual pages.
    pub(super) pages: PathBuf,
    /// A folder with completions for shells.
    pub(super) completions: PathBuf,
    /// The licences of what it contains.
    pub(super) notices: String,
}

pub(super) fn make(release: &Release) -> Result<(), String> {
    let outside = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    packed::unpack_all(&release.sources, outside.path())?;
    for target in &release.targets {
        let program = build(outside.path(), target)?;
        let folder = outside.path().join("extras").join(target);
        let built = Built {
            target,
            pages: pages(target, &program, &folder)?,
            completions: completions(target, &program, &folder)?,
            notices: notices::of(outside.path(), &bundle(target))?,
            program,
        };
        is_right(&built)?;
        archives::make(release, &built)?;
        if debian::architecture(target).is_some() {
            debian::make(release, &built)?;
        }
    }
    Ok(())
}

/// The command as a bundle of crates.
fn bundle(target: &str) -> Bundle<'_> {
    let runtime = if target.ends_with("-musl") { ", the C library musl (MIT)" } else { "" };
    Bundle { package: "tabiya-cli", target, name: "The program", runtime }
}

/// Builds the command from the sources in a folder and returns its path.
fn build(sources: &Path, target: &str) -> Result<PathBuf, String> {
    if !can_build_for(target) {
        return Err(format!("no Rust target {target}: rustup target add {target}"));
    }
    let folder = crate::repository().join("target");
    let mut build = cargo(["build", "--quiet", "--release", "--package", "tabiya-cli"]);
    build.args(["--target", target]).current_dir(sources).env("CARGO_TARGET_DIR", &folder);
    if target.ends_with("-musl") {
        // Rust brings all that a static program needs, the linker too: no compiler for C is asked.
        let name = target.to_uppercase().replace('-', "_");
        let flags = "-Clink-self-contained=yes -Clinker=rust-lld -Ctarget-feature=+crt-static";
        build.env(format!("CARGO_TARGET_{name}_RUSTFLAGS"), flags);
    }
    run(&mut build)?;
    let name = if target.contains("windows") { "tabiya.exe" } else { "tabiya" };
    Ok(folder.join(target).join("release").join(name))
}

/// The program, as it runs on this machine.
fn start(target: &str, program: &Path) -> Command {
    let is_emulated = cfg!(target_os = "linux")
        && target.contains("linux")
        && !target.starts_with(std::env::consts::ARCH);
    if is_emulated {
        let machine = target.split('-').next().unwrap_or_default();
        let mut command = Command::new(format!("qemu-{machine}"));
        command.arg(program);
        return command;
    }
    Command::new(program)
}

/// Writes the manual pages and returns their folder.
fn pages(target: &str, program: &Path, folder: &Path) -> Result<PathBuf, String> {
    let pages = folder.join("man");
    run(start(target, program).args(["man", "--dir"]).arg(&pages))?;
    Ok(pages)
}

/// The shells, with the names that their completions have.
pub(super) const SHELLS: [(&str, &str); 5] = [
    ("bash", "tabiya.bash"),
    ("elvish", "tabiya.elv"),
    ("fish", "tabiya.fish"),
    ("powershell", "_tabiya.ps1"),
    ("zsh", "_tabiya"),
];

/// Writes the completions and returns their folder.
fn completions(target: &str, program: &Path, folder: &Path) -> Result<PathBuf, String> {
    let completions = folder.join("completions");
    fs::create_dir_all(&completions).map_err(|e| format!("{}: {e}", completions.display()))?;
    for (shell, name) in SHELLS {
        let output = start(target, program).args(["completions", shell]).output();
        let output = output.map_err(|error| format!("{}: {error}", program.display()))?;
        if !output.status.success() {
            return Err(format!("tabiya completions {shell} ended with {}", output.status));
        }
        let to = completions.join(name);
        fs::write(&to, output.stdout).map_err(|error| format!("{}: {error}", to.display()))?;
    }
    Ok(completions)
}

/// Runs the program, and checks that it needs no library of the system where it should not.
fn is_right(built: &Built<'_>) -> Result<(), String> {
    run(start(built.target, &built.program).args(["perft", "5", "--expect", "4865609"]))?;
    if built.target.ends_with("-musl") {
        let bytes = fs::read(&built.program)
            .map_err(|error| format!("{}: {error}", built.program.display()))?;
        if asks_for_loader(&bytes) != Some(false) {
            return Err(format!("{} is not linked statically", built.program.display()));
        }
    }
    say(&format!("   {} runs", built.target));
    Ok(())
}

/// Does a program in ELF with 64 bits name a dynamic loader, and so need libraries of the system?
/// `None` if it is no such program.
fn asks_for_loader(bytes: &[u8]) -> Option<bool> {
    const PT_INTERP: u32 = 3;
    let number = |at: usize, size: usize| -> Option<usize> {
        let digits = bytes.get(at..at + size)?.iter().rev();
        Some(digits.fold(0, |number, &digit| number << 8 | usize::from(digit)))
    };
    if bytes.get(..6)? != b"\x7fELF\x02\x01" {
        return None;
    }
    let (headers, size, count) = (number(32, 8)?, number(54, 2)?, number(56, 2)?);
    let mut kinds = (0..count).map(|index| number(headers + index * size, 4));
    Some(kinds.any(|kind| kind == usize::try_from(PT_INTERP).ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// This program is linked to libraries of the system on usual Linux, and no text is a program.
    #[test]
    fn dynamic_programs_are_recognised() {
        if cfg!(all(target_os = "linux", target_env = "gnu")) {
            let own = fs::read(std::env::current_exe().unwrap()).unwrap();
            assert_eq!(asks_for_loader(&own), Some(true));
        }
        assert_eq!(asks_for_loader(b"#!/bin/sh"), None);
        assert_eq!(asks_for_loader(b""), None);
        // A header without any parts.
        let mut header = [0; 64];
        header[..6].copy_from_slice(b"\x7fELF\x02\x01");
        assert_eq!(asks_for_loader(&header), Some(false));
    }
}
