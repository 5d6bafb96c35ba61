//! The crates with their features on and off.

use std::process::Command;

use super::{Failure, Form};
use crate::process::{compiled_soon, run};

/// The combinations of the library's features that are builds of their own (`std` includes `alloc`,
/// and `arbitrary` includes `std`). The suite `rust` tests all of them together, and `native` the
/// default, which is `std`. The long form tests these as well; otherwise they are only compiled.
const COMBINATIONS: [&str; 5] = ["serde", "alloc", "alloc,serde", "std,serde", "arbitrary"];

/// The tests of the library that depend on features.
const TESTS: [&str; 5] = ["rules", "polyglot", "packed", "serde", "arbitrary"];

pub(super) fn combinations(form: &Form) -> Result<(), Failure> {
    let library = ["--package", "tabiya", "--no-default-features", "--lib"];
    let test = |features: &str| {
        let mut test = form.cargo(["test", "--release"].into_iter().chain(library));
        test.args(TESTS.iter().flat_map(|test| ["--test", test]));
        test.args(["--features", features]).args(compiled_soon("tabiya"));
        run(short(&mut test))
    };
    // Nothing.
    test("")?;
    for features in COMBINATIONS {
        if form.long {
            test(features)?;
        } else {
            let check = ["check", "--quiet"].into_iter().chain(library);
            run(form.cargo(check).args(["--features", features]))?;
        }
    }
    if form.long {
        // Without these features there are no threads and no processes. The code is the same
        // otherwise: the suites `wasm` and `web` run it in such a build, and `targets` compiles it.
        for package in ["tabiya-perft", "tabiya-compare"] {
            let others = ["--package", package, "--no-default-features"];
            let tests = form.cargo(["test", "--release"].into_iter().chain(others));
            run(short({ tests }.args(compiled_soon(package))))?;
        }
    }
    Ok(())
}

/// The short form: the suite `rust` runs the same tests, with other features.
fn short(tests: &mut Command) -> &mut Command {
    tests.env("TABIYA_SHORT_TESTS", "1")
}
