//! Long runs: a count that is kept in a file and survives the end of the process, however it ends.
//!
//! # Units of work
//!
//! A [`Job`] (root and depth) is *split* after some plies into [`WorkUnit`]s: one for each position
//! that can be reached, however many move sequences lead to it. A unit has
//!
//! * a number, from 0, in the order of the file;
//! * a FEN;
//! * a depth: plies from there to the leaf nodes;
//! * shares: for each root move, the number of move sequences that begin with that move and lead to
//!   the position. Their sum is the unit's multiplicity.
//!
//! The result of a unit is the number of leaf nodes of its subtree, and in a job [by
//! category](Job::by_category) also the number in each category. The whole count is the sum of
//! results times multiplicities. The count under a root move is the sum of results times shares. So
//! any process that gets the unit can compute the result: see [`Checkpoint::unit`] and [`Ledger`],
//! which hands out the open tasks and records the results as they arrive.
//!
//! # What survives
//!
//! Results are written as they arrive, but at most [five times a second](RunOptions::write_every),
//! and each write is on the disk before the next one begins. If the process is killed, the power
//! fails or the disk is full, each worker loses the unit that it is counting, and the results of
//! the last fifth of a second are lost. These units are counted again, and the total stays right.
//! Results are added to a checkpoint and never changed. A result is only removed if a second count
//! contradicts it.
//!
//! One process at a time works on a checkpoint, and locks it. After each write, the run checks that
//! the path still leads to the file; if it was moved, replaced or removed, the run ends with
//! [`CheckpointError::Moved`]. A damaged file is an error when it is opened. Nothing is promised
//! about a file to which somebody else writes while it is open, as `cp` does.
//!
//! In the code, a result goes this way, from the threads to the disk:
//!
//! ```text
//! run.rs: Keeper::write ─▶ ledger.rs: Ledger::record, write ─▶ Store::write ─▶ Database::write
//! ```
//!
//! The keeper collects results until the next write, the ledger decides which of them are wanted, the
//! store makes rows of them, and the database writes the rows in one transaction.
//!
//! ```
//! use tabiya::Position;
//! use tabiya_runs::checkpoint::{Checkpoint, Job, RunOptions};
//!
//! let folder = tempfile::tempdir()?;
//! let file = folder.path().join("start-4.checkpoint");
//! let checkpoint = Checkpoint::open_or_create(&file, &Job::new(Position::START, 4)?, &())?;
//! let status = checkpoint.run(&RunOptions::default(), &())?;
//! assert_eq!(status.total(), Some(197_281));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod counters;
mod database;
mod error;
mod header;
mod job;
mod ledger;
pub(crate) mod place;
mod report;
mod result;
mod rows;
mod run;
mod status;
mod store;
#[cfg(test)]
mod tests;

pub use counters::{CountCategories, ReferenceCounter, UnitCounter};
pub use error::CheckpointError;
pub use header::{CATEGORY_FORMAT, FORMAT};
pub use job::{Job, WorkUnit};
pub use ledger::{Ledger, LedgerOptions, Task};
pub use report::StatusReport;
pub use result::{UnitCategories, UnitResult};
pub use run::RunOptions;
pub use status::{MoveStatus, Session, Status};

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use job::castling_text;
use place::Place;
use result::Difference;
use store::{Changes, Store};
use tabiya_perft::Watch;

/// A job that is kept in a file. While it is open, no other process can open it.
#[derive(Debug)]
pub struct Checkpoint {
    store: Store,
    place: Place,
}

impl Checkpoint {
    /// Opens the checkpoint of a job, or creates it if there is no such file.
    ///
    /// Splitting a deep job into units can take minutes. If the watch cancels it, nothing is left
    /// of the new file. If the process is killed, a file such as `FILE.a1B2c3.new` is left, which
    /// nothing needs.
    ///
    /// # Errors
    /// [`CheckpointError`] if the file cannot be created, has other contents, belongs to another
    /// job, or is read-only, in use or damaged, or [`CheckpointError::Cancelled`].
    pub fn open_or_create(
        path: &Path,
        job: &Job,
        watch: &dyn Watch,
    ) -> Result<Self, CheckpointError> {
        let (store, place) = match fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Store::create(path, job, watch)?
            }
            _ => Store::open(path, watch)?,
        };
        expect(&store, job)?;
        Ok(Self { store, place })
    }

    /// Opens the checkpoint of any job, and verifies everything in it.
    ///
    /// # Errors
    /// [`CheckpointError`] if the file does not exist, has other contents, or is in use or damaged.
    pub fn open(path: &Path) -> Result<Self, CheckpointError> {
        let (store, place) = Store::open(path, &())?;
        Ok(Self { store, place })
    }

    /// The job.
    pub fn job(&self) -> &Job {
        &self.store.header.job
    }

    /// Does the path still lead to the file that is open? It may have been moved, replaced or
    /// removed.
    pub fn is_kept(&self) -> bool {
        self.place.is_kept()
    }

    /// The number of units.
    pub fn units(&self) -> u64 {
        self.store.header.units
    }

    /// A unit by its number.
    ///
    /// # Errors
    /// [`CheckpointError::NoUnit`] if the job has no unit with this number.
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

    /// Writes results that were found elsewhere, all or none. They are on the disk when this
    /// returns. If a unit already has a result with equal counts, that result stays.
    ///
    /// # Errors
    /// [`CheckpointError::NoUnit`] for a number that the job does not have,
    /// [`CheckpointError::OtherKind`] for a result without the categories that the job needs, or
    /// with categories that it does not need, and [`CheckpointError::Disputed`] if a unit has a
    /// result with another count: then nothing is written.
    pub fn record_results(&self, results: &[(u64, UnitResult)]) -> Result<(), CheckpointError> {
        for (number, result) in results {
            let unit = self.unit(*number)?;
            self.store.expect_kind(*number, result)?;
            if let Some(known) = self.result(*number)?
                && let Some(difference) = known.difference(result)
            {
                return Err(disputed(*number, &unit, difference));
            }
        }
        let results = results.to_vec();
        self.store.write(&Changes { results, ..Changes::default() })
    }

    /// The progress of the job.
    ///
    /// # Errors
    /// [`CheckpointError`] if the file cannot be read.
    pub fn status(&self) -> Result<Status, CheckpointError> {
        self.store.status(|_| ())
    }

    /// The file in which a running count publishes its status, because the checkpoint is locked. It
    /// belongs to the run, which replaces whatever file is there, and removes it at the end.
    pub fn status_path(path: &Path) -> PathBuf {
        status::path_of(path)
    }
}

/// Returns an error unless this is the checkpoint of the job.
fn expect(store: &Store, job: &Job) -> Result<(), CheckpointError> {
    let header = &store.header;
    let expect_equal = |what, found: &dyn ToString, wanted: &dyn ToString| {
        let (found, wanted) = (found.to_string(), wanted.to_string());
        if found == wanted {
            Ok(())
        } else {
            Err(CheckpointError::OtherJob { what, found, wanted })
        }
    };
    let (found, wanted) = (header.job.root(), job.root());
    expect_equal(
        "castling notation",
        &castling_text(found.castling_mode()),
        &castling_text(wanted.castling_mode()),
    )?;
    expect_equal("root", &found.fen(), &wanted.fen())?;
    expect_equal("depth", &header.job.depth(), &job.depth())?;
    let kind = |job: &Job| if job.is_by_category() { "by category" } else { "of leaf nodes" };
    expect_equal("count", &kind(&header.job), &kind(job))?;
    match job.split() {
        Some(wanted) => expect_equal("split", &header.split, &wanted),
        None => Ok(()),
    }
}

fn disputed(number: u64, unit: &WorkUnit, difference: Difference) -> CheckpointError {
    let (fen, depth) = (unit.position.fen().to_string(), unit.depth);
    let Difference { category, first, second } = difference;
    CheckpointError::Disputed { unit: number, fen, depth, category, first, second }
}

fn too_large(number: u64, unit: &WorkUnit) -> CheckpointError {
    let fen = unit.position.fen().to_string();
    CheckpointError::UnitTooLarge { unit: number, fen, depth: unit.depth }
}

/// The progress of the job in a file, even while another process is working on it.
///
/// A process that works on a checkpoint locks it, so this reads the status that the process
/// publishes. Nothing is written, and the file may be read-only.
///
/// # Errors
/// [`CheckpointError`] if there is no such file or it cannot be read.
pub fn status_of(path: &Path) -> Result<Status, CheckpointError> {
    // The status is next to the file itself, also if the path is a symbolic link.
    let path = fs::canonicalize(path)?;
    match Store::copy_of(&path) {
        Ok(store) => store.status(|_| ()),
        Err(CheckpointError::InUse) => status::read(&status::path_of(&path)),
        Err(error) => Err(error),
    }
}

impl From<serde_json::Error> for CheckpointError {
    fn from(error: serde_json::Error) -> Self {
        Self::Io(io::Error::from(error))
    }
}
