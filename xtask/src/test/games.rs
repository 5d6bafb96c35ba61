//! Games in all languages: a study goes from Rust to Python, to JavaScript and back, and is the same.
//! In the long form, so are games from the test data of published packages.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Failure, Form, python};
use crate::environment::Environment;
use crate::files::{copy_to, make, read, repository};
use crate::process::{self, run};
use crate::{web, wheel};

/// The study, relative to the repository.
const STUDY: &str = "crates/pgn/tests/languages/study.pgn";

/// The programs that read games as trees.
struct Languages {
    /// The example of `tabiya-pgn`.
    rust: PathBuf,
    /// An interpreter with the Python package.
    environment: Environment,
    /// What they write.
    folder: PathBuf,
}

pub(super) fn in_all_languages(form: &Form) -> Result<(), Failure> {
    let languages = Languages::prepare(form)?;
    let study = repository().join(STUDY);
    let shown = languages.folder.join("study.txt");
    languages.run(languages.rust("show"), &study, &shown)?;
    let lines = read(&shown)?.lines().count();
    if lines < 100 {
        return Err(format!("{STUDY} says only {lines} lines").into());
    }
    let mut current = study.clone();
    let ways = [
        ("rust", Languages::rust as fn(&Languages, &str) -> Command),
        ("python", Languages::python),
        ("javascript", Languages::javascript),
        ("rust-again", Languages::rust),
    ];
    for (name, way) in ways {
        let written = languages.folder.join(name).with_extension("pgn");
        languages.run(way(&languages, "write"), &current, &written)?;
        for (reader, read) in &ways[..3] {
            let other = languages.folder.join(format!("{name}-{reader}.txt"));
            languages.run(read(&languages, "show"), &written, &other)?;
            languages.expect_same(&shown, &other)?;
        }
        current = written;
    }
    // What comes back is the same tree, and the same text as was sent.
    let mut compare = Command::new(&languages.rust);
    run(compare.arg("compare").arg(&study).arg(&current))?;
    languages.expect_same(&languages.folder.join("rust.pgn"), &current)?;
    if form.long { languages.read_real_games() } else { Ok(()) }
}

/// Packages of npm with games in their tests; kokopu also reads them.
const PACKAGES: [&str; 4] =
    ["kokopu@4.13.4", "cm-pgn@5.0.0", "@mliebelt/pgn-parser@1.4.19", "chess.js@1.4.0"];

impl Languages {
    /// Builds the programs and packages.
    fn prepare(form: &Form) -> Result<Self, Failure> {
        web::prepare().map_err(Failure::Missing)?;
        web::build_package()?;
        let environment = Environment::new("games-environment", python::VERSION);
        let environment = environment.map_err(Failure::Missing)?;
        environment.create().map_err(Failure::Missing)?;
        let wheel = wheel::as_tested(&environment)?;
        environment.install(&[&wheel]).map_err(Failure::Missing)?;
        run(form.build_workspace().args(["--quiet", "--example", "trees"]))?;
        let target = repository().join("target");
        let folder = target.join("games-in-all-languages");
        // A copy, because other suites build it in other ways.
        let (built, rust) = (target.join("release/examples/trees"), folder.join("trees"));
        copy_to(&built, &rust)?;
        Ok(Self { rust, environment, folder })
    }

    /// Compares what the languages and other libraries read in games of published packages.
    fn read_real_games(&self) -> Result<(), Failure> {
        let missing = |error| Failure::Missing(format!("packages cannot be downloaded: {error}"));
        let archive = python::download(&self.environment)?;
        self.environment.install(&[python::PYTHON_CHESS]).map_err(missing)?;
        let packages = self.folder.join("packages");
        make(&packages)?;
        let mut install = web::npm("");
        install.args(["install", "--no-audit", "--no-fund", "--no-save", "--ignore-scripts"]);
        run(install.arg("--prefix").arg(&packages).args(PACKAGES)).map_err(missing)?;
        run(&mut process::cargo(["fetch", "--manifest-path", "peers/Cargo.toml"]))
            .map_err(missing)?;
        let mut check = self.environment.module("real_games", "");
        check.env("PYTHONPATH", "python/tests/languages").arg("--trees").arg(&self.rust);
        let npm = repository().join("web/npm");
        Ok(run(check.arg("--npm").arg(npm).arg("--packages").arg(packages).arg(archive))?)
    }

    fn rust(&self, task: &str) -> Command {
        let mut command = Command::new(&self.rust);
        command.arg(task);
        command
    }

    fn python(&self, task: &str) -> Command {
        let mut command = Command::new(self.environment.python());
        command.args(["python/tests/languages/trees.py", task]);
        command.current_dir(repository());
        command
    }

    fn javascript(&self, task: &str) -> Command {
        let mut command = Command::new("node");
        command.args(["tests/languages/trees.mjs", task]);
        command.current_dir(repository().join("web/npm"));
        command
    }

    /// Runs a program from one file to another.
    fn run(&self, mut command: Command, from: &Path, to: &Path) -> Result<(), String> {
        let about = |path: &Path| {
            let path = path.display().to_string();
            move |error: std::io::Error| format!("{path}: {error}")
        };
        let input = File::open(from).map_err(about(from))?;
        let output = File::create(to).map_err(about(to))?;
        let status = command.stdin(input).stdout(output).status();
        match status.map_err(|error| format!("{command:?}: {error}"))?.success() {
            true => Ok(()),
            false => Err(format!("{command:?} failed on {}", from.display())),
        }
    }

    /// Compares two files, line by line.
    fn expect_same(&self, one: &Path, other: &Path) -> Result<(), String> {
        let (wanted, found) = (read(one)?, read(other)?);
        if wanted == found {
            return Ok(());
        }
        let (mut wanted, mut found) = (wanted.lines(), found.lines());
        let difference = loop {
            match (wanted.next(), found.next()) {
                (Some(one), Some(other)) if one == other => {}
                (one, other) => break (one.unwrap_or("(end)"), other.unwrap_or("(end)")),
            }
        };
        let (one, other) = (one.display(), other.display());
        Err(format!("{one} and {other} differ:\n{}\n{}", difference.0, difference.1))
    }
}
