//! Shared by the tests and benchmarks: the suites of positions with known counts, and positions of
//! random games.
#![allow(dead_code, reason = "each test uses a part")]

pub(crate) mod games;
mod random;

pub(crate) use random::Random;

use tabiya::Position;

/// The suites of positions with counts.
pub(crate) const SUITES: [&str; 5] = [
    "standard.epd",
    "regression.epd",
    "regression-chess960.epd",
    "rules.epd",
    "rules-chess960.epd",
];

/// A position and its counts by depth.
pub(crate) struct Line {
    pub(crate) position: Position,
    pub(crate) counts: Vec<(u32, u64)>,
}

/// The text of a file of the suites.
pub(crate) fn file(name: &str) -> &'static str {
    let file = tabiya_suites::file(name).unwrap_or_else(|| panic!("there is no suite {name}"));
    file.text
}

/// The lines of a suite, as `FEN ;D1 20 ;D2 400`. The short form has a quarter of them, and small
/// counts.
pub(crate) fn suite(name: &str) -> Vec<Line> {
    let mut lines = whole_suite(name);
    if is_short() {
        lines = lines.into_iter().step_by(4).collect();
        let is_small = |&(depth, nodes): &(u32, u64)| depth == 1 || nodes < 10_000;
        lines.iter_mut().for_each(|line| line.counts.retain(is_small));
    }
    lines
}

/// All lines of a suite.
pub(crate) fn whole_suite(name: &str) -> Vec<Line> {
    file(name)
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|line| {
            let mut parts = line.split(';').map(str::trim);
            let fen = parts.next().unwrap();
            let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            let counts = parts
                .map(|part| {
                    let (depth, nodes) = part.strip_prefix('D').unwrap().split_once(' ').unwrap();
                    (depth.parse().unwrap(), nodes.trim().parse().unwrap())
                })
                .collect();
            Line { position, counts }
        })
        .collect()
}

/// Are the short forms of the tests wanted? Emulated machines and interpreters are slow. All tests
/// have one: fewer positions, fewer rounds, less depth.
pub(crate) fn is_short() -> bool {
    cfg!(miri) || std::env::var_os("TABIYA_SHORT_TESTS").is_some()
}

/// The given number of rounds, a sixth of it in the short form, or a hundredth in an interpreter.
pub(crate) fn rounds(rounds: usize) -> usize {
    match is_short() {
        true => rounds.div_ceil(if cfg!(miri) { 100 } else { 6 }),
        false => rounds,
    }
}

/// The least number of times that something must occur. In the short form, rare things need not
/// occur.
pub(crate) fn least(times: usize) -> usize {
    match is_short() {
        true => times / if cfg!(miri) { 2000 } else { 40 },
        false => times,
    }
}

/// Are the long forms of the tests wanted?
pub(crate) fn is_long() -> bool {
    std::env::var_os("TABIYA_LONG_TESTS").is_some()
}
