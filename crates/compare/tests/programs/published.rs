//! Programs that other people have published: what a hunt finds in old versions with known bugs, and
//! that it finds nothing in right ones.
//!
//! `cargo xtask test published` installs them, each into a folder of its own next to the adapter of
//! the tutorial, and names the folder of all in a variable. Nothing of them is in this repository.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

use tabiya_compare::{Options, Report};

use crate::watched::hunt_in;

/// The programs, and what must be found in each.
const PROGRAMS: &str = include_str!("../published/programs.txt");

/// The environment variable with the folder in which the programs are installed.
const VARIABLE: &str = "TABIYA_PUBLISHED";

/// The most leaf nodes of a question. Some of the programs count a few hundred in a second.
const MOST_LEAVES: u64 = 150;

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

    /// A hunt up to the depths that slow programs can count.
    fn hunt(command: &[String], first: bool) -> Report {
        let affords = |leaves| leaves <= MOST_LEAVES;
        hunt_in(command, None, Options { first, affords: &affords, ..Options::default() }).report
    }

    /// The differences between what is found and what must be found. A hunt for the first finding
    /// gives the first one of a full run.
    fn complaints(&self, command: &[String]) -> Vec<String> {
        let Self { name, version, found: wanted, .. } = self;
        let classes = |report: &Report| -> Vec<&str> {
            report.findings.iter().map(|it| it.class.name()).collect()
        };
        let full = Self::hunt(command, false);
        let found = classes(&full);
        println!("{name} {version}: {found:?} in {} questions", full.asked);
        let mut complaints = Vec::new();
        if found != *wanted {
            complaints.push(format!("{name} {version}: {found:?} instead of {wanted:?}\n{full}"));
        }
        if !wanted.is_empty() {
            let first = classes(&Self::hunt(command, true));
            if first != wanted[..1] {
                complaints.push(format!("{name} {version}: {first:?} is first, not {wanted:?}"));
            }
        }
        complaints
    }
}

#[test]
fn published_programs() {
    let Some(folder) = std::env::var_os(VARIABLE) else { return };
    let installed: Vec<(Published, Vec<String>)> = Published::all()
        .into_iter()
        .filter_map(|program| {
            let command = program.command(Path::new(&folder));
            if command.is_none() {
                println!("{} {} is not installed", program.name, program.version);
            }
            Some((program, command?))
        })
        .collect();
    assert!(installed.len() > 1, "nothing is installed in {}", Path::new(&folder).display());
    let (left, wrong) = (Mutex::new(installed.iter()), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, NonZero::get) {
            scope.spawn(|| {
                loop {
                    let next = left.lock().expect("no thread panics with it").next();
                    let Some((program, command)) = next else { return };
                    let complaints = program.complaints(command);
                    wrong.lock().expect("no thread panics with it").extend(complaints);
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no thread panics with it");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
