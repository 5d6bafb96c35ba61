//! The project's suites, and the short forms of tests, for several test files.

use tabiya_perft::suite::{self, Case, ReadOptions};

/// The suites whose positions exercise the rules.
pub(crate) const RULES: [&str; 4] =
    ["rules.epd", "rules-chess960.epd", "regression.epd", "regression-chess960.epd"];

/// The positions of one of the project's suites, with their counts.
pub(crate) fn suite(name: &str) -> Vec<Case> {
    let file = tabiya_suites::file(name).unwrap_or_else(|| panic!("there is no suite {name}"));
    let suite = suite::read(file.text.as_bytes(), &ReadOptions::default());
    assert_eq!(suite.errors, [], "{name}");
    if !is_short() {
        return suite.cases;
    }
    let cases = suite.cases.into_iter().step_by(if name == "standard.epd" { 1 } else { 8 });
    cases
        .map(|mut case| {
            case.counts.retain(|&(depth, nodes)| depth == 1 || nodes < 200_000);
            case
        })
        .collect()
}

/// Are the short forms of the tests wanted? Emulated machines, sanitizers and interpreters are
/// slow. Every test has a short form, with fewer positions, fewer rounds or less depth.
pub(crate) fn is_short() -> bool {
    cfg!(miri) || std::env::var_os("TABIYA_SHORT_TESTS").is_some()
}

/// Is the long form wanted? It counts deeper.
#[allow(dead_code, reason = "each test uses a part")]
pub(crate) fn is_long() -> bool {
    std::env::var_os("TABIYA_LONG_TESTS").is_some()
}

/// The number of rounds: this many, or a twentieth in the short form.
#[allow(dead_code, reason = "each test uses a part")]
pub(crate) fn rounds(rounds: usize) -> usize {
    if is_short() { rounds.div_ceil(20) } else { rounds }
}
