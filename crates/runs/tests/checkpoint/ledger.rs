//! Results that are counted elsewhere, by workers that may be lost, late or wrong.

use std::cell::Cell;
#[cfg(unix)]
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tabiya::Position;
use tabiya_perft::reference_perft;
use tabiya_runs::checkpoint::{
    Checkpoint, CheckpointError, Ledger, LedgerOptions, ReferenceCounter, RunOptions, Task,
    UnitResult, status_of,
};

use crate::common::{ByFunction, start, threads};

/// Any process can count units.
#[test]
fn results_from_elsewhere_can_be_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let checkpoint = Checkpoint::open_or_create(&path, &start(4, 2), &()).unwrap();
    let calls = Cell::new(0);
    let result = |unit: u64| {
        calls.set(calls.get() + 1);
        let unit = checkpoint.unit(unit).unwrap();
        // Another process would only know the FEN.
        let position = Position::from_fen(&unit.position.fen().to_string()).unwrap();
        UnitResult {
            nodes: reference_perft(&position, unit.depth),
            micros: 7,
            counter: "elsewhere".into(),
            categories: None,
        }
    };
    let batch: Vec<_> = (0..300).map(|unit| (unit, result(unit))).collect();
    checkpoint.record_results(&batch).unwrap();
    checkpoint.record_results(&batch[..10]).unwrap();
    assert_eq!(checkpoint.status().unwrap().done, 300);
    assert_eq!(checkpoint.result(299).unwrap().unwrap().counter, "elsewhere");
    assert!(matches!(checkpoint.unit(400), Err(CheckpointError::NoUnit(400))));
    let stray = [(400, batch[0].1.clone())];
    assert!(matches!(checkpoint.record_results(&stray), Err(CheckpointError::NoUnit(400))));
    let wrong = [(0, UnitResult { nodes: 1, ..batch[0].1.clone() })];
    assert!(matches!(
        checkpoint.record_results(&wrong),
        Err(CheckpointError::Disputed { unit: 0, .. })
    ));
    let options = RunOptions { counter: &ReferenceCounter, ..RunOptions::default() };
    assert_eq!(checkpoint.run(&options, &()).unwrap().total(), Some(197_281));
    assert_eq!(calls.get(), 300);
}

/// Opening a large file takes seconds, in which it can be moved, replaced or removed as well.
#[test]
#[cfg(unix)]
fn a_file_that_is_moved_while_it_is_opened_is_noticed() {
    use std::fs;

    use crate::common::AtFirst;

    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    drop(Checkpoint::open_or_create(&at("other"), &start(4, 2), &()).unwrap());
    let (path, other) = (at("run"), at("other"));
    let changes: [&(dyn Fn() + Sync); 3] =
        [&|| fs::remove_file(&path).unwrap(), &|| fs::rename(&path, at("moved")).unwrap(), &|| {
            fs::rename(&other, &path).unwrap();
        }];
    for change in changes {
        if !path.exists() {
            fs::copy(&other, &path).unwrap();
        }
        let watch = AtFirst::new(change);
        let checkpoint = Checkpoint::open_or_create(&path, &start(4, 2), &watch).unwrap();
        assert!(!checkpoint.is_kept());
        let error = checkpoint.run(&RunOptions::default(), &()).unwrap_err();
        assert!(matches!(error, CheckpointError::Moved { done: 0, units: 400 }), "{error:?}");
    }
}

/// A run that is cancelled says so itself: its caller would name a file that is not there.
#[test]
#[cfg(unix)]
fn a_file_that_is_removed_just_before_a_run_is_cancelled_is_noticed() {
    use std::sync::atomic::AtomicBool;

    use tabiya_perft::Watch;

    struct Cancel(AtomicBool);

    impl Watch for Cancel {
        fn is_cancelled(&self) -> bool {
            self.0.load(Ordering::Relaxed)
        }
    }

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let checkpoint = Checkpoint::open_or_create(&path, &start(4, 2), &()).unwrap();
    let watch = Cancel(AtomicBool::new(false));
    let counter = ByFunction(|position: &Position, depth| {
        let _ = std::fs::remove_file(&path);
        watch.0.store(true, Ordering::Relaxed);
        reference_perft(position, depth)
    });
    let options = RunOptions { counter: &counter, ..RunOptions::default() };
    let error = checkpoint.run(&options, &watch).unwrap_err();
    assert!(matches!(error, CheckpointError::Moved { done: 1, units: 400 }), "{error:?}");
}

/// The second count may take as long as the first one.
#[test]
#[cfg(unix)]
fn a_file_that_is_removed_while_a_complete_job_is_verified_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let checkpoint = Checkpoint::open_or_create(&path, &start(3, 1), &()).unwrap();
    assert_eq!(checkpoint.run(&RunOptions::default(), &()).unwrap().unverified, 0);
    let options = LedgerOptions { verify_share: 1.0, workers: 1 };
    let mut ledger = Ledger::new(&checkpoint, &options).unwrap();
    assert_eq!((ledger.status().total(), ledger.status().unverified), (Some(8902), 20));
    std::fs::rename(&path, folder.path().join("moved")).unwrap();
    let error = ledger.publish().unwrap_err();
    assert!(matches!(error, CheckpointError::Moved { done: 20, units: 20 }), "{error:?}");
    for left in (0..20).rev() {
        let task = ledger.next_task().unwrap();
        let result = result_of(&checkpoint, &task, "a");
        assert_eq!(ledger.record(vec![(task, result)]).is_err(), left > 0);
        assert_eq!(ledger.status().unverified, left);
    }
    // Nothing is left to count, so the result no longer depends on the file.
    ledger.publish().unwrap();
}

/// What is known then contains what was written into the file that was moved.
#[test]
#[cfg(unix)]
fn a_commit_to_a_file_that_was_moved_is_kept_there_and_ends_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let (path, moved) = (folder.path().join("run"), folder.path().join("moved"));
    for replaced in [false, true] {
        let (mut ledger, task, result) = with_a_result(&path);
        std::fs::rename(&path, &moved).unwrap();
        if replaced {
            std::fs::write(&path, "something else").unwrap();
        }
        let error = ledger.record(vec![(task, result)]).unwrap_err();
        assert!(matches!(error, CheckpointError::Moved { done: 1, units: 400 }), "{error:?}");
        assert_eq!(ledger.status().done, 1);
        assert!(matches!(ledger.publish(), Err(CheckpointError::Moved { done: 1, units: 400 })));
        drop(ledger);
        assert_eq!(Checkpoint::open(&moved).unwrap().status().unwrap().done, 1);
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "something else");
}

/// A new job, and the result of a task that is not recorded yet.
#[cfg(unix)]
fn with_a_result(path: &Path) -> (Ledger<Checkpoint>, Task, UnitResult) {
    let checkpoint = Checkpoint::open_or_create(path, &start(4, 2), &()).unwrap();
    let mut ledger = Ledger::new(checkpoint, &LedgerOptions::default()).unwrap();
    let task = ledger.next_task().unwrap();
    let result = result_of(ledger.checkpoint(), &task, "a");
    (ledger, task, result)
}

/// Computes the result of a task, as a worker elsewhere would.
fn result_of(checkpoint: &Checkpoint, task: &Task, counter: &str) -> UnitResult {
    let unit = checkpoint.unit(task.unit()).unwrap();
    let nodes = reference_perft(&unit.position, unit.depth);
    UnitResult { nodes, micros: 5, counter: counter.to_owned(), categories: None }
}

/// The tasks that are open now.
fn open_tasks(ledger: &mut Ledger<&Checkpoint>) -> Vec<Task> {
    std::iter::from_fn(|| ledger.next_task()).collect()
}

#[test]
fn a_ledger_hands_out_each_unit_once_and_its_verification_when_it_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoint =
        Checkpoint::open_or_create(&folder.path().join("run"), &start(4, 2), &()).unwrap();
    let options = LedgerOptions { verify_share: 1.0, workers: 3 };
    let mut ledger = Ledger::new(&checkpoint, &options).unwrap();
    assert_eq!(ledger.status().session.as_ref().unwrap().threads, 3);
    let tasks = open_tasks(&mut ledger);
    let expected: Vec<Task> = (0..400).map(|unit| Task::Count { unit }).collect();
    assert_eq!(tasks, expected);
    let result = result_of(&checkpoint, &tasks[7], "one");
    ledger.record(vec![(tasks[7].clone(), result.clone())]).unwrap();
    let verify = Task::Verify { unit: 7, first: result.clone() };
    assert_eq!(open_tasks(&mut ledger), std::slice::from_ref(&verify));
    // The worker of unit 3 was lost. Unit 7 is put back although its result has arrived.
    ledger.put_back(tasks[7].clone());
    ledger.put_back(tasks[3].clone());
    ledger.put_back(Task::Count { unit: 400 });
    assert_eq!(ledger.next_task().as_ref(), Some(&tasks[3]));
    assert_eq!(ledger.next_task(), None);
    // A task that was put back is not handed out if its result arrives after all.
    ledger.put_back(tasks[4].clone());
    ledger.put_back(verify.clone());
    let late = result_of(&checkpoint, &tasks[4], "late");
    ledger.record(vec![(tasks[4].clone(), late.clone()), (verify, result)]).unwrap();
    assert_eq!(open_tasks(&mut ledger), [Task::Verify { unit: 4, first: late }]);
    assert_eq!((ledger.status().done, ledger.status().verified), (2, 1));
    // Units that were not counted are open in the next session.
    let status = ledger.finish();
    assert_eq!((status.session, status.done), (None, 2));
    let mut ledger = Ledger::new(&checkpoint, &options).unwrap();
    let again = open_tasks(&mut ledger);
    assert_eq!(again.len(), 399);
    assert!(matches!(again[4], Task::Verify { unit: 4, .. }), "{:?}", again[4]);
    assert_eq!(
        again.iter().map(Task::unit).collect::<Vec<_>>(),
        [(0..7).collect::<Vec<_>>(), (8..400).collect()].concat()
    );
}

#[test]
fn late_and_double_results_are_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let checkpoint = Checkpoint::open_or_create(&path, &start(4, 2), &()).unwrap();
    let options = LedgerOptions { verify_share: 1.0, workers: 1 };
    let mut ledger = Ledger::new(&checkpoint, &options).unwrap();
    let task = ledger.next_task().unwrap();
    let result = |counter: &str| result_of(&checkpoint, &Task::Count { unit: 0 }, counter);
    // A verification without a first result.
    let early = Task::Verify { unit: 0, first: result("early") };
    ledger.record(vec![(early, result("early"))]).unwrap();
    assert_eq!(ledger.status().done, 0);
    ledger.record(vec![(task.clone(), result("a")), (task.clone(), result("b"))]).unwrap();
    ledger.record(vec![(task.clone(), result("c"))]).unwrap();
    ledger.record(Vec::new()).unwrap();
    let verify = ledger.next_task().unwrap();
    let Task::Verify { first, .. } = &verify else { panic!("{verify:?}") };
    assert_eq!(first.counter, "a");
    ledger.record(vec![(verify.clone(), result("d")), (verify.clone(), result("e"))]).unwrap();
    // The unit is already verified, so this third result is ignored even though it differs.
    ledger.record(vec![(verify, UnitResult { nodes: 1, ..result("f") })]).unwrap();
    let status = ledger.status().clone();
    assert_eq!((status.done, status.verified), (1, 1));
    assert_eq!(status.nodes, result("a").nodes.into());
    assert_eq!(status.session.unwrap().units, 1);
    let stray = Task::Count { unit: 400 };
    let batch = vec![(Task::Count { unit: 1 }, result("g")), (stray, result("g"))];
    let error = ledger.record(batch).unwrap_err();
    assert!(matches!(error, CheckpointError::NoUnit(400)), "{error:?}");
    drop(ledger);
    // The file agrees with the ledger.
    drop(checkpoint);
    let found = Checkpoint::open(&path).unwrap();
    assert_eq!(found.result(0).unwrap().unwrap().counter, "a");
    assert_eq!(found.result(1).unwrap(), None);
    let found = found.status().unwrap();
    assert_eq!((found.done, found.verified, found.nodes), (1, 1, status.nodes));
}

#[test]
fn results_that_differ_are_all_kept_as_evidence_and_counted_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let checkpoint = Checkpoint::open_or_create(&path, &start(4, 2), &()).unwrap();
    let options = LedgerOptions { verify_share: 1.0, workers: 1 };
    let mut ledger = Ledger::new(&checkpoint, &options).unwrap();
    let counts: Vec<Task> = open_tasks(&mut ledger);
    let batch = counts[..4].iter().map(|task| {
        let mut result = result_of(&checkpoint, task, "first");
        result.nodes += u64::from(task.unit() < 2);
        (task.clone(), result)
    });
    ledger.record(batch.collect()).unwrap();
    let verifications = open_tasks(&mut ledger);
    assert_eq!(verifications.len(), 4);
    let fifth = (counts[4].clone(), result_of(&checkpoint, &counts[4], "first"));
    let batch =
        verifications.iter().map(|task| (task.clone(), result_of(&checkpoint, task, "second")));
    let error = ledger.record(batch.chain([fifth]).collect()).unwrap_err();
    let CheckpointError::Disputed { unit, first, second, .. } = error else { panic!("{error:?}") };
    assert!(unit < 2 && first == second + 1, "unit {unit}: {first} {second}");
    let status = ledger.status().clone();
    assert_eq!((status.done, status.verified, status.disputes.len()), (3, 2, 2));
    for text in &status.disputes {
        assert!(text.contains(" by first, ") && text.ends_with(" by second"), "{text}");
    }
    // The units are open again, also for a coordinator that continues.
    let open = open_tasks(&mut ledger);
    for unit in [0, 1] {
        assert!(open.contains(&Task::Count { unit }), "{open:?}");
        // A late verification of the removed result is ignored.
        let late = verifications.iter().find(|task| task.unit() == unit).unwrap();
        ledger.record(vec![(late.clone(), result_of(&checkpoint, late, "late"))]).unwrap();
    }
    let (now, nodes) = (ledger.status(), status.nodes);
    assert_eq!((now.done, now.verified, now.nodes), (3, 2, nodes));
    assert_eq!((&now.moves, &now.disputes), (&status.moves, &status.disputes));
    drop(ledger);
    drop(checkpoint);
    let found = Checkpoint::open(&path).unwrap();
    let status = found.status().unwrap();
    assert_eq!((status.done, status.verified, status.nodes), (3, 2, nodes));
    assert_eq!(status.disputes.len(), 2);
    let options = RunOptions { verify_share: 1.0, ..RunOptions::default() };
    let status = found.run(&options, &()).unwrap();
    assert_eq!((status.total(), status.verified), (Some(197_281), 400));
}

/// Workers of a cluster that are lost, late, or wrong once.
#[test]
fn a_ledger_of_unreliable_workers_ends_with_the_right_count() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let checkpoint = Arc::new(Checkpoint::open_or_create(&path, &start(4, 2), &()).unwrap());
    let options = LedgerOptions { verify_share: 0.5, workers: 8 };
    let mut ledger = Ledger::new(Arc::clone(&checkpoint), &options).unwrap();
    // A generator of pseudo-random numbers.
    let mut state = 1u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % below
    };
    let (mut late, mut disputes, mut recorded) = (Vec::new(), 0, 0);
    loop {
        let batch: Vec<Task> = std::iter::from_fn(|| ledger.next_task()).take(7).collect();
        if batch.is_empty() {
            break;
        }
        let mut results = Vec::new();
        for task in batch {
            let mut result = result_of(&checkpoint, &task, "worker");
            match random(10) {
                0 => ledger.put_back(task),
                1 => {
                    ledger.put_back(task.clone());
                    late.push((task, result));
                }
                2 if matches!(task, Task::Verify { .. }) => {
                    result.nodes ^= 1;
                    results.push((task, result));
                }
                3 => results.extend([(task.clone(), result.clone()), (task, result)]),
                _ => results.push((task, result)),
            }
        }
        if random(3) == 0 {
            results.append(&mut late);
        }
        recorded += results.len();
        match ledger.record(results) {
            Ok(()) => {}
            Err(CheckpointError::Disputed { first, second, .. }) => {
                assert_eq!(first ^ 1, second);
                disputes += 1;
            }
            Err(error) => panic!("{error:?}"),
        }
    }
    let status = ledger.finish();
    assert!(disputes > 5 && recorded > 700, "{disputes} of {recorded}");
    assert!(status.disputes.len() >= disputes);
    assert_eq!(status.total(), Some(197_281));
    assert!((170..230).contains(&status.verified), "{}", status.verified);
    let found = checkpoint.status().unwrap();
    assert_eq!((found.nodes, found.verified), (status.nodes, status.verified));
    assert_eq!((found.moves, found.disputes), (status.moves, status.disputes));
}

/// A finished job has its result, so it may lie in a read-only folder.
#[test]
fn a_finished_job_needs_no_room_for_its_status() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let checkpoint = Checkpoint::open_or_create(&path, &start(4, 2), &()).unwrap();
    let status = Checkpoint::status_path(&path);
    let options = LedgerOptions { verify_share: 1.0, workers: 1 };
    let mut ledger = Ledger::new(&checkpoint, &options).unwrap();
    let tasks = open_tasks(&mut ledger);
    std::fs::create_dir(&status).unwrap();
    assert!(matches!(ledger.publish(), Err(CheckpointError::Status { done: 0, .. })));
    let results = tasks.iter().map(|task| (task.clone(), result_of(&checkpoint, task, "here")));
    ledger.record(results.collect()).unwrap();
    // Each unit is to be counted a second time.
    assert!(matches!(ledger.publish(), Err(CheckpointError::Status { done: 400, .. })));
    let tasks = open_tasks(&mut ledger);
    let results = tasks.iter().map(|task| (task.clone(), result_of(&checkpoint, task, "there")));
    ledger.record(results.collect()).unwrap();
    ledger.publish().unwrap();
    assert_eq!(ledger.finish().total(), Some(197_281));
}

#[test]
fn a_ledger_publishes_its_status_and_a_run_continues_its_job() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let checkpoint = Checkpoint::open_or_create(&path, &start(4, 2), &()).unwrap();
    let mut ledger = Ledger::new(&checkpoint, &LedgerOptions::default()).unwrap();
    let tasks = open_tasks(&mut ledger);
    let results =
        tasks[..250].iter().map(|task| (task.clone(), result_of(&checkpoint, task, "elsewhere")));
    ledger.record(results.collect()).unwrap();
    ledger.set_workers(5);
    ledger.publish().unwrap();
    let seen = status_of(&path).unwrap();
    assert_eq!(&seen, ledger.status());
    assert_eq!((seen.done, seen.session.unwrap().threads), (250, 5));
    // Dropping the ledger also removes the published status.
    assert!(Checkpoint::status_path(&path).exists());
    drop(ledger);
    assert!(!Checkpoint::status_path(&path).exists());
    let calls = AtomicU64::new(0);
    let counter = ByFunction(|position: &Position, depth| {
        calls.fetch_add(1, Ordering::Relaxed);
        reference_perft(position, depth)
    });
    let options = RunOptions { counter: &counter, threads: threads(3), ..RunOptions::default() };
    assert_eq!(checkpoint.run(&options, &()).unwrap().total(), Some(197_281));
    assert_eq!(calls.into_inner(), 150);
    // In the same way, a run leaves no tasks for a ledger.
    let mut ledger = Ledger::new(&checkpoint, &LedgerOptions::default()).unwrap();
    assert_eq!(ledger.next_task(), None);
    assert_eq!(ledger.finish().total(), Some(197_281));
}
