//! The plain count: depth by depth, or root move by root move.

use std::io::{self, Write};
use std::num::NonZeroUsize;

use clap::ValueEnum;
use serde::Serialize;
use tabiya::Position;
use tabiya_perft::{Engine, Options, Seed};

use super::count::Count;
use super::expectation::Expectation;
use super::table_use::TableUse;
use super::verification::Verification;
use crate::counting::{TableChoice, engine};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::outcome::Outcome;
use crate::output::divide::{self, Share, shares};
use crate::output::json;
use crate::output::number::{per_second, rate, thousands, time};
use crate::output::table::{Column, Table};

/// The way in which leaf nodes are counted: the moves of the last ply are counted but not made
/// (*bulk*). For most moves of the previous ply, only the change in that count is computed
/// (*factoring*).
const MODE: &str = "bulk+factoring";
/// The way of counting with a table of subtree counts.
const MODE_WITH_TABLE: &str = "bulk+factoring+table";

/// A count and the form of its report.
pub(super) struct Request {
    pub(super) position: Position,
    pub(super) depth: u32,
    pub(super) options: Options,
    pub(super) table: Option<TableChoice>,
    /// The seed for a second count with other keys. Requires a table.
    pub(super) verify_seed: Option<Seed>,
    pub(super) report: Report,
}

/// The form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Report {
    /// A line for each depth up to the requested one.
    EachDepth,
    /// The leaf nodes below each root move.
    Divide,
    /// The leaf nodes below each root move, for another program.
    ForTool(ToolFormat),
    /// A JSON object, with or without the root moves.
    Json { divide: bool },
}

/// The form in which another tool prints or reads a divide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ToolFormat {
    /// Lines like `e2e4: 20`, an empty line, and `Nodes searched: N`
    Stockfish,
    /// Lines like `e2e4 20`, an empty line, and the total
    Perftree,
}

/// The output of `tabiya perft --json`: the leaf nodes at one depth.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(in crate::commands) struct Answer {
    /// The position, in FEN.
    fen: String,
    /// The depth in plies.
    depth: u32,
    /// Leaf nodes at this depth; those found so far if `complete` is false.
    #[serde(serialize_with = "json::digits")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::output::schema::Digits"))]
    nodes: u128,
    /// Was everything counted? If not, the count was stopped.
    complete: bool,
    /// The time of the count, in seconds.
    seconds: f64,
    /// Leaf nodes per second. Null if the time is too short for the clock.
    nps: Option<u64>,
    /// Threads that counted.
    threads: NonZeroUsize,
    /// The instruction set that counted: `avx512`, `bmi2` or `portable`.
    isa: &'static str,
    /// The ways in which leaf nodes were counted, joined by `+`. `bulk`: the moves of the last ply
    /// are counted but not made. `factoring`: for most moves of the previous ply, only the change
    /// in that count is computed. `table`: subtrees found in the table are not counted again.
    mode: &'static str,
    /// The use of the table of `--hash`. Null without a table.
    table: Option<TableUse>,
    /// The second count. Null without one, and if the first count was stopped.
    verification: Option<Verification>,
    /// Each root move, with `--divide` or if the count was stopped. Null otherwise.
    divide: Option<Vec<Share>>,
}

impl json::Object for Answer {
    const SCHEMA: &'static str = "tabiya-perft/1";
}

/// Counts and prints the result.
pub(super) fn run(
    request: &Request,
    expectation: &Expectation,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let Request { position, depth, options, report, .. } = request;
    let is_text = matches!(report, Report::EachDepth | Report::Divide);
    let first_engine = engine(options.clone(), request.table)?;
    let (count, look_ups) = if *report == Report::EachDepth {
        count_each_depth(request, &first_engine, interrupt, out)?
    } else {
        let count = Count::of(position, *depth, &first_engine, interrupt)?;
        let look_ups = count.total.look_ups;
        (count, look_ups)
    };
    if *report == Report::Divide {
        write_divide(request, &count, out)?;
    }
    let table = request.table.and_then(|table| TableUse::of(&first_engine, table.seed, look_ups));
    if let Some(table) = table.as_ref().filter(|_| is_text) {
        table.write(out)?;
        out.flush()?;
    }
    // Drop the first engine, so that only one table is in memory.
    drop(first_engine);

    let verification = match request.verify_seed.filter(|_| count.total.complete) {
        Some(seed) => {
            let table = request.table.map(|table| TableChoice { seed, ..table });
            let other_keys = engine(options.clone(), table)?;
            let second = Count::of(position, *depth, &other_keys, interrupt)?;
            let verification = Verification::new(seed, &count, &second);
            if is_text {
                verification.write(position, [&count, &second], out)?;
            }
            Some(verification)
        }
        None => None,
    };
    let outcome = match &verification {
        Some(verification) => verification.outcome(),
        None if count.total.complete => Outcome::Fine,
        None => Outcome::Interrupted,
    };
    match *report {
        Report::Json { divide } => {
            let answer = answer(request, &count, divide, table, verification);
            json::write(out, &answer)?;
        }
        Report::ForTool(style) => write_for_tool(style, position, &count, out)?,
        Report::EachDepth | Report::Divide => {}
    }
    if outcome != Outcome::Fine {
        return Ok(outcome);
    }
    expectation.outcome(count.total.nodes, "leaf nodes", out)
}

fn answer(
    request: &Request,
    count: &Count,
    divide: bool,
    table: Option<TableUse>,
    verification: Option<Verification>,
) -> Answer {
    let Request { position, options, .. } = request;
    let Count { depth, total, time } = count;
    Answer {
        fen: position.fen().to_string(),
        depth: *depth,
        nodes: total.nodes,
        complete: total.complete,
        seconds: time.as_secs_f64(),
        nps: per_second(total.nodes, *time).and_then(|rate| rate.try_into().ok()),
        threads: options.threads,
        isa: options.isa.name(),
        mode: if table.is_some() { MODE_WITH_TABLE } else { MODE },
        table,
        verification,
        divide: (divide || !total.complete).then(|| shares(position, total)),
    }
}

/// Counts depth by depth. Writes a line for each depth as soon as its count is known, even if the
/// number of a later depth is too large. Returns the last count, and the number of table look-ups
/// of all counts together.
fn count_each_depth(
    request: &Request,
    engine: &Engine,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<(Count, u64), Failure> {
    let Request { position, depth: last_depth, .. } = request;
    let table = table(position, *last_depth);
    table.head(out)?;
    let mut depth = (*last_depth).min(1);
    let mut look_ups = 0;
    loop {
        let count = Count::of(position, depth, engine, interrupt)?;
        look_ups += count.total.look_ups;
        if !count.total.complete {
            writeln!(out)?;
            write_partial(position, &count, out)?;
            return Ok((count, look_ups));
        }
        write_line(&table, &count, out)?;
        out.flush()?;
        if depth == *last_depth {
            return Ok((count, look_ups));
        }
        depth += 1;
    }
}

fn write_divide(request: &Request, count: &Count, out: &mut dyn Write) -> Result<(), Failure> {
    let position = &request.position;
    if !count.total.complete {
        return write_partial(position, count, out);
    }
    divide::write(&shares(position, &count.total), out)?;
    writeln!(out)?;
    let table = table(position, request.depth);
    table.head(out)?;
    write_line(&table, count, out)
}

/// The columns, wide enough for the counts of almost all positions.
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
    let Count { depth, total, time: elapsed } = count;
    let rate = rate(total.nodes, *elapsed);
    let cells = [&depth.to_string(), &thousands(total.nodes), &time(*elapsed), &rate];
    Ok(table.row(out, cells.map(String::as_str))?)
}

/// Writes the known part of a count that was stopped.
fn write_partial(position: &Position, count: &Count, out: &mut dyn Write) -> Result<(), Failure> {
    let Count { depth, total, time: elapsed } = count;
    let mut begun = shares(position, total);
    begun.retain(|share| share.complete || share.nodes > 0);
    let finished = begun.iter().filter(|share| share.complete).count();
    let all = total.moves.len();
    writeln!(out, "stopped at depth {depth}: {finished} of {all} root moves are finished")?;
    if !begun.is_empty() {
        divide::write(&begun, out)?;
    }
    let (nodes, elapsed) = (thousands(total.nodes), time(*elapsed));
    Ok(writeln!(out, "counted so far: {nodes} leaf nodes in {elapsed}")?)
}

/// Writes the format that another program expects. A part of a count would mislead that program, so
/// in that case nothing is written to standard output.
fn write_for_tool(
    format: ToolFormat,
    position: &Position,
    count: &Count,
    out: &mut dyn Write,
) -> io::Result<()> {
    if !count.total.complete {
        // If standard error is closed, the text is not wanted.
        let _ = writeln!(anstream::stderr(), "stopped: the count is not complete");
        return Ok(());
    }
    let (colon, sum) = match format {
        ToolFormat::Stockfish => (":", "Nodes searched: "),
        ToolFormat::Perftree => ("", ""),
    };
    for Share { mv, nodes, .. } in shares(position, &count.total) {
        writeln!(out, "{mv}{colon} {nodes}")?;
    }
    writeln!(out, "\n{sum}{}", count.total.nodes)
}
