//! Long runs: a count that is kept in a file and survives whatever ends the process.
//!
//! # Units of work
//!
//! A [`Job`] (root, depth) is cut after some half-moves, its *split*, into [`WorkUnit`]s: one for
//! each position that can be reached, however many games lead to it. A unit is known by
//!
//! * its number, from 0, in the order of the file;
//! * its FEN;
//! * its depth: half-moves from there to the leaves;
//! * its shares: for each move of the root, the number of games that begin with that move and
//!   lead to the position. Their sum is the unit's multiplicity.
//!
//! Its result is the number of leaves of its subtree, counted once. The whole count is the sum
//! of results times multiplicities; the count under a root move is the sum of results times
//! shares. So any process that gets the first four can hand in the fifth: see
//! [`Checkpoint::unit`] and [`Checkpoint::hand_in`].
//!
//! # What survives
//!
//! A worker begins its next unit when the result of the last one is on the disk. So whatever
//! happens (an end by force, a power cut, a full disk), at most the unit that each worker is
//! at is lost. Nothing is ever changed in a checkpoint but that results are added; only a result
//! that a second count contradicts is taken out again.
//!
//! ```
//! use tabiya::Position;
//! use tabiya_perft::checkpoint::{Checkpoint, Job, RunOptions};
//!
//! let folder = tempfile::tempdir()?;
//! let file = folder.path().join("start-4.checkpoint");
//! let checkpoint = Checkpoint::open_or_create(&file, &Job::new(Position::START, 4)?)?;
//! let status = checkpoint.run(&RunOptions::default(), &())?;
//! assert_eq!(status.total(), Some(197_281));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod job;
#[cfg(test)]
mod power_loss;
mod run;
mod status;
mod store;

pub use error::CheckpointError;
pub use job::{Job, WorkUnit};
pub use run::{Counter, RunOptions, Walk};
pub use status::{MoveStatus, Status};
pub use store::UnitResult;

use std::io;
use std::path::{Path, PathBuf};

use job::mode_text;
use store::Store;

/// The version of the file's format.
pub const FORMAT: u32 = 1;

/// A job that is kept in a file. As long as it is open, no other process can open it.
#[derive(Debug)]
pub struct Checkpoint {
    store: Store,
    path: PathBuf,
}

impl Checkpoint {
    /// Opens the checkpoint of a job, or begins one if there is no such file.
    ///
    /// # Errors
    /// [`CheckpointError`] if the file is something else, of another job, in use, or damaged.
    pub fn open_or_create(path: &Path, job: &Job) -> Result<Self, CheckpointError> {
        if path.try_exists()? {
            let checkpoint = Self::open(path)?;
            checkpoint.expect(job)?;
            Ok(checkpoint)
        } else {
            Ok(Self { store: Store::create(path, job)?, path: path.to_owned() })
        }
    }

    /// Opens a checkpoint, of whatever job, and verifies everything in it.
    ///
    /// # Errors
    /// [`CheckpointError`] if the file does not exist, is something else, in use, or damaged.
    pub fn open(path: &Path) -> Result<Self, CheckpointError> {
        Ok(Self { store: Store::open(path)?, path: path.to_owned() })
    }

    /// The job.
    pub fn job(&self) -> &Job {
        &self.store.header.job
    }

    /// How many units there are.
    pub fn units(&self) -> u64 {
        self.store.header.units
    }

    /// A unit by its number.
    ///
    /// # Errors
    /// [`CheckpointError::NoUnit`] if there is none with this number.
    pub fn unit(&self, unit: u64) -> Result<WorkUnit, CheckpointError> {
        self.store.unit(unit)
    }

    /// The result of a unit, if it has been counted.
    ///
    /// # Errors
    /// [`CheckpointError`] if the file cannot be read.
    pub fn result(&self, unit: u64) -> Result<Option<UnitResult>, CheckpointError> {
        self.store.result(unit)
    }

    /// Writes results down that were found elsewhere, all or none. They are on the disk when
    /// this returns. A unit that has a result already keeps it, if the two are equal.
    ///
    /// # Errors
    /// [`CheckpointError::NoUnit`] for a number that the job does not have,
    /// [`CheckpointError::Disputed`] if a unit has a different result: the new one is then not
    /// taken.
    pub fn hand_in(&self, results: &[(u64, UnitResult)]) -> Result<(), CheckpointError> {
        for (number, result) in results {
            let unit = self.unit(*number)?;
            if let Some(known) = self.result(*number)?
                && known.nodes != result.nodes
            {
                return Err(disputed(*number, &unit, known.nodes, result.nodes));
            }
        }
        self.store.write(results)
    }

    /// How far the job has come.
    ///
    /// # Errors
    /// [`CheckpointError`] if the file cannot be read.
    pub fn status(&self) -> Result<Status, CheckpointError> {
        status::of(&self.store)
    }

    /// Where a running count tells how far it has come: beside the checkpoint, which it keeps
    /// locked.
    pub fn status_path(path: &Path) -> PathBuf {
        let mut name = path.as_os_str().to_owned();
        name.push(".status");
        name.into()
    }

    fn expect(&self, job: &Job) -> Result<(), CheckpointError> {
        let header = &self.store.header;
        let other = |what, found: &dyn ToString, wanted: &dyn ToString| {
            let (found, wanted) = (found.to_string(), wanted.to_string());
            if found == wanted {
                Ok(())
            } else {
                Err(CheckpointError::OtherJob { what, found, wanted })
            }
        };
        let (found, wanted) = (header.job.root(), job.root());
        other("way of castling", &mode_text(found.mode()), &mode_text(wanted.mode()))?;
        other("root", &found.fen(), &wanted.fen())?;
        other("depth", &header.job.depth(), &job.depth())?;
        match job.split() {
            Some(wanted) => other("split", &header.split, &wanted),
            None => Ok(()),
        }
    }
}

fn disputed(number: u64, unit: &WorkUnit, first: u64, second: u64) -> CheckpointError {
    let (fen, depth) = (unit.position.fen().to_string(), unit.depth);
    CheckpointError::Disputed { unit: number, fen, depth, first, second }
}

/// How far the job in a file has come, also while another process is at work on it.
///
/// The file is locked then; what its process tells beside it is read instead.
///
/// # Errors
/// [`CheckpointError`] if there is no such file or it cannot be read.
pub fn status_of(path: &Path) -> Result<Status, CheckpointError> {
    match Checkpoint::open(path) {
        Ok(checkpoint) => checkpoint.status(),
        Err(CheckpointError::InUse) => status::read(&Checkpoint::status_path(path)),
        Err(error) => Err(error),
    }
}

impl From<serde_json::Error> for CheckpointError {
    fn from(error: serde_json::Error) -> Self {
        Self::Io(io::Error::from(error))
    }
}
