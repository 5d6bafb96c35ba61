//! The `tabiya` command: perft, moves, explanations and pictures of chess positions.
//!
//! Modules use only modules to their right:
//!
//! ```text
//! cli ─▶ commands/… ─▶ counting, position, storage, progress, checkpoint_report, …
//!                                └─▶ failure, interrupt, values ─▶ outcome, output/…
//! ```
//!
//! Each subcommand is a file in `commands/`. The file contains the arguments and the code of the
//! command. To add a subcommand, write its file and add its lines to `commands/mod.rs`.
//!
//! Other modules contain the code that several commands need: `position` for the position on the
//! command line, `counting` and `storage` for arguments about counting, `values` for the values of
//! arguments, `mistake` for errors about them, `layers` for bitboards by name, `output/` for
//! boards, tables, numbers, JSON and pictures.
//!
//! This package has no library, because rustc compiles all trait methods of a library, even those
//! that nothing calls, and `clap` and `serde` derive many of them.

mod call;
mod checkpoint_report;
mod cli;
mod commands;
mod counting;
mod failure;
mod file_progress;
mod input;
mod interrupt;
mod layers;
mod mistake;
mod outcome;
mod output;
mod position;
mod progress;
mod storage;
mod streams;
mod unpacked;
mod values;

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use call::Call;
use cli::Cli;
use failure::Failure;
use outcome::Outcome;

/// The definition of all arguments, from which help, completions and manual pages are made.
fn command() -> clap::Command {
    Cli::command()
}

fn main() -> ExitCode {
    let call = Call::new(env::args_os());
    let parsed = Cli::try_parse_from(call.arguments());
    if let Ok(cli) = &parsed {
        cli.color.apply();
    }
    let mut out: Box<dyn Write> = match &parsed {
        Ok(cli) if cli.command.prints_foreign_bytes() => Box::new(io::stdout().lock()),
        _ => Box::new(anstream::stdout().lock()),
    };
    if parsed.as_ref().is_ok_and(|cli| cli.command.outlives_its_reader()) {
        out = Box::new(streams::Abandonable(out));
    }
    let result = match parsed {
        Ok(cli) => cli.command.run(&call, command, &mut out),
        Err(error) => print_clap_error(&error, &mut out),
    };
    let result = result.and_then(|outcome| match out.flush().map_err(Failure::from) {
        Err(failure) if !failure.is_of_reader() => Err(failure),
        _ => Ok(outcome),
    });
    let failure = match result {
        Ok(outcome) => return ExitCode::from(outcome.code()),
        Err(failure) if failure.is_of_reader() => return ExitCode::from(Outcome::Fine.code()),
        Err(failure) => failure,
    };
    drop(out);
    let _ = write!(anstream::stderr(), "{failure}");
    let outcome = match failure {
        // The results are lost.
        Failure::Write(_) => Outcome::Failed,
        Failure::File { .. } | Failure::Argument(_) => Outcome::Mistaken,
    };
    ExitCode::from(outcome.code())
}

/// Prints the error in the arguments, or the help or version that they ask for.
fn print_clap_error(error: &clap::Error, out: &mut dyn Write) -> Result<Outcome, Failure> {
    if !error.use_stderr() {
        write!(out, "{}", error.render().ansi())?;
        return Ok(Outcome::Fine);
    }
    let _ = match mistake::of(error) {
        Some(diagnostic) => write!(anstream::stderr(), "{diagnostic}"),
        None => write!(anstream::stderr(), "{}", error.render().ansi()),
    };
    Ok(Outcome::Mistaken)
}
