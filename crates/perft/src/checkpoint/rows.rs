//! What a checkpoint contains: five tables in an embedded database.
//!
//! | table | key | columns |
//! |---|---|---|
//! | `job` | name of a field | text |
//! | `units` | number | FEN; shares such as `e2e4 12 d2d4 3`; checksum |
//! | `results` | number of the unit | leaf nodes; microseconds; name of the counter; checksum |
//! | `checks` | number of the unit | the second result of a verified unit, in the same columns |
//! | `disputes` | number | two results of a unit that differed, as text |
//!
//! In a job by category, which has another format, the rows of `results` and `checks` have these
//! columns: leaf nodes, microseconds and the number in each category, as text; name of the counter;
//! checksum.
//!
//! A row's checksum also covers its key and its table, so a row that was moved is detected as well
//! as one that was changed.

use std::fmt;

use redb::TableDefinition;
use tabiya::{CastlingMode, Move};

use super::job::position_of;
use super::{CheckpointError, UnitCategories, UnitResult, WorkUnit};
use crate::Category;

pub(super) const JOB: TableDefinition<&str, &str> = TableDefinition::new("job");
pub(super) const UNITS: TableDefinition<u64, UnitColumns> = TableDefinition::new("units");
/// The names of the tables of results. Their columns depend on the job.
pub(super) const RESULTS: &str = "results";
pub(super) const CHECKS: &str = "checks";
pub(super) const DISPUTES: TableDefinition<u64, &str> = TableDefinition::new("disputes");

/// The fields of the job that its checksum covers. The others are `checksum` and `format`.
pub(super) const FIELDS: [&str; 7] =
    ["root", "castling", "depth", "split", "moves", "units", "games"];

pub(super) type UnitColumns = (&'static str, &'static str, u32);
pub(super) type ResultColumns = (u64, u64, &'static str, u32);
pub(super) type CategoryColumns = (&'static str, &'static str, u32);

/// A row of the table `units`.
#[derive(Clone, Debug)]
pub(super) struct UnitRow {
    pub(super) fen: String,
    pub(super) shares: String,
    pub(super) checksum: u32,
}

impl UnitRow {
    /// The row of a unit; `moves` are the root's moves with their text.
    pub(super) fn new(number: u64, unit: &WorkUnit, moves: &[(Move, String)]) -> Self {
        let fen = unit.position.fen().to_string();
        let shares: Vec<String> = unit
            .shares
            .iter()
            .map(|&(mv, ways)| format!("{} {ways}", moves[usize::from(mv)].1))
            .collect();
        let shares = shares.join(" ");
        let checksum = Self::checksum(number, &fen, &shares);
        Self { fen, shares, checksum }
    }

    /// The unit with this number.
    pub(super) fn unit(
        &self,
        number: u64,
        depth: u32,
        mode: CastlingMode,
        moves: &[(Move, String)],
    ) -> Result<WorkUnit, CheckpointError> {
        let damaged = || CheckpointError::Damaged(format!("unit {number} cannot be read"));
        if self.checksum != Self::checksum(number, &self.fen, &self.shares) {
            return Err(damaged());
        }
        let position = position_of(&self.fen, mode).ok_or_else(damaged)?;
        let shares = parse_shares(&self.shares, moves).ok_or_else(damaged)?;
        Ok(WorkUnit { position, depth, shares })
    }

    fn checksum(number: u64, fen: &str, shares: &str) -> u32 {
        crc32fast::hash(format!("{number} {fen} {shares}").as_bytes())
    }
}

/// A row of the table `results` or `checks`.
#[derive(Clone, Debug)]
pub(super) struct ResultRow {
    pub(super) numbers: Numbers,
    pub(super) counter: String,
    pub(super) checksum: u32,
}

/// The numbers of a result.
#[derive(Clone, Debug)]
pub(super) enum Numbers {
    /// Leaf nodes and microseconds.
    Plain(u64, u64),
    /// The same and the number in each category.
    ByCategory(String),
}

impl fmt::Display for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(nodes, micros) => write!(f, "{nodes} {micros}"),
            Self::ByCategory(text) => f.write_str(text),
        }
    }
}

impl ResultRow {
    /// The row of a unit's result in a table.
    pub(super) fn new(table: &str, number: u64, result: &UnitResult) -> Self {
        let UnitResult { nodes, micros, counter, categories } = result;
        let numbers = match categories {
            None => Numbers::Plain(*nodes, *micros),
            Some(categories) => {
                let mut text = format!("{nodes} {micros}");
                for count in categories.counts() {
                    text += &format!(" {count}");
                }
                Numbers::ByCategory(text)
            }
        };
        let checksum = Self::checksum(table, number, &numbers, counter);
        Self { numbers, counter: counter.clone(), checksum }
    }

    /// The result of a unit in a table.
    pub(super) fn result(self, table: &str, number: u64) -> Result<UnitResult, CheckpointError> {
        let Self { numbers, counter, checksum } = self;
        let damaged =
            || CheckpointError::Damaged(format!("the result of unit {number} cannot be read"));
        if Self::checksum(table, number, &numbers, &counter) != checksum {
            return Err(damaged());
        }
        match numbers {
            Numbers::Plain(nodes, micros) => {
                Ok(UnitResult { nodes, micros, counter, categories: None })
            }
            Numbers::ByCategory(text) => {
                let (nodes, micros, categories) = parse_numbers(&text).ok_or_else(damaged)?;
                Ok(UnitResult { nodes, micros, counter, categories: Some(categories) })
            }
        }
    }

    fn checksum(table: &str, number: u64, numbers: &Numbers, counter: &str) -> u32 {
        crc32fast::hash(format!("{table} {number} {numbers} {counter}").as_bytes())
    }
}

/// Reads leaf nodes, microseconds and the number in each category.
fn parse_numbers(text: &str) -> Option<(u64, u64, UnitCategories)> {
    let mut numbers = text.split(' ').map(|word| word.parse().ok());
    let mut next = || numbers.next().flatten();
    let (nodes, micros) = (next()?, next()?);
    let mut counts = [0; Category::ALL.len()];
    for count in &mut counts {
        *count = next()?;
    }
    numbers.next().is_none().then(|| (nodes, micros, UnitCategories::new(counts)))
}

/// Reads shares such as `e2e4 12 d2d4 3`.
fn parse_shares(text: &str, moves: &[(Move, String)]) -> Option<Vec<(u16, u64)>> {
    let mut words = text.split(' ');
    let mut shares = Vec::new();
    let mut multiplicity = 0u64;
    while let Some(mv) = words.next() {
        let number = moves.iter().position(|(_, known)| known == mv)?;
        let ways = words.next()?.parse().ok()?;
        multiplicity = multiplicity.checked_add(ways)?;
        shares.push((number as u16, ways));
    }
    Some(shares)
}
