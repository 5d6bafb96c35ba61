//! Estimates are right on average, and their intervals contain the true number as often as
//! promised.

use tabiya::Position;
use tabiya_perft::{Effort, Engine, Estimate, EstimateOptions, Estimator, Options, estimate};

fn estimates(fen: &str, depth: u32, samples: u64, seeds: u64) -> Vec<Estimate> {
    let engine = Engine::new(Options::default());
    let position = Position::from_fen(fen).unwrap();
    let estimator = Estimator::new(&engine, &position, depth, &()).unwrap();
    (0..seeds).map(|seed| estimator.estimate(samples, seed).unwrap()).collect()
}

/// Of many intervals, 95 % contain the true number. If fewer do, the intervals are too narrow; if
/// more do, they are too wide. The mean of many estimates is much closer to the true number than a
/// single estimate, but only if the estimates are unbiased.
#[track_caller]
fn expect_right_intervals(fen: &str, depth: u32, truth: f64, samples: u64) {
    let seeds = 300;
    let estimates = estimates(fen, depth, samples, seeds);
    assert!(!estimates[0].is_exact());
    let held = estimates.iter().filter(|e| e.low <= truth && truth <= e.high).count();
    // The expected number is 285, with a standard deviation of 3.8.
    assert!((272..=296).contains(&held), "{held} of {seeds} intervals contain the number");
    let mean = estimates.iter().map(|e| e.nodes).sum::<f64>() / seeds as f64;
    let error = estimates.iter().map(|e| e.standard_error).sum::<f64>() / seeds as f64;
    let off = (mean - truth) / (error / (seeds as f64).sqrt());
    assert!(off.abs() < 3.0, "the mean is off by {off} standard errors");
    // The standard errors agree with the spread of the estimates.
    let spread = estimates.iter().map(|e| (e.nodes - mean).powi(2)).sum::<f64>();
    let spread = (spread / (seeds - 1) as f64).sqrt();
    assert!((0.85..1.15).contains(&(spread / error)), "{spread} and {error}");
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Two kings reach few positions, in more ways than 53 bits can count.
#[test]
fn a_large_number_that_was_counted_is_not_called_exact() {
    let kings = Position::from_fen("8/8/8/4k3/8/8/8/4K3 w - - 0 1").unwrap();
    let engine = Engine::new(Options::default());
    let of = |depth| estimate(&engine, &kings, depth, &EstimateOptions::default(), &()).unwrap();
    let (small, large) = (of(16), of(20));
    assert_eq!((small.samples, large.samples), (0, 0));
    assert!(small.is_exact() && small.low == small.high && small.nodes < 9e15, "{small:?}");
    assert!(!large.is_exact() && large.nodes > 1e16, "{large:?}");
    assert!(large.low < large.nodes && large.nodes < large.high, "{large:?}");
}

#[test]
fn intervals_contain_the_number_as_often_as_promised() {
    expect_right_intervals(KIWIPETE, 6, 8_031_647_685.0, 400);
}

/// At this depth, the sample descends several plies at random.
#[test]
fn intervals_are_right_after_a_descent() {
    expect_right_intervals(KIWIPETE, 7, 374_190_009_323.0, 60);
}

/// With many mates, promotions and captures, the sizes of subtrees differ widely.
#[test]
fn intervals_are_right_in_a_wild_position() {
    expect_right_intervals(
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        7,
        27_209_691_363.0,
        60,
    );
}

#[test]
fn intervals_are_right_with_few_points() {
    expect_right_intervals(START, 7, 3_195_901_860.0, 32);
}

#[test]
fn an_estimate_of_a_deep_perft_is_close() {
    let truth = 2_439_530_234_167.0;
    let estimate = estimates(START, 9, 4000, 1)[0];
    let error = estimate.nodes / truth - 1.0;
    assert!(error.abs() < 0.01, "{error}");
    assert!(estimate.standard_error / truth < 0.004, "{estimate:?}");
}

/// A small perft is counted, not estimated.
#[test]
fn small_counts_are_exact() {
    let engine = Engine::new(Options::default());
    let mate = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
    let endgame = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
    for (fen, depth) in
        [(START, 0), (START, 1), (START, 5), (START, 6), (mate, 0), (mate, 9), (endgame, 6)]
    {
        let position = Position::from_fen(fen).unwrap();
        let options = EstimateOptions::default();
        let estimate = estimate(&engine, &position, depth, &options, &()).unwrap();
        assert!(estimate.is_exact(), "{fen} {depth}");
        assert_eq!(estimate.nodes, engine.perft(&position, depth, &()).nodes as f64);
        assert_eq!((estimate.low, estimate.high), (estimate.nodes, estimate.nodes));
    }
}

/// The sample depends on nothing but the seed.
#[test]
fn estimates_do_not_depend_on_the_number_of_threads() {
    let position = Position::from_fen(KIWIPETE).unwrap();
    let options = EstimateOptions { seed: 3, effort: Effort::Samples(200) };
    let by = |threads: usize| {
        let threads = threads.try_into().unwrap();
        let engine = Engine::new(Options { threads, ..Options::default() });
        estimate(&engine, &position, 6, &options, &()).unwrap()
    };
    assert_eq!(by(1), by(3));
    assert_ne!(by(1).nodes, estimates(KIWIPETE, 6, 200, 1)[0].nodes, "another seed");
}

#[test]
fn a_watch_stops_an_estimate() {
    struct Stop;
    impl tabiya_perft::Watch for Stop {
        fn is_cancelled(&self) -> bool {
            true
        }
    }
    let engine = Engine::new(Options::default());
    let options = EstimateOptions::default();
    assert_eq!(estimate(&engine, &Position::START, 12, &options, &Stop), None);
}
