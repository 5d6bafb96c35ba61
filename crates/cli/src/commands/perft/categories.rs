//! `tabiya perft --categories`: counts leaf nodes by the kind of the last move.

use std::collections::BTreeMap;
use std::io::Write;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use serde::Serialize;
use tabiya::Position;
use tabiya_perft::table::Table;
use tabiya_perft::{
    Categories, Category, CategoryTable, CategoryTotal, Convention, Options, Seed, categories,
    categories_with_table,
};

use super::count::too_large;
use super::expectation::Expectation;
use super::table_use::write_risk;
use crate::counting::TableChoice;
use crate::failure::{Diagnostic, Failure};
use crate::interrupt::Interrupt;
use crate::outcome::Outcome;
use crate::output::number::{thousands, time};
use crate::output::{definitions, json, style};

/// Which checks count as checks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum ChecksArg {
    /// All checks, as in most published tables
    #[default]
    IncludeMates,
    /// Only checks that do not mate
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

/// The definitions of the categories, for the help text.
pub(super) fn help() -> String {
    let definition = |category: Category| (category.key().to_owned(), category.definition());
    "Categories (--categories): a leaf node counts in every category that applies.\n".to_owned()
        + &definitions(&Category::ALL.map(definition))
}

/// A count and the form of its report.
pub(super) struct Request {
    pub(super) position: Position,
    pub(super) depth: u32,
    pub(super) options: Options,
    pub(super) table: Option<TableChoice>,
    pub(super) checks: Convention,
    pub(super) json: bool,
}

/// The output of `tabiya perft --categories --json`: the leaf nodes at one depth, by category.
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
    /// Threads that counted.
    threads: NonZeroUsize,
    /// The use of the table of `--hash`. Null without a table.
    table: Option<CategoryTableUse>,
    /// Whether a check that mates counts as a check: `mates_included` or `mates_excluded`.
    convention: &'static str,
    /// Leaf nodes in each category. A leaf node counts in every category that applies.
    #[cfg_attr(feature = "schema", schemars(schema_with = "categories_schema"))]
    categories: BTreeMap<&'static str, String>,
}

impl json::Object for Answer {
    const SCHEMA: &'static str = "tabiya-perft-categories/1";
}

/// A property for each category.
#[cfg(feature = "schema")]
fn categories_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    let property = |category: Category| {
        let mut schema = generator.subschema_for::<crate::output::schema::Digits>();
        schema.insert("description".to_owned(), category.definition().into());
        (category.key().to_owned(), schema.to_value())
    };
    let properties: serde_json::Map<_, _> = Category::ALL.into_iter().map(property).collect();
    let required: Vec<_> = Category::ALL.into_iter().map(Category::key).collect();
    schemars::json_schema!({ "type": "object", "properties": properties, "required": required })
}

/// The use of the table.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct CategoryTableUse {
    /// The seed of the keys, in hexadecimal.
    #[serde(serialize_with = "json::display")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::output::schema::Hexadecimal"))]
    seed: Seed,
    /// The size of the table in bytes.
    bytes: u64,
    /// The number of look-ups.
    look_ups: u64,
    /// An upper bound for the probability of a wrong count.
    risk: f64,
}

/// Counts and prints the result.
pub(super) fn run(
    request: &Request,
    expectation: &Expectation,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let &Request { ref position, depth, ref options, table, checks: convention, json } = request;
    let seed = table.map(|table| table.seed);
    let new_table = |TableChoice { size, seed }| CategoryTable::new(size, seed);
    let table = table.map(new_table).transpose().map_err(Diagnostic::new)?;
    let count = |depth| match &table {
        Some(table) => categories_with_table(position, depth, options, table, interrupt),
        None => categories(position, depth, options, interrupt),
    };
    let used = |look_ups| {
        let (seed, bytes) = (seed?, table.as_ref()?.bytes());
        Some(CategoryTableUse { seed, bytes, look_ups, risk: Table::risk(look_ups) })
    };
    let begin = Instant::now();
    if json {
        let total = count(depth);
        if total.overflow {
            return Err(too_large(depth).into());
        }
        let found = total.categories;
        let count =
            |category: Category| (category.key(), found.count(category, convention).to_string());
        let answer = Answer {
            fen: position.fen().to_string(),
            depth,
            nodes: found.nodes,
            complete: total.complete,
            seconds: begin.elapsed().as_secs_f64(),
            threads: options.threads,
            table: used(total.look_ups),
            convention: convention.key(),
            categories: Category::ALL.into_iter().map(count).collect(),
        };
        json::write(out, &answer)?;
        return outcome(&total, expectation, out);
    }
    let mut columns = Vec::new();
    let mut last = CategoryTotal::default();
    let mut look_ups = 0;
    for depth in depth.min(1)..=depth {
        last = count(depth);
        look_ups += last.look_ups;
        if last.overflow {
            break;
        }
        columns.push((depth, last.categories));
        if !last.complete {
            break;
        }
    }
    write_table(&columns, convention, begin.elapsed(), out)?;
    if let Some(CategoryTableUse { seed, bytes, look_ups, risk }) = used(look_ups) {
        let (look_ups, mebibytes) = (thousands(look_ups.into()), thousands((bytes >> 20).into()));
        writeln!(out, "table: {look_ups} look-ups in {mebibytes} MiB")?;
        write_risk(risk, seed, out)?;
    }
    if last.overflow {
        return Err(too_large(columns.last().map_or(0, |&(depth, _)| depth + 1)).into());
    }
    if !last.complete {
        writeln!(out, "stopped: the last column is not complete")?;
    }
    outcome(&last, expectation, out)
}

fn outcome(
    total: &CategoryTotal,
    expectation: &Expectation,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    if !total.complete {
        return Ok(Outcome::Interrupted);
    }
    expectation.outcome(total.categories.nodes, "leaf nodes", out)
}

/// Writes a line for each category, with a column for each depth.
fn write_table(
    columns: &[(u32, Categories)],
    convention: Convention,
    elapsed: Duration,
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
    Ok(writeln!(out, "convention: {convention}; time: {}", time(elapsed))?)
}
