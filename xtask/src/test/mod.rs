//! Every test suite of the project, in one place.
//!
//! What the suites need is looked for first. A suite without it is skipped, and so is a test; with
//! `CI=true` they fail instead. Three suites run at a time, from three lists, since many tests wait; and
//! each prints when it has ended. A summary comes last: the time of each suite, the tests that failed,
//! the tests that were skipped.

mod bundled;
mod differential;
mod emulation;
mod examples;
mod features;
mod findings;
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
mod syzygy;
mod targets;
mod undefined;
mod wasm;
mod web;

use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use std::{fs, thread};

use crate::files::{copy_to, repository};
use crate::{output, process};

/// Options of `cargo xtask test`.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
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
    /// The programs without which it cannot run; names with `|` are alternatives.
    needs: &'static [&'static str],
    run: fn(&Form) -> Result<(), Failure>,
}

/// What some tests of the suite `rust` need. They are skipped one by one.
const NEEDED_BY_TESTS: [&str; 10] = [
    "stockfish|/usr/games/stockfish",
    "python3",
    "node",
    "cc",
    "zsh",
    "fish",
    "bash",
    "git",
    "zstd",
    "bzip2",
];
const PYTHON: &[&str] = &["python3"];
const INSTALL: &[&str] = &["python3", "npm", "debootstrap", "qemu-aarch64"];
const BOTH: &[&str] = &["node", "npm", "python3"];
const WEB: &[&str] = &["node", "npm", "python3", web::BROWSER];

/// Suites that take very long, or need a nightly compiler or a release in `target/dist`. They run if
/// they are named, and in the long form.
const LONG: [&str; 6] = ["published", "arm", "miri", "sanitizers", "sanitized-python", "install"];

/// Suites that build the programs of the workspace, each in its own way. One replaces the builds of
/// another, so they run one after the other.
const WORKSPACE: &[Suite] = &[
    suite("rust", "the Rust workspace", &[], rust::workspace),
    suite("examples", "the engine plays by the rules", &[], examples::run_all),
    suite("packages", "the packages build, and find their files", &[], packages::test_outside),
    suite("published", "compare on published programs", BOTH, published::hunt_in_all),
    suite("miri", "an interpreter finds no undefined behaviour", &[], undefined::interpret),
    suite("sanitizers", "no access is out of bounds, no data race", &[], undefined::sanitize),
];

/// Suites that use what others of them have built: the modules for JavaScript and the wheel.
const OTHERS: &[Suite] = &[
    suite("interface", "documentation, changes of interfaces", BOTH, interface::check),
    suite("web", "the npm package, the explorer", WEB, web::test_page),
    suite("site", "the site is built, and its links and search hold", BOTH, site::build),
    suite("python", "the Python package", PYTHON, python::test_wheel),
    suite("sanitized-python", "memory errors of its module", PYTHON, sanitized_module::test),
    suite("games", "a study in Rust, Python and JavaScript", BOTH, games::in_all_languages),
];

/// Suites that run where there is time: first those whose builds wait for no others.
const ANYWHERE: &[Suite] = &[
    suite("emulation", "a big-endian machine", emulation::BIG_ENDIAN.needs, emulation::big_endian),
    suite("arm", "an ARM machine", emulation::ARM.needs, emulation::arm),
    suite("fuzz", "random input breaks nothing", &[], fuzz::run_at_random),
    suite("targets", "it compiles for other machines", &[], targets::run_builds),
    suite("features", "the crates with features on and off", &[], features::combinations),
    suite("wasm", "counting works in WebAssembly", &["node"], wasm::run_in_node),
    suite("licences", "dependencies are permitted and explained", PYTHON, licences::check),
    suite("library", "the library with the checks of a debug build", &[], rust::library),
    suite("differential", "positions agree with two libraries", &[], differential::with_peers),
    suite("old-cpu", "an x86-64 without vectors", &["qemu-x86_64"], emulation::on_an_old_cpu),
    suite("native", "the library built for this CPU", &[], rust::native),
    suite("openings", "the tables of named openings match their data", &[], rust::openings),
    suite("syzygy", "endgame tables agree with two readers", PYTHON, syzygy::with_real_tables),
    suite("coverage", "each rule has enough positions", PYTHON, rust::coverage),
    suite("publishing", "versions, workflows and templates", PYTHON, publishing::check),
    suite("install", "each artefact on an empty machine", INSTALL, install::try_all),
];

const fn suite(
    name: &'static str,
    about: &'static str,
    needs: &'static [&'static str],
    run: fn(&Form) -> Result<(), Failure>,
) -> Suite {
    Suite { name, about, needs, run }
}

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

/// The number of tests of the workspace that run at a time.
const THREADS: &str = "6";

/// The amount of testing.
struct Form {
    long: bool,
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
        let target = repository().join("target");
        let (built, copy) = (target.join("release/tabiya"), target.join("tabiya-for-tests"));
        // A copy that still runs is replaced, not written to.
        let _ = fs::remove_file(&copy);
        copy_to(&built, &copy)?;
        Ok(copy)
    }
}

/// A suite that has run.
struct Ran {
    suite: &'static Suite,
    result: Result<(), Failure>,
    time: Duration,
    /// What it has printed.
    output: String,
}

/// The number of lines of a failed suite's output that the summary repeats if no test is known to
/// have failed, and the number of characters of the reason.
const LINES_REPEATED: usize = 40;
const REASON: usize = 160;

/// A command of a suite that takes longer than this hangs.
const LIMIT: Duration = Duration::from_secs(30 * 60);

/// Runs the suites and prints the summary; an error if one of them failed.
pub(crate) fn run(args: &Args) -> Result<(), String> {
    if args.list {
        all().for_each(|Suite { name, about, .. }| println!("{name:12} {about}"));
        return Ok(());
    }
    if args.quick {
        return quick::check();
    }
    let is_wanted = |suite: &&Suite| match &args.suites[..] {
        [] => args.long || !LONG.contains(&suite.name),
        names => names.iter().any(|name| name == suite.name),
    };
    let lists = [WORKSPACE, OTHERS, ANYWHERE]
        .map(|suites| suites.iter().filter(is_wanted).collect::<Vec<_>>());
    let takes_long = |suite: &&Suite| LONG.contains(&suite.name);
    if !args.long && !lists.iter().flatten().any(takes_long) {
        process::set_limit(LIMIT);
    }
    announce(&lists.concat(), args.suites.is_empty());
    // Suites that run at a time would mix their output.
    let is_shown = args.one_by_one || lists.iter().filter(|list| !list.is_empty()).count() < 2;
    let [workspace, others, anywhere] = lists;
    let form = Form { long: args.long };
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
            let running = [workspace, others, Vec::new()].map(|list| scope.spawn(|| run_all(list)));
            running.into_iter().flat_map(|list| list.join().expect("no suite panics")).collect()
        })
    };
    summarize(&results)
}

/// Says what will be skipped for want of a program, and how long all suites take.
fn announce(suites: &[&Suite], is_all: bool) {
    if is_all {
        println!("{} suites: on two cores about {MINUTES} minutes from nothing", suites.len());
    }
    for suite in suites {
        let missing = missing(suite.needs);
        if !missing.is_empty() {
            println!("   {} cannot run without {}", suite.name, missing.join(", "));
        }
    }
    let missing = missing(&NEEDED_BY_TESTS);
    if !missing.is_empty() && suites.iter().any(|suite| suite.name == "rust") {
        println!("   rust skips tests that need {}", missing.join(", "));
    }
}

/// The time of all suites on two fast cores.
const MINUTES: u32 = 25;

/// The first of some programs that is installed. Names are divided by `|`; with `$`, it is a variable's.
fn installed(names: &str) -> Option<String> {
    let names = names.split('|').filter_map(|name| match name.strip_prefix('$') {
        Some(variable) => std::env::var(variable).ok(),
        None => Some(name.to_owned()),
    });
    { names }.find(|name| process::succeeds(Command::new(name).arg("--version")))
}

/// The programs that are not installed.
fn missing(needs: &[&str]) -> Vec<String> {
    let missing = needs.iter().filter(|need| installed(need).is_none());
    missing.map(|need| need.replace('|', " or ")).collect()
}

impl Suite {
    /// Runs the suite, and shows its output at once or when it has ended.
    fn run(&'static self, form: &Form, is_shown: bool) -> Ran {
        let begin = Instant::now();
        let title = format!("\n== {}: {}", self.name, self.about);
        println!("{}", if is_shown { title.clone() } else { format!("== {}: begins", self.name) });
        let task = || match &missing(self.needs)[..] {
            [] => (self.run)(form),
            missing => Err(Failure::Missing(format!("it needs {}", missing.join(", ")))),
        };
        let (result, output) = output::captured(task, is_shown).unwrap_or_else(|error| {
            (Err(format!("no file for what it prints: {error}").into()), Vec::new())
        });
        let output = String::from_utf8_lossy(&output).into_owned();
        if !is_shown {
            println!("{title}\n{output}");
        }
        let result = match result {
            Err(Failure::Missing(what)) if std::env::var("CI").is_ok_and(|ci| ci == "true") => {
                Err(Failure::Failed(what))
            }
            other => other,
        };
        Ran { suite: self, result, time: begin.elapsed(), output }
    }
}

/// Prints the outcome of each suite with the tests that failed, and last the tests that were skipped.
/// Returns an error if a suite failed, or if none has run.
fn summarize(results: &[Ran]) -> Result<(), String> {
    let has_failed = |ran: &&Ran| matches!(ran.result, Err(Failure::Failed(_)));
    for Ran { suite, output, .. } in results.iter().filter(has_failed) {
        let lines: Vec<_> = output.lines().collect();
        if findings::failed(output).is_empty() && !lines.is_empty() {
            let end = &lines[lines.len().saturating_sub(LINES_REPEATED)..];
            println!("\n== {}: the end of its output again\n{}", suite.name, end.join("\n"));
        }
    }
    println!("\n== summary");
    for Ran { suite, result, time, output } in results {
        let tests = findings::failed(output);
        let outcome = match result {
            Ok(()) => "passed".to_owned(),
            Err(Failure::Missing(what)) => format!("skipped: {what}"),
            Err(Failure::Failed(why)) if tests.is_empty() => format!("failed: {why}"),
            // It's the call that ran the tests.
            Err(Failure::Failed(why)) => {
                format!("failed: {}", why.chars().take(REASON).collect::<String>())
            }
        };
        println!("{:12} {:5.1} min  {outcome}", suite.name, time.as_secs_f64() / 60.0);
        tests.iter().for_each(|test| println!("   failed: {test}"));
    }
    for Ran { suite, output, .. } in results {
        let skipped = findings::skipped(output);
        skipped.iter().for_each(|test| println!("skipped by {}: {test}", suite.name));
    }
    let failed = results.iter().filter(has_failed).count();
    let is_skipped = |ran: &&Ran| matches!(ran.result, Err(Failure::Missing(_)));
    let skipped = results.iter().filter(is_skipped).count();
    let passed = results.len() - failed - skipped;
    println!("{passed} passed, {failed} failed, {skipped} skipped");
    match (failed, passed) {
        (0, 0) => Err("no suite could run".to_owned()),
        (0, _) => Ok(()),
        _ => Err("not every suite passed".to_owned()),
    }
}
