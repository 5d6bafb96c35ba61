//! Running the program, for several test targets.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The program without arguments, and without the colours that the environment may request.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
    command.env_remove("CLICOLOR_FORCE").env_remove("COLUMNS").stdin(Stdio::null());
    command
}

/// The exit code of the program, and its output.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("all output is UTF-8");
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

/// Waits until a child listens for Ctrl-C and has worked for this long. The time is processor time,
/// so the child has made the same progress on a busy machine. Systems other than Linux do not
/// report it, so this waits for a multiple of the time.
#[allow(dead_code, reason = "not every test target stops programs")]
pub(crate) fn wait_until_it_works(child: &Child, time: Duration) {
    if !cfg!(target_os = "linux") {
        return std::thread::sleep(Duration::from_secs(1) + 2 * time);
    }
    let file = |name: &str| std::fs::read_to_string(format!("/proc/{}/{name}", child.id()));
    let listens = || {
        let status = file("status").unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        // The mask has a bit for each signal. The second bit is that of Ctrl-C.
        caught.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).unwrap() & 2 != 0)
    };
    let worked = || {
        let stat = file("stat").unwrap_or_default();
        // The name of the program may contain spaces.
        let fields = stat.rsplit(") ").next().unwrap_or_default().split(' ');
        let ticks = fields.skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap_or(0));
        // Every Linux system counts a hundred ticks per second.
        Duration::from_millis(10 * ticks.sum::<u64>())
    };
    let begin = Instant::now();
    while !(listens() && worked() >= time) {
        assert!(begin.elapsed() < 100 * time + Duration::from_secs(300), "it does not work");
        std::thread::sleep(Duration::from_millis(10));
        if file("stat").is_err() {
            return;
        }
    }
}

/// Runs the program until it ends.
pub(crate) fn run(arguments: &[&str]) -> Run {
    let output = command().args(arguments).output().expect("the program starts");
    Run::from(output)
}

/// Runs the program, which must succeed, and returns what it printed.
pub(crate) fn fine(arguments: &[&str]) -> String {
    let run = run(arguments);
    assert_eq!(run.code, Some(0), "{arguments:?}: {run:?}");
    assert_eq!(run.err, "", "{arguments:?}");
    run.out
}

/// The names of the subcommands, from the help text.
pub(crate) fn subcommands() -> Vec<String> {
    let help = fine(&["--help"]);
    let list = help.split_once("\nCommands:\n").unwrap().1.split_once("\n\n").unwrap().0;
    let names = list.lines().filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// Creates an empty directory of this name for the files of a test.
pub(crate) fn directory(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    if path.exists() {
        std::fs::remove_dir_all(&path).expect("the files of an earlier run can be removed");
    }
    std::fs::create_dir_all(&path).expect("the directory can be created");
    path
}

/// Reports that a test is skipped because a tool is not installed. If `CI` is `true`, every tool
/// must be installed, so the test fails.
pub(crate) fn missing(what: &str) {
    assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{what} is not installed");
    skipped(what);
}

/// Reports that a test is skipped, in the form that `cargo xtask test` lists. Unlike `eprintln!`, this
/// is shown although the test passes.
pub(crate) fn skipped(what_it_needs: &str) {
    let test = std::thread::current();
    let line = format!("skipped: {} needs {what_it_needs}\n", test.name().unwrap_or("a test"));
    std::io::stderr().write_all(line.as_bytes()).expect("standard error is open");
}
