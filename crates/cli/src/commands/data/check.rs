//! `tabiya data check`: are all records of files good?

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

use clap::ValueHint;
use serde::Serialize;
use tabiya_data::{Format, Found, OnBad, Plan, Record};

use super::counts::{BadAnswer, Counts, bad_answers, number, outcome, write_pace};
use super::input::{FROM, Input, Job};
use super::reading::Reading;
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
    #[arg(long, value_name = "NAME", value_parser = FROM.parser())]
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
    counts: Counts,
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
        let found = job.visit(plan, |record| {
            part.counts.add(record);
            part.chains += u64::from(!part.continues_with(Some(record)));
            part.first.get_or_insert_with(|| record.clone());
            part.last = Some(record.clone());
        });
        (found, part)
    }

    fn continues_with(&self, next: Option<&Record>) -> bool {
        self.last.as_ref().zip(next).is_some_and(|(last, next)| last.continues_with(next))
    }

    /// Adds the next part of the file.
    fn add(&mut self, next: Self) {
        self.chains += next.chains;
        self.chains -= u64::from(self.continues_with(next.first.as_ref()));
        self.counts += &next.counts;
        self.last = next.last.or(self.last.take());
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let begin = Instant::now();
    let inputs = Input::all(&args.files, args.from)?;
    let plan = Plan { on_bad: OnBad::Skip, filter: None };
    let watch = Interrupt::listen()?;
    let work = |_, job: &Job, plan: &Plan| Part::of(job, plan);
    let mut reading = Reading::start(&inputs, &plan, args.threads, &watch, work)?;
    let mut files = vec![Part::default(); inputs.len()];
    let end = reading.read_all(|file, part| {
        files[file].add(part);
        Ok(())
    });
    if args.json {
        let rows = inputs.iter().zip(&files).zip(&reading.found);
        let answer = |((input, part), found): ((&Input, &Part), &Found)| FileAnswer {
            file: input.name(),
            format: input.format.name(),
            counts: part.counts.clone(),
            chains: part.chains.into(),
            bad: bad_answers(found),
        };
        let answer = Answer {
            files: rows.map(answer).collect(),
            complete: end.is_ok(),
            seconds: begin.elapsed().as_secs_f64(),
            threads: args.threads.count(),
        };
        json::write(out, &answer)?;
    } else {
        write_files(&inputs, &files, &reading.found, out)?;
        write_bad(&inputs, &reading.found, out)?;
        let mut records = Digits::default();
        files.iter().for_each(|part| records += part.counts.records);
        write_pace(records, begin.elapsed(), out)?;
    }
    outcome(&reading, end)
}

fn write_files(
    inputs: &[Input],
    files: &[Part],
    found: &[Found],
    out: &mut dyn Write,
) -> io::Result<()> {
    let row = |((input, Part { counts, chains, .. }), found): ((&Input, &Part), &Found)| {
        [
            printable(&input.name()),
            input.format.to_string(),
            number(counts.records),
            number((*chains).into()),
            counts.range().unwrap_or_else(|| "-".to_owned()),
            number(counts.white_wins),
            number(counts.draws),
            number(counts.black_wins),
            number(found.bad().into()),
        ]
    };
    let rows: Vec<_> = inputs.iter().zip(files).zip(found).map(row).collect();
    let [file, format] = ["file", "format"].map(|head| Column::left(head, 0));
    let [records, chains, scores, white, draw, black, bad] =
        ["records", "chains", "scores", "white", "draw", "black", "bad"]
            .map(|head| Column::right(head, 0));
    Table([file, format, records, chains, scores, white, draw, black, bad]).write_all(out, &rows)
}

/// Writes the kinds of bad records, and the first of each.
fn write_bad(inputs: &[Input], found: &[Found], out: &mut dyn Write) -> io::Result<()> {
    let rows = inputs.iter().zip(found).flat_map(|(input, found)| {
        found.kinds.iter().map(|(kind, (count, first))| {
            let first = printable(&format!("{}: {first}", input.name()));
            [(*kind).to_owned(), number((*count).into()), first]
        })
    });
    let rows: Vec<_> = rows.collect();
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let columns = [Column::left("kind", 0), Column::right("bad", 0), Column::left("first", 0)];
    Table(columns).write_all(out, &rows)
}
