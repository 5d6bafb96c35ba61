//! The project's suites, for several test files.

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
