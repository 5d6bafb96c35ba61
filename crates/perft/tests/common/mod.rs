//! What several test files need.

#![allow(dead_code, reason = "each test file uses a part of it")]

use std::path::Path;

use tabiya_perft::suite::{self, Case, ReadOptions};

/// The suites whose positions exercise the rules.
pub(crate) const RULES: [&str; 4] =
    ["rules.epd", "rules-chess960.epd", "regression.epd", "regression-chess960.epd"];

/// The positions of one of the project's suites, with their counts.
pub(crate) fn suite(name: &str) -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites").join(name);
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let suite = suite::read(&bytes, &ReadOptions::default());
    assert_eq!(suite.errors, [], "{name}");
    suite.cases
}

/// Pseudo-random numbers: xorshift64*, by Sebastiano Vigna.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit
    }

    pub(crate) fn one_of<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }
}
