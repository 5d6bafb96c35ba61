//! The command: exit status, tables, mistaken calls.

use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya-differential"));
    command.args(arguments).output().expect("the command starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_table_says_what_was_compared() {
    let output = run(&["--positions", "3000", "--source", "games", "few", "--threads", "2"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    for row in ["games ", "few ", "all ", "moves ", "castling is legal", "no difference"] {
        assert!(text.contains(row), "{row:?} in {text}");
    }
    assert!(
        text.lines().any(|line| line.starts_with("all ") && line.contains(" 3,000 ")),
        "{text}"
    );
}

#[test]
fn positions_can_be_given() {
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let castling = "1r1k2r1/8/8/8/8/8/8/1R1K2R1 b GBgb - 7 40";
    let output = run(&["--fen", kiwipete, "--fen", castling]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    assert!(stdout(&output).contains("no difference"));
    // An unplayable position is compared, too: all must refuse it.
    let unplayable = run(&["--fen", "8/8/8/8/8/8/5kK1/8 w - - 0 1"]);
    assert_eq!(unplayable.status.code(), Some(0), "{}", stdout(&unplayable));
}

#[test]
fn mistaken_calls_have_status_2() {
    let mistakes: [&[&str]; 7] = [
        &["--positions", "many"],
        &["--positions", "-1"],
        &["--threads", "0"],
        &["--source", "books"],
        &["--seconds", "1", "--positions", "1"],
        &["--fen", "8/8/8"],
        &["positions"],
    ];
    for arguments in mistakes {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!output.stderr.is_empty() && output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_time_ends_the_comparison() {
    let output = run(&["--seconds", "1", "--source", "few"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("no difference"));
}

/// Does the process have a handler for the signal of Ctrl-C?
#[cfg(target_os = "linux")]
fn listens(process: u32) -> bool {
    const INTERRUPT: u32 = 2;
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    caught.is_some_and(|mask| mask >> (INTERRUPT - 1) & 1 == 1)
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_prints_what_was_compared() {
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya-differential"));
    command.args(["--seconds", "3600"]).stdout(Stdio::piped()).stderr(Stdio::null());
    let child = command.spawn().expect("the command starts");
    let begin = Instant::now();
    while !listens(child.id()) {
        assert!(begin.elapsed() < Duration::from_secs(120), "it never listens for Ctrl-C");
        std::thread::yield_now();
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.is_ok_and(|status| status.success()));
    let output = child.wait_with_output().expect("it ends");
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(130), "{text}");
    assert!(text.contains("stopped by Ctrl-C") && text.contains("no difference"), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn results_that_cannot_be_written_are_an_error() {
    let full = std::fs::File::options().write(true).open("/dev/full").expect("Linux has it");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya-differential"));
    let output = command.args(["--positions", "100"]).stdout(full).output().expect("it starts");
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("cannot write the results"), "{message}");
}
