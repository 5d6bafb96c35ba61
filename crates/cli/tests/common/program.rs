//! Running the program, for several test targets.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// The program without arguments, and without the colours that the environment may ask for.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
    command.env_remove("CLICOLOR_FORCE").env_remove("COLUMNS").stdin(Stdio::null());
    command
}

/// How the program ended, and what it printed.
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

/// Runs the program to its end.
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

/// An empty directory of this name for the files of a test.
pub(crate) fn directory(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    if path.exists() {
        std::fs::remove_dir_all(&path).expect("the files of an earlier run can be removed");
    }
    std::fs::create_dir_all(&path).expect("the directory can be created");
    path
}
