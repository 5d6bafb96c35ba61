//! Totals, units and multiplicities are exact, and numbers that are too large are errors.

use tabiya::Position;
use tabiya_perft::table::{HashSize, Table};
use tabiya_perft::{Engine, Options, perft};
use tabiya_runs::checkpoint::{
    Checkpoint, CheckpointError, Job, ReferenceCounter, RunOptions, UnitCounter, UnitResult,
    WorkUnit,
};

use crate::common::{KIWIPETE, run, start, threads};

/// The total and the count of every root move equal perft, with any split.
#[test]
fn the_count_and_its_divide_are_exact() {
    let folder = tempfile::tempdir().unwrap();
    let promotions = "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1";
    let chess960 = "1rk3r1/8/8/8/8/8/8/R3K1R1 w AG - 0 1";
    let mate = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
    let en_passant = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
    let mut file = 0;
    let table = Table::new(HashSize::mebibytes(1), 7.into()).unwrap();
    let engine = Engine::new(Options::default()).with_table(table);
    for (fen, depth) in [(KIWIPETE, 3), (promotions, 4), (chess960, 4), (mate, 3), (en_passant, 5)]
    {
        let root = Position::from_fen(fen).unwrap();
        let tally = perft(&root, depth, &Options::default(), &());
        for split in 1..=depth {
            let job = Job::new(root.clone(), depth).unwrap().with_split(split).unwrap();
            if job.units(&()).unwrap().len() > 3000 {
                // This split would need too many writes for a test.
                continue;
            }
            file += 1;
            let path = folder.path().join(file.to_string());
            let counter: &dyn UnitCounter = if file % 2 == 0 { &ReferenceCounter } else { &engine };
            let options =
                RunOptions { threads: threads(1 + file % 3), counter, ..RunOptions::default() };
            let status = run(&path, &job, &options).unwrap();
            assert_eq!(status.total(), Some(tally.nodes), "{fen} {depth} {split}");
            let expected: Vec<_> = tally
                .moves
                .iter()
                .map(|count| (root.uci(count.mv).to_string(), count.nodes))
                .collect();
            let found: Vec<_> = status.moves.iter().map(|mv| (mv.mv.clone(), mv.nodes)).collect();
            assert_eq!(found, expected, "{fen} {depth} {split}");
            assert!(status.moves.iter().all(|mv| mv.games == mv.games_done));
            let opened = Checkpoint::open(&path).unwrap();
            assert_eq!(opened.status().unwrap().nodes, tally.nodes);
            assert_eq!(opened.job().root().castling_mode(), root.castling_mode());
            drop(opened);
            let again = Checkpoint::open_or_create(&path, &job, &());
            assert!(again.is_ok(), "{fen} {depth} {split}: {again:?}");
        }
    }
}

/// Units are distinct positions, and their multiplicities add up to the perft of the split.
#[test]
fn units_are_the_frontier_of_the_split() {
    let units = start(9, 4).units(&()).unwrap();
    assert_eq!(units.len(), 72_078);
    assert_eq!(units.iter().map(|unit| unit.multiplicity()).sum::<u64>(), 197_281);
    // Unless a split is given, a deep count is split into units of a second or less.
    let units = Job::new(Position::START, 9).unwrap().units(&()).unwrap();
    assert_eq!(units[0].depth, 5);
}

/// Two kings have few positions, but more move sequences than a number can hold.
#[test]
fn multiplicities_do_not_overflow() {
    let kings = Position::from_fen("k7/8/8/8/8/8/8/7K w - - 0 1").unwrap();
    let deep = Job::new(kings, 60).unwrap();
    let units = deep.units(&()).unwrap();
    let games: u128 = units.iter().map(|unit| u128::from(unit.multiplicity())).sum();
    assert!(units.len() < 10_000 && games > 1 << 50 && units[0].depth > 30);
    let error = deep.with_split(40).unwrap().units(&()).unwrap_err();
    assert!(matches!(error, CheckpointError::Multiplicity), "{error:?}");
}

/// An engine for very deep counts of two kings.
fn engine_with_table() -> Engine {
    let table = Table::new(HashSize::mebibytes(64), 1.into()).unwrap();
    Engine::new(Options::default()).with_table(table)
}

/// The results of the units, counted by an engine.
fn results(units: &[WorkUnit], engine: &Engine) -> Vec<(u64, UnitResult)> {
    let result = |(number, unit): (u64, &WorkUnit)| {
        let nodes = engine.count(&unit.position, unit.depth).unwrap().try_into().unwrap();
        (number, UnitResult { nodes, micros: 1, counter: "engine".to_owned(), categories: None })
    };
    (0..).zip(units).map(result).collect()
}

#[test]
fn a_total_of_nearly_128_bits_is_right_and_a_larger_one_is_an_error() {
    let kings = || Position::from_fen("k7/8/8/8/8/8/8/K7 w - - 0 1").unwrap();
    let engine = engine_with_table();
    let folder = tempfile::tempdir().unwrap();
    let open = |depth: u32, split| {
        let job = Job::new(kings(), depth).unwrap().with_split(split).unwrap();
        let path = folder.path().join(depth.to_string());
        (Checkpoint::open_or_create(&path, &job, &()).unwrap(), job.units(&()).unwrap(), path)
    };
    let (checkpoint, units, _) = open(47, 25);
    checkpoint.record_results(&results(&units, &engine)).unwrap();
    let total = checkpoint.status().unwrap().total();
    assert_eq!(total, Some(100_727_381_831_559_211_234_519_394_812_894_753_591));
    assert_eq!(total, Some(engine.perft(&kings(), 47, &()).nodes));

    let (checkpoint, units, path) = open(48, 26);
    let mut results = results(&units, &engine);
    // Take as many results as fit. The next one would be too many.
    let mut sum = 0u128;
    let fit = results.iter().zip(&units).take_while(|((_, result), unit)| {
        let more = u128::from(result.nodes) * u128::from(unit.multiplicity());
        sum.checked_add(more).map(|larger| sum = larger).is_some()
    });
    let fit = fit.count();
    assert!(0 < fit && fit < units.len());
    results.truncate(fit);
    checkpoint.record_results(&results).unwrap();
    assert_eq!(checkpoint.status().unwrap().nodes, sum);
    let options = RunOptions { counter: &engine, ..RunOptions::default() };
    let error = checkpoint.run(&options, &()).unwrap_err();
    assert!(matches!(error, CheckpointError::TotalTooLarge), "{error:?}");
    assert!(error.to_string().contains("2^128"), "{error}");
    // The file reports the error from now on.
    drop(checkpoint);
    let error = Checkpoint::open(&path).unwrap().status().unwrap_err();
    assert!(matches!(error, CheckpointError::TotalTooLarge), "{error:?}");
    let error = Checkpoint::open(&path).unwrap().run(&options, &()).unwrap_err();
    assert!(matches!(error, CheckpointError::TotalTooLarge), "{error:?}");
}

#[test]
fn a_unit_whose_result_has_more_than_64_bits_is_an_error() {
    let kings = Position::from_fen("k7/8/8/8/8/8/8/K7 w - - 0 1").unwrap();
    let (folder, engine) = (tempfile::tempdir().unwrap(), engine_with_table());
    let options = RunOptions { counter: &engine, ..RunOptions::default() };
    for (depth, split) in [(47, 10), (200, 10)] {
        let job = Job::new(kings.clone(), depth).unwrap().with_split(split).unwrap();
        let path = folder.path().join(depth.to_string());
        let checkpoint = Checkpoint::open_or_create(&path, &job, &()).unwrap();
        let error = checkpoint.run(&options, &()).unwrap_err();
        assert!(matches!(error, CheckpointError::UnitTooLarge { .. }), "{error:?}");
        assert!(error.to_string().contains("split after more plies"), "{error}");
        // Nothing wrong was written.
        assert_eq!(checkpoint.status().unwrap().done, 0);
    }
}
