//! `tabiya data statistics`: what records are like.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

use clap::ValueHint;
use serde::Serialize;
use tabiya::Move;
use tabiya_data::Record;

use super::counts::{Counts, CountsAnswer, number, outcome, read_all, write_pace};
use super::input::{Input, Job};
use super::reading::{End, Plan, ReadArgs, Reading};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::outcome::Outcome;
use crate::output::json::{self, Digits};
use crate::output::number::percent;
use crate::output::table::{Column, Table};

const EXAMPLES: &str = "\
The tables count records by score, by ply and by the number of pieces on the board, eight groups as
in networks with eight output buckets. Wins and losses are those of the side to move, as scores are.

Examples:
  tabiya data statistics games.packed
  tabiya data statistics games.packed --filter 'not check and not capture' --json";

/// Count results, scores, plies, pieces, checks and captures
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    /// Files to read; "-" is standard input
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    read: ReadArgs,

    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// The output of `tabiya data statistics --json`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(in crate::commands) struct Answer {
    #[serde(flatten)]
    counts: CountsAnswer,
    /// Records whose side to move is in check.
    check: Digits,
    /// Records whose move captures.
    capture: Digits,
    /// Records whose move promotes a pawn.
    promotion: Digits,
    /// Records whose move is castling.
    castling: Digits,
    /// Records by score.
    scores: Vec<GroupAnswer>,
    /// Records by the plies since the start of the game.
    plies: Vec<GroupAnswer>,
    /// Records by the number of pieces on the board, kings included.
    pieces: Vec<GroupAnswer>,
    /// The number of bad records.
    bad: Digits,
    /// Was everything read? If not, the work was stopped, or a file can't be read.
    complete: bool,
    /// The time, in seconds.
    seconds: f64,
    /// The number of threads.
    threads: NonZeroUsize,
}

impl json::Object for Answer {
    const SCHEMA: &'static str = "tabiya-data-statistics/1";
}

/// Records with a number in a range.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct GroupAnswer {
    /// The smallest number of the group. Null if there's no bound.
    min: Option<i64>,
    /// The largest number of the group. Null if there's no bound.
    max: Option<i64>,
    /// The records.
    records: Digits,
    /// Those that the side to move won.
    wins: Digits,
    /// Those of drawn games.
    draws: Digits,
    /// Those that the side to move lost.
    losses: Digits,
}

/// Records in groups by a number.
#[derive(Clone)]
struct Groups {
    /// The smallest numbers of all groups but the first.
    bounds: &'static [i64],
    /// For each group all records, and those that the side to move lost, drew and won.
    counts: Vec<[u64; 4]>,
}

const SCORES: &[i64] =
    &[-3000, -1000, -500, -200, -100, -50, -20, 21, 51, 101, 201, 501, 1001, 3001];
const PLIES: &[i64] = &[8, 16, 32, 64, 96, 128, 192, 256];
const PIECES: &[i64] = &[5, 9, 13, 17, 21, 25, 29];

impl Groups {
    fn new(bounds: &'static [i64]) -> Self {
        Self { bounds, counts: vec![[0; 4]; bounds.len() + 1] }
    }

    fn add(&mut self, number: i64, record: &Record) {
        let group = &mut self.counts[self.bounds.partition_point(|&bound| bound <= number)];
        group[0] += 1;
        if let Some(result) = record.result {
            group[(result.for_side(record.position.turn()) + 2) as usize] += 1;
        }
    }

    fn merge(&mut self, other: &Self) {
        let counts = self.counts.iter_mut().flatten().zip(other.counts.iter().flatten());
        counts.for_each(|(sum, more)| *sum += more);
    }

    /// The bounds of each group, and its counts.
    fn rows(&self) -> impl Iterator<Item = (Option<i64>, Option<i64>, [u64; 4])> {
        let min = std::iter::once(None).chain(self.bounds.iter().map(|&bound| Some(bound)));
        let max = self.bounds.iter().map(|&bound| Some(bound - 1)).chain([None]);
        min.zip(max).zip(&self.counts).map(|((min, max), &counts)| (min, max, counts))
    }

    fn answers(&self) -> Vec<GroupAnswer> {
        let answer = |(min, max, counts): (_, _, [u64; 4])| {
            let [records, losses, draws, wins] = counts.map(Digits::from);
            GroupAnswer { min, max, records, wins, draws, losses }
        };
        self.rows().map(answer).collect()
    }

    /// Writes the groups that have records.
    fn write(&self, head: &'static str, out: &mut dyn Write) -> io::Result<()> {
        let all: u64 = self.counts.iter().map(|counts| counts[0]).sum();
        let table = Table([
            Column::left(head, 16),
            Column::right("records", 13),
            Column::right("share", 8),
            Column::right("win", 8),
            Column::right("draw", 8),
            Column::right("loss", 8),
        ]);
        writeln!(out)?;
        table.head(out)?;
        for (min, max, [records, losses, draws, wins]) in self.rows().filter(|row| row.2[0] > 0) {
            let range = match (min, max) {
                (Some(min), Some(max)) => format!("{min} to {max}"),
                (Some(min), None) => format!("{min} and more"),
                (None, Some(max)) => format!("{max} and less"),
                (None, None) => unreachable!("there are several groups"),
            };
            let known = (losses + draws + wins) as f64;
            let [win, draw, loss] = [wins, draws, losses].map(|it| percent(it as f64, known));
            let share = percent(records as f64, all as f64);
            table.row(out, [&range, &number(records), &share, &win, &draw, &loss])?;
        }
        Ok(())
    }
}

/// What was found.
struct Statistics {
    counts: Counts,
    check: u64,
    capture: u64,
    promotion: u64,
    castling: u64,
    scores: Groups,
    plies: Groups,
    pieces: Groups,
}

impl Statistics {
    fn new() -> Self {
        let [scores, plies, pieces] = [SCORES, PLIES, PIECES].map(Groups::new);
        let counts = Counts::default();
        Self { counts, check: 0, capture: 0, promotion: 0, castling: 0, scores, plies, pieces }
    }

    fn add(&mut self, record: &Record) {
        let is_move = |test: fn(Move) -> bool| u64::from(record.mv.is_some_and(test));
        self.counts.add(record);
        self.check += u64::from(record.position.is_check());
        self.capture += is_move(Move::is_capture);
        self.promotion += is_move(Move::is_promotion);
        self.castling += is_move(|mv| mv.castling().is_some());
        if let Some(score) = record.score {
            self.scores.add(score.into(), record);
        }
        self.plies.add(record.ply.into(), record);
        self.pieces.add(record.position.board().occupied().len().into(), record);
    }

    fn merge(&mut self, other: &Self) {
        self.counts += &other.counts;
        self.check += other.check;
        self.capture += other.capture;
        self.promotion += other.promotion;
        self.castling += other.castling;
        self.scores.merge(&other.scores);
        self.plies.merge(&other.plies);
        self.pieces.merge(&other.pieces);
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let begin = Instant::now();
    let plan = args.read.plan()?;
    let inputs = args.files.iter().map(|path| Input::new(path, args.read.from));
    let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
    let watch = Interrupt::listen()?;
    let work = |_, job: &Job, plan: &Plan| {
        let mut part = Statistics::new();
        (plan.visit(job, |record| part.add(record)), part)
    };
    let mut reading = Reading::start(&inputs, &plan, args.read.threads, &watch, work)?;
    let mut all = Statistics::new();
    let failed = read_all(&mut reading, |_, part| all.merge(&part));
    reading.report_bad();
    if args.json {
        let answer = Answer {
            counts: (&all.counts).into(),
            check: all.check.into(),
            capture: all.capture.into(),
            promotion: all.promotion.into(),
            castling: all.castling.into(),
            scores: all.scores.answers(),
            plies: all.plies.answers(),
            pieces: all.pieces.answers(),
            bad: reading.found.iter().map(|it| it.bad.count()).sum::<u64>().into(),
            complete: failed.is_none() && reading.end == End::OfFiles,
            seconds: begin.elapsed().as_secs_f64(),
            threads: args.read.threads.count(),
        };
        json::write(out, &answer)?;
    } else {
        write_text(&all, out)?;
        write_pace(all.counts.records, begin.elapsed(), out)?;
    }
    outcome(&reading, failed)
}

fn write_text(all: &Statistics, out: &mut dyn Write) -> io::Result<()> {
    let counts = &all.counts;
    let [white, draw, black] = counts.results;
    writeln!(out, "records    {}", number(counts.records))?;
    for (name, count) in [
        ("scored", counts.scored),
        ("white", white),
        ("draw", draw),
        ("black", black),
        ("check", all.check),
        ("capture", all.capture),
        ("promotion", all.promotion),
        ("castling", all.castling),
    ] {
        let share = percent(count as f64, counts.records as f64);
        writeln!(out, "{name:9}  {}, {share}", number(count))?;
    }
    if let Some((min, max)) = counts.range {
        writeln!(out, "scores     {min} to {max}")?;
        all.scores.write("score", out)?;
    }
    all.plies.write("ply", out)?;
    all.pieces.write("pieces", out)
}
