//! `tabiya perft`: counting the leaves of the game tree.

mod categories;
mod distinct;

use std::io::Write;
use std::num::NonZeroUsize;
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use tabiya::Position;
use tabiya_perft::{Options, Tally};

use crate::Outcome;
use crate::args::PositionArgs;
use crate::failure::{Diagnostic, Failure};
use crate::interrupt::Interrupt;
use crate::output::json;
use crate::output::number::{per_second, seconds, thousands};
use crate::output::table::{Column, Table};
use crate::storage::StorageArgs;

/// How leaves are counted: by the number of moves above them, without making each.
const MODE: &str = "bulk";

const EXAMPLES: &str = "\
Examples:
  tabiya perft 6
  tabiya perft 5 --position kiwipete --divide
  tabiya perft 4 --fen 'bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9'
  tabiya perft 6 --threads 1 --json
  tabiya perft 5 --expect 4865609 && echo right
  tabiya perft 4 --categories --checks exclude-mates
  tabiya perft 4 --distinct --memory 128M

Ctrl-C prints the share of every first move that is finished and the sum so far, and ends with
exit code 130; pressed again, it ends at once.";

/// Count the games of DEPTH half-moves from a position
///
/// Prints a line for each depth up to DEPTH with the number of leaves, the time and the leaves
/// counted a second.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help())]
pub(crate) struct Args {
    /// How many half-moves
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
    #[arg(long, conflicts_with_all = ["divide", "categories"])]
    distinct: bool,

    /// How many threads count; all that the machine has, unless given
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// End with exit code 1 if the count is another
    #[arg(long, value_name = "NODES")]
    expect: Option<u128>,

    /// Print a JSON object about DEPTH alone
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    storage: StorageArgs,

    #[command(flatten)]
    position: PositionArgs,
}

fn help() -> String {
    format!("{}\n{EXAMPLES}", categories::help())
}

/// A count and how long it took.
struct Count {
    depth: u32,
    tally: Tally,
    time: Duration,
}

impl Count {
    fn of(position: &Position, depth: u32, options: &Options, watch: &Interrupt) -> Self {
        let begin = Instant::now();
        let tally = tabiya_perft::perft(position, depth, options, watch);
        Self { depth, tally, time: begin.elapsed() }
    }
}

/// The count as JSON. Numbers of leaves are texts, since they may be larger than the numbers that
/// most readers of JSON keep exactly.
#[derive(Serialize)]
struct Answer {
    fen: String,
    depth: u32,
    nodes: String,
    seconds: f64,
    nps: Option<u64>,
    threads: NonZeroUsize,
    mode: &'static str,
    /// Only if counting was stopped: `nodes` is then the sum so far, and `divide` has the
    /// finished moves alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    complete: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<Share>>,
}

/// The leaves after a first move.
#[derive(Serialize)]
struct Share {
    #[serde(rename = "move")]
    mv: String,
    nodes: String,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let position = args.position.position()?;
    let threads = args.threads.or_else(|| thread::available_parallelism().ok());
    let threads = threads.unwrap_or(NonZeroUsize::MIN);
    let options = Options { threads, ..Options::default() };
    if args.storage.is_given() && !args.distinct {
        return Err(Diagnostic::new("--memory and --temp belong to --distinct").into());
    }
    if args.distinct {
        let options = args.storage.options(threads)?;
        let counted = distinct::run(&position, args.depth, &options, args.json, out)?;
        return judge(args, counted, "positions", out);
    }
    if args.categories {
        let counted =
            categories::run(&position, args.depth, args.checks, &options, args.json, out)?;
        return judge(args, counted, "leaves", out);
    }
    let watch = Interrupt::listen()?;

    let last = if args.json {
        let count = Count::of(&position, args.depth, &options, &watch);
        json::write(out, &answer(args, &position, &count, threads))?;
        count
    } else {
        count_in_text(args, &position, &options, &watch, out)?
    };
    let counted =
        if last.tally.complete { Ok(last.tally.nodes) } else { Err(Outcome::Interrupted) };
    judge(args, counted, "leaves", out)
}

/// Compares what was counted with what was expected.
fn judge(
    args: &Args,
    counted: Result<u128, Outcome>,
    what: &str,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let found = match counted {
        Ok(found) => found,
        Err(outcome) => return Ok(outcome),
    };
    match args.expect {
        Some(expected) if expected != found => {
            if !args.json {
                let (found, expected) = (thousands(found), thousands(expected));
                writeln!(out, "expected {expected} {what}, but there are {found}")?;
            }
            Ok(Outcome::Failed)
        }
        _ => Ok(Outcome::Fine),
    }
}

fn shares(position: &Position, tally: &Tally) -> Vec<(String, u128)> {
    let share = |root: &tabiya_perft::RootCount| {
        root.nodes.map(|nodes| (position.uci(root.mv).to_string(), nodes))
    };
    tally.moves.iter().filter_map(share).collect()
}

fn answer(args: &Args, position: &Position, count: &Count, threads: NonZeroUsize) -> Answer {
    let Count { depth, tally, time } = count;
    let divide = || {
        let share = |(mv, nodes): (String, u128)| Share { mv, nodes: nodes.to_string() };
        shares(position, tally).into_iter().map(share).collect()
    };
    Answer {
        fen: position.fen().to_string(),
        depth: *depth,
        nodes: tally.nodes.to_string(),
        seconds: time.as_secs_f64(),
        nps: per_second(tally.nodes, *time).and_then(|rate| rate.try_into().ok()),
        threads,
        mode: MODE,
        complete: (!tally.complete).then_some(false),
        divide: (args.divide || !tally.complete).then(divide),
    }
}

/// Counts depth by depth, each with a line as soon as it is known; returns the last count.
fn count_in_text(
    args: &Args,
    position: &Position,
    options: &Options,
    watch: &Interrupt,
    out: &mut dyn Write,
) -> Result<Count, Failure> {
    let table = table(position, args.depth);
    if args.divide {
        let count = Count::of(position, args.depth, options, watch);
        if count.tally.complete {
            write_shares(position, &count.tally, out)?;
            writeln!(out)?;
            table.head(out)?;
            write_line(&table, &count, out)?;
        } else {
            write_partial(position, &count, out)?;
        }
        return Ok(count);
    }
    table.head(out)?;
    let mut depth = args.depth.min(1);
    loop {
        let count = Count::of(position, depth, options, watch);
        if !count.tally.complete {
            writeln!(out)?;
            write_partial(position, &count, out)?;
            return Ok(count);
        }
        write_line(&table, &count, out)?;
        out.flush()?;
        if depth == args.depth {
            return Ok(count);
        }
        depth += 1;
    }
}

/// The columns, wide enough for the counts of all but very rich positions.
fn table(position: &Position, depth: u32) -> Table<4> {
    let branching = position.count_legal().max(40) as u128;
    let most = branching.checked_pow(depth).unwrap_or(u128::MAX);
    Table([
        Column::right("depth", 5),
        Column::right("nodes", thousands(most).len()),
        Column::right("time", 11),
        Column::right("nodes/s", 15),
    ])
}

fn write_line(table: &Table<4>, count: &Count, out: &mut dyn Write) -> Result<(), Failure> {
    let Count { depth, tally, time } = count;
    let rate = per_second(tally.nodes, *time).map_or("-".to_owned(), thousands);
    let cells = [&depth.to_string(), &thousands(tally.nodes), &seconds(*time), &rate];
    Ok(table.row(out, cells.map(String::as_str))?)
}

/// Writes the share of each first move that is finished.
fn write_shares(position: &Position, tally: &Tally, out: &mut dyn Write) -> Result<(), Failure> {
    let shares = shares(position, tally);
    let widest = shares.iter().map(|(_, nodes)| thousands(*nodes).len()).max().unwrap_or(0);
    let table = Table([Column::left("move", 5), Column::right("nodes", widest)]);
    table.head(out)?;
    for (mv, nodes) in shares {
        table.row(out, [&mv, &thousands(nodes)])?;
    }
    Ok(())
}

/// Writes what is known of a count that was stopped.
fn write_partial(position: &Position, count: &Count, out: &mut dyn Write) -> Result<(), Failure> {
    let Count { depth, tally, time } = count;
    let (finished, all) = (shares(position, tally).len(), tally.moves.len());
    writeln!(out, "stopped at depth {depth}: {finished} of {all} first moves are finished")?;
    if finished > 0 {
        write_shares(position, tally, out)?;
    }
    let (nodes, time) = (thousands(tally.nodes), seconds(*time));
    Ok(writeln!(out, "counted so far: {nodes} leaves in {time}")?)
}
