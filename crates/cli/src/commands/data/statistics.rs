//! `tabiya data statistics`: what records are like.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

use clap::ValueHint;
use serde::Serialize;
use tabiya::Move;
use tabiya_data::{Plan, Record};

use super::counts::{Counts, number, outcome, write_pace};
use super::input::{Input, Job};
use super::reading::{ReadArgs, Reading};
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
    statistics: Statistics,
    /// The number of bad records, also of those that are kept.
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

/// What was found.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Statistics {
    #[serde(flatten)]
    counts: Counts,
    /// Records whose side to move is in check.
    check: Digits,
    /// Records whose move captures.
    capture: Digits,
    /// Records whose move promotes a pawn.
    promotion: Digits,
    /// Records whose move is castling.
    castling: Digits,
    /// Records by score.
    scores: Vec<Group>,
    /// Records by the plies since the start of the game.
    plies: Vec<Group>,
    /// Records by the number of pieces on the board, kings included.
    pieces: Vec<Group>,
}

/// Records with a number in a range.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Group {
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

/// The smallest numbers of all groups but the first.
const SCORES: &[i64] =
    &[-3000, -1000, -500, -200, -100, -50, -20, 21, 51, 101, 201, 501, 1001, 3001];
const PLIES: &[i64] = &[8, 16, 32, 64, 96, 128, 192, 256];
const PIECES: &[i64] = &[5, 9, 13, 17, 21, 25, 29];

/// Groups without records.
fn groups(bounds: &[i64]) -> Vec<Group> {
    let min = std::iter::once(None).chain(bounds.iter().map(|&bound| Some(bound)));
    let max = bounds.iter().map(|&bound| Some(bound - 1)).chain([None]);
    let [records, wins, draws, losses] = [Digits::default(); 4];
    min.zip(max).map(|(min, max)| Group { min, max, records, wins, draws, losses }).collect()
}

/// Adds a record to the group of its number.
fn count(groups: &mut [Group], number: i64, record: &Record) {
    let place = groups.partition_point(|group| group.max.is_some_and(|max| max < number));
    let group = &mut groups[place];
    group.records += 1;
    match record.result.map(|result| result.for_side(record.position.turn())) {
        Some(1) => group.wins += 1,
        Some(0) => group.draws += 1,
        Some(_) => group.losses += 1,
        None => {}
    }
}

/// Writes the groups that have records.
fn write_groups(groups: &[Group], head: &'static str, out: &mut dyn Write) -> io::Result<()> {
    let all: u128 = groups.iter().map(|it| it.records.number()).sum();
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
    for Group { min, max, records, wins, draws, losses } in groups {
        if records.number() == 0 {
            continue;
        }
        let range = match (min, max) {
            (Some(min), Some(max)) => format!("{min} to {max}"),
            (Some(min), None) => format!("{min} and more"),
            (None, Some(max)) => format!("{max} and less"),
            (None, None) => unreachable!("there are several groups"),
        };
        let known = wins.number() + draws.number() + losses.number();
        let [win, draw, loss] = [wins, draws, losses].map(|it| share(*it, known));
        table.row(out, [&range, &number(*records), &share(*records, all), &win, &draw, &loss])?;
    }
    Ok(())
}

fn share(part: Digits, whole: u128) -> String {
    percent(part.number() as f64, whole as f64)
}

impl Statistics {
    fn new() -> Self {
        let [scores, plies, pieces] = [SCORES, PLIES, PIECES].map(groups);
        let [check, capture, promotion, castling] = [Digits::default(); 4];
        let counts = Counts::default();
        Self { counts, check, capture, promotion, castling, scores, plies, pieces }
    }

    fn add(&mut self, record: &Record) {
        let is_move = |test: fn(Move) -> bool| u64::from(record.mv.is_some_and(test));
        self.counts.add(record);
        self.check += u64::from(record.position.is_check());
        self.capture += is_move(Move::is_capture);
        self.promotion += is_move(Move::is_promotion);
        self.castling += is_move(|mv| mv.castling().is_some());
        if let Some(score) = record.score {
            count(&mut self.scores, score.into(), record);
        }
        count(&mut self.plies, record.ply.into(), record);
        count(&mut self.pieces, record.position.board().occupied().len().into(), record);
    }

    fn merge(&mut self, other: &Self) {
        self.counts += &other.counts;
        self.check += other.check;
        self.capture += other.capture;
        self.promotion += other.promotion;
        self.castling += other.castling;
        let groups = [&mut self.scores, &mut self.plies, &mut self.pieces].into_iter().flatten();
        let others = [&other.scores, &other.plies, &other.pieces].into_iter().flatten();
        for (sum, more) in groups.zip(others) {
            sum.records += more.records;
            sum.wins += more.wins;
            sum.draws += more.draws;
            sum.losses += more.losses;
        }
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let counts = &self.counts;
        writeln!(out, "records    {}", number(counts.records))?;
        for (name, count) in [
            ("scored", counts.scored),
            ("white", counts.white_wins),
            ("draw", counts.draws),
            ("black", counts.black_wins),
            ("check", self.check),
            ("capture", self.capture),
            ("promotion", self.promotion),
            ("castling", self.castling),
        ] {
            let share = share(count, counts.records.number());
            writeln!(out, "{name:9}  {}, {share}", number(count))?;
        }
        if let Some(range) = counts.range() {
            writeln!(out, "scores     {range}")?;
            write_groups(&self.scores, "score", out)?;
        }
        write_groups(&self.plies, "ply", out)?;
        write_groups(&self.pieces, "pieces", out)
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let begin = Instant::now();
    let plan = args.read.plan()?;
    let inputs = Input::all(&args.files, args.read.from)?;
    let watch = Interrupt::listen()?;
    let work = |_, job: &Job, plan: &Plan| {
        let mut part = Statistics::new();
        (job.visit(plan, |record| part.add(record)), part)
    };
    let mut reading = Reading::start(&inputs, &plan, args.read.threads, &watch, work)?;
    let mut statistics = Statistics::new();
    let end = reading.read_all(|_, part| {
        statistics.merge(&part);
        Ok(())
    });
    reading.report_bad();
    if args.json {
        let answer = Answer {
            statistics,
            bad: reading.all.bad().into(),
            complete: end.is_ok(),
            seconds: begin.elapsed().as_secs_f64(),
            threads: args.read.threads.count(),
        };
        json::write(out, &answer)?;
    } else {
        statistics.write(out)?;
        write_pace(statistics.counts.records, begin.elapsed(), out)?;
    }
    outcome(&reading, end)
}
