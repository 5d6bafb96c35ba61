//! `tabiya perft --distinct`: how many different positions there are.

use std::io::Write;
use std::num::NonZeroUsize;
use std::time::Instant;

use serde::Serialize;
use tabiya::Position;
use tabiya_perft::{DistinctError, DistinctOptions, distinct};

use crate::Outcome;
use crate::failure::{Diagnostic, Failure};
use crate::interrupt::Interrupt;
use crate::output::json;
use crate::output::number::{seconds, thousands};
use crate::output::table::{Column, Table};
use crate::storage::announce;

/// The count as JSON; numbers of positions are texts.
#[derive(Serialize)]
struct Answer {
    fen: String,
    plies: u32,
    distinct: String,
    /// After 0, 1, 2 ... plies.
    by_ply: Vec<String>,
    /// The most memory that the program was to take.
    memory_bytes: u64,
    /// Bytes written to temporary files.
    spilled_bytes: u64,
    seconds: f64,
    threads: NonZeroUsize,
}

/// Counts and prints; returns the number of positions if it was not interrupted.
pub(super) fn run(
    position: &Position,
    plies: u32,
    options: &DistinctOptions,
    as_json: bool,
    out: &mut dyn Write,
) -> Result<Result<u128, Outcome>, Failure> {
    let watch = Interrupt::listen()?;
    if as_json {
        announce(options, &mut anstream::stderr())?;
    } else {
        announce(options, out)?;
    }
    let begin = Instant::now();
    let tally = match distinct(position, plies, options, &watch) {
        Ok(tally) => tally,
        Err(DistinctError::Cancelled) => return Ok(Err(Outcome::Interrupted)),
        Err(error) => return Err(Diagnostic::new(error).into()),
    };
    let time = begin.elapsed();
    let positions = u128::from(tally.positions());
    if as_json {
        let answer = Answer {
            fen: position.fen().to_string(),
            plies,
            distinct: positions.to_string(),
            by_ply: tally.by_ply.iter().map(ToString::to_string).collect(),
            memory_bytes: options.memory,
            spilled_bytes: tally.spilled,
            seconds: time.as_secs_f64(),
            threads: options.threads,
        };
        json::write(out, &answer)?;
        return Ok(Ok(positions));
    }
    let most = tally.by_ply.iter().copied().max().unwrap_or(0);
    let width = thousands(u128::from(most)).len();
    let table = Table([Column::right("ply", 3), Column::right("distinct", width)]);
    table.head(out)?;
    for (ply, &positions) in tally.by_ply.iter().enumerate() {
        table.row(out, [&ply.to_string(), &thousands(u128::from(positions))])?;
    }
    let spilled = thousands(u128::from(tally.spilled >> 20));
    writeln!(out, "\ntime: {}; written to temporary files: {spilled} MiB", seconds(time))?;
    Ok(Ok(positions))
}
