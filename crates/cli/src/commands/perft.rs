//! `tabiya perft`: counting the leaves of the game tree.
//!
//! One file a way of counting: `leaves` for the plain count, with `hash` for what its table did,
//! `categories`, `distinct`, and beside this one `long_run`, which is kept in a file.

mod categories;
mod distinct;
mod hash;
mod leaves;

use std::io::Write;

use tabiya::Position;
use tabiya_perft::table::HashSize;

use super::long_run;
use crate::Outcome;
use crate::counting::CountingArgs;
use crate::failure::{Diagnostic, Failure};
use crate::output::number::thousands;
use crate::position::PositionArgs;
use crate::storage::StorageArgs;

/// The keys of a table are made from this number, unless another run is to verify it.
const SEED: u64 = 0;

const EXAMPLES: &str = "\
Examples:
  tabiya perft 6
  tabiya perft 5 --position kiwipete --divide
  tabiya perft 4 --fen 'bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9'
  tabiya perft 6 --threads 1 --json
  tabiya perft 5 --expect 4865609 && echo right
  tabiya perft 8 --hash 1024 --verify-seed 1
  tabiya perft 6 --checkpoint start-6.tabiya --verify-share 1%
  tabiya perft 4 --categories --checks exclude-mates
  tabiya perft 6 --categories --hash 256
  tabiya perft 4 --distinct --memory 128M

With --hash, positions that are reached in several ways are counted once and found again in a
table. It is used as far as it is needed, up to SIZE. An entry verifies 64 bits of a position's
key; how likely any wrong entry was taken is computed and printed. --verify-seed makes sure: it
counts again with keys that have nothing to do with the first.

The environment variable TABIYA_ISA stands for --isa where that is not given.

In JSON, \"mode\" says how leaves were counted. bulk: the last moves are counted, not made.
factoring: of most moves before those it is computed how they change that count. table: subtrees
found in the table are not counted again. nps are leaves a second all the same.

Ctrl-C prints what has been found under each first move until then and the sum, and ends with exit
code 130; pressed again, it ends at once.";

/// Count the games of DEPTH half-moves from a position
///
/// Prints a line for each depth up to DEPTH with the number of leaves, the time and the leaves
/// counted a second.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help())]
pub(crate) struct Args {
    /// How many half-moves
    #[arg(value_parser = crate::values::depth, allow_negative_numbers = true)]
    depth: u32,

    /// Count DEPTH alone, and print the share of each first move
    #[arg(long)]
    divide: bool,

    /// Count captures, castling, promotions, checks, mates and so on among the leaves
    #[arg(long, conflicts_with = "divide")]
    categories: bool,

    /// Whether checks that mate count as checks
    #[arg(long, value_enum, default_value_t, value_name = "HOW", requires = "categories")]
    checks: categories::ChecksArg,

    /// Count the distinct positions after DEPTH half-moves instead of the games
    ///
    /// Exactly: positions are the same if men, turn, castling rights and legal en-passant captures
    /// are.
    #[arg(long, conflicts_with_all = ["divide", "categories", "hash"])]
    distinct: bool,

    #[command(flatten)]
    counting: CountingArgs,

    /// Remember subtrees in a table: of so many MiB, or a number with K, M, G or T; auto takes half
    /// of the memory available
    #[arg(long, value_name = "SIZE", value_parser = crate::values::hash_size)]
    #[arg(allow_negative_numbers = true)]
    hash: Option<HashSize>,

    /// Count again with other keys of the table, and end with exit code 1 if the counts differ
    #[arg(long, value_name = "SEED", requires = "hash", conflicts_with = "categories")]
    #[arg(value_parser = crate::values::other_seed)]
    #[arg(allow_negative_numbers = true)]
    verify_seed: Option<u64>,

    /// End with exit code 1 if the count is another
    #[arg(long, value_name = "NODES", value_parser = crate::values::count)]
    #[arg(allow_negative_numbers = true)]
    expect: Option<u128>,

    /// Print a JSON object about DEPTH alone
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    storage: StorageArgs,

    #[command(flatten)]
    long_run: long_run::LongRunArgs,

    #[command(flatten)]
    position: PositionArgs,
}

fn help() -> String {
    format!("{}\n{EXAMPLES}", categories::help())
}

/// What was counted, or how else it ended.
pub(crate) type Counted = Result<u128, Outcome>;

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let position = args.position.position()?;
    let counted = count(args, &position, out)?;
    let (found, expected) = match (counted, args.expect) {
        (Err(outcome), _) => return Ok(outcome),
        (Ok(found), Some(expected)) if found != expected => (found, expected),
        _ => return Ok(Outcome::Fine),
    };
    if !args.json {
        let what = if args.distinct { "positions" } else { "leaves" };
        let (found, expected) = (thousands(found), thousands(expected));
        writeln!(out, "expected {expected} {what}, but there are {found}")?;
    }
    Ok(Outcome::Failed)
}

/// Counts in the way that was asked for, and prints what comes out.
fn count(args: &Args, position: &Position, out: &mut dyn Write) -> Result<Counted, Failure> {
    let options = args.counting.options()?;
    let (depth, json) = (args.depth, args.json);
    if args.storage.is_given() && !args.distinct {
        return Err(Diagnostic::new("--memory and --temp belong to --distinct").into());
    }
    if args.distinct {
        let options = args.storage.options(options.threads)?;
        return distinct::run(position, depth, &options, json, out);
    }
    if args.categories {
        return categories::run(args, position, &options, out);
    }
    if let Some(asked) = args.long_run.asked() {
        let job = long_run::Job { position, depth, options, hash: args.hash };
        return long_run::run(&asked, &job, args.divide, json, out);
    }
    leaves::run(args, position, &options, out)
}
