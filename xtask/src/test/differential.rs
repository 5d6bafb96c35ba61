//! Random positions on which tabiya, shakmaty and cozy-chess must agree.

use std::process::Command;

use super::{Failure, Form};
use crate::process::{compiled_fairly, run};

/// The numbers of positions. The first takes two cores half a minute.
const POSITIONS: u64 = 2_000_000;
const LONG: u64 = 100_000_000;

pub(super) fn with_peers(form: &Form) -> Result<(), Failure> {
    let cargo = |arguments: [&str; 2]| {
        let mut command: Command = form.cargo(arguments);
        command.args(["--manifest-path", "differential/Cargo.toml"]);
        if !form.long {
            // This is compiled much sooner, and hardly slower.
            for package in ["tabiya", "tabiya-perft", "tabiya-differential"] {
                command.args(compiled_fairly(package));
            }
        }
        // This is a workspace of its own, but it shares the compiled crates.
        command.env("CARGO_TARGET_DIR", "target");
        command
    };
    // First check that the comparison notices wrong answers.
    run(&mut cargo(["test", "--release"]))?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let positions = if form.long { LONG } else { POSITIONS };
    let mut comparison = cargo(["run", "--release"]);
    comparison.arg("--").args(["--positions", &positions.to_string()]);
    Ok(run(comparison.args(["--threads", &threads.to_string()]))?)
}
