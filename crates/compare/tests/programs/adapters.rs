//! The adapters in Python, C and JavaScript: each runs and is right.
//!
//! They need Python 3, a C compiler and Node.js. If one of them is missing, its test says so and
//! passes; if `CI` is `true`, it fails.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tabiya_suites::{RULES, STANDARD};

use crate::right::questions;

/// The folder of the adapters.
pub(crate) fn adapters() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("adapters")
}

/// Is a tool available? If not, this reports it, and fails in CI.
pub(crate) fn has_tool(name: &str) -> bool {
    let found =
        Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        let ci = std::env::var_os("CI").is_some_and(|value| value == "true");
        assert!(!ci, "'{name}' is not installed, and CI must run this test");
        // Unlike `eprintln!`, this is shown although the test passes. `cargo xtask test` lists it.
        let test = std::thread::current();
        let line = format!("skipped: {} needs {name}\n", test.name().unwrap_or("a test"));
        std::io::stderr().write_all(line.as_bytes()).expect("standard error is open");
    }
    found
}

/// The command for each adapter whose language is installed.
pub(crate) fn commands() -> Vec<(&'static str, Vec<String>)> {
    let path = |name: &str| adapters().join(name).display().to_string();
    let mut commands = Vec::new();
    if has_tool("python3") {
        // `-B` writes no byte code next to the sources.
        commands.push(("Python", vec!["python3".into(), "-B".into(), path("python/adapter.py")]));
    }
    if has_tool("node") {
        commands.push(("JavaScript", vec!["node".into(), path("javascript/adapter.mjs")]));
    }
    if has_tool("cc") {
        let program = compile_c();
        commands.push(("C", vec![program.display().to_string()]));
    }
    commands
}

/// Compiles the C adapter once for all tests, with warnings as errors.
fn compile_c() -> PathBuf {
    static PROGRAM: std::sync::OnceLock<PathBuf> = std::sync::OnceLock::new();
    let compile = || {
        let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("adapter");
        let sources = adapters().join("c");
        let status = Command::new("cc")
            .args(["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-o"])
            .arg(&program)
            .args([sources.join("adapter.c"), sources.join("generator.c")])
            .status()
            .expect("cc runs");
        assert!(status.success(), "the adapter in C does not compile");
        program
    };
    PROGRAM.get_or_init(compile).clone()
}

/// The totals that an adapter gives to these questions.
fn totals(command: &[String], questions: &[(&str, u32, u64)]) -> Vec<u64> {
    let mut child = Command::new(&command[0])
        .args(&command[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the adapter runs");
    let mut text = String::from("uci\nisready\n");
    for (fen, depth, _) in questions {
        text += &format!("position fen {fen}\ngo perft {depth}\n");
    }
    text += "position startpos moves e2e4 e7e5 e1e2\ngo perft 1\nquit\n";
    let mut input = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("the adapter ends");
    writer.join().expect("the writer").expect("the adapter reads all questions");
    assert!(output.status.success(), "{command:?}");
    let text = String::from_utf8(output.stdout).expect("ASCII");
    assert!(text.starts_with("uciok"), "{command:?} says {text}");
    text.lines()
        .filter_map(|line| line.strip_prefix("Nodes searched: "))
        .map(|number| number.trim().parse().expect("a number"))
        .collect()
}

#[test]
fn adapters_are_right() {
    let mut asked = questions(STANDARD.text, 3_000);
    asked.extend(questions(RULES.text, 60));
    for (language, command) in commands() {
        let mut expected: Vec<u64> = asked.iter().map(|&(.., nodes)| nodes).collect();
        expected.push(29);
        let totals = totals(&command, &asked);
        assert_eq!(totals.len(), expected.len(), "{language}");
        for (index, (total, right)) in totals.iter().zip(&expected).enumerate() {
            assert_eq!(total, right, "{language}: {:?}", asked.get(index));
        }
    }
}

#[test]
fn adapters_are_short() {
    for name in ["python/adapter.py", "c/adapter.c", "javascript/adapter.mjs"] {
        let text = std::fs::read_to_string(adapters().join(name)).expect("an adapter");
        let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
        assert!(lines <= 45, "{name} has {lines} lines");
    }
}
