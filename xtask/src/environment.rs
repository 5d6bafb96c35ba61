//! Virtual environments of Python.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use crate::files::{repository, write};
use crate::process::{run, succeeds};

/// The folder of `target` with the one environment that has a `pip`, which installs into all others.
/// To put one into each takes longer than most packages.
const PIP: &str = "tools/pip";

/// A virtual environment with the interpreter that is installed.
pub(crate) struct Environment {
    folder: PathBuf,
}

impl Environment {
    /// The environment in a folder of `target`, which may exist already.
    ///
    /// # Errors
    /// There is no Python of this version.
    pub(crate) fn new(name: &str, version: (u32, u32)) -> Result<Self, String> {
        let (major, minor) = version;
        let check = format!("import sys; assert sys.version_info >= ({major}, {minor})");
        if !succeeds(Command::new("python3").args(["-c", &check])) {
            return Err(format!("python3 {major}.{minor} or later is not installed"));
        }
        Ok(Self { folder: repository().join("target").join(name) })
    }

    /// The interpreter.
    pub(crate) fn python(&self) -> PathBuf {
        self.folder.join("bin/python")
    }

    /// A module as a program, in a folder of the repository.
    pub(crate) fn module(&self, name: &str, folder: impl AsRef<Path>) -> Command {
        let mut command = Command::new(self.python());
        command.args(["-m", name]).current_dir(repository().join(folder));
        command
    }

    /// Makes a new environment in place of an old one.
    pub(crate) fn create(&self) -> Result<(), String> {
        self.make(&["--without-pip"])
    }

    fn make(&self, options: &[&str]) -> Result<(), String> {
        let mut make = Command::new("python3");
        run(make.args(["-m", "venv", "--clear"]).args(options).arg(&self.folder))
            .map_err(|error| format!("no virtual environment: {error}"))
    }

    /// Makes the environment with some packages, unless it has them already.
    ///
    /// # Errors
    /// The packages, which come from the network, cannot be installed.
    pub(crate) fn with(self, packages: &[&str]) -> Result<Self, String> {
        let made = self.folder.join("packages");
        let wanted = packages.join("\n");
        if std::fs::read_to_string(&made).is_ok_and(|installed| installed == wanted) {
            return Ok(self);
        }
        self.create()?;
        self.install(packages)?;
        write(&made, wanted)?;
        Ok(self)
    }

    /// Installs packages, or the project in a folder. Packages come from the network.
    pub(crate) fn install(&self, what: &[&str]) -> Result<(), String> {
        // Python compiles the modules that are imported, and most are not.
        run(self.pip("install")?.arg("--no-compile").args(what))
            .map_err(|error| format!("packages cannot be installed: {error}"))
    }

    /// A command of `pip`.
    ///
    /// # Errors
    /// There is no `pip`.
    pub(crate) fn pip(&self, command: &str) -> Result<Command, String> {
        // Suites that run at the same time need it at the same time.
        static MADE: Mutex<()> = Mutex::new(());
        let folder = repository().join("target").join(PIP);
        let installer = Self { folder };
        let mut pip = installer.module("pip", "");
        {
            let _one_at_a_time = MADE.lock().expect("no thread panics with it");
            if !succeeds(installer.module("pip", "").arg("--version")) {
                installer.make(&[])?;
            }
        }
        pip.arg("--python").arg(self.python());
        pip.args([command, "--quiet", "--disable-pip-version-check"]);
        Ok(pip)
    }
}
