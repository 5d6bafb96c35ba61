//! What checks and statistics both count, and print.

use std::io::{self, Write};
use std::ops::AddAssign;
use std::time::Duration;

use serde::Serialize;
use tabiya_data::{Bad, Found, GameResult, Record};

use super::reading::{Reading, Stop};
use crate::failure::Failure;
use crate::outcome::Outcome;
use crate::output::json::Digits;
use crate::output::number::{rate, thousands, time};

/// Counts over records.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Counts {
    /// Records that can be used.
    pub(super) records: Digits,
    /// Records with a score.
    pub(super) scored: Digits,
    /// The smallest score, for the side to move. Null if no record has one.
    pub(super) min_score: Option<i16>,
    /// The largest score, for the side to move. Null if no record has one.
    pub(super) max_score: Option<i16>,
    /// Records of games that White won.
    pub(super) white_wins: Digits,
    /// Records of drawn games.
    pub(super) draws: Digits,
    /// Records of games that Black won.
    pub(super) black_wins: Digits,
}

impl Counts {
    pub(super) fn add(&mut self, record: &Record) {
        self.records += 1;
        if let Some(score) = record.score {
            self.scored += 1;
            self.widen(Some(score), Some(score));
        }
        match record.result {
            Some(GameResult::WhiteWins) => self.white_wins += 1,
            Some(GameResult::Draw) => self.draws += 1,
            Some(GameResult::BlackWins) => self.black_wins += 1,
            None => {}
        }
    }

    fn widen(&mut self, min: Option<i16>, max: Option<i16>) {
        self.min_score = [self.min_score, min].into_iter().flatten().min();
        self.max_score = self.max_score.max(max);
    }

    /// The range of the scores, if any record has one.
    pub(super) fn range(&self) -> Option<String> {
        Some(format!("{} to {}", self.min_score?, self.max_score?))
    }
}

impl AddAssign<&Self> for Counts {
    fn add_assign(&mut self, more: &Self) {
        self.records += more.records;
        self.scored += more.scored;
        self.widen(more.min_score, more.max_score);
        self.white_wins += more.white_wins;
        self.draws += more.draws;
        self.black_wins += more.black_wins;
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
pub(super) fn bad_answers(found: &Found) -> Vec<BadAnswer> {
    let answer = |(&kind, (count, first)): (&&'static str, &(u64, Bad))| BadAnswer {
        kind,
        count: (*count).into(),
        offset: first.offset,
        message: first.reason.to_string(),
    };
    found.kinds.iter().map(answer).collect()
}

/// A number with commas.
pub(super) fn number(count: Digits) -> String {
    thousands(count.number())
}

/// The outcome, after everything that was read is printed.
pub(super) fn outcome<T>(reading: &Reading<T>, end: Result<(), Stop>) -> Result<Outcome, Failure> {
    match end {
        Err(stop) => stop.outcome("only what was read by then is counted"),
        Ok(()) if reading.all.bad() > 0 => Ok(Outcome::Failed),
        Ok(()) => Ok(Outcome::Fine),
    }
}

/// Writes the time, and the records per second.
pub(super) fn write_pace(
    records: Digits,
    elapsed: Duration,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "\n{}, {} records per second", time(elapsed), rate(records.number(), elapsed))
}
