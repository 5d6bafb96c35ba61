//! `tabiya perft --distinct`: how many different positions there are.

use std::io::Write;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use serde::Serialize;
use tabiya::Position;
use tabiya_perft::{DistinctOptions, DistinctTotal, distinct};

use super::Counted;
use crate::Outcome;
use crate::failure::{Diagnostic, Failure};
use crate::interrupt::Interrupt;
use crate::output::json;
use crate::output::number::{seconds, thousands};
use crate::output::table::{Column, Table};
use crate::storage::announce;

const SCHEMA: &str = "tabiya-perft-distinct/1";

/// The count as JSON; numbers of positions are texts, as those of leaves are.
#[derive(Serialize)]
struct Answer {
    fen: String,
    depth: u32,
    /// Nothing if counting was stopped.
    positions: Option<String>,
    complete: bool,
    /// After 0, 1, 2 ... plies, as far as they were counted.
    by_ply: Vec<String>,
    /// The most memory that the program was to take.
    memory_bytes: u64,
    /// Bytes written to temporary files.
    spilled_bytes: u64,
    seconds: f64,
    threads: NonZeroUsize,
}

/// Counts and prints.
pub(super) fn run(
    position: &Position,
    depth: u32,
    options: &DistinctOptions,
    as_json: bool,
    out: &mut dyn Write,
) -> Result<Counted, Failure> {
    let watch = Interrupt::listen()?;
    announce(options, as_json, out)?;
    let begin = Instant::now();
    let tally = distinct(position, depth, options, &watch).map_err(Diagnostic::new)?;
    let time = begin.elapsed();
    if as_json {
        let answer = Answer {
            fen: position.fen().to_string(),
            depth,
            positions: tally.complete.then(|| tally.positions().to_string()),
            complete: tally.complete,
            by_ply: tally.by_ply.iter().map(ToString::to_string).collect(),
            memory_bytes: options.memory,
            spilled_bytes: tally.spilled,
            seconds: time.as_secs_f64(),
            threads: options.threads,
        };
        json::write(out, SCHEMA, &answer)?;
    } else {
        write_table(&tally, time, out)?;
    }
    Ok(if tally.complete { Ok(tally.positions().into()) } else { Err(Outcome::Interrupted) })
}

fn write_table(tally: &DistinctTotal, time: Duration, out: &mut dyn Write) -> Result<(), Failure> {
    let most = tally.by_ply.iter().copied().max().unwrap_or(0);
    let width = thousands(u128::from(most)).len();
    let table = Table([Column::right("ply", 3), Column::right("distinct", width)]);
    table.head(out)?;
    for (ply, &positions) in tally.by_ply.iter().enumerate() {
        table.row(out, [&ply.to_string(), &thousands(u128::from(positions))])?;
    }
    let spilled = thousands(u128::from(tally.spilled >> 20));
    writeln!(out, "\ntime: {}; written to temporary files: {spilled} MiB", seconds(time))?;
    if !tally.complete {
        writeln!(out, "stopped: ply {} was not finished", tally.by_ply.len())?;
    }
    Ok(())
}
