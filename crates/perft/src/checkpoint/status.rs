//! How far a job has come.

use std::fs;
use std::io;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::job::mode_text;
use super::store::Store;
use super::{CheckpointError, UnitResult, WorkUnit};

/// How far a job has come.
///
/// In JSON, counts are texts of decimal digits, since they may have more than 53 bits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Status {
    /// The FEN of the root.
    #[serde(rename = "fen")]
    pub root: String,
    /// How castling is written: `standard` or `chess960`.
    pub castling: String,
    /// Half-moves from the root to the leaves.
    pub depth: u32,
    /// Half-moves from the root to the units.
    pub split: u32,
    /// How many units there are.
    pub units: u64,
    /// How many of them have been counted.
    pub done: u64,
    /// How many have been counted a second time.
    pub verified: u64,
    /// Each unit that was counted differently the second time; it is counted again.
    pub disputes: Vec<String>,
    /// Leaves found so far, of all games.
    #[serde(with = "decimal")]
    pub nodes: u128,
    /// Leaves that really were visited: those of a unit only once.
    #[serde(with = "decimal")]
    pub visited: u128,
    /// Games from the root to the units.
    #[serde(with = "decimal")]
    pub games: u128,
    /// How many of them lead to units that have been counted.
    #[serde(with = "decimal")]
    pub games_done: u128,
    /// The time that all threads together have spent on what is done, in seconds.
    pub thread_seconds: f64,
    /// Each root move.
    pub moves: Vec<MoveStatus>,
    /// The process that is at work, if any.
    pub running: Option<Running>,
    /// When this was so, in seconds since 1970.
    pub time: u64,
}

/// How far a job has come under one move of the root.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveStatus {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Leaves found so far.
    #[serde(with = "decimal")]
    pub nodes: u128,
    /// Games that begin with it and lead to units.
    #[serde(with = "decimal")]
    pub games: u128,
    /// How many of them lead to units that have been counted.
    #[serde(with = "decimal")]
    pub games_done: u128,
}

/// The process at work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Running {
    /// Its number.
    pub process: u32,
    /// Its threads.
    pub threads: usize,
    /// For how long it has been at work, in seconds.
    pub seconds: f64,
    /// Units that it has counted.
    pub units: u64,
    /// Leaves that it has visited.
    #[serde(with = "decimal")]
    pub visited: u128,
}

impl Status {
    /// Has everything been counted?
    pub fn is_complete(&self) -> bool {
        self.done == self.units
    }

    /// The whole count, if it is known.
    pub fn total(&self) -> Option<u128> {
        self.is_complete().then_some(self.nodes)
    }

    /// What the whole count would be if the rest is like what has been done.
    pub fn projected(&self) -> Option<f64> {
        let share = self.games_done as f64 / self.games as f64;
        (self.games_done > 0).then(|| self.nodes as f64 / share)
    }

    /// Leaves visited a second by the process at work.
    pub fn rate(&self) -> Option<f64> {
        let running = self.running.as_ref().filter(|running| running.seconds > 0.0)?;
        Some(running.visited as f64 / running.seconds)
    }

    /// How long the process at work still needs, in seconds, if the rest is like what it has
    /// done.
    pub fn seconds_left(&self) -> Option<f64> {
        let running = self.running.as_ref().filter(|running| running.units > 0)?;
        Some((self.units - self.done) as f64 * running.seconds / running.units as f64)
    }

    /// How long all threads together still need, in seconds, if the rest is like what has been
    /// done.
    pub fn thread_seconds_left(&self) -> Option<f64> {
        (self.done > 0)
            .then(|| (self.units - self.done) as f64 * self.thread_seconds / self.done as f64)
    }

    /// Takes in a unit's result.
    pub(super) fn add(&mut self, unit: &WorkUnit, result: &UnitResult) {
        self.count(unit, result, true);
    }

    /// Takes a unit's result out again.
    pub(super) fn remove(&mut self, unit: &WorkUnit, result: &UnitResult) {
        self.count(unit, result, false);
    }

    fn count(&mut self, unit: &WorkUnit, result: &UnitResult, add: bool) {
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

    /// Writes this where [`read`] finds it; readers see the old text or the new one, nothing in
    /// between.
    pub(super) fn publish(&self, path: &Path) -> Result<(), CheckpointError> {
        let mut new = path.as_os_str().to_owned();
        new.push(".new");
        fs::write(&new, serde_json::to_vec(self)?)?;
        Ok(fs::rename(&new, path)?)
    }
}

/// The status that the file itself gives.
pub(super) fn of(store: &Store) -> Result<Status, CheckpointError> {
    let header = &store.header;
    let moves = header.moves.iter().map(|(_, text)| MoveStatus {
        mv: text.clone(),
        nodes: 0,
        games: 0,
        games_done: 0,
    });
    let mut status = Status {
        root: header.job.root().fen().to_string(),
        castling: mode_text(header.job.root().mode()).to_owned(),
        depth: header.job.depth(),
        split: header.split,
        units: header.units,
        done: 0,
        verified: 0,
        disputes: store.disputes()?,
        nodes: 0,
        visited: 0,
        games: header.games,
        games_done: 0,
        thread_seconds: 0.0,
        moves: moves.collect(),
        running: None,
        time: now(),
    };
    store.each_unit(|_, unit, result, check| {
        for &(mv, ways) in &unit.shares {
            status.moves[usize::from(mv)].games += u128::from(ways);
        }
        if let Some(result) = &result {
            status.add(&unit, result);
        }
        status.verified += u64::from(check.is_some());
        Ok(())
    })?;
    Ok(status)
}

/// The status that a process at work has published.
pub(super) fn read(path: &Path) -> Result<Status, CheckpointError> {
    match fs::read(path) {
        Ok(text) => Ok(serde_json::from_slice(&text)?),
        // It has only just begun.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(CheckpointError::InUse),
        Err(error) => Err(error.into()),
    }
}

/// Seconds since 1970.
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// Wide numbers as decimal digits.
mod decimal {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(number: &u128, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(number)
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<u128, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}
