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

/// What to count, and how to report it.
pub(super) struct Request {
    pub(super) position: Position,
    pub(super) depth: u32,
    pub(super) options: DistinctOptions,
    pub(super) json: bool,
}

/// What `tabiya perft --distinct --json` prints: the number of distinct positions.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Answer {
    /// The position at the root, in FEN.
    fen: String,
    /// The depth in plies.
    depth: u32,
    /// Distinct positions at this depth. Null if the count was stopped.
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::output::schema::Digits>"))]
    positions: Option<String>,
    /// Was everything counted? If not, the count was stopped.
    complete: bool,
    /// Distinct positions after 0, 1, 2 ... plies, as far as they were counted.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<crate::output::schema::Digits>"))]
    by_ply: Vec<String>,
    /// The maximum memory of the program, in bytes.
    memory_bytes: u64,
    /// Bytes written to temporary files.
    spilled_bytes: u64,
    /// The time of the count, in seconds.
    seconds: f64,
    /// Threads that counted.
    threads: NonZeroUsize,
}

impl json::Object for Answer {
    const SCHEMA: &'static str = "tabiya-perft-distinct/1";
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
        json::write(out, &answer)?;
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
