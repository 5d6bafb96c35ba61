//! Running the program.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// The program, without arguments and deaf to the colours that the environment asks for.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
    command.env_remove("CLICOLOR_FORCE").env_remove("COLUMNS").stdin(Stdio::null());
    command
}

/// What came out.
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

/// Runs the program, which must do its work, and returns what it printed.
pub(crate) fn fine(arguments: &[&str]) -> String {
    let run = run(arguments);
    assert_eq!(run.code, Some(0), "{arguments:?}: {run:?}");
    assert_eq!(run.err, "", "{arguments:?}");
    run.out
}

/// Runs the program, which must refuse the call without printing anything but the error.
pub(crate) fn mistaken(arguments: &[&str]) -> String {
    let run = run(arguments);
    assert_eq!(run.code, Some(2), "{arguments:?}: {run:?}");
    assert_eq!(run.out, "", "{arguments:?}");
    assert!(run.err.starts_with("error: "), "{arguments:?}: {}", run.err);
    run.err
}

/// The one JSON object that the program prints.
pub(crate) fn json(arguments: &[&str]) -> serde_json::Value {
    let text = fine(arguments);
    assert_eq!(text.lines().count(), 1, "{text}");
    let value: serde_json::Value = serde_json::from_str(&text).expect("valid JSON");
    crate::documented::conforms(&value);
    value
}

/// An empty directory of this name for a test's files.
pub(crate) fn directory(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    if path.exists() {
        std::fs::remove_dir_all(&path).expect("what an earlier run left can be removed");
    }
    std::fs::create_dir_all(&path).expect("the directory can be made");
    path
}

/// A file of the repository.
pub(crate) fn repository(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}
