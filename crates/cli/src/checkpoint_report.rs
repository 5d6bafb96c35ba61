//! The common part of the commands about checkpoints: errors with advice, and the report of a run's
//! progress.

use std::io::Write;
use std::path::Path;

use tabiya_perft::{Categories, Category, Convention};
use tabiya_runs::checkpoint::{CheckpointError, Status, StatusReport};

use crate::failure::{Diagnostic, Failure};
use crate::output::json;
use crate::output::number::{duration, percent, plies, quantity, thousands};
use crate::output::table::{Column, Table};

/// Converts the error to one with advice.
pub(crate) fn failure(error: &CheckpointError, path: &Path) -> Failure {
    let name = path.display();
    let diagnostic = Diagnostic::new(format_args!("{name}: {error}"));
    match error {
        CheckpointError::OtherJob { .. } => {
            diagnostic.hint("name another file, or repeat the command that made this one")
        }
        CheckpointError::Foreign => {
            diagnostic.hint("name another file, or delete this one to begin anew")
        }
        CheckpointError::InUse => {
            diagnostic.hint(format_args!("`tabiya status {name}` shows how far it has come"))
        }
        CheckpointError::Disputed { .. } => diagnostic
            .hint("the result was removed; the same command counts the unit again and continues"),
        CheckpointError::Damaged(_) => {
            diagnostic.hint("put a copy in its place, or delete it to begin anew")
        }
        CheckpointError::Write { .. } => {
            diagnostic.hint("when there is room again, the same command continues the count")
        }
        CheckpointError::Status { .. } => {
            diagnostic.hint("when it can be written, the same command continues the count")
        }
        CheckpointError::UnitTooLarge { .. } => {
            diagnostic.hint("begin a new file with a larger --split")
        }
        _ => diagnostic,
    }
    .into()
}

impl json::Object for StatusReport {
    const SCHEMA: &'static str = Self::SCHEMA;
}

/// Writes the status as JSON. The convention says which checks count.
pub(crate) fn write_json(
    status: &Status,
    convention: Convention,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    Ok(json::write(out, &StatusReport::new(status, convention))?)
}

/// Writes the status as text, with or without a line for each root move. The first line is the
/// result if the run is finished. The convention says which checks count.
pub(crate) fn write(
    status: &Status,
    with_moves: bool,
    convention: Convention,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let Status { units, done, depth, split, .. } = status;
    let mut line = |name: &str, text: String| writeln!(out, "{name:<11}  {text}");
    let nodes = thousands(status.nodes);
    if status.is_complete() {
        line("nodes", nodes.clone())?;
    }
    line("position", status.root.clone())?;
    if *split == 0 {
        line("depth", depth.to_string())?;
        return Ok(writeln!(out, "stopped before the count was divided into units")?);
    }
    let (unit, split) = (depth - split, plies(*split));
    line("depth", format!("{depth}, in units of depth {unit} after {split}"))?;
    if !status.is_complete() {
        let projected = status.projected().map(|all| format!(" of about {all:.3e}"));
        line("nodes", nodes + &projected.unwrap_or_default())?;
    }
    let (counted, all) = (thousands((*done).into()), thousands((*units).into()));
    line("units", format!("{counted} of {all} ({})", percent(*done as f64, *units as f64)))?;
    if status.verified > 0 || status.unverified > 0 {
        let left = match status.unverified {
            0 => String::new(),
            left => format!("; {} left", thousands(left.into())),
        };
        line("verified", quantity(status.verified.into(), "unit", "units") + &left)?;
    }
    for dispute in &status.disputes {
        line("disputed", dispute.clone())?;
    }
    line("thread time", format!("{} (sum over all threads)", duration(status.thread_seconds, 1)))?;
    let rate_text = |rate: Option<f64>| rate.map_or("-".to_owned(), |rate| thousands(rate as u128));
    match &status.session {
        Some(session) => {
            let rate = rate_text(status.nodes_per_second());
            let (process, threads) = (session.process, session.threads);
            line("rate", format!("{rate} nodes/s by process {process}, threads: {threads}"))?;
            let left = status.seconds_left().map(|left| duration(left, 0));
            line("time left", left.unwrap_or_else(|| "-".to_owned()))?;
        }
        None if !status.is_complete() => {
            let rate = rate_text(status.nodes_per_thread_second());
            line("rate", format!("{rate} nodes/s for each thread, on average"))?;
            let left = status.thread_seconds_left().map(|left| duration(left, 0));
            let left = left.unwrap_or_else(|| "-".to_owned());
            line("time left", format!("{left} on one thread; no process is running"))?;
        }
        None => {}
    }
    if let Some(found) = status.categories() {
        writeln!(out)?;
        write_categories(&found, convention, out)?;
    }
    if with_moves && !status.moves.is_empty() {
        writeln!(out)?;
        write_moves(status, out)?;
    }
    Ok(())
}

/// Writes a table of the categories.
fn write_categories(
    found: &Categories,
    convention: Convention,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let texts = Category::ALL.map(|category| thousands(found.count(category, convention)));
    let widest = texts.iter().map(String::len).max().unwrap_or_default();
    let table = Table([Column::left("category", 24), Column::right("nodes", widest)]);
    table.head(out)?;
    for (category, text) in Category::ALL.into_iter().zip(&texts) {
        table.row(out, [category.key(), text])?;
    }
    Ok(writeln!(out, "\nconvention: {convention}")?)
}

/// Writes a table of the root moves, sorted by their text.
fn write_moves(status: &Status, out: &mut dyn Write) -> Result<(), Failure> {
    let mut moves: Vec<_> = status.moves.iter().collect();
    moves.sort_unstable_by(|a, b| a.mv.cmp(&b.mv));
    let widest = moves.iter().map(|mv| thousands(mv.nodes).len()).max().unwrap_or_default();
    let columns =
        [Column::left("move", 5), Column::right("nodes", widest), Column::right("done", 7)];
    let table = Table(columns);
    table.head(out)?;
    for mv in moves {
        let done = percent(mv.games_done as f64, mv.games as f64);
        table.row(out, [&mv.mv, &thousands(mv.nodes), &done])?;
    }
    Ok(())
}
