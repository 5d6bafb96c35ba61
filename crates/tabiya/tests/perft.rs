//! Known perft counts, by copying and by making and unmaking.

use tabiya::Position;
use tabiya::attacks::{Magic, Sliders};
use tabiya::movegen::{Count, Legal};

mod common;
use common::{Line, is_long, is_short, suite};

/// Perft by copying, with a slider method.
fn by_copy<S: Sliders>(position: &Position, sliders: S, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if depth == 1 {
        let mut count = Count::default();
        position.generator().with_sliders(sliders).generate::<Legal>(&mut count);
        return count.0.into();
    }
    position
        .generator()
        .with_sliders(sliders)
        .list::<Legal>()
        .into_iter()
        .map(|mv| by_copy(&position.play(mv), sliders, depth - 1))
        .sum()
}

/// Perft by making and unmaking.
fn in_place(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal() as u64,
        _ => {
            let mut nodes = 0;
            for mv in position.legal_moves() {
                let undo = position.make(mv);
                nodes += in_place(position, depth - 1);
                position.unmake(mv, undo);
            }
            nodes
        }
    }
}

/// The last count but one, which takes a fortieth of the time; the last in the long form.
fn less_deep(counts: &[(u32, u64)]) -> &(u32, u64) {
    let skipped = if is_long() { 0 } else { 1 };
    counts.iter().rev().nth(skipped).unwrap_or(&counts[0])
}

#[test]
fn standard_positions_have_the_published_counts() {
    for Line { position, counts } in suite("standard.epd") {
        let &(depth, nodes) = less_deep(&counts);
        assert_eq!(by_copy(&position, Magic, depth), nodes, "{position:?} depth {depth}");
        let &(depth, nodes) = counts.last().unwrap();
        assert_eq!(by_fastest_copy(&position, depth), nodes, "{position:?} depth {depth}");
    }
}

#[test]
fn standard_positions_have_the_published_counts_in_place() {
    for Line { position, counts } in suite("standard.epd") {
        let &(depth, nodes) = less_deep(&counts);
        let mut copy = position.clone();
        assert_eq!(in_place(&mut copy, depth), nodes, "{position:?} depth {depth}");
        assert_eq!(copy, position, "unmake restores the position");
    }
}

#[test]
fn mirrored_standard_positions_have_the_same_counts() {
    for Line { position, counts } in suite("standard.epd") {
        let &(depth, nodes) = less_deep(&counts);
        let mirror = position.mirrored();
        assert_eq!(by_fastest_copy(&mirror, depth), nodes, "{mirror:?} depth {depth}");
    }
}

#[test]
fn deep_perft_of_the_start_position_has_the_published_count() {
    let (depth, nodes) = match () {
        () if is_short() => (5, 4_865_609),
        () if is_long() => (7, 3_195_901_860),
        () => (6, 119_060_324),
    };
    assert_eq!(by_fastest_copy(&Position::START, depth), nodes);
}

/// By PEXT where the CPU has it, by magics elsewhere.
fn by_fastest_copy(position: &Position, depth: u32) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if let Some(pext) = tabiya::attacks::Pext::detect() {
        return by_copy(position, pext, depth);
    }
    by_copy(position, Magic, depth)
}

#[test]
fn the_regression_suite_has_its_counts() {
    check_suite("regression.epd");
}

#[test]
fn the_chess960_regression_suite_has_its_counts() {
    check_suite("regression-chess960.epd");
}

/// Checks every line of a suite, by copying, in place and mirrored.
fn check_suite(name: &str) {
    for Line { position, counts } in suite(name) {
        for &(depth, nodes) in &counts {
            let mirror = position.mirrored();
            assert_eq!(by_copy(&position, Magic, depth), nodes, "{position:?} depth {depth}");
            assert_eq!(by_copy(&mirror, Magic, depth), nodes, "{mirror:?} depth {depth}");
            assert_eq!(by_fastest_copy(&position, depth), nodes, "{position:?} depth {depth}");
            let mut copy = position.clone();
            assert_eq!(in_place(&mut copy, depth), nodes, "{position:?} depth {depth}");
            assert_eq!(copy, position, "unmake restores the position");
        }
    }
}

#[test]
fn the_rule_suites_have_their_counts() {
    check_suite("rules.epd");
    check_suite("rules-chess960.epd");
}
