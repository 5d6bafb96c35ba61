//! The plain count, depth by depth or move by move.

use std::io::Write;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use serde::Serialize;
use tabiya::Position;
use tabiya_perft::{Engine, Options, PerftTotal};

use super::hash::{TableUse, Verification};
use super::{Args, Counted, SEED};
use crate::Outcome;
use crate::counting::engine;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output::divide::{self, Share, shares};
use crate::output::json;
use crate::output::number::{per_second, seconds, thousands};
use crate::output::progress::Watcher;
use crate::output::table::{Column, Table};

/// How leaves are counted: the moves above them are not made but counted (*bulk*), and of most
/// moves above those only what they change in that count (*factoring*).
const MODE: &str = "bulk+factoring";
/// The same, with subtrees that are counted once and remembered.
const MODE_WITH_TABLE: &str = "bulk+factoring+table";

const SCHEMA: &str = "tabiya-perft/1";

/// A count and how long it took.
pub(super) struct Count {
    pub(super) depth: u32,
    pub(super) tally: PerftTotal,
    pub(super) time: Duration,
}

impl Count {
    fn of(position: &Position, depth: u32, engine: &Engine, interrupt: &Interrupt) -> Self {
        let watcher = Watcher::new(interrupt, depth);
        let begin = Instant::now();
        let tally = engine.perft(position, depth, &watcher);
        Self { depth, tally, time: begin.elapsed() }
    }
}

/// The count as JSON.
#[derive(Serialize)]
struct Answer {
    fen: String,
    depth: u32,
    #[serde(serialize_with = "json::digits")]
    nodes: u128,
    complete: bool,
    seconds: f64,
    nps: Option<u64>,
    threads: NonZeroUsize,
    isa: &'static str,
    mode: &'static str,
    table: Option<TableUse>,
    verification: Option<Verification>,
    /// If asked for, or if counting was stopped.
    divide: Option<Vec<Share>>,
}

/// Counts and prints.
pub(super) fn run(
    args: &Args,
    position: &Position,
    options: &Options,
    out: &mut dyn Write,
) -> Result<Counted, Failure> {
    let first_engine = engine(options.clone(), args.hash, SEED)?;
    let interrupt = Interrupt::listen()?;

    let (last, look_ups) = if args.json {
        let count = Count::of(position, args.depth, &first_engine, &interrupt);
        let look_ups = count.tally.look_ups;
        (count, look_ups)
    } else {
        count_in_text(args, position, &first_engine, &interrupt, out)?
    };
    let table = TableUse::of(&first_engine, look_ups);
    if let Some(table) = &table
        && !args.json
    {
        table.write(out)?;
        out.flush()?;
    }
    // One table at a time.
    drop(first_engine);

    let mut outcome = if last.tally.complete { Outcome::Fine } else { Outcome::Interrupted };
    let mut verification = None;
    if let Some(seed) = args.verify_seed
        && last.tally.complete
    {
        let other_keys = engine(options.clone(), args.hash, seed)?;
        let second = Count::of(position, args.depth, &other_keys, &interrupt);
        let verified = Verification::new(seed, &last, &second);
        outcome = verified.outcome();
        if !args.json {
            verified.write(position, [&last, &second], out)?;
        }
        verification = Some(verified);
    }
    if args.json {
        let answer = answer(args, position, &last, options, table, verification);
        json::write(out, SCHEMA, &answer)?;
    }
    Ok(if outcome == Outcome::Fine { Ok(last.tally.nodes) } else { Err(outcome) })
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
    Answer {
        fen: position.fen().to_string(),
        depth: *depth,
        nodes: tally.nodes,
        complete: tally.complete,
        seconds: time.as_secs_f64(),
        nps: per_second(tally.nodes, *time).and_then(|rate| rate.try_into().ok()),
        threads: options.threads,
        isa: options.isa.name(),
        mode: if table.is_some() { MODE_WITH_TABLE } else { MODE },
        table,
        verification,
        divide: (args.divide || !tally.complete).then(|| shares(position, tally)),
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
            divide::write(&shares(position, &count.tally), out)?;
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

/// Writes what is known of a count that was stopped.
fn write_partial(position: &Position, count: &Count, out: &mut dyn Write) -> Result<(), Failure> {
    let Count { depth, tally, time } = count;
    let mut begun = shares(position, tally);
    begun.retain(|share| share.complete || share.nodes > 0);
    let finished = begun.iter().filter(|share| share.complete).count();
    let all = tally.moves.len();
    writeln!(out, "stopped at depth {depth}: {finished} of {all} first moves are finished")?;
    if !begun.is_empty() {
        divide::write(&begun, out)?;
    }
    let (nodes, time) = (thousands(tally.nodes), seconds(*time));
    Ok(writeln!(out, "counted so far: {nodes} leaves in {time}")?)
}
