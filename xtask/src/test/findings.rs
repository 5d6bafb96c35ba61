//! What the output of test programs says: which tests failed, and which were skipped for want of something.

/// The tests that failed, named with their program: those of Rust, pytest, Node and Playwright.
pub(super) fn failed(output: &str) -> Vec<String> {
    let mut found = Vec::new();
    let (mut program, mut in_list) = (String::new(), false);
    for line in output.lines() {
        if let Some(tests) = program_of(line) {
            program = tests;
        }
        // libtest lists the failures twice: first with their output, then only their names.
        in_list = line == "failures:" || in_list && line.starts_with("    ");
        let name = match line.strip_prefix("    ").filter(|_| in_list) {
            Some(name) => Some(format!("{program}: {name}")),
            None => of_other_languages(line),
        };
        found.extend(name.filter(|name| !found.contains(name)));
    }
    found
}

/// The program whose tests cargo starts: `Running tests/cli/main.rs (target/release/deps/cli-1f2e3d)`.
fn program_of(line: &str) -> Option<String> {
    let line = line.trim_start();
    if let Some(package) = line.strip_prefix("Doc-tests ") {
        return Some(format!("documentation of {package}"));
    }
    let path = line.strip_prefix("Running ")?.strip_suffix(')')?;
    let (name, _hash) = path.rsplit('/').next()?.rsplit_once('-')?;
    Some(name.to_owned())
}

fn of_other_languages(line: &str) -> Option<String> {
    // pytest gives the reason as well.
    for word in ["FAILED ", "ERROR "] {
        if let Some(test) = line.strip_prefix(word).filter(|rest| rest.contains(".py")) {
            return Some(test.split(" - ").next()?.to_owned());
        }
    }
    // Node, with and without a terminal.
    let line = line.trim_start();
    if let Some(test) = line.strip_prefix("not ok ") {
        return Some(test.split_once(" - ")?.1.to_owned());
    }
    if let Some(test) = line.strip_prefix("✖ ").filter(|rest| *rest != "failing tests:") {
        return Some(test.rsplit_once(" (")?.0.to_owned());
    }
    // Playwright: `1) moves.spec.ts:12:1 › a title ───`.
    let (number, test) = line.split_once(") ")?;
    let is_failure = number.parse::<u32>().is_ok() && test.contains(" › ");
    is_failure.then(|| test.trim_end_matches([' ', '─']).to_owned())
}

/// The tests that were skipped, with the reason: a helper of the tests in Rust prints such lines, and pytest.
pub(super) fn skipped(output: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in output.lines() {
        let skipped = line.split_once("skipped: ").or_else(|| line.split_once("SKIPPED "));
        found.extend(skipped.map(|(_, test)| test).filter(|test| !found.contains(test)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "     Running tests/cli/main.rs (target/release/deps/cli-0123)
test a::passes ... ok
test b::fails ... FAILED
skipped: c::opinion needs stockfish
test c::opinion ... ok

failures:

---- b::fails stdout ----
    an indented line of its output

failures:
    b::fails

test result: FAILED. 2 passed; 1 failed
   Doc-tests tabiya

failures:
    src/lib.rs - Position (line 7)

SKIPPED [1] tests/test_batch_arrays.py:437: could not import 'torch'
FAILED tests/test_game.py::test_ply[a-b] - AssertionError: x - y
✖ a title (in brackets) (1.5ms)
✖ failing tests:
✖ a title (in brackets) (1.5ms)
not ok 3 - reads a game
  1) [chromium] › moves.spec.ts:12:1 › moves are drawn ─────
";

    #[test]
    fn failures_are_named() {
        let expected = [
            "cli: b::fails",
            "documentation of tabiya: src/lib.rs - Position (line 7)",
            "tests/test_game.py::test_ply[a-b]",
            "a title (in brackets)",
            "reads a game",
            "[chromium] › moves.spec.ts:12:1 › moves are drawn",
        ];
        assert_eq!(failed(OUTPUT), expected);
    }

    #[test]
    fn what_is_skipped_is_named() {
        let torch = "[1] tests/test_batch_arrays.py:437: could not import 'torch'";
        assert_eq!(skipped(OUTPUT), ["c::opinion needs stockfish", torch]);
    }
}
