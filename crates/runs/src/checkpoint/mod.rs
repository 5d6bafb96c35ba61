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
mod format;
mod job;
mod ledger;
pub(crate) mod place;
#[cfg(test)]
mod power_loss;
mod read_only;
mod refusing;
mod report;
mod result;
mod rows;
mod run;
mod status;
mod store;

pub use counters::{CountCategories, ReferenceCounter, UnitCounter};
pub use database::panic_is_caught;
pub use error::CheckpointError;
pub use format::{CATEGORY_FORMAT, FORMAT};
pub use job::{Job, WorkUnit};
pub use ledger::{Ledger, LedgerOptions, Task};
pub use report::StatusReport;
pub use result::{UnitCategories, UnitResult};
pub use run::RunOptions;
pub use status::{MoveStatus, Session, Status};

use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::output_file::follow_links;
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
    /// of the new file.
    ///
    /// A symbolic link is followed, even if its target does not exist yet.
    ///
    /// # Errors
    /// [`CheckpointError`] if the file cannot be created, has other contents, belongs to another
    /// job, or is read-only, in use or damaged, or [`CheckpointError::Cancelled`].
    pub fn open_or_create(
        path: &Path,
        job: &Job,
        watch: &dyn Watch,
    ) -> Result<Self, CheckpointError> {
        let path = file_at(path)?;
        let (store, place) = if path.try_exists()? {
            let (store, place) = open_when_read(&path, watch)?;
            expect(&store, job)?;
            (store, place)
        } else {
            Store::create(&path, job, watch)?
        };
        Ok(Self::at(place, store))
    }

    /// Opens the checkpoint of any job, and verifies everything in it.
    ///
    /// # Errors
    /// [`CheckpointError`] if the file does not exist, has other contents, or is in use or damaged.
    pub fn open(path: &Path) -> Result<Self, CheckpointError> {
        let (store, place) = Store::open(&file_at(path)?, &())?;
        Ok(Self::at(place, store))
    }

    fn at(place: Place, store: Store) -> Self {
        place.note_write();
        Self { store, place }
    }

    /// The job.
    pub fn job(&self) -> &Job {
        &self.store.header.job
    }

    /// Is the file at the path still the one that is open, as this process has left it? It may have
    /// been moved, replaced, overwritten or removed.
    pub fn is_kept(&self) -> bool {
        self.place.is_kept() && !self.is_overwritten()
    }

    fn is_overwritten(&self) -> bool {
        self.store.is_abandoned() || self.place.is_overwritten()
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
    /// with categories that it does not need, [`CheckpointError::Disputed`] if a unit has a result
    /// with another count, and [`CheckpointError::Moved`] if somebody has overwritten the file: then
    /// nothing is written.
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
        let changes = Changes { results, ..Changes::default() };
        self.write(&changes, || self.status().map_or(0, |status| status.done))
    }

    /// Writes to the file, unless somebody has overwritten it. `done` is the number of units that
    /// had a result.
    fn write(&self, changes: &Changes, done: impl FnOnce() -> u64) -> Result<(), CheckpointError> {
        let mut written = Ok(());
        if !self.is_overwritten() {
            written = self.store.write(changes);
            // A write that fails may have changed the file as well.
            self.place.note_write();
        }
        if self.is_overwritten() {
            return Err(CheckpointError::Moved { done: done(), units: self.units() });
        }
        written
    }

    /// The progress of the job.
    ///
    /// # Errors
    /// [`CheckpointError`] if the file cannot be read.
    pub fn status(&self) -> Result<Status, CheckpointError> {
        status::of(&self.store, |_| ())
    }

    /// The file in which a running count publishes its status, because the checkpoint is locked.
    /// The path must not be a symbolic link. A file that no run has written is not replaced or
    /// removed, unless it is empty.
    pub fn status_path(path: &Path) -> PathBuf {
        let mut name = path.as_os_str().to_owned();
        name.push(".status");
        name.into()
    }
}

/// Opens a file, after waiting for those who only read it: a file is locked while its status is read,
/// which takes seconds if it is large. A run, which takes longer, publishes its status again and
/// again; a run that was killed leaves one that does not change.
fn open_when_read(path: &Path, watch: &dyn Watch) -> Result<(Store, Place), CheckpointError> {
    const MOST: Duration = Duration::from_secs(3);
    let published = || status::read(&Checkpoint::status_path(path)).ok().map(|status| status.time);
    let (begin, first) = (Instant::now(), published());
    let is_run = || published().is_some_and(|time| first != Some(time));
    loop {
        match Store::open(path, watch) {
            Err(CheckpointError::InUse) if watch.is_cancelled() => {
                return Err(CheckpointError::Cancelled);
            }
            Err(CheckpointError::InUse) if begin.elapsed() < MOST && !is_run() => {
                thread::sleep(Duration::from_millis(50));
            }
            opened => return opened,
        }
    }
}

/// Leaves a file alone that somebody has overwritten: the store would write when it is closed.
impl Drop for Checkpoint {
    fn drop(&mut self) {
        if self.place.is_overwritten() {
            self.store.abandon();
        }
    }
}

/// Returns an error unless this is the checkpoint of the job.
fn expect(store: &Store, job: &Job) -> Result<(), CheckpointError> {
    let header = &store.header;
    let expect = |what, found: &dyn ToString, wanted: &dyn ToString| {
        let (found, wanted) = (found.to_string(), wanted.to_string());
        if found == wanted {
            Ok(())
        } else {
            Err(CheckpointError::OtherJob { what, found, wanted })
        }
    };
    let (found, wanted) = (header.job.root(), job.root());
    expect(
        "castling notation",
        &castling_text(found.castling_mode()),
        &castling_text(wanted.castling_mode()),
    )?;
    expect("root", &found.fen(), &wanted.fen())?;
    expect("depth", &header.job.depth(), &job.depth())?;
    let kind = |job: &Job| if job.is_by_category() { "by category" } else { "of leaf nodes" };
    expect("count", &kind(&header.job), &kind(job))?;
    match job.split() {
        Some(wanted) => expect("split", &header.split, &wanted),
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
    let path = file_at(path)?;
    match Store::open_to_read(&path) {
        Ok(store) => status::of(&store, |_| ()),
        Err(CheckpointError::InUse) => status::read(&Checkpoint::status_path(&path)),
        Err(error) => Err(error),
    }
}

/// The path without symbolic links. Other files are stored next to the file itself, where processes
/// that use another path must find them.
fn file_at(path: &Path) -> Result<PathBuf, CheckpointError> {
    follow_links(path)?.ok_or(CheckpointError::Foreign)
}

impl From<serde_json::Error> for CheckpointError {
    fn from(error: serde_json::Error) -> Self {
        Self::Io(io::Error::from(error))
    }
}
