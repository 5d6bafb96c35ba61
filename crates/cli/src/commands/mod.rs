//! The subcommands. Each file contains the arguments of one subcommand, and its code.

mod bench;
mod book;
mod compare;
mod completions;
mod data;
mod estimate;
mod explain;
mod frontier;
mod man;
mod moves;
mod perft;
mod pgn;
#[cfg(all(test, feature = "schema"))]
mod schemas;
mod show;
mod status;
mod suite;
mod tables;
mod uci;

use std::io::Write;

use clap::Subcommand;

use crate::call::Call;
use crate::failure::Failure;
use crate::outcome::Outcome;

/// A subcommand with its arguments.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Perft(perft::Args),
    Moves(moves::Args),
    Show(show::Args),
    Explain(explain::Args),
    Book(book::Args),
    Tables(tables::Args),
    Compare(compare::Args),
    Suite(suite::Args),
    Frontier(frontier::Args),
    Pgn(pgn::Args),
    Data(data::Args),
    Status(status::Args),
    Estimate(estimate::Args),
    Bench(bench::Args),
    Uci(uci::Args),
    Completions(completions::Args),
    Man(man::Args),
}

impl Command {
    /// Does it print foreign text, which may not be UTF-8? If so, it uses no colours.
    pub(crate) fn prints_foreign_bytes(&self) -> bool {
        match self {
            Self::Pgn(args) => args.prints_games(),
            Self::Data(args) => args.prints_records(),
            _ => false,
        }
    }

    /// Does it go on if the reader of its output goes away? It does if its exit code is the result
    /// of a check, or if it writes a file. Its exit code is then the same as if everything had been
    /// read.
    pub(crate) fn outlives_its_reader(&self) -> bool {
        match self {
            Self::Perft(args) => args.checks_or_keeps(),
            Self::Pgn(args) => args.checks(),
            Self::Data(args) => args.checks_or_writes(),
            Self::Frontier(args) => args.writes_a_file(),
            Self::Book(_) | Self::Compare(_) | Self::Explain(_) | Self::Suite(_) => true,
            Self::Moves(_)
            | Self::Show(_)
            | Self::Tables(_)
            | Self::Status(_)
            | Self::Estimate(_)
            | Self::Bench(_)
            | Self::Uci(_)
            | Self::Completions(_)
            | Self::Man(_) => false,
        }
    }

    /// Runs the subcommand. Some subcommands print the call, or the definition of all arguments.
    pub(crate) fn run(
        &self,
        call: &Call,
        definition: fn() -> clap::Command,
        out: &mut dyn Write,
    ) -> Result<Outcome, Failure> {
        match self {
            Self::Perft(args) => perft::run(args, call, out),
            Self::Moves(args) => moves::run(args, out),
            Self::Show(args) => show::run(args, out),
            Self::Explain(args) => explain::run(args, out),
            Self::Book(args) => book::run(args, out),
            Self::Tables(args) => tables::run(args, out),
            Self::Compare(args) => compare::run(args, out),
            Self::Suite(args) => suite::run(args, out),
            Self::Frontier(args) => frontier::run(args, out),
            Self::Pgn(args) => pgn::run(args, out),
            Self::Data(args) => data::run(args, out),
            Self::Status(args) => status::run(args, out),
            Self::Estimate(args) => estimate::run(args, out),
            Self::Bench(args) => bench::run(args, out),
            Self::Uci(args) => uci::run(args, out),
            Self::Completions(args) => completions::run(args, definition(), out),
            Self::Man(args) => man::run(args, definition(), out),
        }
    }
}
