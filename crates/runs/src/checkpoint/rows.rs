//! The contents of a checkpoint: five tables in an embedded database.
//!
//! | table | key | columns |
//! |---|---|---|
//! | `job` | name of a field | text |
//! | `units` | number | FEN; shares such as `e2e4 12 d2d4 3`; checksum |
//! | `results` | number of the unit | leaf nodes; microseconds; name of the counter; checksum |
//! | `checks` | number of the unit | the second result of a verified unit, in the same columns |
//! | `disputes` | number | two results of a unit that differed, as text |
//!
//! In a job by category, which has another format, the column of the counter begins with an extra
//! line: the number of leaf nodes in each category.
//!
//! A row's checksum also covers its key and its table, so it reveals a row that was moved as well
//! as one that was changed.

use redb::TableDefinition;
use tabiya::{CastlingMode, Move};

use super::error::CheckpointError;
use super::job::WorkUnit;
use super::job::position_of;
use super::result::{UnitCategories, UnitResult};

pub(super) const JOB: TableDefinition<&str, &str> = TableDefinition::new("job");
pub(super) const UNITS: TableDefinition<u64, UnitColumns> = TableDefinition::new("units");
pub(super) const RESULTS: TableDefinition<u64, ResultColumns> = TableDefinition::new("results");
pub(super) const CHECKS: TableDefinition<u64, ResultColumns> = TableDefinition::new("checks");
pub(super) const DISPUTES: TableDefinition<u64, &str> = TableDefinition::new("disputes");

/// The fields of the job that its checksum covers. The other fields are `checksum` and `format`.
pub(super) const FIELDS: [&str; 7] =
    ["root", "castling", "depth", "split", "moves", "units", "games"];

pub(super) type UnitColumns = (&'static str, &'static str, u32);
pub(super) type ResultColumns = (u64, u64, &'static str, u32);

/// A row of the table `units`.
#[derive(Clone, Debug)]
pub(super) struct UnitRow {
    pub(super) fen: String,
    pub(super) shares: String,
    pub(super) checksum: u32,
}

impl UnitRow {
    /// Makes the row of a unit; `moves` are the root's moves with their text.
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
    pub(super) nodes: u64,
    pub(super) micros: u64,
    /// The name of the counter; in a job by category, after a line with the categories.
    pub(super) counter: String,
    pub(super) checksum: u32,
}

impl ResultRow {
    /// Makes the row of a unit's result in a table.
    pub(super) fn new(table: &str, number: u64, result: &UnitResult) -> Self {
        let UnitResult { nodes, micros, ref counter, ref categories } = *result;
        let counter = match categories {
            None => counter.clone(),
            Some(categories) => format!("{}\n{counter}", categories.text()),
        };
        let checksum = Self::checksum(table, number, (nodes, micros, &counter));
        Self { nodes, micros, counter, checksum }
    }

    /// The result of a unit in a table.
    pub(super) fn result(
        self,
        table: &str,
        number: u64,
        by_category: bool,
    ) -> Result<UnitResult, CheckpointError> {
        let Self { nodes, micros, counter, checksum } = self;
        let damaged =
            || CheckpointError::Damaged(format!("the result of unit {number} cannot be read"));
        if Self::checksum(table, number, (nodes, micros, &counter)) != checksum {
            return Err(damaged());
        }
        if !by_category {
            return Ok(UnitResult { nodes, micros, counter, categories: None });
        }
        let (text, counter) = counter.split_once('\n').ok_or_else(damaged)?;
        let categories = Some(UnitCategories::of_text(text).ok_or_else(damaged)?);
        Ok(UnitResult { nodes, micros, counter: counter.to_owned(), categories })
    }

    fn checksum(table: &str, number: u64, (nodes, micros, counter): (u64, u64, &str)) -> u32 {
        crc32fast::hash(format!("{table} {number} {nodes} {micros} {counter}").as_bytes())
    }
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
