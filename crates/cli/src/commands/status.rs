//! `tabiya status`: how far a long run has come.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use tabiya_perft::checkpoint::{CheckpointError, Status, status_of};

use super::long_run::failure;
use crate::Outcome;
use crate::failure::Failure;
use crate::output::json;
use crate::output::number::{duration, percent, thousands};
use crate::output::table::{Column, Table};

const SCHEMA: &str = "tabiya-status/1";

const EXAMPLES: &str = "\
Examples:
  tabiya status start-6.tabiya
  tabiya status start-6.tabiya --json

The file is that of a run such as `tabiya perft 6 --checkpoint start-6.tabiya`.";

/// Show how far a long run has come, and what it has found under each first move
///
/// Works while the run goes on, too; what is shown then is at most about a second old.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// The file of `tabiya perft --checkpoint`
    file: PathBuf,

    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let status = patient(&args.file).map_err(|error| failure(&error, &args.file))?;
    if args.json {
        write_json(&status, out)?;
    } else {
        write(&status, true, out)?;
    }
    Ok(Outcome::Fine)
}

/// The status; of a run that has only just begun, as soon as there is one.
fn patient(path: &Path) -> Result<Status, CheckpointError> {
    const PATIENCE: Duration = Duration::from_secs(5);
    let begin = Instant::now();
    loop {
        match status_of(path) {
            Err(CheckpointError::InUse) if begin.elapsed() < PATIENCE => {
                thread::sleep(Duration::from_millis(100));
            }
            found => return found,
        }
    }
}

/// The status as JSON: what the file says, and what follows from it.
#[derive(Serialize)]
struct Answer<'a> {
    complete: bool,
    #[serde(flatten)]
    status: &'a Status,
    nps: Option<f64>,
    nodes_per_thread_second: Option<f64>,
    seconds_left: Option<f64>,
    thread_seconds_left: Option<f64>,
    projected_nodes: Option<f64>,
}

/// Writes the status as JSON.
pub(crate) fn write_json(status: &Status, out: &mut dyn Write) -> Result<(), Failure> {
    let answer = Answer {
        complete: status.is_complete(),
        status,
        nps: status.nodes_per_second(),
        nodes_per_thread_second: status.nodes_per_thread_second(),
        seconds_left: status.seconds_left(),
        thread_seconds_left: status.thread_seconds_left(),
        projected_nodes: status.projected(),
    };
    json::write(out, SCHEMA, &answer)
}

/// Writes the status for people, with or without a line for each first move.
pub(crate) fn write(status: &Status, moves: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let Status { units, done, depth, split, .. } = status;
    let mut line = |name: &str, text: String| writeln!(out, "{name:<9}  {text}");
    line("position", status.root.clone())?;
    line("depth", format!("{depth}, in units of {} below {split}", depth - split))?;
    let (counted, all) = (thousands((*done).into()), thousands((*units).into()));
    let share = percent(*done as f64, *units as f64);
    line("units", format!("{counted} of {all} ({share})"))?;
    if status.verified > 0 {
        line("verified", format!("{} units", thousands(status.verified.into())))?;
    }
    for dispute in &status.disputes {
        line("disputed", dispute.clone())?;
    }
    let leaves = thousands(status.nodes);
    match status.projected() {
        Some(all) if !status.is_complete() => {
            line("nodes", format!("{leaves} of about {all:.3e}"))?;
        }
        _ => line("nodes", leaves)?,
    }
    let spent = duration(status.thread_seconds);
    line("counting", format!("{spent} of elapsed time, added up over all threads"))?;
    let rate_text = |rate: Option<f64>| rate.map_or("-".to_owned(), |rate| thousands(rate as u128));
    match &status.session {
        Some(session) => {
            let rate = rate_text(status.nodes_per_second());
            let (process, threads) = (session.process, session.threads);
            line("rate", format!("{rate} nodes/s by process {process}, threads: {threads}"))?;
            let left = status.seconds_left().map_or("-".to_owned(), duration);
            line("time left", left)?;
        }
        None if !status.is_complete() => {
            let rate = rate_text(status.nodes_per_thread_second());
            line("rate", format!("{rate} nodes/s for each thread, on average"))?;
            let left = status.thread_seconds_left().map_or("-".to_owned(), duration);
            line("time left", format!("{left} on one thread; no process is at work"))?;
        }
        None => {}
    }
    if moves && !status.moves.is_empty() {
        writeln!(out)?;
        let widest =
            status.moves.iter().map(|mv| thousands(mv.nodes).len()).max().unwrap_or_default();
        let table = Table([
            Column::left("move", 5),
            Column::right("nodes", widest),
            Column::right("done", 7),
        ]);
        table.head(out)?;
        for mv in &status.moves {
            let done = percent(mv.games_done as f64, mv.games as f64);
            table.row(out, [&mv.mv, &thousands(mv.nodes), &done])?;
        }
    }
    Ok(())
}
