//! Very deep counts of small positions are exact up to 2^128, and greater counts never wrap. The
//! expected numbers come from a table of all positions, computed in the test.

use std::collections::HashMap;
use std::num::NonZeroUsize;

use tabiya::Position;
use tabiya_perft::table::{HashSize, Table};
use tabiya_perft::{Engine, Isa, NoCount, Options, perft};

const KINGS: &str = "k7/8/8/8/8/8/8/K7 w - - 0 1";
/// No king can pass the pawns.
const CLOSED: &str = "k7/8/8/p1p1p1p1/P1P1P1P1/8/8/7K w - - 0 1";
/// Both kings stand behind the same pawns, which can be captured.
const WALL: &str = "8/8/8/1p1p1p1p/1P1P1P1P/8/8/K6k w - - 0 1";
const PAWN: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap()
}

/// The numbers of leaf nodes at the depths 0, 1, 2 … `depth`; `None` for 2^128 and more.
///
/// Numbers all positions within `depth` plies. The counts of each depth are sums of the counts of
/// the previous depth.
fn counts(root: &Position, depth: usize) -> Vec<Option<u128>> {
    let mut numbers = HashMap::from([(root.clone(), 0)]);
    let mut positions = vec![root.clone()];
    let mut children: Vec<Vec<usize>> = Vec::new();
    // The number of positions that are at most 0, 1, 2 … plies away from the root.
    let mut within = vec![1];
    for _ in 0..depth {
        for parent in children.len()..positions.len() {
            let position = positions[parent].clone();
            let number = |&mv| {
                *numbers.entry(position.play(mv)).or_insert_with_key(|child| {
                    positions.push(child.clone());
                    positions.len() - 1
                })
            };
            children.push(position.legal_moves().iter().map(number).collect());
        }
        within.push(positions.len());
    }
    let mut below = vec![Some(1u128); positions.len()];
    let mut counts = vec![Some(1)];
    for plies in (0..depth).rev() {
        let sum = |children: &Vec<usize>| {
            children.iter().try_fold(0u128, |sum, &child| sum.checked_add(below[child]?))
        };
        below = children[..within[plies]].iter().map(sum).collect();
        counts.push(below[0]);
    }
    counts
}

/// Engines with every instruction set of this CPU, with one and two threads, and with a small and a
/// large table.
fn engines() -> impl Iterator<Item = Engine> {
    let isas = Isa::ALL.into_iter().filter(|isa| isa.is_available());
    isas.flat_map(|isa| {
        [(1, 1), (1, 64), (2, 1), (2, 64)].map(|(threads, mebibytes)| {
            let table = Table::new(HashSize::mebibytes(mebibytes), 7.into()).unwrap();
            let threads = NonZeroUsize::new(threads).unwrap();
            Engine::new(Options { threads, isa }).with_table(table)
        })
    })
}

/// Compares all depths with all engines, the shallow ones first.
fn compare(fen: &str, depth: usize) {
    let position = position(fen);
    let expected = counts(&position, depth);
    for engine in engines() {
        for (depth, &expected) in (0..).zip(&expected) {
            assert_is(&engine, &position, depth, expected);
        }
    }
}

fn assert_is(engine: &Engine, position: &Position, depth: u32, expected: Option<u128>) {
    let total = engine.perft(position, depth, &());
    let alone = engine.count(position, depth);
    let place = format!("{} depth {depth} {engine:?}", position.fen());
    match expected {
        Some(nodes) => {
            assert_eq!(
                (total.nodes, total.complete, total.overflow),
                (nodes, true, false),
                "{place}"
            );
            assert_eq!(alone, Ok(nodes), "{place}");
            let sum: u128 = total.moves.iter().map(|root| root.nodes).sum();
            assert!(depth == 0 || sum == nodes, "{place}");
        }
        None => {
            assert_eq!(total.nodes, u128::MAX, "{place}");
            assert_eq!((total.complete, total.overflow), (false, true), "{place}");
            assert_eq!(alone, Err(NoCount::Overflow), "{place}");
        }
    }
}

#[test]
fn two_kings_are_counted_up_to_the_border_of_128_bits() {
    let known = counts(&position(KINGS), 60);
    assert_eq!(known[1..4], [Some(3), Some(9), Some(54)]);
    assert_eq!(known[40], Some(145_786_360_861_107_587_312_989_827_530_171));
    assert!(known[47].is_some(), "the last depth below the border");
    assert_eq!(known[48..], [None; 13]);
    compare(KINGS, 60);
}

/// The table is empty when the deep count begins.
#[test]
fn a_deep_count_needs_no_counts_of_smaller_depths() {
    let expected = counts(&position(KINGS), 48);
    for depth in [30, 47, 48] {
        for engine in engines() {
            assert_is(&engine, &position(KINGS), depth as u32, expected[depth]);
        }
    }
}

#[test]
fn the_number_of_a_hopelessly_deep_count_overflows_at_once() {
    for engine in engines() {
        assert_is(&engine, &position(KINGS), tabiya_perft::MAX_DEPTH, None);
    }
}

#[test]
fn a_closed_position_is_counted_up_to_the_border_of_128_bits() {
    let known = counts(&position(CLOSED), 60);
    assert!(known[40].is_some() && known[60].is_none());
    compare(CLOSED, 60);
}

#[test]
fn a_wall_of_pawns_is_counted_deeply() {
    compare(WALL, 15);
}

#[test]
fn a_pawn_ending_is_counted_deeply() {
    compare(PAWN, 15);
}

/// Without a table, slices are added up.
#[test]
fn a_count_without_a_table_has_the_same_numbers() {
    for (fen, depth) in [(KINGS, 11), (CLOSED, 11), (WALL, 9), (PAWN, 9)] {
        let position = position(fen);
        let expected = counts(&position, depth);
        for (depth, &expected) in (0..).zip(&expected) {
            let total = perft(&position, depth, &Options::default(), &());
            assert_eq!(Some(total.nodes), expected, "{fen} depth {depth}");
            let alone = Engine::new(Options::default()).count(&position, depth);
            assert_eq!(alone.ok(), expected, "{fen} depth {depth}");
        }
    }
}
