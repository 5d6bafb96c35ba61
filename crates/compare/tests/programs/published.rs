//! Programs that other people have published: what a hunt finds in old versions with known bugs, and
//! that it finds nothing in right ones.
//!
//! `cargo xtask test published` installs them, each into a folder of its own next to the adapter of
//! the tutorial, and names the folder of all in a variable. Nothing of them is in this repository.

use std::path::{Path, PathBuf};

use tabiya_compare::Options;

use crate::watched::hunt_in;

/// The programs, and what must be found in each.
const PROGRAMS: &str = include_str!("../published/programs.txt");

/// The environment variable with the folder in which the programs are installed.
const VARIABLE: &str = "TABIYA_PUBLISHED";

/// The most leaf nodes of a question. Some of the programs count a few thousand in a second.
const MOST_LEAVES: u64 = 3_000;

/// A published program.
pub(crate) struct Published {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
    pub(crate) registry: &'static str,
    /// The classes of the findings of a full run, in their order.
    pub(crate) found: Vec<&'static str>,
}

impl Published {
    /// The programs of the list.
    pub(crate) fn all() -> Vec<Self> {
        let lines = PROGRAMS.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        lines
            .map(|line| {
                let parts: Vec<&str> = line.split('|').map(str::trim).collect();
                let [name, version, package, _, found] = parts[..] else { panic!("{line}") };
                let (registry, _) = package.split_once(' ').expect("a registry and a package");
                Self { name, version, registry, found: found.split_whitespace().collect() }
            })
            .collect()
    }

    /// The command, if the program is installed in one of the folders.
    fn command(&self, all: &Path) -> Option<Vec<String>> {
        let folder = all.join(format!("{}-{}", self.name, self.version));
        let words: Vec<PathBuf> = match self.registry {
            "pypi" => vec![folder.join("bin/python"), "-B".into(), folder.join("adapter.py")],
            "npm" => vec!["node".into(), folder.join("adapter.mjs")],
            // Debian installs games in a folder that is not always in the path.
            _ => vec![PathBuf::from("/usr/games/stockfish")],
        };
        let script = words.last().filter(|it| it.exists());
        script.map(|_| words.iter().map(|it| it.display().to_string()).collect())
    }

    /// The difference between what is found and what must be found.
    fn complaint(&self, command: &[String]) -> Option<String> {
        let affords = |leaves| leaves <= MOST_LEAVES;
        let report = hunt_in(command, None, Options { affords: &affords, ..Options::default() });
        let report = report.report;
        let found: Vec<&str> = report.findings.iter().map(|it| it.class.name()).collect();
        println!("{} {}: {found:?} in {} questions", self.name, self.version, report.asked);
        (found != self.found).then(|| {
            format!(
                "{} {}: {found:?} instead of {:?}\n{report}",
                self.name, self.version, self.found
            )
        })
    }

    /// Does a hunt for the first finding give the first one of a full run?
    fn complaint_about_first(&self, command: &[String]) -> Option<String> {
        let affords = |leaves| leaves <= MOST_LEAVES;
        let options = Options { first: true, affords: &affords, ..Options::default() };
        let report = hunt_in(command, None, options).report;
        let found = report.findings.first().map(|it| it.class.name());
        let wanted = self.found.first().copied();
        (found != wanted)
            .then(|| format!("{} {}: {found:?} is first, not {wanted:?}", self.name, self.version))
    }
}

#[test]
fn published_programs() {
    let Some(folder) = std::env::var_os(VARIABLE) else { return };
    let (mut wrong, mut hunted) = (Vec::new(), 0);
    for program in Published::all() {
        let Some(command) = program.command(Path::new(&folder)) else {
            println!("{} {} is not installed", program.name, program.version);
            continue;
        };
        hunted += 1;
        wrong.extend(program.complaint(&command));
        if !program.found.is_empty() {
            wrong.extend(program.complaint_about_first(&command));
        }
    }
    assert!(hunted > 0, "none is installed in {}", Path::new(&folder).display());
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
