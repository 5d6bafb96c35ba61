//! Cancelled and failed creations, and panics in functions that a run calls.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tabiya::Position;
use tabiya_perft::{Watch, reference_perft};
use tabiya_runs::checkpoint::{Checkpoint, CheckpointError, Job, RunOptions, Status};

use crate::common::{ByFunction, run, start, threads};

/// Cancels the work after a number of calls.
struct CancelAfter(AtomicU64);

impl CancelAfter {
    fn questions(number: u64) -> Self {
        Self(AtomicU64::new(number))
    }
}

impl Watch for CancelAfter {
    fn is_cancelled(&self) -> bool {
        self.0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
            .is_err()
    }
}

/// Cancels at every moment of planning, creating and opening.
#[test]
fn a_cancelled_creation_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let job = start(5, 3);
    let mut cancelled = 0;
    for questions in 0.. {
        let watch = CancelAfter::questions(questions);
        match Checkpoint::open_or_create(&path, &job, &watch) {
            Ok(checkpoint) => {
                assert_eq!(checkpoint.status().unwrap().done, 0);
                break;
            }
            Err(CheckpointError::Cancelled) => cancelled += 1,
            Err(error) => panic!("{error:?}"),
        }
        // A complete file may stay, because then only opening it was cancelled.
        if !path.exists() {
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "after {questions}");
        }
    }
    assert!(cancelled > 8, "{cancelled}");
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().path()).collect();
    assert_eq!(names, [path]);
}

#[test]
fn a_failed_creation_says_that_nothing_was_written_and_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("missing").join("run");
    let error = Checkpoint::open_or_create(&path, &start(4, 2), &()).unwrap_err();
    assert!(matches!(error, CheckpointError::Create(_)), "{error:?}");
    let kings = Position::from_fen("k7/8/8/8/8/8/8/7K w - - 0 1").unwrap();
    let too_many = Job::new(kings, 60).unwrap().with_split(40).unwrap();
    let error = Checkpoint::open_or_create(&folder.path().join("run"), &too_many, &()).unwrap_err();
    assert!(matches!(error, CheckpointError::Multiplicity), "{error:?}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// A panic of a counter is the program's own error and says nothing about the file.
#[test]
fn the_panic_of_a_counter_reaches_the_caller_and_stops_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let calls = AtomicU64::new(0);
    let panicking = ByFunction(|position: &Position, depth| {
        let call = calls.fetch_add(1, Ordering::Relaxed);
        // `resume_unwind` avoids the message of the test's panic hook.
        if call == 20 {
            std::panic::resume_unwind(Box::new("the counter is broken"));
        }
        reference_perft(position, depth)
    });
    let write_every = Duration::ZERO;
    let options = RunOptions {
        threads: threads(3),
        counter: &panicking,
        write_every,
        ..RunOptions::default()
    };
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        run(&path, &start(4, 2), &options)
    }));
    let payload = outcome.expect_err("the counter panicked");
    assert_eq!(payload.downcast_ref::<&str>(), Some(&"the counter is broken"));
    let calls = calls.into_inner();
    assert!(calls < 400, "{calls} of 400 units were counted");
    // The earlier results are in the file, and the run can continue.
    let checkpoint = Checkpoint::open(&path).unwrap();
    assert!(checkpoint.status().unwrap().done >= 18);
    let status = checkpoint.run(&RunOptions::default(), &()).unwrap();
    assert_eq!(status.total(), Some(197_281));
}

/// A panic in a function that the run calls is not an error of the file either.
#[test]
fn the_panic_of_a_report_reaches_the_caller() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let report = |status: &Status| {
        if status.done > 0 {
            std::panic::resume_unwind(Box::new("the report is broken"));
        }
    };
    let options = RunOptions { report: Some(&report), ..RunOptions::default() };
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        run(&path, &start(4, 2), &options)
    }));
    let payload = outcome.expect_err("the report panicked");
    assert_eq!(payload.downcast_ref::<&str>(), Some(&"the report is broken"));
}
