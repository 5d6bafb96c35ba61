//! Programs that the tasks run, installed from their sources into a folder of `target`.

use std::fs;
use std::path::PathBuf;

use crate::process::{cargo, run};

const FOLDER: &str = "target/tools";

/// A program of a package that cargo can install.
pub(crate) struct Tool<'a> {
    pub(crate) package: &'a str,
    pub(crate) program: &'a str,
    pub(crate) version: &'a str,
    /// Further arguments for `cargo install`.
    pub(crate) options: &'a [&'a str],
}

impl Tool<'_> {
    /// The path of the program, installed or not.
    pub(crate) fn path(&self) -> PathBuf {
        crate::repository().join(FOLDER).join("bin").join(self.program)
    }

    /// Installs the program, unless this version is installed.
    ///
    /// # Errors
    /// The package cannot be downloaded, or does not compile.
    pub(crate) fn install(&self) -> Result<(), String> {
        // What cargo notes of each installation.
        let notes = crate::repository().join(FOLDER).join(".crates.toml");
        let notes = fs::read_to_string(notes).unwrap_or_default();
        let note = format!("\"{} {} (", self.package, self.version);
        if notes.lines().any(|line| line.starts_with(&note)) && self.path().is_file() {
            return Ok(());
        }
        let install = |locked: &[&str]| {
            // Without optimisation: compiling is a minute shorter, and each run of the program
            // takes half a second longer.
            let mut install = cargo(["install", self.package, "--version", self.version]);
            install.args(["--debug", "--force", "--quiet", "--root", FOLDER]).args(self.options);
            run(install.args(locked).env("CARGO_PROFILE_DEV_DEBUG", "false"))
        };
        // A mirror of the registry may lack the very newest version that the lock file names.
        install(&["--locked"])
            .or_else(|_| install(&[]))
            .map_err(|error| format!("{} cannot be installed: {error}", self.package))
    }
}
