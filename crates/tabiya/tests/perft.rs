//! Known counts, by copying and by making and unmaking, with every slider method.

use tabiya::attacks::{Magic, Sliders};
use tabiya::movegen::{Count, Legal};
use tabiya::{MoveList, Position};

mod common;
use common::{Line, suite};

/// Perft by copying, with a slider method.
fn by_copy<S: Sliders>(position: &Position, sliders: S, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if depth == 1 {
        let mut count = Count::default();
        position.generate_with::<Legal, _, _>(sliders, &mut count);
        return count.0.into();
    }
    MoveList::of_with::<Legal, _>(position, sliders)
        .into_iter()
        .map(|mv| by_copy(&position.play(mv), sliders, depth - 1))
        .sum()
}

/// Perft in place.
fn in_place(position: &mut Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    for mv in position.legal_moves() {
        let undo = position.make(mv);
        nodes += in_place(position, depth - 1);
        position.unmake(mv, undo);
    }
    nodes
}

#[test]
fn standard_positions_have_the_published_counts() {
    for Line { position, counts } in suite("standard.epd") {
        for (depth, nodes) in counts {
            assert_eq!(by_copy(&position, Magic, depth), nodes, "{position:?} depth {depth}");
        }
    }
}

fn check_suite(name: &str) {
    for Line { position, counts } in suite(name) {
        for &(depth, nodes) in &counts {
            let mirror = position.mirrored();
            assert_eq!(by_copy(&position, Magic, depth), nodes, "{position:?} depth {depth}");
            assert_eq!(by_copy(&mirror, Magic, depth), nodes, "{mirror:?} depth {depth}");
            #[cfg(target_arch = "x86_64")]
            if let Some(pext) = tabiya::attacks::Pext::detect() {
                assert_eq!(by_copy(&position, pext, depth), nodes, "{position:?} depth {depth}");
            }
            if nodes < 2_000_000 {
                let mut copy = position.clone();
                assert_eq!(in_place(&mut copy, depth), nodes, "{position:?} depth {depth}");
                assert_eq!(copy, position, "unmake restores the position");
            }
        }
    }
}

#[test]
fn regression_suite() {
    check_suite("regression.epd");
}

#[test]
fn chess960_regression_suite() {
    check_suite("regression-chess960.epd");
}
