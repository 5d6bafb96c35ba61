//! Files of other jobs, files of other formats, and damaged files.

use std::fs;
use std::io::Read;

use redb::{Database, ReadableDatabase, TableDefinition};
use tabiya::{CastlingMode, Position};
use tabiya_perft::{Engine, Options, reference_perft};
use tabiya_runs::checkpoint::{
    Checkpoint, CheckpointError, Job, RunOptions, UnitResult, status_of,
};

use crate::common::{AtFirst, KIWIPETE, run, start};

#[test]
fn the_checkpoint_of_another_job_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    drop(Checkpoint::open_or_create(&path, &start(5, 2), &()).unwrap());
    let refused = |job: Job, what: &str| {
        let error = Checkpoint::open_or_create(&path, &job, &()).unwrap_err();
        assert!(matches!(error, CheckpointError::OtherJob { .. }), "{error:?}");
        assert!(error.to_string().contains(what), "{error}");
    };
    refused(start(6, 2), "its depth is 5, not 6");
    refused(start(5, 3), "its split is 2, not 3");
    let kiwipete = Position::from_fen(KIWIPETE).unwrap();
    refused(Job::new(kiwipete, 5).unwrap(), "its root is rnbqkbnr");
    let chess960 = Position::START.with_castling_mode(CastlingMode::Chess960).unwrap();
    refused(Job::new(chess960, 5).unwrap(), "castling notation");
    // The move counters do not matter, and the split need not be given again.
    let later = Position::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 9 30");
    assert!(Checkpoint::open_or_create(&path, &Job::new(later.unwrap(), 5).unwrap(), &()).is_ok());
    assert!(matches!(Job::new(Position::START, 0), Err(CheckpointError::Depth)));
    let split = Job::new(Position::START, 3).unwrap().with_split(4);
    assert!(matches!(split, Err(CheckpointError::Split { split: 4, depth: 3, last: 3 })));
}

#[test]
fn a_checkpoint_of_another_format_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    drop(Checkpoint::open_or_create(&path, &start(4, 2), &()).unwrap());
    let job: TableDefinition<'_, &str, &str> = TableDefinition::new("job");
    let database = Database::open(&path).unwrap();
    assert!(database.begin_read().unwrap().open_table(job).is_ok());
    let write = database.begin_write().unwrap();
    write.open_table(job).unwrap().insert("format", "3").unwrap();
    write.commit().unwrap();
    drop(database);
    let error = Checkpoint::open(&path).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the checkpoint has format 3, but this version reads formats 1 and 2"
    );
}

#[test]
fn files_that_are_not_checkpoints_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let long = "not a checkpoint, but long enough to be one\n".repeat(1000);
    for text in ["", "short", &long] {
        fs::write(&path, text).unwrap();
        let error = Checkpoint::open_or_create(&path, &start(4, 2), &()).unwrap_err();
        assert!(matches!(error, CheckpointError::Foreign), "{error:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text, "the file is not changed");
    }
    drop(Database::create(folder.path().join("other")).unwrap());
    let error = Checkpoint::open(&folder.path().join("other")).unwrap_err();
    assert!(matches!(error, CheckpointError::Foreign), "{error:?}");
    assert!(matches!(Checkpoint::open(folder.path()), Err(CheckpointError::Io(_))));
    assert!(matches!(status_of(&folder.path().join("none")), Err(CheckpointError::Io(_))));
    let nowhere = folder.path().join("no").join("where");
    let error = Checkpoint::open_or_create(&nowhere, &start(4, 2), &()).unwrap_err();
    assert!(matches!(error, CheckpointError::Create(_)), "{error:?}");
}

/// Does the error say that the file is not what a run has written?
fn is_damage(error: &CheckpointError) -> bool {
    use CheckpointError::{Damaged, Foreign, Format};
    matches!(error, Damaged(_) | Foreign | Format { .. })
}

/// After damage to any byte, the file is refused or still leads to the right count.
#[test]
fn a_damaged_file_never_leads_to_a_wrong_count() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let checkpoint = Checkpoint::open_or_create(&path, &start(3, 2), &()).unwrap();
    // All but a few units are done, so that each trial writes little.
    let known: Vec<_> = (0..390)
        .map(|number| {
            let unit = checkpoint.unit(number).unwrap();
            let nodes = reference_perft(&unit.position, unit.depth);
            (
                number,
                UnitResult { nodes, micros: 7, counter: "reference".to_owned(), categories: None },
            )
        })
        .collect();
    checkpoint.record_results(&known).unwrap();
    let fens = [0, 17, 399].map(|unit| checkpoint.unit(unit).unwrap().position.fen().to_string());
    drop(checkpoint);
    // Damage rows in use: every occurrence of a unit's FEN.
    let intact = fs::read(&path).unwrap();
    for fen in fens {
        let mut bytes = intact.clone();
        let starts: Vec<usize> = bytes
            .windows(fen.len())
            .enumerate()
            .filter_map(|(at, window)| (window == fen.as_bytes()).then_some(at))
            .collect();
        assert!(!starts.is_empty(), "{fen}");
        for start in starts {
            bytes[start] ^= 1;
        }
        fs::write(&path, bytes).unwrap();
        let error = Checkpoint::open(&path).unwrap_err();
        assert!(matches!(error, CheckpointError::Damaged(_)), "{error:?}");
    }
    let used = intact.iter().rposition(|&byte| byte != 0).unwrap();
    let (mut refused, mut harmless) = (0, 0);
    let mut expect_refused_or_right = |bytes: &[u8], what: &str| {
        fs::write(&path, bytes).unwrap();
        if let Err(error) = status_of(&path) {
            assert!(is_damage(&error), "{what}: {error:?}");
        }
        assert_eq!(fs::read(&path).unwrap(), bytes, "{what}: reading the status changes nothing");
        match run(&path, &start(3, 2), &RunOptions::default()) {
            Ok(status) => {
                harmless += 1;
                assert_eq!(status.total(), Some(8902), "{what}");
            }
            Err(error) if is_damage(&error) => refused += 1,
            Err(error) => panic!("{what}: {error:?}"),
        }
    };
    for at in (0..400).step_by(3).chain((400..=used).step_by(used / 120)) {
        let mut bytes = intact.clone();
        bytes[at] ^= 1 << (at % 8);
        expect_refused_or_right(&bytes, &format!("byte {at}"));
    }
    for length in [1, 100, 4096, used / 2, used] {
        expect_refused_or_right(&intact[..length], &format!("cut after {length}"));
    }
    // Places in use, in the header and in every page.
    let in_use = |&at: &usize| intact[at..at + 64].iter().any(|&byte| byte != 0);
    for at in (12..320).step_by(14).chain((4096..used).step_by(4096 / 2).filter(in_use)) {
        let mut bytes = intact.clone();
        bytes[at..at + 64].fill(0xa5);
        expect_refused_or_right(&bytes, &format!("64 bytes at {at}"));
    }
    eprintln!("{refused} refused, {harmless} harmless");
    assert!(refused > 20, "{refused} refused, {harmless} harmless");
}

/// Version 0.1.0 wrote this file. Its process was killed when 12 of 20 units were done and 4
/// verified.
#[test]
fn a_checkpoint_of_the_first_release_is_opened_and_finished() {
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/start-6.checkpoint-1.zst");
    let mut bytes = Vec::new();
    let fixture = fs::File::open(fixture).expect("the fixture is part of the crate");
    ruzstd::decoding::StreamingDecoder::new(fixture).unwrap().read_to_end(&mut bytes).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("start-6");
    fs::write(&path, bytes).unwrap();
    let checkpoint = Checkpoint::open_or_create(&path, &start(6, 1), &()).unwrap();
    let status = checkpoint.status().unwrap();
    assert_eq!((status.done, status.units, status.verified), (12, 20, 4));
    assert_eq!(status.nodes, 70_568_499);
    let engine = Engine::new(Options::default());
    let options = RunOptions { counter: &engine, ..RunOptions::default() };
    let status = checkpoint.run(&options, &()).unwrap();
    assert_eq!(status.total(), Some(119_060_324));
}

/// A checkpoint that is created has a name of its own until it is complete.
#[test]
fn a_file_with_the_name_of_an_unfinished_checkpoint_stays() {
    let folder = tempfile::tempdir().unwrap();
    let (path, other) = (folder.path().join("run"), folder.path().join("run.new"));
    run(&other, &start(3, 1), &RunOptions::default()).unwrap();
    let before = fs::read(&other).unwrap();
    assert!(Checkpoint::open_or_create(&path, &start(3, 1), &()).is_ok());
    assert_eq!(fs::read(&other).unwrap(), before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

/// Dividing a job can take minutes. The file may be one that was moved to its place in this time.
#[test]
fn a_file_that_appears_while_the_job_is_created_stays() {
    let folder = tempfile::tempdir().unwrap();
    let (path, other) = (folder.path().join("run"), folder.path().join("other"));
    run(&other, &start(3, 1), &RunOptions::default()).unwrap();
    let status = Checkpoint::status_path(&path);
    let watch = AtFirst::new(|| {
        fs::rename(&other, &path).unwrap();
        fs::write(&status, "").unwrap();
    });
    let error = Checkpoint::open_or_create(&path, &start(3, 1), &watch).unwrap_err();
    assert!(matches!(error, CheckpointError::Create(_)), "{error:?}");
    assert!(error.to_string().contains("another file was given this name"), "{error}");
    assert!(status.exists(), "the status may be that of its run");
    fs::remove_file(status).unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "the new file is gone");
    let checkpoint = Checkpoint::open_or_create(&path, &start(3, 1), &()).unwrap();
    assert_eq!(checkpoint.status().unwrap().total(), Some(8902));
}
