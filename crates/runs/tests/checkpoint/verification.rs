//! Units are counted twice, and a wrong count is found.

use std::sync::atomic::{AtomicU64, Ordering};

use tabiya::Position;
use tabiya_perft::reference_perft;
use tabiya_runs::checkpoint::{Checkpoint, CheckpointError, RunOptions, UnitCounter};

use crate::common::{ByFunction, run, start};

/// A counter that is wrong in some of its calls.
fn wrong_counter(wrong: std::ops::Range<u64>) -> impl UnitCounter {
    let calls = AtomicU64::new(0);
    ByFunction(move |position: &Position, depth| {
        let call = calls.fetch_add(1, Ordering::Relaxed);
        reference_perft(position, depth) + u64::from(wrong.contains(&call))
    })
}

#[test]
fn a_second_count_finds_a_wrong_first_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let once = wrong_counter(100..101);
    let options = RunOptions { counter: &once, verify_share: 1.0, ..RunOptions::default() };
    let error = run(&path, &start(4, 2), &options).unwrap_err();
    let CheckpointError::Disputed { unit, first, second, .. } = error else { panic!("{error:?}") };
    assert_eq!(first, second + 1);
    let checkpoint = Checkpoint::open(&path).unwrap();
    assert_eq!(checkpoint.result(unit).unwrap(), None, "neither result is kept");
    let status = checkpoint.run(&options, &()).unwrap();
    assert_eq!(status.total(), Some(197_281));
    assert_eq!(status.verified, 400);
    assert_eq!(status.disputes.len(), 1);
    assert_eq!(checkpoint.status().unwrap().disputes, status.disputes);

    // A counter that is always wrong fails at every verification.
    let path = folder.path().join("always");
    let always = wrong_counter(0..u64::MAX);
    let options = RunOptions { counter: &always, verify_share: 0.1, ..RunOptions::default() };
    for _ in 0..3 {
        let error = run(&path, &start(4, 2), &options).unwrap_err();
        assert!(matches!(error, CheckpointError::Disputed { .. }), "{error:?}");
    }
}

/// The share includes units that were counted in an earlier session.
#[test]
fn the_given_share_of_units_is_verified() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let verified = |share: f64| {
        let options = RunOptions { verify_share: share, ..RunOptions::default() };
        run(&path, &start(5, 3), &options).unwrap().verified
    };
    assert_eq!(verified(0.0), 0);
    let some = verified(0.01);
    assert!((30..80).contains(&some), "{some} of 5362");
    assert_eq!(verified(0.01), some);
    assert_eq!(verified(1.0), 5362);
}
