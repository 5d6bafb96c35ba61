//! Undefined behaviour and data races: an interpreter that checks every access, and instrumented
//! builds.
//!
//! Both need a nightly compiler, take minutes, and use the tests' short forms. So they run only
//! when they are named, or in the long form.

use std::path::Path;
use std::process::Command;

use super::{Failure, Form};
use crate::files::repository;
use crate::process::{run, succeeds};

/// The machine for which the sanitizers build.
pub(super) const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The tests that Miri interprets: arguments of `cargo miri test`. It is some thousand times as
/// slow as the machine, so these are the tests that reach each `unsafe` block of the portable code,
/// not those that try many positions.
const INTERPRETED: &[&[&str]] = &[
    // Moves, squares, lists, sliders, making and unmaking, packed positions; the portable forms,
    // since Miri reports a CPU without features.
    &["--package", "tabiya", "--lib"],
    &["--package", "tabiya", "--test", "chess960", "--", "known_numbers"],
    &["--package", "tabiya", "--test", "sliders", "--", "random", "fills"],
    &["--package", "tabiya", "--test", "fen", "--", "counters", "conventions", "refused"],
    &["--package", "tabiya", "--test", "rules", "--", "repetitions", "full_history"],
    &["--package", "tabiya", "--test", "san", "--", "known_texts", "leniency"],
    &["--package", "tabiya-pgn", "--lib"],
    // The portable counter, the tables in memory. A subtree of a few thousand leaf nodes takes longer
    // than ten minutes.
    &[
        "--package",
        "tabiya-perft",
        "--no-default-features",
        "--lib",
        "--",
        "leaf::scalar",
        "table::wide",
        "table::key",
        "table::tests::the_cheapest",
        "slices::tests::sums",
        "machine::heap",
    ],
];

pub(super) fn interpret(_: &Form) -> Result<(), Failure> {
    if !succeeds(&mut nightly(&["miri", "--version"])) {
        return Err(Failure::Missing("no nightly Rust with the component miri".to_owned()));
    }
    for arguments in INTERPRETED {
        let mut miri = nightly(&["miri", "test"]);
        miri.args(*arguments).env("CARGO_TARGET_DIR", "target/miri");
        run(&mut miri)?;
    }
    Ok(())
}

/// Reads and writes outside allocated memory, in vector code as well; threads that share a table
/// without the memory order that it needs.
const SANITIZERS: [&str; 2] = ["address", "thread"];

pub(super) fn sanitize(_: &Form) -> Result<(), Failure> {
    if !has_sources() {
        return Err(Failure::Missing("no nightly Rust with the component rust-src".to_owned()));
    }
    for name in SANITIZERS {
        // The standard library is built with the sanitizer as well: otherwise it would miss the
        // accesses there. The feature `system` is off: its dependencies take minutes to build and
        // have tests of their own.
        let mut cargo = nightly(&["test", "-Zbuild-std", "--target", TARGET]);
        cargo.args(["--package", "tabiya-perft", "--no-default-features", "--features", "threads"]);
        cargo.args(["--lib", "--test", "counters", "--test", "categories"]);
        // It tries the orders of threads by a scheduler of its own, whose stacks a sanitizer does
        // not know.
        cargo.args(["--", "--skip", "no_interleaving"]);
        cargo.env("RUSTFLAGS", format!("-Zsanitizer={name}"));
        cargo.env("CARGO_TARGET_DIR", format!("target/sanitizer-{name}"));
        // A test asks for more memory than there is, and expects an error.
        let options = if name == "address" { "ASAN_OPTIONS" } else { "TSAN_OPTIONS" };
        cargo.env(options, "allocator_may_return_null=1");
        run(cargo.env("TABIYA_SHORT_TESTS", "1"))?;
    }
    Ok(())
}

/// `cargo` of the nightly compiler. Its version is not fixed, because the findings of these suites
/// do not depend on it.
fn nightly(arguments: &[&str]) -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo"]).args(arguments).current_dir(repository());
    command
}

/// Are the sources of the nightly compiler's standard library installed?
fn has_sources() -> bool {
    let mut sysroot = Command::new("rustup");
    let sysroot = sysroot.args(["run", "nightly", "rustc", "--print", "sysroot"]).output();
    sysroot.is_ok_and(|output| {
        let path = String::from_utf8_lossy(&output.stdout);
        Path::new(path.trim()).join("lib/rustlib/src/rust/library/Cargo.lock").exists()
    })
}
