//! The sources yield the positions that they are meant for, always the same, and nothing depends on
//! the number of threads.

use tabiya_differential::answers::Tabiya;
use tabiya_differential::kind::Kind;
use tabiya_differential::record::{Feature, Record};
use tabiya_differential::run::{Plan, Watched, run};
use tabiya_differential::sources::Source;

fn plan(sources: &[Source], positions: u64) -> Plan {
    Plan {
        sources: sources.to_vec(),
        seed: 3,
        positions: Some(positions),
        time: None,
        batch: None,
        threads: 1,
        all: false,
    }
}

fn compare(plan: &Plan) -> Record {
    run(plan, &Tabiya, &Watched::default()).sum()
}

#[test]
fn each_source_yields_what_it_is_for() {
    use Feature::*;
    // A share of the positions, in percent.
    let expected: [(Source, &[(Feature, u64)]); 11] = [
        (Source::Games, &[(Check, 3), (Castling, 1), (Promotion, 1)]),
        (Source::Chess960, &[(Check, 3), (Chess960, 15)]),
        (Source::Double960, &[(Check, 3), (Chess960, 15)]),
        (Source::Placements, &[(Check, 15), (Promotion, 5), (Chess960, 3)]),
        (Source::Few, &[(Insufficient, 20), (Check, 10)]),
        (Source::Extreme, &[(CozyRefuses, 10), (OverOneHundred, 10), (TripleCheck, 2)]),
        (Source::Pins, &[(Pin, 25), (CheckingMove, 50)]),
        (Source::DoubleChecks, &[(DoubleCheck, 15), (TripleCheck, 1), (Checkmate, 2)]),
        (Source::EnPassant, &[(EnPassant, 15), (EnPassantIllegal, 8)]),
        (Source::Promotions, &[(Promotion, 30), (CheckingMove, 40)]),
        (Source::Castling, &[(Castling, 10), (CastlingDenied, 25), (Chess960, 15)]),
    ];
    for (source, features) in expected {
        let record = compare(&plan(&[source], 6000));
        assert_eq!(record.positions, 6000, "{source:?}");
        for &(feature, percent) in features {
            let found = record.features[feature as usize];
            assert!(found >= 60 * percent, "{source:?}: {feature:?} at {found}");
        }
    }
}

#[test]
fn every_feature_occurs() {
    let record = compare(&plan(&Source::ALL, 100_000));
    // Positions with too many moves for shakmaty are too rare.
    for feature in Feature::ALL.into_iter().filter(|&it| it != Feature::ShakmatyRefuses) {
        assert!(record.features[feature as usize] > 0, "{feature:?}");
    }
}

#[test]
fn threads_and_repetition_change_nothing() {
    let plan = plan(&Source::ALL, 20_001);
    let facts = |plan: &Plan| {
        let record = compare(plan);
        (record.positions, record.moves, record.comparisons, record.features)
    };
    let once = facts(&plan);
    assert_eq!(once.0, 20_001);
    assert_eq!(facts(&plan), once);
    assert_eq!(facts(&Plan { threads: 3, ..plan.clone() }), once);
    assert_ne!(facts(&Plan { seed: 4, ..plan.clone() }), once);
    // Cheap kinds are compared at every position, the others at about the share that they state.
    assert!(once.2[Kind::Moves as usize] > 2 * 20_001);
    let polyglot = once.2[Kind::Polyglot as usize] * Kind::Polyglot.every();
    assert!((17_000..23_000).contains(&polyglot), "{polyglot}");
}

#[test]
fn a_batch_is_the_same_alone() {
    let whole = compare(&plan(&[Source::Pins], 4096));
    let alone = Plan { positions: None, batch: Some(0), ..plan(&[Source::Pins], 0) };
    assert_eq!(compare(&alone).comparisons, whole.comparisons);
}
