//! The command for each system, built from the packed crates outside the repository. On Linux it is
//! linked statically, so one program runs on every distribution.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::notices::{self, Bundle};
use super::plan::{Built, Release};
use super::{archives, debian};
use crate::files::{self, repository, temporary, write};
use crate::output::say;
use crate::packed;
use crate::process::{can_build_for, cargo, run, succeeds};

/// The targets that one machine with Linux can build.
pub(super) const TARGETS: [&str; 2] = ["x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl"];

pub(super) fn make(release: &Release) -> Result<(), String> {
    let outside = temporary()?;
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
    let folder = repository().join("target");
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
    files::make(&completions)?;
    for (shell, name) in SHELLS {
        let output = start(target, program).args(["completions", shell]).output();
        let output = output.map_err(|error| format!("{}: {error}", program.display()))?;
        if !output.status.success() {
            return Err(format!("tabiya completions {shell} ended with {}", output.status));
        }
        write(&completions.join(name), output.stdout)?;
    }
    Ok(completions)
}

/// Runs the program, and checks that it needs no library of the system where it should not.
fn is_right(built: &Built<'_>) -> Result<(), String> {
    run(start(built.target, &built.program).args(["perft", "5", "--expect", "4865609"]))?;
    // Its path would stand there as text.
    let loader = ["-c", "! grep --quiet --text '/ld-musl-' \"$0\""];
    if built.target.ends_with("-musl")
        && !succeeds(Command::new("sh").args(loader).arg(&built.program))
    {
        return Err(format!("{} is not linked statically", built.program.display()));
    }
    say(&format!("   {} runs", built.target));
    Ok(())
}
