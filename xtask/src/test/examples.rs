//! The example programs: each runs to its end, and the referee watches the engine play.

use std::process::{Command, Stdio};

use super::{Failure, Form};
use crate::output::{redirect, say};
use crate::process::run;

/// The crates with examples for readers, and those examples.
const EXAMPLES: [(&str, &[&str]); 3] = [
    ("tabiya", &["self_play", "mate", "training_rows"]),
    ("tabiya-pgn", &["statistics"]),
    ("tabiya-syzygy", &["root"]),
];

pub(super) fn run_all(form: &Form) -> Result<(), Failure> {
    for (package, names) in EXAMPLES {
        run(&mut form.cargo(["build", "--release", "--examples", "--package", package]))?;
        for name in names {
            let run_it = ["run", "--release", "--quiet", "--package", package, "--example", name];
            let mut example = form.cargo(run_it);
            prints_something(name, &mut example)?;
        }
    }
    // The referee looks for the engine in its own folder. It fails if a game does not end as it
    // should.
    let referee =
        ["run", "--release", "--quiet", "--package", "tabiya", "--example", "referee", "--"];
    let referee = |arguments: &[&'static str]| {
        run(form.cargo(referee.into_iter().chain(arguments.iter().copied())).stdin(Stdio::null()))
    };
    referee(&["cheats"])?;
    referee(&["material", "100", "3000"])?;
    // Other programs delay both sides. Other offences always count.
    if form.long {
        referee(&["fast", "1000", "400", "10", "250"])?;
    } else {
        referee(&["fast", "20", "400", "10", "1000"])?;
    }
    Ok(())
}

/// Runs an example without arguments. Its output is not shown, but there is some.
fn prints_something(name: &str, example: &mut Command) -> Result<(), String> {
    say(&format!("   {name}"));
    let output = redirect(example.stderr(Stdio::inherit())).stdout(Stdio::piped()).output();
    let output = output.map_err(|error| format!("{name} cannot be started: {error}"))?;
    match output.status.success() {
        true if !output.stdout.is_empty() => Ok(()),
        true => Err(format!("{name} has printed nothing")),
        false => Err(format!("{name} ended with {}", output.status)),
    }
}
