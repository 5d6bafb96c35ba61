//! The `tabiya` command: perft, moves, explanations and pictures of chess positions.
//!
//! ```text
//! args (raw, by clap) ─▶ validated ─▶ commands/… ─▶ output/… ─▶ standard output
//!                            └──────────── Failure ───────────▶ standard error
//! ```
//!
//! Every subcommand is a file in `commands/`: its arguments and what it does with them. What
//! they share stands beside: `args` for the position to work on, `values` for what arguments may
//! be and `mistake` for what they may not, `layers` for bitboards by name, `output/` for boards,
//! tables, numbers, JSON and pictures.
//!
//! A new subcommand needs a file, and its lines in `commands/mod.rs`.

mod cli;
mod commands;
mod counting;
mod failure;
mod input;
mod interrupt;
mod layers;
mod mistake;
mod output;
mod position;
mod stdout;
mod storage;
mod values;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use cli::Cli;
use failure::Failure;

/// How a command that did its work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// All is well.
    Fine,
    /// What was to be checked is not so.
    Failed,
    /// The call is mistaken, or part of what was to be checked could not be read, and that has
    /// been told.
    Mistaken,
    /// Stopped by the user, with what was found until then printed.
    Interrupted,
}

impl Outcome {
    const fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Failed => 1,
            Self::Mistaken => MISTAKEN,
            // What shells report for a program ended by SIGINT: 128 + 2.
            Self::Interrupted => 130,
        }
    }
}

/// The exit code for a call that cannot be carried out.
const MISTAKEN: u8 = 2;

/// The exit code if what was found could not be written.
const LOST: u8 = 1;

/// The definition of all arguments, from which help, completions and man pages are made.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Runs the command with the arguments, the name of the program first.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    hide_caught_panics();
    let call = Cli::try_parse_from(arguments);
    if let Ok(cli) = &call {
        cli.color.apply();
    }
    let mut out = stdout::lock();
    let result = match call {
        Ok(cli) => cli.command.run(&mut out),
        Err(error) => tell(&error, &mut out),
    };
    let result = result.and_then(|outcome| {
        out.flush()?;
        Ok(outcome)
    });
    let failure = match result {
        Ok(outcome) => return ExitCode::from(outcome.code()),
        // The reader has seen enough, as in `tabiya moves | head -1`.
        Err(Failure::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            return ExitCode::SUCCESS;
        }
        Err(failure) => failure,
    };
    let _ = write!(anstream::stderr(), "{failure}");
    ExitCode::from(if matches!(failure, Failure::Write(_)) { LOST } else { MISTAKEN })
}

/// Prints nothing about the panics that the library returns as errors of damaged checkpoints.
fn hide_caught_panics() {
    let standard = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !tabiya_perft::checkpoint::panic_is_caught() {
            standard(info);
        }
    }));
}

/// Says what is wrong with the arguments, unless help or the version was all that they asked for.
fn tell(error: &clap::Error, out: &mut dyn Write) -> Result<Outcome, Failure> {
    if !error.use_stderr() {
        write!(out, "{}", error.render().ansi())?;
        return Ok(Outcome::Fine);
    }
    let _ = match mistake::of(error) {
        Some(diagnostic) => write!(anstream::stderr(), "{diagnostic}"),
        None => error.print(),
    };
    Ok(Outcome::Mistaken)
}
