//! `tabiya perft --categories`: what kinds of moves lead to the leaves.

use std::io::Write;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use serde::Serialize;
use serde_json::{Map, Value};
use tabiya::Position;
use tabiya_perft::table::Table;
use tabiya_perft::{
    Categories, Category, CategoryTable, CategoryTotal, Convention, Options, categories,
    categories_with_table,
};

use super::{Args, Counted, SEED, hash};
use crate::Outcome;
use crate::failure::{Diagnostic, Failure};
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
        text += &format!("  {:<24} {}\n", category.key(), category.definition());
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
    table: Option<TableUse>,
    /// Whether checks include mates.
    convention: &'static str,
    categories: Map<String, Value>,
}

/// What the table did.
#[derive(Serialize)]
struct TableUse {
    bytes: u64,
    look_ups: u64,
    /// An upper bound for the chance of a wrong count.
    risk: f64,
}

/// Counts and prints.
pub(super) fn run(
    args: &Args,
    position: &Position,
    options: &Options,
    out: &mut dyn Write,
) -> Result<Counted, Failure> {
    let table =
        args.hash.map(|size| CategoryTable::new(size, SEED.into()).map_err(Diagnostic::new));
    let table = table.transpose()?;
    let watch = Interrupt::listen()?;
    let count = |depth| match &table {
        Some(table) => categories_with_table(position, depth, options, table, &watch),
        None => categories(position, depth, options, &watch),
    };
    let used = |look_ups| {
        let bytes = table.as_ref()?.bytes();
        Some(TableUse { bytes, look_ups, risk: Table::risk(look_ups) })
    };
    let convention = Convention::from(args.checks);
    let begin = Instant::now();
    if args.json {
        let tally = count(args.depth);
        let found = tally.categories;
        let count = |category: Category| {
            let count = found.count(category, convention).to_string();
            (category.key().to_owned(), Value::String(count))
        };
        let answer = Answer {
            fen: position.fen().to_string(),
            depth: args.depth,
            nodes: found.nodes,
            complete: tally.complete,
            seconds: begin.elapsed().as_secs_f64(),
            threads: options.threads,
            table: used(tally.look_ups),
            convention: convention.key(),
            categories: Category::ALL.into_iter().map(count).collect(),
        };
        json::write(out, SCHEMA, &answer)?;
        return Ok(outcome(&tally));
    }
    let mut columns = Vec::new();
    let mut last = CategoryTotal { categories: Categories::default(), complete: true, look_ups: 0 };
    let mut look_ups = 0;
    for depth in args.depth.min(1)..=args.depth {
        last = count(depth);
        look_ups += last.look_ups;
        columns.push((depth, last.categories));
        if !last.complete {
            break;
        }
    }
    write_table(&columns, convention, begin.elapsed(), out)?;
    if let Some(TableUse { bytes, look_ups, risk }) = used(look_ups) {
        let (look_ups, mebibytes) = (thousands(look_ups.into()), thousands((bytes >> 20).into()));
        writeln!(out, "table: {look_ups} look-ups in {mebibytes} MiB")?;
        hash::write_risk(risk, out)?;
    }
    if !last.complete {
        writeln!(out, "stopped: the last column is what was found of it until then")?;
    }
    Ok(outcome(&last))
}

fn outcome(tally: &CategoryTotal) -> Counted {
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
        format!("{name:<24}{}", cells.collect::<String>())
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
