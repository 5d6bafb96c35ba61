//! The crates with their features on and off.

use std::process::Command;

use super::{Failure, Form};
use crate::process::{compiled_soon, run};

/// The combinations of the library's features that differ most, tested: nothing and all. The suite
/// `rust` tests `std` alone, which is the default.
const TESTED: [&str; 2] = ["", "arbitrary,serde"];

/// The other combinations that are builds of their own (`std` includes `alloc`, and `arbitrary`
/// includes `std`). They are only compiled, without tests.
const CHECKED: [&str; 5] = ["serde", "alloc", "alloc,serde", "std,serde", "arbitrary"];

/// The tests of the library that depend on features.
const TESTS: [&str; 5] = ["rules", "polyglot", "packed", "serde", "arbitrary"];

pub(super) fn combinations(form: &Form) -> Result<(), Failure> {
    let library = ["--package", "tabiya", "--no-default-features", "--lib"];
    let (tested, checked) = if form.long {
        ([&TESTED[..], &CHECKED].concat(), Vec::new())
    } else {
        (TESTED.to_vec(), CHECKED.to_vec())
    };
    for features in checked {
        let check = ["check", "--quiet"].into_iter().chain(library);
        run(form.cargo(check).args(["--features", features]))?;
    }
    for features in tested {
        let test = ["test", "--release"].into_iter().chain(library);
        let mut test = form.cargo(test);
        test.args(TESTS.iter().flat_map(|test| ["--test", test]));
        test.args(["--features", features]).args(compiled_soon("tabiya"));
        run(short(&mut test))?;
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
