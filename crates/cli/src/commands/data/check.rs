//! `tabiya data check`: are all records of files good?

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

use clap::ValueHint;
use serde::Serialize;
use tabiya_data::{Format, Record};

use super::counts::{
    BadAnswer, Counts, CountsAnswer, bad_answers, number, outcome, read_all, write_pace,
};
use super::input::{Input, Job, format_parser};
use super::reading::{End, Found, OnError, Plan, Reading};
use crate::counting::ThreadsArg;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::outcome::Outcome;
use crate::output::json::{self, Digits};
use crate::output::printable;
use crate::output::table::{Column, Table};

const EXAMPLES: &str = "\
A record is good if its position can be played and has a legal move, its move is legal, and its
score and result are in range. A chain is a sequence of records in which each move leads to the next
position. These formats have no checksums, so damage that leaves a legal record isn't found.

The first 20 bad records are named, and the table has the first of each kind.

Examples:
  tabiya data check games.packed
  tabiya data check games.packed other.packed --json";

/// Check every record, and print a table of what was found
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    /// Files to check; "-" is standard input
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,

    /// The format of the files [default: from the extension]
    #[arg(long, value_name = "NAME", value_parser = format_parser())]
    from: Option<Format>,

    #[command(flatten)]
    threads: ThreadsArg,

    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// The output of `tabiya data check --json`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(in crate::commands) struct Answer {
    /// Each file.
    files: Vec<FileAnswer>,
    /// Was everything read? If not, the work was stopped, or a file can't be read.
    complete: bool,
    /// The time, in seconds.
    seconds: f64,
    /// The number of threads.
    threads: NonZeroUsize,
}

impl json::Object for Answer {
    const SCHEMA: &'static str = "tabiya-data-check/1";
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct FileAnswer {
    /// The name of the file.
    file: String,
    /// Its format.
    format: &'static str,
    #[serde(flatten)]
    counts: CountsAnswer,
    /// Sequences of records in which each move leads to the next position.
    chains: Digits,
    /// The bad records by kind.
    bad: Vec<BadAnswer>,
}

/// What was found in a part of a file.
#[derive(Clone, Default)]
struct Part {
    counts: Counts,
    chains: u64,
    first: Option<Record>,
    last: Option<Record>,
}

impl Part {
    fn of(job: &Job, plan: &Plan) -> (Found, Self) {
        let mut part = Self::default();
        let found = plan.visit(job, |record| {
            part.counts.add(record);
            match &mut part.last {
                Some(last) => {
                    part.chains += u64::from(!last.continues_with(record));
                    last.clone_from(record);
                }
                none => {
                    part.chains += 1;
                    *none = Some(record.clone());
                    part.first = Some(record.clone());
                }
            }
        });
        (found, part)
    }

    /// Adds the next part of the file.
    fn add(&mut self, next: Self) {
        let joins = self.last.as_ref().zip(next.first.as_ref());
        self.chains += next.chains;
        self.chains -= u64::from(joins.is_some_and(|(last, first)| last.continues_with(first)));
        self.counts += &next.counts;
        if next.last.is_some() {
            self.last = next.last;
        }
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let begin = Instant::now();
    let inputs = args.files.iter().map(|path| Input::new(path, args.from));
    let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
    let plan = Plan { errors: OnError::Skip, filter: None };
    let watch = Interrupt::listen()?;
    let work = |_, job: &Job, plan: &Plan| Part::of(job, plan);
    let mut reading = Reading::start(&inputs, &plan, args.threads, &watch, work)?;
    let mut files = vec![Part::default(); inputs.len()];
    let failed = read_all(&mut reading, |file, part| files[file].add(part));
    if args.json {
        let rows = inputs.iter().zip(&files).zip(&reading.found);
        let answer = Answer {
            files: rows.map(|((input, part), found)| answer(input, part, found)).collect(),
            complete: failed.is_none() && reading.end == End::OfFiles,
            seconds: begin.elapsed().as_secs_f64(),
            threads: args.threads.count(),
        };
        json::write(out, &answer)?;
    } else {
        write_files(&inputs, &files, &reading.found, out)?;
        write_bad(&inputs, &reading.found, out)?;
        write_pace(files.iter().map(|it| it.counts.records).sum(), begin.elapsed(), out)?;
    }
    outcome(&reading, failed)
}

fn answer(input: &Input, part: &Part, found: &Found) -> FileAnswer {
    FileAnswer {
        file: input.name(),
        format: input.format.name(),
        counts: (&part.counts).into(),
        chains: part.chains.into(),
        bad: bad_answers(&found.bad),
    }
}

fn write_files(
    inputs: &[Input],
    files: &[Part],
    found: &[Found],
    out: &mut dyn Write,
) -> io::Result<()> {
    let rows: Vec<[String; 9]> = inputs
        .iter()
        .zip(files)
        .zip(found)
        .map(|((input, Part { counts, chains, .. }), found)| {
            let range = counts.range.map(|(min, max)| format!("{min} to {max}"));
            let [white, draw, black] = counts.results.map(number);
            [
                printable(&input.name()),
                input.format.to_string(),
                number(counts.records),
                number(*chains),
                range.unwrap_or_else(|| "-".to_owned()),
                white,
                draw,
                black,
                number(found.bad.count()),
            ]
        })
        .collect();
    let widest =
        |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let table = Table([
        Column::left("file", widest(0)),
        Column::left("format", widest(1)),
        Column::right("records", widest(2)),
        Column::right("chains", widest(3)),
        Column::right("scores", widest(4)),
        Column::right("white", widest(5)),
        Column::right("draw", widest(6)),
        Column::right("black", widest(7)),
        Column::right("bad", widest(8)),
    ]);
    table.head(out)?;
    rows.iter().try_for_each(|row| table.row(out, row.each_ref().map(String::as_str)))
}

/// Writes the kinds of bad records, and the first of each.
fn write_bad(inputs: &[Input], found: &[Found], out: &mut dyn Write) -> io::Result<()> {
    let rows = inputs.iter().zip(found).flat_map(|(input, found)| {
        found.bad.kinds.iter().map(|(kind, (count, first))| {
            (*kind, number(*count), printable(&format!("{}: {first}", input.name())))
        })
    });
    let rows: Vec<_> = rows.collect();
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let width = |of: fn(&(&str, String, String)) -> usize| rows.iter().map(of).max().unwrap_or(0);
    let table = Table([
        Column::left("kind", width(|row| row.0.len())),
        Column::right("bad", width(|row| row.1.len())),
        Column::left("first", 0),
    ]);
    table.head(out)?;
    rows.iter().try_for_each(|(kind, count, first)| table.row(out, [kind, count, first]))
}
