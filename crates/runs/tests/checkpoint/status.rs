//! The status of a run while it works, and its rate.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tabiya::Position;
use tabiya_perft::{Watch, reference_perft};
use tabiya_runs::checkpoint::{
    Checkpoint, CheckpointError, Ledger, LedgerOptions, RunOptions, Status, UnitResult, status_of,
};

use crate::common::{ByFunction, start};

/// A process that reads a file locks it while it copies it.
#[test]
fn a_run_waits_for_those_who_read_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let open = || Checkpoint::open_or_create(&path, &start(4, 2), &());
    drop(open().unwrap());
    let reader = File::open(&path).unwrap();
    reader.lock_shared().unwrap();
    let reading = thread::spawn(move || {
        thread::sleep(Duration::from_millis(300));
        drop(reader);
    });
    assert_eq!(open().unwrap().units(), 400);
    reading.join().unwrap();
}

/// Leaves the status of a run, as a run that is killed does. Returns its path.
fn leave_status(path: &Path) -> PathBuf {
    let status = Checkpoint::status_path(path);
    let checkpoint = Checkpoint::open(path).unwrap();
    let mut ledger = Ledger::new(checkpoint, &LedgerOptions::default()).unwrap();
    ledger.publish().unwrap();
    let left = fs::read(&status).unwrap();
    drop(ledger);
    fs::write(&status, left).unwrap();
    status
}

/// Something else may be at the path of the status.
#[test]
fn a_status_that_cannot_be_read_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let _checkpoint = Checkpoint::open_or_create(&path, &start(4, 2), &()).unwrap();
    for text in ["", "precious"] {
        fs::write(Checkpoint::status_path(&path), text).unwrap();
        let error = status_of(&path).unwrap_err();
        assert!(matches!(error, CheckpointError::UnreadableStatus { .. }), "{error:?}");
        assert!(error.to_string().contains("run.status: "), "{error}");
    }
}

/// A run publishes its status again and again, and removes it at the end.
#[test]
fn the_name_of_the_status_belongs_to_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let checkpoint = Checkpoint::open_or_create(&path, &start(4, 2), &()).unwrap();
    let status = Checkpoint::status_path(&path);
    let mut ledger = Ledger::new(&checkpoint, &LedgerOptions::default()).unwrap();
    for text in ["", "something else"] {
        fs::write(&status, text).unwrap();
        ledger.publish().unwrap();
        assert_eq!(&status_of(&path).unwrap(), ledger.status());
    }
    drop(ledger);
    assert!(!status.exists());
}

/// A run that was killed leaves its status, which must not pass for that of the next one.
#[test]
fn the_status_of_a_killed_run_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    drop(Checkpoint::open_or_create(&path, &start(4, 2), &()).unwrap());
    let status = leave_status(&path);
    // It is gone before the contents of the file are verified, which can take minutes.
    let intact = fs::read(&path).unwrap();
    fs::write(&path, &intact[..intact.len() / 2]).unwrap();
    assert!(matches!(Checkpoint::open(&path), Err(CheckpointError::Damaged(_))));
    assert!(!status.exists());
    fs::write(&path, intact).unwrap();
    // Another job may begin under the name of an old one.
    leave_status(&path);
    fs::remove_file(&path).unwrap();
    let checkpoint = Checkpoint::open_or_create(&path, &start(4, 2), &()).unwrap();
    assert!(matches!(status_of(&path), Err(CheckpointError::InUse)));
    let ledger = Ledger::new(checkpoint, &LedgerOptions::default()).unwrap();
    assert!(matches!(status_of(&path), Err(CheckpointError::InUse)));
    drop(ledger);
    assert_eq!(status_of(&path).unwrap().done, 0);
}

#[test]
fn one_process_works_at_a_time_and_others_can_read_its_status() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let checkpoint = Checkpoint::open_or_create(&path, &start(6, 3), &()).unwrap();
    assert!(matches!(Checkpoint::open(&path), Err(CheckpointError::InUse)));
    assert!(matches!(status_of(&path), Err(CheckpointError::InUse)), "nothing published yet");

    struct Until(AtomicBool);
    impl Watch for Until {
        fn is_cancelled(&self) -> bool {
            self.0.load(Ordering::Relaxed)
        }
    }
    let until = Until(AtomicBool::new(false));
    // After some units, the run waits until the test has seen its status.
    let counted = AtomicUsize::new(0);
    let counter = ByFunction(|position: &Position, depth| {
        while counted.load(Ordering::Relaxed) == 500 && !until.is_cancelled() {
            thread::sleep(Duration::from_millis(1));
        }
        counted.fetch_add(1, Ordering::Relaxed);
        reference_perft(position, depth)
    });
    let options = RunOptions { counter: &counter, ..RunOptions::default() };
    let seen = thread::scope(|scope| {
        let running = scope.spawn(|| checkpoint.run(&options, &until).unwrap());
        let begin = Instant::now();
        let seen = loop {
            match status_of(&path) {
                Ok(seen) if seen.done == 500 => break seen,
                _ => assert!(begin.elapsed() < Duration::from_secs(300), "it is not seen"),
            }
            thread::sleep(Duration::from_millis(20));
        };
        until.0.store(true, Ordering::Relaxed);
        assert!(running.join().unwrap().done >= seen.done);
        seen
    });
    assert!(seen.nodes_per_second().unwrap() > 0.0 && seen.seconds_left().unwrap() > 0.0);
    let session = seen.session.as_ref().unwrap();
    assert_eq!((session.process, session.threads), (std::process::id(), 1));
    assert_eq!(seen.moves.iter().map(|mv| mv.nodes).sum::<u128>(), seen.nodes);
    assert_eq!(seen.moves.iter().map(|mv| mv.games).sum::<u128>(), 8902);
    // The counted units are a fair sample.
    let error = seen.projected().unwrap() / 119_060_324.0 - 1.0;
    assert!(error.abs() < 0.2, "{error}");
    drop(checkpoint);
    let status = status_of(&path).unwrap();
    assert_eq!(status.session, None);
    assert!(status.done >= seen.done && status.thread_seconds_left().unwrap() > 0.0);
    assert!(!Checkpoint::status_path(&path).exists());
}

/// Progress and status agree: both give the leaf nodes of this session, with multiplicities, and
/// its time.
#[test]
fn the_rate_is_that_of_the_session() {
    struct Progresses(Mutex<Vec<tabiya_perft::Progress>>);
    impl Watch for Progresses {
        fn wants_progress(&self) -> bool {
            true
        }
        fn progress(&self, progress: tabiya_perft::Progress) {
            self.0.lock().unwrap().push(progress);
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let job = start(5, 3);
    let checkpoint = Checkpoint::open_or_create(&path, &job, &()).unwrap();
    // The first session counts a part.
    let first: Vec<_> = (0..3000)
        .map(|number| {
            let unit = checkpoint.unit(number).unwrap();
            let nodes = reference_perft(&unit.position, unit.depth);
            (
                number,
                UnitResult { nodes, micros: 1000, counter: "first".to_owned(), categories: None },
            )
        })
        .collect();
    checkpoint.record_results(&first).unwrap();
    let before = checkpoint.status().unwrap();
    assert_eq!((before.done, before.nodes_per_second()), (3000, None));
    assert!((before.thread_seconds - 3.0).abs() < 1e-9);
    let average = before.nodes_per_thread_second().unwrap();
    assert!((average - before.nodes as f64 / 3.0).abs() < 1e-6 * average);

    let seen = Mutex::new(Vec::new());
    let report = |status: &Status| seen.lock().unwrap().push(status.clone());
    let watch = Progresses(Mutex::new(Vec::new()));
    // Each result gets its own report.
    let write_every = Duration::ZERO;
    let options = RunOptions { report: Some(&report), write_every, ..RunOptions::default() };
    let end = checkpoint.run(&options, &watch).unwrap();
    assert_eq!(end.nodes, 4_865_609);
    let seen = seen.into_inner().unwrap();
    assert!(seen.len() > 1000, "{}", seen.len());
    for status in &seen {
        let session = status.session.as_ref().unwrap();
        assert_eq!(session.nodes, status.nodes - before.nodes);
        assert_eq!(session.visited, status.visited - before.visited);
        assert_eq!(session.units, status.done - before.done);
        if session.seconds > 0.0 {
            let rate = session.nodes as f64 / session.seconds;
            assert_eq!(status.nodes_per_second(), Some(rate));
        }
    }
    let last = seen.last().unwrap().session.clone().unwrap();
    assert_eq!(last.nodes, end.nodes - before.nodes);
    assert!(last.visited < last.nodes, "transpositions are counted once");
    let progress = *watch.0.lock().unwrap().last().unwrap();
    assert_eq!((progress.nodes, progress.share), (last.nodes, 1.0));
}
