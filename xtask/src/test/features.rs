//! The crates with their features on and off.

use super::{Failure, Form};
use crate::process::{compiled_soon, run};

/// Every combination of the library's features that is a build of its own: `std` includes `alloc`,
/// and `arbitrary` includes `std`. The suite `rust` tests `std` alone, which is the default.
const COMBINATIONS: [&str; 7] =
    ["", "serde", "alloc", "alloc,serde", "std,serde", "arbitrary", "arbitrary,serde"];

/// The tests of the library that features add to or take from.
const TESTS: [&str; 5] = ["rules", "polyglot", "packed", "serde", "arbitrary"];

pub(super) fn combinations(form: &Form) -> Result<(), Failure> {
    for features in COMBINATIONS {
        let library =
            ["test", "--release", "--package", "tabiya", "--no-default-features", "--lib"];
        let tests = TESTS.into_iter().flat_map(|test| ["--test", test]);
        run(form.cargo(library).args(tests).args(["--features", features]))?;
    }
    let perft =
        ["test", "--release", "--package", "tabiya-perft", "--no-default-features", "--lib"];
    run(form.cargo(perft).args(compiled_soon("tabiya-perft")))?;
    // Without processes there are no programs to start: examples and tests that do are left out.
    let compare = ["test", "--release", "--package", "tabiya-compare", "--no-default-features"];
    Ok(run(&mut form.cargo(compare))?)
}
