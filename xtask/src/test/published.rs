//! `tabiya compare` on programs that other people have published. They are installed from their
//! registries into folders of `target`, each with the adapter of the tutorial; the test hunts in
//! them, and knows what must be found.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Failure, Form};
use crate::environment::Environment;
use crate::files::{copy_to, make, read, repository};
use crate::output::say;
use crate::process::{run, succeeds};

/// The folder of the installed programs.
const FOLDER: &str = "published";

/// A program of the list.
struct Program<'a> {
    /// Its name with its version.
    folder: String,
    registry: &'a str,
    package: &'a str,
    version: &'a str,
    /// The file of its generator for the adapter.
    generator: &'a str,
}

impl<'a> Program<'a> {
    fn read(line: &'a str) -> Result<Self, String> {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let wrong = || format!("the list of published programs has the line '{line}'");
        let [name, version, package, generator, _] = parts[..] else { return Err(wrong()) };
        let (registry, package) = package.split_once(' ').ok_or_else(wrong)?;
        Ok(Self { folder: format!("{name}-{version}"), registry, package, version, generator })
    }

    fn install(&self, sources: &Path) -> Result<(), Failure> {
        let folder = repository().join("target").join(FOLDER).join(&self.folder);
        let language = match self.registry {
            "pypi" => {
                self.install_for_python()?;
                "python/adapter.py"
            }
            "npm" => {
                self.install_for_node(&folder)?;
                "javascript/adapter.mjs"
            }
            _ => {
                if !Path::new("/usr/games").join(self.package).exists() {
                    say(&format!("   {} of Debian is not installed, and left out", self.package));
                }
                return Ok(());
            }
        };
        let adapter = sources.join("adapters").join(language);
        let extension = adapter.extension().unwrap_or_default().to_string_lossy().into_owned();
        let generator = sources.join("tests/published").join(self.generator);
        copy_to(&adapter, &folder.join(format!("adapter.{extension}")))?;
        Ok(copy_to(&generator, &folder.join(format!("generator.{extension}")))?)
    }

    fn install_for_python(&self) -> Result<(), Failure> {
        let environment = Environment::new(&format!("{FOLDER}/{}", self.folder), (3, 8))
            .map_err(Failure::Missing)?;
        let package = format!("{}=={}", self.package, self.version);
        let check = format!(
            "from importlib.metadata import version; assert version({:?}) == {:?}",
            self.package, self.version
        );
        if !succeeds(Command::new(environment.python()).args(["-c", &check])) {
            environment.create().map_err(Failure::Missing)?;
            environment.install(&[&package]).map_err(Failure::Missing)?;
        }
        Ok(())
    }

    fn install_for_node(&self, folder: &Path) -> Result<(), Failure> {
        let manifest = folder.join("node_modules").join(self.package).join("package.json");
        let wanted = format!("\"version\": \"{}\"", self.version);
        if fs::read_to_string(manifest).is_ok_and(|text| text.contains(&wanted)) {
            return Ok(());
        }
        make(folder)?;
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--no-save"]);
        npm.arg("--prefix").arg(folder).arg(format!("{}@{}", self.package, self.version));
        run(&mut npm)
            .map_err(|error| Failure::Missing(format!("packages cannot be installed: {error}")))
    }
}

/// Installs the programs, and hunts in each.
pub(super) fn hunt_in_all(form: &Form) -> Result<(), Failure> {
    let sources: PathBuf = repository().join("crates/compare");
    let list = read(&sources.join("tests/published/programs.txt"))?;
    for line in list.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        Program::read(line)?.install(&sources)?;
    }
    let mut test = form.test_workspace();
    test.args(["--test", "programs", "published_programs", "--", "--nocapture"]);
    Ok(run(test.env("TABIYA_PUBLISHED", repository().join("target").join(FOLDER)))?)
}
