//! `tabiya perft --categories`: what kinds of moves lead to the leaves.

use std::io::Write;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use serde::Serialize;
use serde_json::{Map, Value};
use tabiya::Position;
use tabiya_perft::{Categories, Category, CategoryTally, Convention, Options, categories};

use super::Counted;
use crate::Outcome;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::output::number::{seconds, thousands};
use crate::output::{json, style};

const SCHEMA: &str = "tabiya-perft-categories/1";

/// Which checks are counted as checks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum ChecksArg {
    /// All, as in most tables
    #[default]
    IncludeMates,
    /// Only those that do not mate
    ExcludeMates,
}

impl From<ChecksArg> for Convention {
    fn from(checks: ChecksArg) -> Self {
        match checks {
            ChecksArg::IncludeMates => Self::MatesIncluded,
            ChecksArg::ExcludeMates => Self::MatesExcluded,
        }
    }
}

/// What the categories are, for the help text.
pub(super) fn help() -> String {
    let mut text =
        "Categories (--categories): each leaf counts in every one that it is in.\n".to_owned();
    for category in Category::ALL {
        text += &format!("  {:<18} {}\n", category.key(), category.definition());
    }
    text
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
    threads: NonZeroUsize,
    /// Whether checks include mates.
    convention: &'static str,
    categories: Map<String, Value>,
}

/// Counts and prints.
pub(super) fn run(
    position: &Position,
    depth: u32,
    checks: ChecksArg,
    options: &Options,
    as_json: bool,
    out: &mut dyn Write,
) -> Result<Counted, Failure> {
    let watch = Interrupt::listen()?;
    let convention = Convention::from(checks);
    let begin = Instant::now();
    if as_json {
        let tally = categories(position, depth, options, &watch);
        let found = tally.categories;
        let count = |category: Category| {
            let count = found.count(category, convention).to_string();
            (category.key().to_owned(), Value::String(count))
        };
        let answer = Answer {
            fen: position.fen().to_string(),
            depth,
            nodes: found.nodes,
            complete: tally.complete,
            seconds: begin.elapsed().as_secs_f64(),
            threads: options.threads,
            convention: convention.key(),
            categories: Category::ALL.into_iter().map(count).collect(),
        };
        json::write(out, SCHEMA, &answer)?;
        return Ok(outcome(&tally));
    }
    let mut columns = Vec::new();
    let mut last = CategoryTally { categories: Categories::default(), complete: true, look_ups: 0 };
    for depth in depth.min(1)..=depth {
        last = categories(position, depth, options, &watch);
        columns.push((depth, last.categories));
        if !last.complete {
            break;
        }
    }
    write_table(&columns, convention, begin.elapsed(), out)?;
    if !last.complete {
        writeln!(out, "stopped: the last column is what was found of it until then")?;
    }
    Ok(outcome(&last))
}

fn outcome(tally: &CategoryTally) -> Counted {
    if tally.complete { Ok(tally.categories.nodes) } else { Err(Outcome::Interrupted) }
}

/// A line for each category, a column for each depth.
fn write_table(
    columns: &[(u32, Categories)],
    convention: Convention,
    time: Duration,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let (bold, bold_end) = style::ends(style::HEAD);
    let widths: Vec<usize> =
        columns.iter().map(|(_, found)| thousands(found.nodes).len().max(5)).collect();
    let line = |name: &str, cells: Vec<String>| {
        let cells = cells.iter().zip(&widths).map(|(cell, &width)| format!("  {cell:>width$}"));
        format!("{name:<18}{}", cells.collect::<String>())
    };
    let depths = columns.iter().map(|(depth, _)| depth.to_string()).collect();
    writeln!(out, "{bold}{}{bold_end}", line("depth", depths))?;
    let nodes = columns.iter().map(|(_, found)| thousands(found.nodes)).collect();
    writeln!(out, "{}", line("nodes", nodes))?;
    for category in Category::ALL {
        let count = |(_, found): &(u32, Categories)| thousands(found.count(category, convention));
        writeln!(out, "{}", line(category.key(), columns.iter().map(count).collect()))?;
    }
    writeln!(out)?;
    Ok(writeln!(out, "convention: {convention}; time: {}", seconds(time))?)
}
