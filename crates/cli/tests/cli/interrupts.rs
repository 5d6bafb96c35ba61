//! Ctrl-C: the program ends soon, prints its results so far, and exits with code 130.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::program::{Run, command, directory, fine, run, wait_until_it_works};

/// Ending takes less than a second, unless other programs keep the machine busy. Without an
/// interrupt, the counts would take years.
const SOON: Duration = Duration::from_secs(120);

fn start(arguments: &[&str]) -> Child {
    let mut command = command();
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Sends two signals at the same time, as `timeout` does. They count as one.
fn interrupt(child: &Child) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-s", "INT", &id]).status().unwrap().success());
    let _ = Command::new("kill").args(["-s", "INT", &id]).status();
}

/// Interrupts the child, which must end soon.
fn end_of(child: Child) -> Run {
    interrupt(&child);
    let asked = Instant::now();
    let end = Run::from(child.wait_with_output().unwrap());
    assert!(asked.elapsed() < SOON, "{:?}: {end:?}", asked.elapsed());
    assert_eq!(end.code, Some(130), "{end:?}");
    end
}

/// Lets a command work for some time, then stops it.
fn stopped(arguments: &[&str], after: Duration) -> Run {
    let child = start(arguments);
    wait_until_it_works(&child, after);
    end_of(child)
}

/// A log may be a pipe without a reader.
#[test]
fn one_signal_ends_the_wait_for_the_reader_of_a_log() {
    let pipe = directory("interrupts-log").join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut child = start(&["compare", "--log", pipe.to_str().unwrap(), "--", "true"]);
    thread::sleep(Duration::from_millis(500));
    assert!(child.try_wait().unwrap().is_none());
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-s", "TERM", &id]).status().unwrap().success());
    let asked = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if asked.elapsed() > SOON {
            child.kill().unwrap();
            panic!("it still waits");
        }
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_stopped_count_prints_what_it_has_found() {
    // The count is so deep that it does not end during the test, but its units end soon.
    for table in [&[][..], &["--hash", "16"]] {
        let mut child = start(&[&["perft", "12", "--threads", "2"], table].concat());
        let mut reader = BufReader::new(child.stdout.take().unwrap());
        let mut lines = String::new();
        while !lines.contains("119,060,324") {
            assert_ne!(reader.read_line(&mut lines).unwrap(), 0, "{lines}");
        }
        interrupt(&child);
        reader.read_to_string(&mut lines).unwrap();
        let end = end_of(child);
        assert_eq!(end.err, "");
        assert!(lines.contains("\nstopped at depth "), "{lines}");
        assert!(lines.contains(" of 20 root moves are finished\n"), "{lines}");
        assert!(lines.contains("\ncounted so far: "), "{lines}");
        assert_eq!(lines.contains("\ntable: "), !table.is_empty(), "{lines}");
    }
}

/// None of the subtrees below the root moves can be finished in the time.
#[test]
fn a_part_of_a_huge_count_is_known() {
    let is_partial = |line: &&str| line.ends_with("  so far");
    // A slow machine needs longer to count a part.
    let end = [1, 4, 16, 64].into_iter().find_map(|seconds| {
        let call = ["perft", "40", "--divide", "--threads", "1"];
        let end = stopped(&call, Duration::from_secs(seconds));
        end.out.lines().any(|line| is_partial(&line)).then_some(end)
    });
    let end = end.expect("a part is counted in a minute");
    assert!(end.out.contains("stopped at depth 40: 0 of 20 root moves"), "{end:?}");
    let partial = end.out.lines().find(is_partial).expect("a partial sum");
    let nodes = partial.split_whitespace().nth(1).unwrap();
    assert!(end.out.contains(&format!("counted so far: {nodes} leaf nodes")), "{end:?}");
}

/// Every command that can take long stops soon, and its JSON says that it is not complete.
#[test]
fn every_long_command_stops() {
    let home = directory("interrupts");
    let file = |name: &str| home.join(name).to_str().unwrap().to_owned();
    let (suite, long, frontier) = (file("deep.epd"), file("deep.tabiya"), file("deep.zst"));
    let deep = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D30 1\n";
    std::fs::write(&suite, deep).unwrap();
    let commands: [&[&str]; 10] = [
        &["perft", "255"],
        &["perft", "20", "--hash", "16"],
        &["perft", "12", "--divide", "--isa", "portable", "--position", "kiwipete"],
        &["perft", "15", "--categories"],
        &["perft", "9", "--distinct", "--memory", "64M"],
        &["perft", "9", "--checkpoint", &long, "--split", "3"],
        &["estimate", "30", "--samples", "100000000000"],
        &["suite", &suite],
        &["frontier", "9", "--memory", "64M", "--output", &frontier],
        &["bench", "--seconds", "10000"],
    ];
    let after = Duration::from_millis(700);
    for arguments in commands {
        let child = start(&[arguments, &["--threads", "1", "--json"]].concat());
        wait_until_it_works(&child, after);
        if arguments.contains(&long.as_str()) {
            wait_for_status(&long);
        }
        let end = end_of(child);
        assert_eq!(end.out.lines().count(), 1, "{arguments:?}: {end:?}");
        let object: Value = serde_json::from_str(&end.out).unwrap();
        assert_eq!(object["complete"], false, "{arguments:?}: {object}");
    }
    assert!(!std::path::Path::new(&frontier).exists());
    let status: Value = serde_json::from_str(&fine(&["status", &long, "--json"])).unwrap();
    assert_eq!(status["running"], Value::Null);
}

/// All games that have come are printed, also those that no thread has worked on yet.
#[test]
fn lines_of_games_that_have_come_are_printed_after_ctrl_c() {
    let pipe = directory("interrupts-few-lines").join("games.pgn");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let child = start(&["pgn", pipe.to_str().unwrap(), "--to", "lines"]);
    let mut writer = std::fs::File::options().write(true).open(&pipe).unwrap();
    // More than a pipe holds, so when all are written, most have been read; but less than a part.
    writer.write_all("1. e4 e5 (1... c5) *\n\n".repeat(20_000).as_bytes()).unwrap();
    let end = end_of(child);
    assert!(end.out.contains("1. e4 e5 *\n") && end.out.contains("1. e4 c5 *\n"), "{end:?}");
}

/// The old file stays, and no other is left.
#[test]
fn a_conversion_of_records_that_is_stopped_writes_no_file() {
    let folder = directory("interrupts-data");
    let (pipe, output) = (folder.join("pipe.csv"), folder.join("old.plain"));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::fs::write(&output, "old").unwrap();
    let names = [&pipe, &output].map(|path| path.to_str().unwrap());
    let child = start(&["data", "convert", names[0], names[1]]);
    let mut writer = std::fs::File::options().write(true).open(&pipe).unwrap();
    writer.write_all(b"fen,move,score,result,ply\n").unwrap();
    let end = end_of(child);
    assert_eq!(end.err, "stopped: no file was written\n");
    assert_eq!(std::fs::read_to_string(&output).unwrap(), "old");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
}

/// The file is complete, but its reader does not read it.
#[test]
fn a_frontier_for_a_reader_that_does_not_read_is_left() {
    let mut child = start(&["frontier", "5", "--output", "-"]);
    let mut first = [0];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    // The first signal cannot end the writing, and the second one ends the program.
    interrupt(&child);
    thread::sleep(Duration::from_millis(700));
    interrupt(&child);
    let asked = Instant::now();
    let code = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status.code();
        }
        assert!(asked.elapsed() < SOON, "it still waits");
        thread::sleep(Duration::from_millis(10));
    };
    assert_eq!(code, Some(130));
}

/// All games that have been read when the signal comes are merged and written.
#[test]
fn merged_games_are_written_after_ctrl_c() {
    let pipe = directory("interrupts-merge").join("games.pgn");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for form in [&["--merge", "--to", "tree"][..], &["--merge", "--to", "lines"], &["--merge"]] {
        let child = start(&[&["pgn", pipe.to_str().unwrap()], form].concat());
        let mut writer = std::fs::File::options().write(true).open(&pipe).unwrap();
        writer.write_all("1. e4 e5 *\n\n1. e4 c5 *\n\n".repeat(50_000).as_bytes()).unwrap();
        wait_until_it_works(&child, Duration::ZERO);
        thread::sleep(Duration::from_millis(500));
        let end = end_of(child);
        assert!(end.out.contains("e4") && end.out.contains("c5"), "{form:?}: {end:?}");
    }
}

/// The counted part of the last ply is printed, and the next run continues from it.
#[test]
fn a_stopped_count_of_distinct_positions_says_how_far_it_has_come() {
    let file = directory("distinct-stopped").join("start");
    let file = file.to_str().unwrap();
    let call = ["perft", "7", "--distinct", "--memory", "64M", "--threads", "1", "--json"];
    let call = [&call[..], &["--checkpoint", file]].concat();
    let share = |text: &str| {
        let object: Value = serde_json::from_str(text).ok()?;
        object["partial"]["share"].as_f64()
    };
    let mut before = None;
    for _ in 0..2 {
        let child = start(&call);
        let begin = Instant::now();
        // Each pass is another share.
        while share(&run(&["status", file, "--json"]).out) <= before {
            assert!(begin.elapsed() < Duration::from_secs(300), "no pass ends");
            thread::sleep(Duration::from_millis(200));
        }
        let end = end_of(child);
        assert!(end.err.contains("stopped; to continue, run: "), "{end:?}");
        let found = share(&end.out);
        assert!(found > before && found < Some(1.0), "{found:?} after {before:?}");
        before = found;
    }
}

/// Waits until a run begins and publishes its status.
fn wait_for_file(status: &str) {
    let begin = Instant::now();
    while !std::path::Path::new(status).exists() {
        assert!(begin.elapsed() < Duration::from_secs(300), "the run does not begin");
        thread::sleep(Duration::from_millis(50));
    }
}

/// Waits until there is a checkpoint. There is no file until the count has been planned.
fn wait_for_status(file: &str) {
    let begin = Instant::now();
    while run(&["status", file]).code != Some(0) {
        assert!(begin.elapsed() < Duration::from_secs(300), "there is no status");
        thread::sleep(Duration::from_millis(100));
    }
}

/// With a table, the first count takes a moment. The second one, which makes every move, would take
/// years.
#[test]
fn a_complete_count_that_is_stopped_while_it_is_verified_is_not_finished() {
    let file = directory("verification-stopped").join("kings");
    let file = file.to_str().unwrap();
    let kings = ["perft", "20", "--fen", "k7/8/8/8/8/8/8/K7 w - - 0 1", "--checkpoint", file];
    let call = [&kings[..], &["--split", "2", "--threads", "1"]].concat();
    fine(&[&call[..], &["--hash", "16", "--verify-share", "0"]].concat());
    for json in [&[][..], &["--json"]] {
        let child = start(&[&call[..], &["--verify-share", "100%"], json].concat());
        wait_for_file(&format!("{file}.status"));
        let end = end_of(child);
        let said = if json.is_empty() { &end.out } else { &end.err };
        assert!(said.contains("stopped; to continue, run: "), "{end:?}");
        assert_eq!(end.out.contains(" left\n"), json.is_empty(), "{end:?}");
    }
}

/// The message contains a command, and that command continues the count.
#[test]
fn a_stopped_run_says_how_to_continue() {
    let file = directory("continued").join("kiwi pete");
    let file = file.to_str().unwrap();
    let call = ["perft", "9", "--threads", "1", "--position", "kiwipete", "--checkpoint", file];
    let child = start(&call);
    wait_for_status(file);
    let end = end_of(child);
    let program = env!("CARGO_BIN_EXE_tabiya");
    let last = end.out.lines().last().unwrap();
    let command = last.strip_prefix("stopped; to continue, run: ").expect(last);
    assert_eq!(
        command,
        format!("{program} perft 9 --threads 1 --position kiwipete --checkpoint '{file}'")
    );
    let done = || -> u64 {
        let status: Value = serde_json::from_str(&fine(&["status", file, "--json"])).unwrap();
        status["done"].as_u64().unwrap()
    };
    let before = done();
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("exec {command}")]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = shell.spawn().unwrap();
    // Opening the checkpoint while the run opens it could keep the run from starting.
    wait_for_file(&format!("{file}.status"));
    let goes_on = (0..3000).any(|_| {
        thread::sleep(Duration::from_millis(100));
        done() > before
    });
    end_of(child);
    assert!(goes_on, "no unit is counted after {before}");
}
