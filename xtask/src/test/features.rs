//! The crates with their features on and off.

use std::process::Command;

use super::{Failure, Form};
use crate::process::{compiled_soon, run};

/// The features of the library one by one (`std` includes `alloc`, and `arbitrary` includes `std`). Here
/// they are only compiled, and tested in the long form: what they switch off is code that others need,
/// never another way to do the same. The suite `library` tests all of them together, `native` the default,
/// and `targets` compiles the library without any.
const FEATURES: [&str; 3] = ["serde", "alloc", "arbitrary"];
/// Builds for the long form: all code in them is also in another.
const OTHERS: [&str; 3] = ["", "alloc,serde", "std,serde"];

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
    if !form.long {
        for features in FEATURES {
            let check = ["check", "--quiet"].into_iter().chain(library);
            run(form.cargo(check).args(["--features", features]))?;
        }
    } else {
        for features in FEATURES.into_iter().chain(OTHERS) {
            test(features)?;
        }
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
