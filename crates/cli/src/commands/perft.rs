//! `tabiya perft`: counting the leaves of the game tree.

mod categories;
mod distinct;

use std::io::Write;
use std::num::NonZeroUsize;
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use tabiya::Position;
use tabiya_perft::table::{HashSize, Table as HashTable};
use tabiya_perft::{Engine, Options, Tally};

use super::long_run;
use crate::Outcome;
use crate::args::PositionArgs;
use crate::counting::{self, IsaArg};
use crate::failure::{Diagnostic, Failure};
use crate::interrupt::Interrupt;
use crate::output::json;
use crate::output::number::{per_second, seconds, thousands};
use crate::output::progress::Watcher;
use crate::output::table::{Column, Table};
use crate::storage::StorageArgs;

/// How leaves are counted: the moves above them are not made but counted (*bulk*), and of most
/// moves above those only what they change in that count (*factoring*).
const MODE: &str = "bulk+factoring";
/// The same, with subtrees that are counted once and remembered.
const MODE_WITH_TABLE: &str = "bulk+factoring+table";

/// The keys of the table are made from this number, unless another run is to verify it.
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
  tabiya perft 4 --distinct --memory 128M

With --hash, positions that are reached in several ways are counted once and found again in a
table. It is used as far as it is needed, up to SIZE. An entry verifies 64 bits of a position's
key; how likely any wrong entry was taken is computed and printed. --verify-seed makes sure: it
counts again with keys that have nothing to do with the first.

The environment variable TABIYA_ISA stands for --isa where that is not given.

In JSON, \"mode\" says how leaves were counted. bulk: the last moves are counted, not made.
factoring: of most moves before those it is computed how they change that count. table: subtrees
found in the table are not counted again. nps are leaves a second all the same.

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
    #[arg(long, value_name = "N", value_parser = crate::counting::thread_count)]
    threads: Option<NonZeroUsize>,

    /// Remember subtrees in a table of so many MiB; auto takes half of the memory available
    #[arg(long, value_name = "SIZE")]
    hash: Option<HashSize>,

    /// Count again with other keys of the table, and end with exit code 1 if the counts differ
    #[arg(long, value_name = "SEED", requires = "hash", value_parser = clap::value_parser!(u64).range(1..))]
    verify_seed: Option<u64>,

    /// The instruction set to count with: auto, avx512, avx2 or portable
    #[arg(long, value_name = "ISA")]
    isa: Option<IsaArg>,

    /// End with exit code 1 if the count is another
    #[arg(long, value_name = "NODES")]
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

impl Args {
    fn options(&self) -> Result<Options, Diagnostic> {
        let threads = self.threads.or_else(|| thread::available_parallelism().ok());
        Ok(Options { threads: threads.unwrap_or(NonZeroUsize::MIN), isa: counting::isa(self.isa)? })
    }

    /// An engine with all that was asked for. Memory for a table is asked for here.
    fn engine(&self, options: &Options, seed: u64) -> Result<Engine, Diagnostic> {
        let engine = Engine::new(options.clone());
        Ok(match self.hash {
            Some(size) => engine.with_table(HashTable::new(size, seed).map_err(Diagnostic::new)?),
            None => engine,
        })
    }
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
    fn of(position: &Position, depth: u32, engine: &Engine, interrupt: &Interrupt) -> Self {
        let watcher = Watcher::new(interrupt, depth);
        let begin = Instant::now();
        let tally = engine.perft(position, depth, &watcher);
        Self { depth, tally, time: begin.elapsed() }
    }
}

/// What the table did.
#[derive(Serialize)]
struct TableUse {
    bytes: u64,
    bytes_in_use: u64,
    /// The share of the entries in use that are filled.
    load: f64,
    look_ups: u64,
    /// An upper bound for the chance of a wrong count.
    risk: f64,
}

impl TableUse {
    /// What the table of an engine did, in all counts since it was made.
    fn of(engine: &Engine, look_ups: u64) -> Option<Self> {
        let table = engine.table()?;
        Some(Self {
            bytes: table.bytes(),
            bytes_in_use: table.bytes_in_use(),
            load: table.load(),
            look_ups,
            risk: HashTable::risk(look_ups),
        })
    }

    fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let mebibytes = |bytes: u64| thousands(u128::from(bytes >> 20));
        writeln!(
            out,
            "\ntable: {} look-ups; {} of {} MiB in use, {:.1} % of their entries filled",
            thousands(self.look_ups.into()),
            mebibytes(self.bytes_in_use),
            mebibytes(self.bytes),
            100.0 * self.load
        )?;
        Ok(writeln!(out, "chance of a wrong count: at most {:.1e}", self.risk)?)
    }
}

/// A second count with other keys.
#[derive(Serialize)]
struct Verification {
    seed: u64,
    nodes: String,
    seconds: f64,
    agrees: bool,
    #[serde(skip)]
    complete: bool,
}

impl Verification {
    /// Compares a second count with the first.
    fn new(seed: u64, first: &Count, second: &Count) -> Self {
        let (nodes, complete) = (second.tally.nodes, second.tally.complete);
        Self {
            seed,
            nodes: nodes.to_string(),
            seconds: second.time.as_secs_f64(),
            agrees: complete
                && nodes == first.tally.nodes
                && second.tally.moves == first.tally.moves,
            complete,
        }
    }

    /// Says what came out, in full if the counts differ.
    fn write(
        &self,
        position: &Position,
        counts: [&Count; 2],
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let [first, second] = counts;
        if !self.complete {
            return Ok(writeln!(out, "verification with seed {}: stopped", self.seed)?);
        }
        let (nodes, time) = (thousands(second.tally.nodes), seconds(second.time));
        let verdict = if self.agrees { "the same" } else { "another count" };
        writeln!(out, "verified with seed {}: {nodes} leaves in {time}, {verdict}", self.seed)?;
        let pairs = shares(position, &first.tally).into_iter().zip(shares(position, &second.tally));
        for ((mv, here), (_, there)) in pairs.filter(|(here, there)| here != there) {
            writeln!(out, "{mv}: {} and {}", thousands(here), thousands(there))?;
        }
        Ok(())
    }

    const fn outcome(&self) -> Outcome {
        match (self.complete, self.agrees) {
            (false, _) => Outcome::Interrupted,
            (true, true) => Outcome::Fine,
            (true, false) => Outcome::Failed,
        }
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
    isa: &'static str,
    mode: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<TableUse>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verification: Option<Verification>,
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
    let options = args.options()?;
    if args.storage.is_given() && !args.distinct {
        return Err(Diagnostic::new("--memory and --temp belong to --distinct").into());
    }
    if args.distinct {
        let options = args.storage.options(options.threads)?;
        let counted = distinct::run(&position, args.depth, &options, args.json, out)?;
        return judge(args, counted, "positions", out);
    }
    if args.categories {
        let counted =
            categories::run(&position, args.depth, args.checks, &options, args.json, out)?;
        return judge(args, counted, "leaves", out);
    }
    if let Some(asked) = args.long_run.asked() {
        let (depth, hash) = (args.depth, args.hash);
        let job = long_run::Job { position: &position, depth, options, hash };
        let counted = long_run::run(&asked, &job, args.divide, args.json, out)?;
        return judge(args, counted, "leaves", out);
    }
    let engine = args.engine(&options, SEED)?;
    let interrupt = Interrupt::listen()?;

    let (last, look_ups) = if args.json {
        let count = Count::of(&position, args.depth, &engine, &interrupt);
        let look_ups = count.tally.look_ups;
        (count, look_ups)
    } else {
        count_in_text(args, &position, &engine, &interrupt, out)?
    };
    let table = TableUse::of(&engine, look_ups);
    if let Some(table) = &table
        && !args.json
    {
        table.write(out)?;
        out.flush()?;
    }
    // One table at a time.
    drop(engine);

    let mut outcome = if last.tally.complete { Outcome::Fine } else { Outcome::Interrupted };
    let mut verification = None;
    if let Some(seed) = args.verify_seed
        && last.tally.complete
    {
        let second = Count::of(&position, args.depth, &args.engine(&options, seed)?, &interrupt);
        let verified = Verification::new(seed, &last, &second);
        outcome = verified.outcome();
        if !args.json {
            verified.write(&position, [&last, &second], out)?;
        }
        verification = Some(verified);
    }
    if args.json {
        json::write(out, &answer(args, &position, &last, &options, table, verification))?;
    }
    let counted = if outcome == Outcome::Fine { Ok(last.tally.nodes) } else { Err(outcome) };
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

fn answer(
    args: &Args,
    position: &Position,
    count: &Count,
    options: &Options,
    table: Option<TableUse>,
    verification: Option<Verification>,
) -> Answer {
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
        threads: options.threads,
        isa: options.isa.name(),
        mode: if table.is_some() { MODE_WITH_TABLE } else { MODE },
        table,
        verification,
        complete: (!tally.complete).then_some(false),
        divide: (args.divide || !tally.complete).then(divide),
    }
}

/// Counts depth by depth, each with a line as soon as it is known; returns the last count, and how
/// often all of them together asked the table.
fn count_in_text(
    args: &Args,
    position: &Position,
    engine: &Engine,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<(Count, u64), Failure> {
    let table = table(position, args.depth);
    if args.divide {
        let count = Count::of(position, args.depth, engine, interrupt);
        if count.tally.complete {
            write_shares(position, &count.tally, out)?;
            writeln!(out)?;
            table.head(out)?;
            write_line(&table, &count, out)?;
        } else {
            write_partial(position, &count, out)?;
        }
        let look_ups = count.tally.look_ups;
        return Ok((count, look_ups));
    }
    table.head(out)?;
    let mut depth = args.depth.min(1);
    let mut look_ups = 0;
    loop {
        let count = Count::of(position, depth, engine, interrupt);
        look_ups += count.tally.look_ups;
        if !count.tally.complete {
            writeln!(out)?;
            write_partial(position, &count, out)?;
            return Ok((count, look_ups));
        }
        write_line(&table, &count, out)?;
        out.flush()?;
        if depth == args.depth {
            return Ok((count, look_ups));
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

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_perft::RootCount;

    fn count(nodes: [u128; 2]) -> Count {
        let moves = Position::START.legal_moves();
        let moves =
            moves.iter().zip(nodes).map(|(&mv, nodes)| RootCount { mv, nodes: Some(nodes) });
        let tally = Tally {
            moves: moves.collect(),
            nodes: nodes.iter().sum(),
            complete: true,
            look_ups: 0,
        };
        Count { depth: 2, tally, time: Duration::from_millis(20) }
    }

    /// No table is known that gives a wrong count, so the comparison is tested alone.
    #[test]
    fn counts_that_differ_are_both_told() {
        let (right, wrong) = (count([20, 1300]), count([20, 1301]));
        let verified = Verification::new(7, &right, &wrong);
        assert_eq!(verified.outcome(), Outcome::Failed);
        let mut text = Vec::new();
        verified.write(&Position::START, [&right, &wrong], &mut text).unwrap();
        let mv = Position::START.uci(right.tally.moves[1].mv);
        assert_eq!(
            String::from_utf8(text).unwrap(),
            format!(
                "verified with seed 7: 1,321 leaves in 0.020 s, another count\n\
                 {mv}: 1,300 and 1,301\n"
            )
        );
        // Errors that cancel out are errors.
        let moved = count([21, 1299]);
        assert_eq!(Verification::new(7, &right, &moved).outcome(), Outcome::Failed);
        assert_eq!(Verification::new(7, &right, &right).outcome(), Outcome::Fine);
    }
}
