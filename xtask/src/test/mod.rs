//! Every test suite of the project, in one place.
//!
//! A suite that needs something that is not installed reports it in one line and is skipped; with
//! `CI=true` it fails instead. Two suites run at a time, from two lists and then from a third one, and
//! each prints when it has ended. A summary with the time of each suite comes last.

mod agreement;
mod bundled;
mod differential;
mod emulation;
mod examples;
mod features;
mod fuzz;
mod games;
mod install;
mod interface;
mod licences;
mod packages;
mod published;
mod publishing;
mod python;
mod quick;
mod rust;
mod sanitized_module;
mod site;
mod targets;
mod undefined;
mod wasm;
mod web;

use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use std::{fmt, fs, thread};

use crate::{output, process};

/// Options of `cargo xtask test`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The suites to run; if none is named, all but those that take very long
    #[arg(value_name = "SUITE", value_parser = names())]
    suites: Vec<String>,

    /// List the suites
    #[arg(long)]
    list: bool,

    /// Run only what catches most mistakes in a minute or two
    #[arg(long, conflicts_with_all = ["suites", "long"])]
    quick: bool,

    /// Run one suite at a time, and show what each prints at once
    #[arg(long)]
    one_by_one: bool,

    /// Run the long versions: deeper counts, more random input, and the suites that take very long
    #[arg(long)]
    long: bool,
}

/// One test suite.
struct Suite {
    name: &'static str,
    about: &'static str,
    run: fn(&Form) -> Result<(), Failure>,
}

/// Suites that take very long, or need a nightly compiler or a release in `target/dist`. They run if
/// they are named, and in the long form.
const LONG: [&str; 5] = ["published", "miri", "sanitizers", "sanitized-python", "install"];

/// Suites that build the programs of the workspace, each in its own way. One replaces the builds of
/// another, so they run one after the other.
const WORKSPACE: &[Suite] = &[
    Suite { name: "rust", about: "the Rust workspace", run: rust::workspace },
    Suite {
        name: "features",
        about: "the crates with features on and off",
        run: features::combinations,
    },
    Suite { name: "native", about: "the library built for this CPU", run: rust::native },
    Suite { name: "magics", about: "the magic multipliers are reproduced", run: rust::magics },
    Suite {
        name: "openings",
        about: "the tables of named openings match their data",
        run: rust::openings,
    },
    Suite { name: "schemas", about: "the schemas match the JSON output", run: rust::schemas },
    Suite { name: "coverage", about: "each rule has enough positions", run: rust::coverage },
    Suite { name: "adapters", about: "the adapters in other languages work", run: rust::adapters },
    Suite {
        name: "agreement",
        about: "random games agree with python-chess",
        run: agreement::with_python_chess,
    },
    Suite {
        name: "differential",
        about: "random positions agree with shakmaty and cozy-chess",
        run: differential::with_peers,
    },
    Suite { name: "examples", about: "the engine plays by the rules", run: examples::run_all },
    Suite {
        name: "emulation",
        about: "the tests pass on a big-endian machine and on old CPUs",
        run: emulation::run_all,
    },
    Suite {
        name: "packages",
        about: "the packages build, and find their files",
        run: packages::test_outside,
    },
    Suite {
        name: "published",
        about: "compare finds what is known in published programs",
        run: published::hunt_in_all,
    },
    Suite {
        name: "miri",
        about: "an interpreter finds no undefined behaviour",
        run: undefined::interpret,
    },
    Suite {
        name: "sanitizers",
        about: "no access is out of bounds, no data race",
        run: undefined::sanitize,
    },
];

/// Suites that build elsewhere. They run next to those of the workspace, which use one core for
/// much of their time.
const OTHERS: &[Suite] = &[
    Suite {
        name: "interface",
        about: "changes of public interfaces are in the changelog",
        run: interface::check,
    },
    Suite { name: "web", about: "the npm package and the explorer", run: web::test_page },
    Suite { name: "site", about: "the site is built, and its links hold", run: site::build },
    Suite { name: "python", about: "the Python package", run: python::test_wheel },
    Suite {
        name: "sanitized-python",
        about: "no access of the Python module is out of bounds",
        run: sanitized_module::test,
    },
    Suite {
        name: "games",
        about: "a study is the same in Rust, Python and JavaScript",
        run: games::in_all_languages,
    },
];

/// Suites whose builds disturb no others. They run where there is time, the longest first.
const ANYWHERE: &[Suite] = &[
    Suite { name: "fuzz", about: "random input breaks nothing", run: fuzz::run_at_random },
    Suite {
        name: "licences",
        about: "dependencies are permitted and explained",
        run: licences::check,
    },
    Suite { name: "targets", about: "it compiles for other machines", run: targets::run_builds },
    Suite { name: "wasm", about: "counting works in WebAssembly", run: wasm::run_in_node },
    Suite {
        name: "publishing",
        about: "one version everywhere; workflows and templates are valid",
        run: publishing::check,
    },
    Suite {
        name: "install",
        about: "each artefact is installed, used and removed on an empty machine",
        run: install::try_all,
    },
];

fn names() -> Vec<&'static str> {
    all().map(|suite| suite.name).collect()
}

fn all() -> impl Iterator<Item = &'static Suite> {
    WORKSPACE.iter().chain(OTHERS).chain(ANYWHERE)
}

/// The reason why a suite did not pass.
#[derive(Debug)]
enum Failure {
    /// This machine lacks something.
    Missing(String),
    /// A test failed.
    Failed(String),
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self::Failed(message)
    }
}

/// The outcome of a suite.
#[derive(Clone)]
enum Outcome {
    Passed,
    Skipped(String),
    Failed(String),
}

impl Outcome {
    fn of(result: Result<(), Failure>, in_ci: bool) -> Self {
        match result {
            Ok(()) => Self::Passed,
            Err(Failure::Missing(what)) if !in_ci => Self::Skipped(what),
            Err(Failure::Missing(what)) => Self::Failed(what),
            Err(Failure::Failed(message)) => Self::Failed(message),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Passed => f.write_str("passed"),
            Self::Skipped(what) => write!(f, "skipped: {what}"),
            Self::Failed(message) => write!(f, "failed: {message}"),
        }
    }
}

/// The number of tests of the workspace that run at a time.
const THREADS: &str = "4";

/// The amount of testing.
struct Form {
    long: bool,
    /// Does the suite `rust` run as well?
    tests_workspace: bool,
}

impl Form {
    /// `cargo`, with the variable that asks the tests for their long form.
    fn cargo<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Command {
        self.shaped(process::cargo(arguments))
    }

    /// The command, with the variable that asks the tests for their long form.
    fn shaped(&self, mut command: Command) -> Command {
        if self.long {
            command.env("TABIYA_LONG_TESTS", "1");
        }
        command
    }

    /// The tests of the workspace except those of the library, or some of them.
    fn test_workspace(&self) -> Command {
        let mut tests = self.workspace("test");
        // One run shows all that fails.
        tests.arg("--no-fail-fast");
        tests
    }

    /// A build of the workspace except the library, or of a part of it, as its tests are built.
    fn build_workspace(&self) -> Command {
        self.workspace("build")
    }

    fn workspace(&self, subcommand: &str) -> Command {
        let mut command = self.shaped(process::workspace(subcommand));
        // Many tests wait for other programs.
        command.env("RUST_TEST_THREADS", THREADS);
        command
    }

    /// The tests of the library with all of its features, or some of them. They are many copies of
    /// the generator, and compile in half the time with few optimisations.
    fn test_library(&self) -> Command {
        let mut tests = self.cargo(["test", "--release", "--package", "tabiya", "--all-features"]);
        tests.args(process::compiled_with_checks("tabiya"));
        tests
    }

    /// The command, built as the suite `rust` builds it. It is a copy, because other suites build
    /// it in other ways.
    fn build_command(&self) -> Result<PathBuf, String> {
        process::run(self.test_workspace().args(["--quiet", "--no-run", "--test", "cli"]))?;
        let target = crate::repository().join("target");
        let (built, copy) = (target.join("release/tabiya"), target.join("tabiya-for-tests"));
        // A copy that still runs is replaced, not written to.
        let _ = fs::remove_file(&copy);
        fs::copy(&built, &copy).map_err(|error| format!("{}: {error}", built.display()))?;
        Ok(copy)
    }
}

/// A suite that has run.
#[derive(Clone)]
struct Ran {
    suite: &'static Suite,
    outcome: Outcome,
    time: Duration,
    /// Its output, unless that was shown at once.
    output: String,
}

/// The number of lines of a failed suite's output that the summary repeats.
const LINES_REPEATED: usize = 40;

/// Runs the suites and prints the summary; an error if one of them failed.
pub(crate) fn run(args: &Args) -> Result<(), String> {
    if args.list {
        all().for_each(|Suite { name, about, .. }| println!("{name:12} {about}"));
        return Ok(());
    }
    if args.quick {
        return quick::check().map_err(|failure| match failure {
            Failure::Missing(message) | Failure::Failed(message) => message,
        });
    }
    let is_wanted = |suite: &&Suite| match &args.suites[..] {
        [] => args.long || !LONG.contains(&suite.name),
        names => names.iter().any(|name| name == suite.name),
    };
    let [workspace, others, anywhere] = [WORKSPACE, OTHERS, ANYWHERE]
        .map(|suites| suites.iter().filter(is_wanted).collect::<Vec<_>>());
    let form = Form {
        long: args.long,
        tests_workspace: workspace.iter().any(|suite| suite.name == "rust"),
    };
    // Two suites that run at a time would mix their output.
    let lists = [&workspace, &others, &anywhere];
    let is_shown = args.one_by_one || lists.iter().filter(|list| !list.is_empty()).count() < 2;
    let rest = Mutex::new(anywhere.into_iter());
    let next = || rest.lock().expect("no thread panics with it").next();
    let run_all = |suites: Vec<&'static Suite>| -> Vec<Ran> {
        let suites = suites.into_iter().chain(std::iter::from_fn(next));
        suites.map(|suite| suite.run(&form, is_shown)).collect()
    };
    let results = if is_shown {
        run_all([workspace, others].concat())
    } else {
        thread::scope(|scope| {
            let others = scope.spawn(|| run_all(others));
            let workspace = run_all(workspace);
            [workspace, others.join().expect("no suite panics")].concat()
        })
    };
    summarize(&results)
}

impl Suite {
    /// Runs the suite, and shows its output at once or when it has ended.
    fn run(&'static self, form: &Form, is_shown: bool) -> Ran {
        let begin = Instant::now();
        let title = format!("\n== {}: {}", self.name, self.about);
        let (result, output) = if is_shown {
            println!("{title}");
            ((self.run)(form), Vec::new())
        } else {
            println!("== {}: begins", self.name);
            output::captured(|| (self.run)(form)).unwrap_or_else(|error| {
                (Err(format!("no file for what it prints: {error}").into()), Vec::new())
            })
        };
        let output = String::from_utf8_lossy(&output).into_owned();
        if !is_shown {
            println!("{title}\n{output}");
        }
        let in_ci = std::env::var_os("CI").is_some_and(|value| value == "true");
        Ran { suite: self, outcome: Outcome::of(result, in_ci), time: begin.elapsed(), output }
    }
}

/// Prints the outcome of each suite, and the end of the output of those that failed, which may
/// stand far above. Returns an error if one of them failed.
fn summarize(results: &[Ran]) -> Result<(), String> {
    let failed: Vec<_> =
        results.iter().filter(|ran| matches!(ran.outcome, Outcome::Failed(_))).collect();
    for Ran { suite, output, .. } in &failed {
        let lines: Vec<_> = output.lines().collect();
        let end = &lines[lines.len().saturating_sub(LINES_REPEATED)..];
        if !end.is_empty() {
            println!("\n== {}: the end of its output again\n{}", suite.name, end.join("\n"));
        }
    }
    println!("\n== summary");
    for Ran { suite, outcome, time, .. } in results {
        println!("{:12} {:5.1} min  {outcome}", suite.name, time.as_secs_f64() / 60.0);
    }
    let is_skipped = |ran: &&Ran| matches!(ran.outcome, Outcome::Skipped(_));
    let skipped = results.iter().filter(is_skipped).count();
    let passed = results.len() - failed.len() - skipped;
    println!("{passed} passed, {} failed, {skipped} skipped", failed.len());
    if failed.is_empty() { Ok(()) } else { Err("not every suite passed".to_owned()) }
}
