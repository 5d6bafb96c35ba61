//! Input that comes slowly or not at all, and a system that gives few threads or little memory.
#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::program::{Run, command, directory, wait_until_it_works};
use crate::shell;

/// Longer than any wait except a hang, on any machine.
const HANG: Duration = Duration::from_secs(300);

fn start(arguments: &[&str]) -> (Child, ChildStdin) {
    let mut command = command();
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let input = child.stdin.take().unwrap();
    (child, input)
}

/// Writes to a pipe, and waits until its reader has taken everything.
fn give(input: &mut ChildStdin, bytes: &[u8]) {
    input.write_all(bytes).unwrap();
    let begin = Instant::now();
    while rustix::io::ioctl_fionread(&*input).unwrap() > 0 {
        assert!(begin.elapsed() < HANG, "the command does not read its input");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Sends a signal, after which the child must end.
fn end_by(signal: &str, child: Child) -> Run {
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
    let (sender, ended) = mpsc::channel();
    // The output is read, because it may be larger than a pipe.
    thread::spawn(move || sender.send(child.wait_with_output()));
    match ended.recv_timeout(HANG) {
        Ok(output) => Run::from(output.unwrap()),
        Err(_) => {
            let _ = Command::new("kill").args(["-s", "KILL", &id]).status();
            panic!("it goes on after {signal}");
        }
    }
}

#[test]
fn signals_end_waiting_for_the_first_byte() {
    let folder = directory("waiting-signals");
    let fifo = folder.join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let fifo = fifo.to_str().unwrap();
    let calls: [&[&str]; 4] =
        [&["pgn", "-"], &["pgn", fifo, "--check"], &["suite", "-"], &["suite", fifo]];
    for signal in ["INT", "TERM"] {
        for call in calls {
            let (child, input) = start(call);
            wait_until_it_works(&child, Duration::ZERO);
            let end = end_by(signal, child);
            drop(input);
            let said = "stopped: only what was read by then is counted\n";
            assert_eq!((end.code, end.err.as_str()), (Some(130), said), "{call:?}: {end:?}");
            // The table has no games or positions, but it is there.
            assert!(end.out.contains(" 0 "), "{call:?}: {end:?}");
        }
    }
}

/// The games fill several parts, and the last of them is not full.
/// A program is not started after a signal.
#[test]
fn signals_end_waiting_for_a_suite_of_questions() {
    let folder = directory("waiting-questions");
    let (fifo, started) = (folder.join("fifo"), folder.join("started"));
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let (fifo, started) = (fifo.to_str().unwrap(), started.to_str().unwrap());
    for signal in ["INT", "TERM"] {
        for how in [&["--suite", "-"][..], &["--suite", fifo], &["--suite", "-", "--json"]] {
            let call = [&["compare"], how, &["--", "touch", started]].concat();
            let (child, mut input) = start(&call);
            if how[1] == "-" {
                give(&mut input, b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n");
            }
            wait_until_it_works(&child, Duration::ZERO);
            let end = end_by(signal, child);
            drop(input);
            assert_eq!(end.code, Some(130), "{signal} {how:?}: {end:?}");
            let said = if how.contains(&"--json") { &end.out } else { &end.err };
            let why = "it had not answered when the hunt ended";
            assert!(said.contains(why), "{signal} {how:?}: {end:?}");
            assert!(!Path::new(started).exists(), "{signal} {how:?}");
        }
    }
}

#[test]
fn games_that_were_read_before_a_signal_are_not_lost() {
    for games in [3, 90_000] {
        for call in [&["pgn", "-", "--to", "san"][..], &["pgn", "-", "--json"]] {
            let (child, mut input) = start(call);
            give(&mut input, &b"1. e4 e5 *\n\n".repeat(games));
            let end = end_by("INT", child);
            drop(input);
            assert_eq!(end.code, Some(130), "{call:?}: {}", end.err);
            if call.contains(&"san") {
                assert_eq!(end.out.lines().count(), games);
                assert!(end.out.lines().all(|line| line == "e4 e5"));
            } else {
                let object: serde_json::Value = serde_json::from_str(&end.out).unwrap();
                assert_eq!(object["games"], games.to_string(), "{object}");
                assert_eq!(object["complete"], false, "{object}");
            }
        }
    }
}

#[test]
fn packed_games_may_come_byte_by_byte() {
    let folder = directory("waiting-packed");
    fs::write(folder.join("games"), "1. e4 e5 *\n").unwrap();
    for tool in ["gzip", "bzip2", "zstd"] {
        let output = Command::new(tool).arg("-c").arg(folder.join("games")).output();
        let Ok(output) = output else {
            crate::program::missing(tool);
            continue;
        };
        let (child, mut input) = start(&["pgn", "-", "--to", "san"]);
        for byte in output.stdout {
            give(&mut input, &[byte]);
        }
        drop(input);
        let end = Run::from(child.wait_with_output().unwrap());
        assert_eq!((end.code, end.out.as_str()), (Some(0), "e4 e5\n"), "{tool}: {end:?}");
    }
}

/// All lines together have gigabytes, and none of them has to wait for the others.
#[test]
fn lines_are_printed_one_by_one() {
    let folder = directory("waiting-lines");
    let game = "Nf3 (Nc3) Nf6 (Nc6) Ng1 (e3) Ng8 (e6) ".repeat(10_000);
    fs::write(folder.join("games"), game).unwrap();
    for how in ["--to lines", "--merge --to lines"] {
        let line = format!(
            "(ulimit -v 1000000; tabiya pgn {how} games; echo $? > code) | head -n 12 > out; \
             cat code"
        );
        let end = shell::run(&line, &folder);
        assert_eq!((end.out.as_str(), end.err.as_str()), ("0\n", ""), "{how}");
        let out = fs::read_to_string(folder.join("out")).unwrap();
        assert!(out.contains("\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 "), "{how}: {out}");
    }
}

/// Runs a line as a user who may have few processes and threads, which only an administrator can
/// do; `None` otherwise.
fn with_few_threads(limit: u32, line: &str, folder: &Path) -> Option<Run> {
    // No other user has this number, so no other process is counted.
    let user = 100_000 + std::process::id();
    let limited = |line: &str| {
        let line = format!(
            "setpriv --reuid={user} --regid={user} --clear-groups prlimit --nproc={limit} {line}"
        );
        shell::run(&line, folder)
    };
    if limited("tabiya --version").code != Some(0) {
        crate::program::skipped("a user who may run programs as another");
        return None;
    }
    Some(limited(line))
}

#[test]
fn few_threads_are_enough() {
    let folder = directory("waiting-threads");
    assert_eq!(shell::run("chmod 777 .", &folder).code, Some(0));
    for limit in 0..7 {
        for call in [
            "perft 3 --threads 3",
            "perft 3 --threads 3 --checkpoint count",
            "perft 3 --threads 3 --checkpoint verified --verify-share 100%",
            "perft 3 --threads 3 --checkpoint kinds --categories",
        ] {
            let line = format!("tabiya {call}");
            let Some(end) = with_few_threads(limit, &line, &folder) else { return };
            let is_refused = end.err.contains("cannot start the thread for Ctrl-C");
            if is_refused {
                // The limit is lower than the number of threads that the program cannot do without.
                assert_eq!((limit < 2, end.code), (true, Some(2)), "{limit} {call}: {end:?}");
                continue;
            }
            let names = ["count", "verified", "kinds"];
            names.iter().for_each(|name| drop(fs::remove_file(folder.join(name))));
            // A long run gets the threads that it names, or ends at once.
            if call.contains("--checkpoint") && end.err.ends_with(": use fewer\n") {
                assert_eq!((limit < 5, end.code), (true, Some(2)), "{limit} {call}: {end:?}");
                continue;
            }
            assert_eq!((end.code, end.err.as_str()), (Some(0), ""), "{limit} {call}: {end:?}");
            let text = end.out.replace(',', "");
            assert!(text.contains("8902"), "{limit} {call}: {end:?}");
        }
    }
}
