//! `tabiya perft --distinct`: how many distinct positions there are.

use std::io::Write;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use serde::Serialize;
use tabiya::Position;
use tabiya_perft::{DistinctOptions, DistinctTotal, distinct};

use super::expectation::Expectation;
use crate::failure::{Diagnostic, Failure};
use crate::interrupt::Interrupt;
use crate::outcome::Outcome;
use crate::output::json;
use crate::output::number::{thousands, time};
use crate::output::table::{Column, Table};
use crate::storage::announce;

const SCHEMA: &str = "tabiya-perft-distinct/1";

/// What to count, and how to report it.
pub(super) struct Request {
    pub(super) position: Position,
    pub(super) depth: u32,
    pub(super) options: DistinctOptions,
    pub(super) json: bool,
}

/// The count as JSON. Numbers of positions are strings, like numbers of leaf nodes.
#[derive(Serialize)]
struct Answer {
    fen: String,
    depth: u32,
    /// Null if the count was stopped.
    positions: Option<String>,
    complete: bool,
    /// After 0, 1, 2 ... plies, as far as they were counted.
    by_ply: Vec<String>,
    /// The maximum memory of the program.
    memory_bytes: u64,
    /// Bytes written to temporary files.
    spilled_bytes: u64,
    seconds: f64,
    threads: NonZeroUsize,
}

/// Counts and prints.
pub(super) fn run(
    request: &Request,
    expectation: &Expectation,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let Request { position, depth, options, json } = request;
    announce(options, *json, out)?;
    let begin = Instant::now();
    let total = distinct(position, *depth, options, interrupt).map_err(Diagnostic::new)?;
    let time = begin.elapsed();
    if *json {
        let answer = Answer {
            fen: position.fen().to_string(),
            depth: *depth,
            positions: total.complete.then(|| total.positions().to_string()),
            complete: total.complete,
            by_ply: total.by_ply.iter().map(ToString::to_string).collect(),
            memory_bytes: options.memory,
            spilled_bytes: total.spilled,
            seconds: time.as_secs_f64(),
            threads: options.threads,
        };
        json::write(out, SCHEMA, &answer)?;
    } else {
        write_table(&total, time, out)?;
    }
    if !total.complete {
        return Ok(Outcome::Interrupted);
    }
    expectation.outcome(total.positions().into(), "positions", out)
}

fn write_table(
    total: &DistinctTotal,
    elapsed: Duration,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let most = total.by_ply.iter().copied().max().unwrap_or(0);
    let width = thousands(u128::from(most)).len();
    let table = Table([Column::right("ply", 3), Column::right("distinct", width)]);
    table.head(out)?;
    for (ply, &positions) in total.by_ply.iter().enumerate() {
        table.row(out, [&ply.to_string(), &thousands(u128::from(positions))])?;
    }
    let spilled = thousands(u128::from(total.spilled >> 20));
    writeln!(out, "\ntime: {}; written to temporary files: {spilled} MiB", time(elapsed))?;
    if !total.complete {
        writeln!(out, "stopped: ply {} is not finished", total.by_ply.len())?;
    }
    Ok(())
}
