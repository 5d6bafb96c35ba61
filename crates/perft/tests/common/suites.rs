//! The project's suites, for several test files.

use tabiya_perft::suite::{self, Case, ReadOptions};

/// The suites whose positions exercise the rules.
pub(crate) const RULES: [&str; 4] =
    ["rules.epd", "rules-chess960.epd", "regression.epd", "regression-chess960.epd"];

/// The positions of one of the project's suites, with their counts.
pub(crate) fn suite(name: &str) -> Vec<Case> {
    let file = tabiya_suites::file(name).unwrap_or_else(|| panic!("there is no suite {name}"));
    let suite = suite::read(file.text.as_bytes(), &ReadOptions::default());
    assert_eq!(suite.errors, [], "{name}");
    suite.cases
}
