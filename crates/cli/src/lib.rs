//! The `tabiya` command: perft, moves, explanations and pictures of chess positions.
//!
//! ```text
//! args (raw, by clap) ─▶ validated ─▶ commands/… ─▶ output/… ─▶ standard output
//!                            └──────────── Failure ───────────▶ standard error
//! ```
//!
//! Every subcommand is a file in `commands/`: its arguments and what it does with them. What
//! they share stands beside: `args` for the position to work on, `layers` for bitboards by
//! name, `output/` for boards, tables, numbers, JSON and pictures.
//!
//! A new subcommand needs a file, and its lines in `commands/mod.rs`.

mod args;
mod commands;
mod counting;
mod failure;
mod interrupt;
mod layers;
mod output;
mod storage;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use args::Cli;
use failure::Failure;

/// How a command that did its work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// All is well.
    Fine,
    /// What was to be checked is not so.
    Failed,
    /// Part of what was to be checked could not be read.
    Unreadable,
    /// Stopped by the user, with what was found until then printed.
    Interrupted,
}

impl Outcome {
    const fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Failed => 1,
            Self::Unreadable => MISTAKEN,
            // What shells report for a program ended by SIGINT: 128 + 2.
            Self::Interrupted => 130,
        }
    }
}

/// The exit code for a call that cannot be carried out.
const MISTAKEN: u8 = 2;

/// The definition of all arguments, from which help, completions and man pages are made.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Runs the command with the arguments, the name of the program first.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version come this way, too. Nobody may be reading.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(MISTAKEN));
        }
    };
    cli.color.apply();
    let mut out = anstream::stdout().lock();
    let result = cli.command.run(&mut out).and_then(|outcome| {
        out.flush()?;
        Ok(outcome)
    });
    match result {
        Ok(outcome) => ExitCode::from(outcome.code()),
        // The reader has seen enough, as in `tabiya moves | head -1`.
        Err(Failure::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(failure) => {
            let _ = write!(anstream::stderr(), "{failure}");
            ExitCode::from(MISTAKEN)
        }
    }
}
