//! Runs in other processes that are killed, or whose disk is full.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use std::{fs, thread};

use tabiya_runs::checkpoint::{Checkpoint, RunOptions};

use crate::common::{ByFunction, run, slowly, start, threads};

/// The process that the tests below kill. Run directly, it does nothing.
#[test]
#[ignore = "is started by other tests"]
fn worker() {
    let Ok(path) = std::env::var("CHECKPOINT") else { return };
    let number = std::env::var("COUNT_THREADS").unwrap().parse().unwrap();
    let slow = ByFunction(slowly);
    let mut options =
        RunOptions { threads: threads(number), counter: &slow, ..RunOptions::default() };
    if std::env::var_os("WRITE_AT_ONCE").is_some() {
        options.write_every = Duration::ZERO;
    }
    match run(Path::new(&path), &start(6, 3), &options) {
        Ok(status) => println!("total {}", status.nodes),
        Err(error) => println!("error {error}"),
    }
}

fn worker_command(path: &Path, threads: usize) -> Command {
    // The emulator, if this is an emulated machine: the system cannot start programs for another
    // machine.
    let runner = std::env::var("TABIYA_TEST_RUNNER").unwrap_or_default();
    let mut words = runner.split_whitespace();
    let test = std::env::current_exe().unwrap();
    let mut command = match words.next() {
        None => Command::new(test),
        Some(emulator) => {
            let mut command = Command::new(emulator);
            command.args(words).arg(test);
            command
        }
    };
    command
        .args(["--ignored", "--exact", "processes::worker", "--nocapture"])
        .env("CHECKPOINT", path)
        .env("COUNT_THREADS", threads.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Waits for the end of a process. Returns how many units it counted, and its output.
fn counted(child: Child) -> (u64, String) {
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).lines().filter(|line| *line == "+").count();
    (said as u64, String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Kills a process after it has counted this many units. Returns how many it counted. On a busy
/// machine, it may count all of them before the signal arrives.
fn kill_after(mut child: Child, units: u64, pause: Duration) -> u64 {
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    let units_said = |line: &std::io::Result<String>| matches!(line, Ok(line) if line == "+");
    let mut count = 0;
    while count < units {
        let Some(line) = said.next() else { break };
        count += u64::from(units_said(&line));
    }
    // By now it is counting the next unit, or writing the last result.
    thread::sleep(pause);
    child.kill().unwrap();
    child.wait().unwrap();
    count + said.filter(units_said).count() as u64
}

#[test]
fn a_killed_run_loses_one_unit_for_each_thread_and_ends_with_the_right_count() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("start-6");
    // First kill the process early, before or after the file exists.
    let mut child = worker_command(&path, 2).spawn().unwrap();
    thread::sleep(Duration::from_millis(30));
    child.kill().unwrap();
    counted(child);
    let mut done = 0;
    for (threads, units, micros) in
        [(1, 300, 0), (4, 900, 150), (2, 2, 700), (3, 701, 333), (5, 90, 50), (2, 1100, 499)]
    {
        let child = worker_command(&path, threads).env("WRITE_AT_ONCE", "1").spawn().unwrap();
        let said = kill_after(child, units, Duration::from_micros(micros));
        let now = Checkpoint::open(&path).unwrap().status().unwrap().done;
        assert!(now >= done);
        let lost = (done + said).saturating_sub(now);
        assert!(lost <= threads as u64, "{lost} units lost by {threads} threads");
        done = now;
    }
    assert!(done > 3000, "{done}");
    let (said, text) = counted(worker_command(&path, 3).spawn().unwrap());
    assert!(text.contains("total 119060324"), "{text}");
    assert_eq!(said + done, 5362, "written results are not counted again");
}

/// Units whose results wait for the next write are counted again.
#[test]
fn a_killed_run_with_results_that_wait_ends_with_the_right_count() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("start-6");
    let mut done = 0;
    for (threads, units) in [(1, 300), (3, 1000), (2, 500)] {
        let child = worker_command(&path, threads).spawn().unwrap();
        let said = kill_after(child, units, Duration::ZERO);
        let now = Checkpoint::open(&path).unwrap().status().unwrap().done;
        // The first result of a run is written at once.
        assert!(now >= done + u64::from(said > threads as u64), "{now}, {done}, {said}");
        done = now;
    }
    let (said, text) = counted(worker_command(&path, 3).spawn().unwrap());
    assert!(text.contains("total 119060324"), "{text}");
    assert_eq!(said + done, 5362, "written results are not counted again");
}

/// A file size limit stands for a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_is_reported_and_the_run_continues_later() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("start-6");
    drop(Checkpoint::open_or_create(&path, &start(6, 3), &()).unwrap());
    let before = fs::metadata(&path).unwrap().len();
    let blocks = before / 512;
    let mut plain = worker_command(&path, 2);
    // Long rows make the results need more room than the file has.
    plain.env("COUNTER_NAME", "function".repeat(200)).env("WRITE_AT_ONCE", "1");
    let mut limited = Command::new("sh");
    limited
        .args(["-c", &format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"")])
        .arg(plain.get_program())
        .args(plain.get_args())
        .envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let (_, text) = counted(limited.spawn().unwrap());
    assert!(text.contains("error there is no room left for the checkpoint"), "{text}");
    let checkpoint = Checkpoint::open(&path).unwrap();
    let done = checkpoint.status().unwrap().done;
    assert!(0 < done && done < 5362, "{done}");
    assert!(text.contains(&format!("the results of {done} units are safe in it")), "{text}");
    let status = checkpoint.run(&RunOptions::default(), &()).unwrap();
    assert_eq!(status.total(), Some(119_060_324));
}

/// Creates a checkpoint in another process, with a file size limit of zero.
#[cfg(unix)]
#[test]
fn a_disk_without_any_room_is_reported_with_no_word_of_safe_results() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("start-6");
    let plain = worker_command(&path, 1);
    let mut limited = Command::new("sh");
    limited
        .args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\""])
        .arg(plain.get_program())
        .args(plain.get_args())
        .envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let (_, text) = counted(limited.spawn().unwrap());
    assert!(text.contains("error there is no room for a new checkpoint"), "{text}");
    assert!(text.contains("; nothing was written") && !text.contains("safe"), "{text}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
