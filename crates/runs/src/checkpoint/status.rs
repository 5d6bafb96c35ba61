//! The progress of a job.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::error::CheckpointError;
use super::header::Header;
use super::job::{Job, WorkUnit, castling_text};
use super::result::UnitResult;
use crate::OutputFile;
use tabiya_perft::{Categories, Category, Convention};

/// The progress of a job.
///
/// A *session* is one call of [`Checkpoint::run`](super::Checkpoint::run). A long run may consist
/// of many.
///
/// In JSON, counts are strings of decimal digits, since they may have more than 53 bits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Status {
    /// The FEN of the root.
    #[serde(rename = "fen")]
    pub root: String,
    /// The castling notation: `standard` or `chess960`.
    pub castling: String,
    /// Plies from the root to the leaf nodes.
    pub depth: u32,
    /// Plies from the root to the units; 0 if the job was stopped before it was split into units.
    pub split: u32,
    /// The number of units.
    pub units: u64,
    /// The number of them that have been counted.
    pub done: u64,
    /// The number of them that have been counted a second time.
    pub verified: u64,
    /// The number of units that a run has counted once and is still to count a second time. Only
    /// the run itself knows it: it is 0 in a status that was read from a file.
    #[serde(skip)]
    pub unverified: u64,
    /// Each unit that was counted twice with different results. It is counted again.
    pub disputes: Vec<String>,
    /// Leaf nodes found so far: each unit's, times its multiplicity.
    #[serde(with = "decimal")]
    #[cfg_attr(feature = "schema", schemars(with = "decimal::Digits"))]
    pub nodes: u128,
    /// Leaf nodes found so far in each category. Absent unless leaf nodes are counted by category.
    #[serde(rename = "categories", default, skip_serializing_if = "Option::is_none")]
    pub(super) by_category: Option<CategorySums>,
    /// Leaf nodes visited so far: each unit's, once.
    #[serde(with = "decimal")]
    #[cfg_attr(feature = "schema", schemars(with = "decimal::Digits"))]
    pub visited: u128,
    /// Move sequences from the root to the units: the perft of the split.
    #[serde(with = "decimal")]
    #[cfg_attr(feature = "schema", schemars(with = "decimal::Digits"))]
    pub games: u128,
    /// The number of them that lead to units that have been counted.
    #[serde(with = "decimal")]
    #[cfg_attr(feature = "schema", schemars(with = "decimal::Digits"))]
    pub games_done: u128,
    /// The time that threads have spent on the counted units in all sessions, in seconds. It is
    /// elapsed time, added up over the threads. It is more than processor time where threads wait
    /// for a processor.
    pub thread_seconds: f64,
    /// Each root move.
    pub moves: Vec<MoveStatus>,
    /// The running session, if any.
    #[serde(rename = "running")]
    pub session: Option<Session>,
    /// When this was true, in seconds since 1970.
    pub time: u64,
}

/// The progress of a job under one root move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MoveStatus {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Leaf nodes found so far.
    #[serde(with = "decimal")]
    #[cfg_attr(feature = "schema", schemars(with = "decimal::Digits"))]
    pub nodes: u128,
    /// Move sequences that begin with this move and lead to units.
    #[serde(with = "decimal")]
    #[cfg_attr(feature = "schema", schemars(with = "decimal::Digits"))]
    pub games: u128,
    /// The number of them that lead to units that have been counted.
    #[serde(with = "decimal")]
    #[cfg_attr(feature = "schema", schemars(with = "decimal::Digits"))]
    pub games_done: u128,
}

/// One call of [`Checkpoint::run`](super::Checkpoint::run) that has not returned yet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Session {
    /// The number of the process.
    pub process: u32,
    /// The number of threads that count.
    pub threads: usize,
    /// Elapsed time since counting began, in seconds.
    pub seconds: f64,
    /// Units counted in this session.
    pub units: u64,
    /// Leaf nodes found in this session: each unit's, times its multiplicity.
    #[serde(with = "decimal")]
    #[cfg_attr(feature = "schema", schemars(with = "decimal::Digits"))]
    pub nodes: u128,
    /// Leaf nodes visited in this session: each unit's, once.
    #[serde(with = "decimal")]
    #[cfg_attr(feature = "schema", schemars(with = "decimal::Digits"))]
    pub visited: u128,
}

impl Session {
    pub(super) fn new(threads: usize) -> Self {
        let process = std::process::id();
        Self { process, threads, seconds: 0.0, units: 0, nodes: 0, visited: 0 }
    }
}

impl Status {
    /// Has everything been counted?
    pub fn is_complete(&self) -> bool {
        self.split > 0 && self.done == self.units
    }

    /// The whole count, if it is known.
    pub fn total(&self) -> Option<u128> {
        self.is_complete().then_some(self.nodes)
    }

    /// The leaf nodes found so far by category, if the job is [by
    /// category](super::Job::by_category): each unit's, times its multiplicity.
    pub fn categories(&self) -> Option<Categories> {
        let CategorySums(counts) = self.by_category.as_ref()?;
        Some(Categories { nodes: self.nodes, counts: **counts })
    }

    /// The same status with the numbers of checks by this convention, for output. Before this
    /// conversion, checks include mates.
    #[must_use]
    pub fn with_convention(mut self, convention: Convention) -> Self {
        let categories = self.categories();
        if let (Some(CategorySums(counts)), Some(found)) = (&mut self.by_category, categories) {
            **counts = Category::ALL.map(|category| found.count(category, convention));
        }
        self
    }

    /// An estimate of the whole count from the units that have been counted.
    pub fn projected(&self) -> Option<f64> {
        let share = self.games_done as f64 / self.games as f64;
        (self.games_done > 0).then(|| self.nodes as f64 / share)
    }

    /// The rate of the running session: the leaf nodes found in it, divided by its elapsed time.
    ///
    /// Units that can be reached in several ways are counted once and multiplied, so this rate may
    /// be higher than that of the counter.
    pub fn nodes_per_second(&self) -> Option<f64> {
        let session = self.session.as_ref().filter(|session| session.seconds > 0.0)?;
        Some(session.nodes as f64 / session.seconds)
    }

    /// The rate of one thread, averaged over all sessions: the leaf nodes found, divided by
    /// [`thread_seconds`](Self::thread_seconds).
    pub fn nodes_per_thread_second(&self) -> Option<f64> {
        (self.thread_seconds > 0.0).then(|| self.nodes as f64 / self.thread_seconds)
    }

    /// The time that the running session still needs, in seconds, if the remaining units take as
    /// long as those that it has counted.
    pub fn seconds_left(&self) -> Option<f64> {
        let session = self.session.as_ref().filter(|session| session.units > 0)?;
        Some((self.units - self.done) as f64 * session.seconds / session.units as f64)
    }

    /// The time that one thread still needs, in seconds, if the remaining units take as long as
    /// those that have been counted.
    pub fn thread_seconds_left(&self) -> Option<f64> {
        (self.done > 0)
            .then(|| (self.units - self.done) as f64 * self.thread_seconds / self.done as f64)
    }

    /// Adds a unit's result that was found in this session.
    pub(super) fn add_new(
        &mut self,
        unit: &WorkUnit,
        result: &UnitResult,
    ) -> Result<(), CheckpointError> {
        let before = self.nodes;
        self.add(unit, result)?;
        if let Some(session) = &mut self.session {
            session.units += 1;
            session.nodes += self.nodes - before;
            session.visited += u128::from(result.nodes);
        }
        Ok(())
    }

    /// Adds the move sequences that lead to a unit.
    pub(super) fn add_unit(&mut self, unit: &WorkUnit) {
        for &(mv, ways) in &unit.shares {
            self.moves[usize::from(mv)].games += u128::from(ways);
        }
    }

    /// Adds a unit's result, or returns an error if the total would have more than 128 bits.
    pub(super) fn add(
        &mut self,
        unit: &WorkUnit,
        result: &UnitResult,
    ) -> Result<(), CheckpointError> {
        // Both factors have 64 bits, so the product does not overflow.
        let ways = u128::from(unit.multiplicity());
        let fits = |sum: u128, count: u64| sum.checked_add(u128::from(count) * ways).is_some();
        let mut all_fit = fits(self.nodes, result.nodes);
        for (sum, count) in self.categories_of(result) {
            all_fit &= fits(*sum, count);
        }
        if !all_fit {
            return Err(CheckpointError::TotalTooLarge);
        }
        // The other sums are parts of the total, or smaller than the product of the number of units
        // and 2^64.
        self.change(unit, result, true);
        Ok(())
    }

    /// Pairs the sum of each category with the number in a result.
    fn categories_of<'a>(
        &'a mut self,
        result: &'a UnitResult,
    ) -> impl Iterator<Item = (&'a mut u128, u64)> {
        let sums = self.by_category.iter_mut().flat_map(|sums| sums.0.iter_mut());
        let counts = result.categories.iter().flat_map(|counts| counts.counts());
        sums.zip(counts.copied())
    }

    /// Removes a unit's result that was added before.
    pub(super) fn remove(&mut self, unit: &WorkUnit, result: &UnitResult) {
        self.change(unit, result, false);
    }

    fn change(&mut self, unit: &WorkUnit, result: &UnitResult, add: bool) {
        let nodes = u128::from(result.nodes);
        let change = |number: &mut u128, by: u128| {
            *number = if add { *number + by } else { *number - by };
        };
        for &(mv, ways) in &unit.shares {
            let ways = u128::from(ways);
            let mv = &mut self.moves[usize::from(mv)];
            change(&mut mv.nodes, nodes * ways);
            change(&mut mv.games_done, ways);
            change(&mut self.nodes, nodes * ways);
            change(&mut self.games_done, ways);
        }
        let ways = u128::from(unit.multiplicity());
        for (sum, count) in self.categories_of(result) {
            change(sum, u128::from(count) * ways);
        }
        change(&mut self.visited, nodes);
        let seconds = result.micros as f64 / 1e6;
        if add {
            self.done += 1;
            self.thread_seconds += seconds;
        } else {
            self.done -= 1;
            self.thread_seconds -= seconds;
        }
    }

    /// Writes the status to a file for [`read`]. A reader sees either the old status or the new
    /// one.
    pub(super) fn publish(&self, path: &Path) -> Result<(), CheckpointError> {
        let text = serde_json::to_vec(self)?;
        OutputFile::at(path)?.write(&mut text.as_slice())?;
        Ok(())
    }

    /// The status of a job before it is split into units, so its split is 0.
    pub fn before_split(job: &Job) -> Self {
        Self { split: 0, ..Self::of_header(&Header::of_units(job, &[])) }
    }

    /// The status of a job of which nothing has been counted.
    pub(super) fn of_header(header: &Header) -> Self {
        let moves = header.moves.iter().map(|(_, text)| MoveStatus {
            mv: text.clone(),
            nodes: 0,
            games: 0,
            games_done: 0,
        });
        Self {
            root: header.job.root().fen().to_string(),
            castling: castling_text(header.job.root().castling_mode()).to_owned(),
            depth: header.job.depth(),
            split: header.split,
            units: header.units,
            done: 0,
            verified: 0,
            unverified: 0,
            disputes: Vec::new(),
            nodes: 0,
            by_category: header.job.is_by_category().then(CategorySums::default),
            visited: 0,
            games: header.games,
            games_done: 0,
            thread_seconds: 0.0,
            moves: moves.collect(),
            session: None,
            time: now(),
        }
    }
}

/// The file in which a run publishes its status.
pub(super) fn path_of(checkpoint: &Path) -> PathBuf {
    let mut name = checkpoint.as_os_str().to_owned();
    name.push(".status");
    name.into()
}

/// Removes the status of a run of this checkpoint. Only the process that has locked the checkpoint
/// may do that.
pub(super) fn remove(checkpoint: &Path) {
    let _ = fs::remove_file(path_of(checkpoint));
}

/// The status that a running process has written.
pub(super) fn read(path: &Path) -> Result<Status, CheckpointError> {
    let read = || Ok(serde_json::from_reader(BufReader::new(File::open(path)?))?);
    read().map_err(|source: io::Error| match source.kind() {
        // The process has just begun.
        io::ErrorKind::NotFound => CheckpointError::InUse,
        _ => CheckpointError::UnreadableStatus { path: path.into(), source },
    })
}

/// Seconds since 1970.
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// Leaf nodes in each category, in the order of [`Category::ALL`]. Checks include mates.
///
/// In JSON, an object with a property for each category.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct CategorySums(Box<[u128; Category::ALL.len()]>);

impl Serialize for CategorySums {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut counts = Category::ALL.map(|category| (category.key(), self.0[category as usize]));
        // In the order of the alphabet, as objects with categories are written everywhere.
        counts.sort_unstable();
        to.collect_map(counts.map(|(key, count)| (key, count.to_string())))
    }
}

impl<'a> Deserialize<'a> for CategorySums {
    fn deserialize<D: Deserializer<'a>>(from: D) -> Result<Self, D::Error> {
        let texts = HashMap::<String, String>::deserialize(from)?;
        let mut sums = Self::default();
        for (sum, category) in sums.0.iter_mut().zip(Category::ALL) {
            let text = texts.get(category.key());
            let text = text.ok_or_else(|| D::Error::missing_field(category.key()))?;
            *sum = text.parse().map_err(D::Error::custom)?;
        }
        Ok(sums)
    }
}

/// A property for each category.
#[cfg(feature = "schema")]
impl schemars::JsonSchema for CategorySums {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Categories".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let property = |category: Category| {
            let mut schema = generator.subschema_for::<decimal::Digits>();
            schema.insert("description".to_owned(), category.definition().into());
            (category.key().to_owned(), schema.to_value())
        };
        let properties: serde_json::Map<_, _> = Category::ALL.into_iter().map(property).collect();
        let required: Vec<_> = Category::ALL.into_iter().map(Category::key).collect();
        schemars::json_schema!({ "type": "object", "properties": properties, "required": required })
    }
}

/// Writes wide numbers as decimal digits.
mod decimal {
    /// The schema of such a number.
    #[cfg(feature = "schema")]
    #[derive(schemars::JsonSchema)]
    #[schemars(transparent, extend("pattern" = "^[0-9]+$"))]
    pub(super) struct Digits(#[expect(dead_code, reason = "only its schema is used")] String);

    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(number: &u128, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(number)
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<u128, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}
