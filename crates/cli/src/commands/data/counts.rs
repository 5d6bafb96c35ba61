//! What checks and statistics both count, and print.

use std::io::{self, Write};
use std::ops::AddAssign;
use std::time::Duration;

use serde::Serialize;
use tabiya_data::{GameResult, Record};

use super::reading::{BadRecords, End, Found, Reading};
use crate::failure::{Diagnostic, Failure};
use crate::outcome::{self, Outcome};
use crate::output::json::Digits;
use crate::output::number::{rate, thousands, time};

/// Counts over records.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    pub(super) records: u64,
    /// Records with a score.
    pub(super) scored: u64,
    /// The smallest and the largest score.
    pub(super) range: Option<(i16, i16)>,
    /// White's wins, draws, Black's wins.
    pub(super) results: [u64; 3],
}

impl Counts {
    pub(super) fn add(&mut self, record: &Record) {
        self.records += 1;
        if let Some(score) = record.score {
            self.scored += 1;
            self.range = joined(self.range, Some((score, score)));
        }
        match record.result {
            Some(GameResult::WhiteWins) => self.results[0] += 1,
            Some(GameResult::Draw) => self.results[1] += 1,
            Some(GameResult::BlackWins) => self.results[2] += 1,
            None => {}
        }
    }
}

impl AddAssign<&Self> for Counts {
    fn add_assign(&mut self, more: &Self) {
        self.records += more.records;
        self.scored += more.scored;
        self.range = joined(self.range, more.range);
        self.results.iter_mut().zip(more.results).for_each(|(sum, more)| *sum += more);
    }
}

fn joined(one: Option<(i16, i16)>, other: Option<(i16, i16)>) -> Option<(i16, i16)> {
    match (one, other) {
        (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
        (one, other) => one.or(other),
    }
}

/// The counts as JSON.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct CountsAnswer {
    /// Records that can be used.
    records: Digits,
    /// Records with a score.
    scored: Digits,
    /// The smallest score, for the side to move. Null if no record has one.
    min_score: Option<i16>,
    /// The largest score, for the side to move. Null if no record has one.
    max_score: Option<i16>,
    /// Records of games that White won.
    white_wins: Digits,
    /// Records of drawn games.
    draws: Digits,
    /// Records of games that Black won.
    black_wins: Digits,
}

impl From<&Counts> for CountsAnswer {
    fn from(counts: &Counts) -> Self {
        let [white_wins, draws, black_wins] = counts.results.map(Digits::from);
        Self {
            records: counts.records.into(),
            scored: counts.scored.into(),
            min_score: counts.range.map(|(min, _)| min),
            max_score: counts.range.map(|(_, max)| max),
            white_wins,
            draws,
            black_wins,
        }
    }
}

/// The bad records of one kind, as JSON.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct BadAnswer {
    /// What's bad: `position`, `move`, `no legal move`, `score`, `result`, `value`, `form` or
    /// `truncated`.
    kind: &'static str,
    /// Their number.
    count: Digits,
    /// The offset of the first one in the file, in bytes, after decompression.
    offset: u64,
    /// What's wrong with the first one.
    message: String,
}

/// The bad records by kind, as JSON.
pub(super) fn bad_answers(bad: &BadRecords) -> Vec<BadAnswer> {
    let answer = |(&kind, (count, first)): (&&'static str, &(u64, tabiya_data::Bad))| BadAnswer {
        kind,
        count: (*count).into(),
        offset: first.offset,
        message: first.reason.to_string(),
    };
    bad.kinds.iter().map(answer).collect()
}

/// A number with commas.
pub(super) fn number(count: u64) -> String {
    thousands(count.into())
}

/// Writes the time, and the records per second.
pub(super) fn write_pace(records: u64, elapsed: Duration, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n{}, {} records per second", time(elapsed), rate(records.into(), elapsed))
}

/// Reads all parts. Returns why they ended early, if they did.
pub(super) fn read_all<T: Send + 'static>(
    reading: &mut Reading<T>,
    mut add: impl FnMut(usize, T),
) -> Option<io::Error> {
    let mut failed = None;
    while let Some(part) = reading.next_part() {
        match part {
            Ok((file, part)) => add(file, part),
            Err(error) => failed = Some(error),
        }
    }
    reading.line.clear();
    failed
}

/// The outcome after everything is printed.
pub(super) fn outcome<T>(
    reading: &Reading<T>,
    failed: Option<io::Error>,
) -> Result<Outcome, Failure> {
    let is_bad = |found: &Found| found.bad.count() > 0;
    match (reading.end, failed) {
        (End::Interrupt, _) => Ok(outcome::report_partial_input()),
        (End::OfFiles, Some(error)) => Err(Diagnostic::new(error).into()),
        _ if reading.found.iter().any(is_bad) => Ok(Outcome::Failed),
        _ => Ok(Outcome::Fine),
    }
}
