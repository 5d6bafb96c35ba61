//! `tabiya perft --distinct`: counts the distinct positions.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::Serialize;
use tabiya::Position;
use tabiya_perft::Seed;
use tabiya_runs::{
    DistinctCount, DistinctError, DistinctOptions, DistinctStatus, DistinctTotal, PartialPly,
    distinct_status,
};

use super::checkpoint::write_how_to_continue;
use super::expectation::Expectation;
use super::table_use::write_risk;
use crate::call::Call;
use crate::failure::{Diagnostic, Failure};
use crate::interrupt::Interrupt;
use crate::outcome::Outcome;
use crate::output::json;
use crate::output::number::{percent, thousands, time};
use crate::output::table::{Column, Table};
use crate::progress::ProgressLine;
use crate::storage::{LESS_MEMORY, announce};

/// A count and the form of its report.
pub(super) struct Request<'a> {
    pub(super) position: Position,
    pub(super) depth: u32,
    pub(super) options: DistinctOptions,
    pub(super) seed: Option<Seed>,
    pub(super) checkpoint: Option<&'a Path>,
    pub(super) json: bool,
    /// The call that continues a stopped count.
    pub(super) call: Call,
}

/// The output of `tabiya perft --distinct --json`: the number of distinct positions.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(in crate::commands) struct Answer {
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
    /// The part of the next ply that was counted when the count was stopped.
    partial: Option<Partial>,
    /// An upper bound for the probability of a wrong count.
    risk: f64,
    /// The seed of the keys, in hexadecimal. Null if no keys were needed.
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::output::schema::Hexadecimal>"))]
    seed: Option<String>,
    /// The maximum memory of the program, in bytes.
    memory_bytes: u64,
    /// Bytes written to temporary files.
    spilled_bytes: u64,
    /// The time of the count, in seconds.
    seconds: f64,
    /// Threads that counted.
    threads: NonZeroUsize,
}

/// A part of a ply.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Partial {
    /// Distinct positions in this part.
    #[cfg_attr(feature = "schema", schemars(with = "crate::output::schema::Digits"))]
    positions: String,
    /// The size of the part, from 0 to 1.
    share: f64,
}

impl Partial {
    fn of(partial: &PartialPly) -> Self {
        Self { positions: partial.positions.to_string(), share: partial.share() }
    }
}

impl json::Object for Answer {
    const SCHEMA: &'static str = "tabiya-perft-distinct/1";
}

/// Counts and prints the result.
pub(super) fn run(
    request: &Request<'_>,
    expectation: &Expectation,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let Request { position, depth, options, seed, checkpoint, json, call } = request;
    announce(options, *json, out)?;
    let mut count = DistinctCount::new(position.clone(), options.clone());
    if let Some(seed) = seed {
        count = count.with_seed(*seed);
    }
    if let Some(path) = checkpoint {
        count = count.with_checkpoint(path.into());
    }
    let begin = Instant::now();
    let line = ProgressLine::new(interrupt, *depth);
    let end = count.run(*depth, &line);
    let total = match &end {
        Ok(total) => total,
        // The file may be lost or lack the last results, so what is known is printed.
        Err(DistinctError::Stopped { known, .. }) => known,
        Err(error) => return Err(failure(error)),
    };
    drop(line);
    let time = begin.elapsed();
    let risk = total.risk();
    if *json {
        let answer = Answer {
            fen: position.fen().to_string(),
            depth: *depth,
            positions: total.complete.then(|| total.positions().to_string()),
            complete: total.complete,
            by_ply: total.by_ply.iter().map(ToString::to_string).collect(),
            partial: total.partial.as_ref().map(Partial::of),
            risk,
            seed: (risk > 0.0).then(|| total.seed.to_string()),
            memory_bytes: options.memory,
            spilled_bytes: total.spilled,
            seconds: time.as_secs_f64(),
            threads: options.threads,
        };
        json::write(out, &answer)?;
    } else {
        write_table(total, time, out)?;
    }
    if let Err(error) = &end {
        return Err(failure(error));
    }
    if total.complete {
        if let Some(path) = checkpoint.filter(|path| !path.exists()) {
            let text = format!("no checkpoint was needed, so {} was not written", path.display());
            if *json {
                // If standard error is closed, the text is not wanted.
                let _ = writeln!(anstream::stderr(), "{text}");
            } else {
                writeln!(out, "{text}")?;
            }
        }
        return expectation.outcome(total.positions().into(), "positions", out);
    }
    if let Some(path) = checkpoint {
        write_how_to_continue(path, call, *json, out)?;
    }
    Ok(Outcome::Interrupted)
}

/// The output of `tabiya status --json` about a count of distinct positions.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(in crate::commands) struct StatusAnswer {
    /// The position at the root, in FEN.
    fen: String,
    /// Distinct positions after 0, 1, 2 ... plies, as far as they are known.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<crate::output::schema::Digits>"))]
    by_ply: Vec<String>,
    /// The part of the next ply that is known. Null if nothing is.
    partial: Option<Partial>,
    /// An upper bound for the probability of a wrong count.
    risk: f64,
    /// The seed of the keys, in hexadecimal.
    #[serde(serialize_with = "json::display")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::output::schema::Hexadecimal"))]
    seed: Seed,
}

impl json::Object for StatusAnswer {
    const SCHEMA: &'static str = "tabiya-distinct-status/1";
}

/// Writes the progress of the count in a checkpoint.
pub(in crate::commands) fn write_status(
    path: &Path,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let DistinctStatus { root, total, .. } =
        distinct_status(path).map_err(|error| failure(&error))?;
    if json {
        let answer = StatusAnswer {
            fen: root.fen().to_string(),
            by_ply: total.by_ply.iter().map(ToString::to_string).collect(),
            partial: total.partial.as_ref().map(Partial::of),
            risk: total.risk(),
            seed: total.seed,
        };
        return Ok(json::write(out, &answer)?);
    }
    writeln!(out, "position: {}\n", root.fen())?;
    write_plies(&total, out)?;
    writeln!(out)?;
    write_risk(total.risk(), total.seed, out)?;
    write_partial(&total, out)
}

/// Converts the error to one with advice.
fn failure(error: &DistinctError) -> Failure {
    let diagnostic = Diagnostic::new(error);
    match error {
        DistinctError::OtherCheckpoint { .. } => {
            diagnostic.hint("name another file, or repeat the command that made this one")
        }
        DistinctError::ForeignCheckpoint { .. } => {
            diagnostic.hint("name another file, or delete this one to begin anew")
        }
        DistinctError::DamagedCheckpoint { .. } | DistinctError::Corrupt { .. } => {
            diagnostic.hint("put a copy in its place, or delete it to begin anew")
        }
        DistinctError::Checkpoint { .. } => {
            diagnostic.hint("what was written before is safe; the same command continues the count")
        }
        DistinctError::OutOfMemory => diagnostic.hint(LESS_MEMORY),
        DistinctError::Stopped { error, .. } => return failure(error),
        _ => diagnostic,
    }
    .into()
}

fn write_table(
    total: &DistinctTotal,
    elapsed: Duration,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    write_plies(total, out)?;
    let spilled = thousands(u128::from(total.spilled >> 20));
    writeln!(out, "\ntime: {}; written to temporary files: {spilled} MiB", time(elapsed))?;
    let risk = total.risk();
    if risk > 0.0 {
        write_risk(risk, total.seed, out)?;
    }
    if !total.complete {
        match &total.partial {
            None => writeln!(out, "stopped: ply {} is not finished", total.by_ply.len())?,
            Some(_) => {
                write!(out, "stopped: ")?;
                write_partial(total, out)?;
            }
        }
    }
    Ok(())
}

/// Writes a line for each ply that was counted.
fn write_plies(total: &DistinctTotal, out: &mut dyn Write) -> Result<(), Failure> {
    let most = total.by_ply.iter().copied().max().unwrap_or(0);
    let width = thousands(u128::from(most)).len();
    let table = Table([Column::right("ply", 3), Column::right("distinct", width)]);
    table.head(out)?;
    for (ply, &positions) in total.by_ply.iter().enumerate() {
        table.row(out, [&ply.to_string(), &thousands(u128::from(positions))])?;
    }
    Ok(())
}

/// Writes which part of the next ply was counted, if only a part was.
fn write_partial(total: &DistinctTotal, out: &mut dyn Write) -> Result<(), Failure> {
    let Some(partial) = &total.partial else { return Ok(()) };
    let (share, ply) = (percent(partial.share(), 1.0), total.by_ply.len());
    let (positions, projected) = (thousands(partial.positions.into()), partial.projected());
    Ok(writeln!(
        out,
        "{share} of ply {ply} is counted: {positions} positions of about {projected:.4e}"
    )?)
}
