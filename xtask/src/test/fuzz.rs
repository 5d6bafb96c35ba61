//! The properties that the fuzzer tests, with random input.

use super::{Failure, Form};
use crate::process::run;

pub(super) fn run_at_random(form: &Form) -> Result<(), Failure> {
    let mut tests =
        form.cargo(["test", "--no-default-features", "--manifest-path", "fuzz/Cargo.toml"]);
    // This is a workspace of its own. With this folder, its builds are kept with all the others.
    Ok(run(tests.env("CARGO_TARGET_DIR", "target"))?)
}
