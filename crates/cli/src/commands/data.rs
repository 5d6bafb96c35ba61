//! `tabiya data`: checks, converts, selects, orders and counts training data.
//!
//! Modules use only modules to their right:
//!
//! ```text
//! shuffle, interleave ─▶ order ─▶ output ─▶ reading ─▶ input
//! convert ───────────────────────▶ output
//! check, statistics ─▶ counts ──────────────▶ reading
//! ```
//!
//! `input` finds the format of a file and opens it. `reading` gives its blocks to threads, which decode and select
//! records, and says what's bad. `output` writes what the threads have encoded, in order. The threads, and what becomes
//! of each record, are those of the crate `tabiya-data`.

mod check;
mod convert;
mod counts;
mod input;
mod interleave;
mod order;
mod output;
mod reading;
mod shuffle;
mod statistics;

use std::io::Write;
use std::path::Path;

#[cfg(all(test, feature = "schema"))]
pub(super) use self::{check::Answer as CheckAnswer, statistics::Answer as StatisticsAnswer};
use crate::failure::Failure;
use crate::outcome::Outcome;

const EXAMPLES: &str = "\
docs/data.md in the repository describes the formats, filters and tables.

Exit codes:
  0    success
  1    there are bad records, or records that the new format can't hold; the others are written,
       unless --errors is stop. Or standard output can't be written, as on a full disk
  2    the arguments are wrong, or a file can't be read or written
  130  stopped with Ctrl-C; no file is written

Examples:
  tabiya data convert games.packed games.csv
  tabiya data convert games.packed quiet.packed --filter 'not check and not capture and ply >= 16'
  tabiya data check games.packed --json
  tabiya data shuffle games.packed shuffled.packed --seed 1
  tabiya data interleave games.packed quiet.packed mixed.packed
  tabiya data statistics mixed.packed
  zstdcat big.csv.zst | tabiya data convert - big.packed --from csv";

/// Check, convert, select, shuffle and count training data, for authors of engines
///
/// A record is a position with a move, a score and a result. Formats are found from the extensions of
/// the files, or named with --from and --to. Input may be compressed, in files named .gz, .bz2 or
/// .zst.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES, disable_help_subcommand = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Convert(convert::Args),
    Check(check::Args),
    Shuffle(shuffle::Args),
    Interleave(interleave::Args),
    Statistics(statistics::Args),
}

impl Args {
    /// Does it print records, and no text?
    pub(super) fn prints_records(&self) -> bool {
        self.output().is_some_and(output::is_stream)
    }

    /// Is its exit code the result of a check, or does it write a file?
    pub(super) fn checks_or_writes(&self) -> bool {
        matches!(self.command, Command::Check(_))
            || self.output().is_some_and(|it| !output::is_stream(it))
    }

    fn output(&self) -> Option<&Path> {
        match &self.command {
            Command::Convert(args) => Some(args.files.output()),
            Command::Shuffle(args) => Some(args.order.files.output()),
            Command::Interleave(args) => Some(args.order.files.output()),
            Command::Check(_) | Command::Statistics(_) => None,
        }
    }
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    match &args.command {
        Command::Convert(args) => convert::run(args, out),
        Command::Check(args) => check::run(args, out),
        Command::Shuffle(args) => shuffle::run(args, out),
        Command::Interleave(args) => interleave::run(args, out),
        Command::Statistics(args) => statistics::run(args, out),
    }
}
