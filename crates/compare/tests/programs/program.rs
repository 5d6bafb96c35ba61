//! The path of the faulty program, and a way to ask it a question by hand.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime};

/// The faulty program, which cargo builds with the tests. If only one test was requested, it is
/// built here. On an emulated machine, it is a program for the real machine, named by the variable.
pub(crate) fn faulty() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        if let Some(path) = std::env::var_os("TABIYA_FAULTY") {
            return path.into();
        }
        let test = std::env::current_exe().expect("the test has a path");
        let profile = test.ancestors().nth(2).expect("a test stands in target/PROFILE/deps");
        let path = profile.join("examples").join(format!("faulty{}", std::env::consts::EXE_SUFFIX));
        if !path
            .metadata()
            .and_then(|data| data.modified())
            .is_ok_and(|built| built >= last_change())
        {
            let release = profile.ends_with("release");
            let mut cargo = Command::new(env!("CARGO"));
            cargo.args(["build", "--quiet", "--package", "tabiya-compare", "--example", "faulty"]);
            cargo.args(["--profile", if release { "release" } else { "test" }]);
            cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
            assert!(
                cargo.status().expect("cargo runs").success(),
                "the faulty program does not build"
            );
        }
        path
    })
}

/// The time when a source file of the program was last changed.
fn last_change() -> SystemTime {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/faulty");
    let files = std::fs::read_dir(sources).expect("the sources of the faulty program");
    files
        .map(|file| file.unwrap().metadata().unwrap().modified().unwrap())
        .max()
        .expect("at least one file")
}

/// The lines of `--list` or `--list-oddities`: name, and class or protocols.
pub(crate) fn list(option: &str) -> Vec<(String, String)> {
    let output = Command::new(faulty()).arg(option).output().expect("the faulty program runs");
    let text = String::from_utf8(output.stdout).expect("ASCII");
    text.lines()
        .map(|line| line.split_once(' ').expect("two words in each line"))
        .map(|(name, rest)| (name.to_string(), rest.to_string()))
        .collect()
}

/// The end of a dialogue.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The program ended by itself. Was it successful?
    Exit(bool),
    /// The program was silent for a long time, or did not stop printing.
    Killed,
}

/// Sends all commands, closes the input, and reads the output.
pub(crate) fn dialogue(arguments: &[&str], commands: &str) -> (String, End) {
    let mut child = Command::new(faulty())
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the faulty program runs");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = child.stdout.take().expect("a pipe");
    let commands = commands.to_string();
    let writer = std::thread::spawn(move || {
        // A program that crashes stops reading.
        let _ = input.write_all(commands.as_bytes());
    });
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = (&mut output).take(1 << 22).read_to_end(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    });
    // The other faults hang no more than a program without a fault, but other work on the machine
    // may slow them down.
    let is_silent = ["hang", "half-line"].iter().any(|fault| arguments.contains(fault));
    let patience = if is_silent { 10 } else { 600 };
    let deadline = Instant::now() + Duration::from_secs(patience);
    let end = loop {
        if let Some(status) = child.try_wait().expect("a child of this test") {
            break End::Exit(status.success());
        }
        if Instant::now() > deadline || reader.is_finished() {
            // The program has closed its output or prints without end, but has not exited yet.
            std::thread::sleep(Duration::from_millis(200));
            if let Some(status) = child.try_wait().expect("a child of this test") {
                break End::Exit(status.success());
            }
            child.kill().expect("a child of this test");
            child.wait().expect("a child of this test");
            break End::Killed;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    writer.join().expect("the writer");
    (reader.join().expect("the reader"), end)
}
