//! Other machines: the crates compile for them, without a warning.

use super::{Failure, Form};
use crate::process::{can_build_for, run};

/// A package, with the arguments that build it and the target machine.
struct Build {
    target: &'static str,
    arguments: &'static [&'static str],
}

const LIBRARY: &[&str] = &["--package", "tabiya", "--no-default-features"];
const COUNTER: &[&str] = &["--package", "tabiya-perft", "--no-default-features"];
const OPENINGS: &[&str] = &["--package", "tabiya-openings"];
const VIEWS: &[&str] = &["--package", "tabiya-views"];
const COMPARE: &[&str] = &["--package", "tabiya-compare", "--no-default-features"];
const SYZYGY: &[&str] = &["--package", "tabiya-syzygy", "--no-default-features"];
const COMMAND: &[&str] = &["--package", "tabiya-cli"];

/// A machine without an operating system, and the system that differs most from the others on which
/// people install the command.
const BUILDS: &[Build] = &[
    Build { target: "thumbv7em-none-eabi", arguments: LIBRARY },
    Build { target: "thumbv7em-none-eabi", arguments: OPENINGS },
    Build { target: "x86_64-pc-windows-msvc", arguments: COMMAND },
];

/// A browser, for which the suite `web` builds all of this with more features; systems that are Unix, with
/// CPUs that other suites test.
const LONG: &[Build] = &[
    Build { target: "wasm32-unknown-unknown", arguments: LIBRARY },
    Build { target: "wasm32-unknown-unknown", arguments: COUNTER },
    Build { target: "wasm32-unknown-unknown", arguments: VIEWS },
    Build { target: "wasm32-unknown-unknown", arguments: COMPARE },
    Build { target: "wasm32-unknown-unknown", arguments: SYZYGY },
    Build { target: "aarch64-apple-darwin", arguments: COMMAND },
    Build { target: "aarch64-unknown-linux-gnu", arguments: COMMAND },
    Build { target: "x86_64-apple-darwin", arguments: COMMAND },
];

pub(super) fn run_builds(form: &Form) -> Result<(), Failure> {
    let mut missing = Vec::new();
    let long = if form.long { LONG } else { &[] };
    for Build { target, arguments } in BUILDS.iter().chain(long) {
        if !can_build_for(target) {
            missing.push(*target);
            continue;
        }
        let mut check = form.cargo(["check", "--target", target]);
        // Only the workspace's own warnings: those of dependencies are not shown.
        run(check.args(*arguments).env("RUSTFLAGS", "-D warnings"))?;
    }
    match &missing[..] {
        [] => Ok(()),
        targets => Err(Failure::Missing(format!("no Rust target {}", targets.join(", ")))),
    }
}
