//! Ctrl-C: the program ends at once, with what it knows and exit code 130.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::documented;
use crate::program::{Run, command, directory, fine};

/// Less than a second is meant; machines that run other tests beside are slower.
const SOON: Duration = Duration::from_secs(5);

fn start(arguments: &[&str]) -> Child {
    let mut command = command();
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Signals that come together, as `timeout` sends them, count as one.
fn interrupt(child: &Child) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-s", "INT", &id]).status().unwrap().success());
    let _ = Command::new("kill").args(["-s", "INT", &id]).status();
}

/// Waits until the child ends, which it should do soon.
fn end(child: Child) -> Run {
    interrupt(&child);
    let asked = Instant::now();
    let end = Run::from(child.wait_with_output().unwrap());
    assert!(asked.elapsed() < SOON, "{:?}: {end:?}", asked.elapsed());
    assert_eq!(end.code, Some(130), "{end:?}");
    end
}

/// Runs a command for so long, then stops it.
fn stopped(arguments: &[&str], after: Duration) -> Run {
    let child = start(arguments);
    thread::sleep(after);
    end(child)
}

/// The first Ctrl-C ends a long count with what is known.
#[test]
fn the_partial_sum_is_printed() {
    // So deep that it cannot end by itself while we wait, in units that end soon.
    for table in [&[][..], &["--hash", "16"]] {
        let mut child = start(&[&["perft", "12", "--threads", "2"], table].concat());
        let mut reader = BufReader::new(child.stdout.take().unwrap());
        let mut lines = String::new();
        while !lines.contains("119,060,324") {
            assert_ne!(reader.read_line(&mut lines).unwrap(), 0, "{lines}");
        }
        interrupt(&child);
        reader.read_to_string(&mut lines).unwrap();
        let end = end(child);
        assert_eq!(end.err, "");
        assert!(lines.contains("\nstopped at depth "), "{lines}");
        assert!(lines.contains(" of 20 first moves are finished\n"), "{lines}");
        assert!(lines.contains("\ncounted so far: "), "{lines}");
        assert_eq!(lines.contains("\ntable: "), !table.is_empty(), "{lines}");
    }
}

/// Twenty first moves, and a subtree below each that nobody could wait for.
#[test]
fn pieces_of_the_largest_count_are_known() {
    let end = stopped(&["perft", "40", "--divide", "--threads", "1"], Duration::from_secs(2));
    assert!(end.out.contains("stopped at depth 40: 0 of 20 first moves"), "{end:?}");
    let partial = end.out.lines().find(|line| line.ends_with("  so far")).expect("a partial sum");
    let nodes = partial.split_whitespace().nth(1).unwrap();
    assert!(end.out.contains(&format!("counted so far: {nodes} leaves")), "{end:?}");
}

/// Every command that takes long stops at once, however deep, and its JSON says that it is cut
/// short.
#[test]
fn every_long_command_stops() {
    let home = directory("interrupts");
    let file = |name: &str| home.join(name).to_str().unwrap().to_owned();
    let (suite, run, frontier) = (file("deep.epd"), file("deep.tabiya"), file("deep.zst"));
    let deep = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D30 1\n";
    std::fs::write(&suite, deep).unwrap();
    let commands: [&[&str]; 10] = [
        &["perft", "255"],
        &["perft", "20", "--hash", "16"],
        &["perft", "12", "--divide", "--isa", "portable", "--position", "kiwipete"],
        &["perft", "15", "--categories"],
        &["perft", "9", "--distinct", "--memory", "64M"],
        &["perft", "9", "--checkpoint", &run, "--split", "3"],
        &["estimate", "30", "--samples", "100000000000"],
        &["suite", &suite],
        &["frontier", "9", "--memory", "64M", "--output", &frontier],
        &["bench", "--seconds", "10000"],
    ];
    let after = Duration::from_millis(1200);
    for arguments in commands {
        let end = stopped(&[arguments, &["--threads", "1", "--json"]].concat(), after);
        assert_eq!(end.out.lines().count(), 1, "{arguments:?}: {end:?}");
        let object: Value = serde_json::from_str(&end.out).unwrap();
        assert_eq!(object["complete"], false, "{arguments:?}: {object}");
        documented::conforms(&object);
    }
    assert!(!std::path::Path::new(&frontier).exists());
    let status: Value = serde_json::from_str(&fine(&["status", &run, "--json"])).unwrap();
    assert_eq!(status["running"], Value::Null);
}
