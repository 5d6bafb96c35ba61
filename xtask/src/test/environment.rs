//! Virtual environments of Python.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::Failure;
use crate::process::{run, succeeds};

/// A virtual environment with the interpreter that is installed.
pub(super) struct Environment {
    folder: PathBuf,
}

impl Environment {
    /// The environment in a folder of `target`, which may exist already.
    ///
    /// # Errors
    /// There is no Python of this version.
    pub(super) fn new(name: &str, version: (u32, u32)) -> Result<Self, Failure> {
        let (major, minor) = version;
        let check = format!("import sys; assert sys.version_info >= ({major}, {minor})");
        if !succeeds(Command::new("python3").args(["-c", &check])) {
            return Err(Failure::Missing(format!(
                "python3 {major}.{minor} or later is not installed"
            )));
        }
        Ok(Self { folder: crate::repository().join("target").join(name) })
    }

    /// The interpreter.
    pub(super) fn python(&self) -> PathBuf {
        self.folder.join("bin/python")
    }

    /// A module as a program, in a folder of the repository.
    pub(super) fn module(&self, name: &str, folder: impl AsRef<Path>) -> Command {
        let mut command = Command::new(self.python());
        command.args(["-m", name]).current_dir(crate::repository().join(folder));
        command
    }

    /// Makes a new environment in place of an old one.
    pub(super) fn create(&self) -> Result<(), Failure> {
        let mut make = Command::new("python3");
        run(make.args(["-m", "venv", "--clear"]).arg(&self.folder))
            .map_err(|error| Failure::Missing(format!("no virtual environment: {error}")))
    }

    /// Installs packages, or the project in a folder. Packages come from the network.
    pub(super) fn install(&self, what: &[&str]) -> Result<(), Failure> {
        run(self.pip("install").args(what))
            .map_err(|error| Failure::Missing(format!("packages cannot be installed: {error}")))
    }

    /// A command of `pip`.
    pub(super) fn pip(&self, command: &str) -> Command {
        let mut pip = self.module("pip", "");
        pip.args([command, "--quiet", "--disable-pip-version-check"]);
        pip
    }
}
