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

/// The lines of a suite, as `FEN ;D1 20 ;D2 400`.
pub(crate) fn suite(name: &str) -> Vec<Line> {
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

/// Are the long forms of the tests wanted?
pub(crate) fn is_long() -> bool {
    std::env::var_os("TABIYA_LONG_TESTS").is_some()
}
