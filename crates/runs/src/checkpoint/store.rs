//! Creating, opening and changing the file.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use redb::TableHandle;

use super::database::{Database, RowChanges, Snapshot};
use super::error::CheckpointError;
use super::header::Header;
use super::job::{Job, WorkUnit};
use super::place::Place;
use super::result::{Difference, UnitResult};
use super::rows::{CHECKS, RESULTS, ResultRow, UnitRow};
use super::status::{self, Status};
use crate::output_file::{folder_of, new_file, reason, refuse_folder, refuse_read_only};
use tabiya_perft::Watch;

/// The first bytes of a database.
const MAGIC: [u8; 9] = *b"redb\x1a\x0a\xa9\x0d\x0a";

/// An open checkpoint.
#[derive(Debug)]
pub(super) struct Store {
    database: Database,
    pub(super) header: Header,
}

/// A unit with its first and second result.
pub(super) struct UnitWithResults {
    pub(super) number: u64,
    pub(super) unit: WorkUnit,
    pub(super) result: Option<UnitResult>,
    pub(super) check: Option<UnitResult>,
}

/// Changes to the results.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// First results of units.
    pub(super) results: Vec<(u64, UnitResult)>,
    /// Second results of units, which are equal to the first.
    pub(super) checks: Vec<(u64, UnitResult)>,
    /// Units with two results that differ.
    pub(super) disputes: Vec<(u64, UnitResult, UnitResult)>,
}

impl Store {
    /// Creates the file of a new job.
    ///
    /// The file gets its name only when everything is on the disk, so a file with that name is
    /// complete. Until then it has a name such as `FILE.a1B2c3.new`. If the process is killed
    /// meanwhile, that file remains. Nothing needs it.
    pub(super) fn create(
        path: &Path,
        job: &Job,
        watch: &dyn Watch,
    ) -> Result<(Self, Place), CheckpointError> {
        let (database, place) =
            Self::create_file(path, job, watch).map_err(CheckpointError::in_creation)?;
        Ok((Self::read(database, watch)?, place))
    }

    fn create_file(
        path: &Path,
        job: &Job,
        watch: &dyn Watch,
    ) -> Result<(Database, Place), CheckpointError> {
        let mut prefix = path.file_name().unwrap_or_default().to_owned();
        prefix.push(".");
        let new = new_file().prefix(&prefix).suffix(".new").tempfile_in(folder_of(path));
        // The file is removed if anything fails.
        let (file, new) = new.map_err(|error| reason(&error))?.into_parts();
        locked(file.try_lock())?;
        let place = Place::of(path, &file)?;
        unlock_on_windows(&file)?;
        let database = Database::in_file(file)?;
        write_job(&database, job, watch)?;
        // Writing a job may have taken minutes.
        if path.try_exists()? {
            let text = "another file was given this name meanwhile; the same command opens it";
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, text).into());
        }
        new.persist(path).map_err(|failed| failed.error)?;
        status::remove(path);
        sync_directory_of(path)?;
        Ok((database, place))
    }

    /// Opens an existing file and verifies everything in it. Other files are stored next to the file
    /// itself, also if the path is a symbolic link.
    pub(super) fn open(path: &Path, watch: &dyn Watch) -> Result<(Self, Place), CheckpointError> {
        let path = &fs::canonicalize(path)?;
        expect_database(path)?;
        refuse_read_only(&fs::metadata(path)?)?;
        let file = File::options().read(true).write(true).open(path)?;
        lock(&file)?;
        let place = Place::of(path, &file)?;
        status::remove(path);
        unlock_on_windows(&file)?;
        Ok((Self::read(Database::in_file(file)?, watch)?, place))
    }

    /// Reads a copy of an existing file, and verifies everything in it. The file may be read-only.
    pub(super) fn copy_of(path: &Path) -> Result<Self, CheckpointError> {
        expect_database(path)?;
        let mut file = File::open(path)?;
        locked(file.try_lock_shared())?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        drop(file);
        Self::read(Database::in_memory(bytes)?, &())
    }

    /// Creates or opens a checkpoint in storage other than a file.
    #[cfg(test)]
    pub(super) fn on(
        storage: impl redb::StorageBackend,
        job: Option<&Job>,
    ) -> Result<Self, CheckpointError> {
        let database = Database::on(storage)?;
        if let Some(job) = job {
            write_job(&database, job, &())?;
        }
        Self::read(database, &())
    }

    fn read(database: Database, watch: &dyn Watch) -> Result<Self, CheckpointError> {
        let fields = database.job_fields()?.ok_or(CheckpointError::Foreign)?;
        let header = Header::of_fields(&fields)?;
        let store = Self { database, header };
        store.verify_rows(watch)?;
        Ok(store)
    }

    /// Reads every row, so that damage is found at once.
    fn verify_rows(&self, watch: &dyn Watch) -> Result<(), CheckpointError> {
        let snapshot = self.database.snapshot()?;
        let (found, wanted) = (snapshot.units()?, self.header.units);
        if found != wanted {
            let how = format!("it has {found} units instead of {wanted}");
            return Err(CheckpointError::Damaged(how));
        }
        for (name, last) in ["results", "checks"].into_iter().zip(snapshot.last_results()?) {
            if let Some(number) = last.filter(|&number| number >= wanted) {
                let how = format!("its {name} mention unit {number}, which does not exist");
                return Err(CheckpointError::Damaged(how));
            }
        }
        let (mut expected, mut games) = (0, 0);
        self.each_in(&snapshot, watch, |row| {
            if row.number != expected {
                return Err(CheckpointError::Damaged(format!("unit {expected} is missing")));
            }
            expected += 1;
            games += u128::from(row.unit.multiplicity());
            Ok(())
        })?;
        if games != self.header.games {
            let how = "the multiplicities of its units have the wrong sum".to_owned();
            return Err(CheckpointError::Damaged(how));
        }
        Ok(())
    }

    /// The progress of the job. Calls a function with each unit on the way.
    pub(super) fn status(
        &self,
        mut see: impl FnMut(UnitWithResults),
    ) -> Result<Status, CheckpointError> {
        let mut status = Status::of_header(&self.header);
        status.disputes = self.disputes()?;
        self.each_in(&self.database.snapshot()?, &(), |row| {
            status.add_unit(&row.unit);
            if let Some(result) = &row.result {
                status.add(&row.unit, result)?;
            }
            status.verified += u64::from(row.check.is_some());
            see(row);
            Ok(())
        })?;
        Ok(status)
    }

    fn each_in(
        &self,
        snapshot: &Snapshot,
        watch: &dyn Watch,
        mut see: impl FnMut(UnitWithResults) -> Result<(), CheckpointError>,
    ) -> Result<(), CheckpointError> {
        let mut next = 0;
        loop {
            if watch.is_cancelled() {
                return Err(CheckpointError::Cancelled);
            }
            let rows = snapshot.rows(next)?;
            let Some(last) = rows.last() else { return Ok(()) };
            next = last.number.saturating_add(1);
            for row in rows {
                let number = row.number;
                see(UnitWithResults {
                    number,
                    unit: self.unit_of(number, &row.unit)?,
                    result: self.result_of(row.result, RESULTS.name(), number)?,
                    check: self.result_of(row.check, CHECKS.name(), number)?,
                })?;
            }
        }
    }

    /// A unit by its number.
    pub(super) fn unit(&self, number: u64) -> Result<WorkUnit, CheckpointError> {
        let row = self.database.snapshot()?.unit(number)?;
        self.unit_of(number, &row.ok_or(CheckpointError::NoUnit(number))?)
    }

    fn unit_of(&self, number: u64, row: &UnitRow) -> Result<WorkUnit, CheckpointError> {
        let Header { job, split, moves, .. } = &self.header;
        row.unit(number, job.depth() - split, job.root().castling_mode(), moves)
    }

    /// The first result of a unit.
    pub(super) fn result(&self, number: u64) -> Result<Option<UnitResult>, CheckpointError> {
        self.result_of(self.database.snapshot()?.result(number)?, RESULTS.name(), number)
    }

    fn result_of(
        &self,
        row: Option<ResultRow>,
        table: &str,
        number: u64,
    ) -> Result<Option<UnitResult>, CheckpointError> {
        let by_category = self.header.job.is_by_category();
        row.map(|row| row.result(table, number, by_category)).transpose()
    }

    /// The evidence of units that were counted twice with different results.
    pub(super) fn disputes(&self) -> Result<Vec<String>, CheckpointError> {
        Ok(self.database.snapshot()?.disputes()?)
    }

    /// Checks that a result has categories exactly if the job needs them.
    ///
    /// # Errors
    /// [`CheckpointError::OtherKind`] if it does not.
    pub(super) fn expect_kind(
        &self,
        unit: u64,
        result: &UnitResult,
    ) -> Result<(), CheckpointError> {
        let by_category = self.header.job.is_by_category();
        if result.categories.is_some() == by_category {
            Ok(())
        } else {
            Err(CheckpointError::OtherKind { unit, by_category })
        }
    }

    /// Changes results, all or none. The changes are on the disk when this returns.
    ///
    /// A unit that already has a first result keeps it. All results must be [of the
    /// kind](Self::expect_kind) of the job.
    pub(super) fn write(&self, changes: &Changes) -> Result<(), CheckpointError> {
        Ok(self.database.write(&RowChanges {
            results: result_rows(RESULTS.name(), &changes.results),
            checks: result_rows(CHECKS.name(), &changes.checks),
            disputes: changes.disputes.iter().map(evidence).collect(),
        })?)
    }
}

/// Writes the two results of a unit as text that names the counters.
fn evidence((number, first, second): &(u64, UnitResult, UnitResult)) -> (u64, String) {
    let mut text = format!("unit {number}: ");
    let Some(Difference { category, first: ours, second: theirs }) = first.difference(second)
    else {
        return (*number, text + "no difference");
    };
    if let Some(category) = category {
        text += category.key();
        text.push(' ');
    }
    text += &format!("{ours} by {}, {theirs} by {}", first.counter, second.counter);
    (*number, text)
}

fn result_rows(table: &str, results: &[(u64, UnitResult)]) -> Vec<(u64, ResultRow)> {
    let row =
        |(number, result): &(u64, UnitResult)| (*number, ResultRow::new(table, *number, result));
    results.iter().map(row).collect()
}

/// Splits a job into units and writes both into a new database.
fn write_job(database: &Database, job: &Job, watch: &dyn Watch) -> Result<(), CheckpointError> {
    let units = job.units(watch)?;
    let header = Header::of_units(job, &units);
    let rows =
        units.iter().zip(0..).map(|(unit, number)| UnitRow::new(number, unit, &header.moves));
    match database.write_job(&header.fields(), rows, watch)? {
        true => Ok(()),
        false => Err(CheckpointError::Cancelled),
    }
}

/// Returns an error unless the file begins like a database.
fn expect_database(path: &Path) -> Result<(), CheckpointError> {
    let found = fs::metadata(path)?;
    refuse_folder(&found)?;
    // Opening a pipe would wait for a writer.
    if found.is_file() && start_of(path)? == MAGIC {
        return Ok(());
    }
    Err(CheckpointError::Foreign)
}

/// The first bytes of a file.
fn start_of(path: &Path) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    File::open(path)?.take(MAGIC.len() as u64).read_to_end(&mut start)?;
    Ok(start)
}

/// Locks a file. `tabiya status` locks it while it copies the file, so this waits a moment.
fn lock(file: &File) -> Result<(), CheckpointError> {
    const MOST: Duration = Duration::from_secs(1);
    let begin = Instant::now();
    loop {
        match locked(file.try_lock()) {
            Err(CheckpointError::InUse) if begin.elapsed() < MOST => {
                thread::sleep(Duration::from_millis(20));
            }
            outcome => return outcome,
        }
    }
}

/// The outcome of an attempt to lock a file. If it fails, another process uses the file.
fn locked(outcome: Result<(), TryLockError>) -> Result<(), CheckpointError> {
    match outcome {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(CheckpointError::InUse),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

/// Unlocks a file for the database, which locks it too: Windows refuses a second lock.
fn unlock_on_windows(file: &File) -> io::Result<()> {
    if cfg!(windows) { file.unlock() } else { Ok(()) }
}

/// Makes sure that the new name of a file survives a power loss.
fn sync_directory_of(path: &Path) -> io::Result<()> {
    if cfg!(unix) {
        return File::open(folder_of(path))?.sync_all().or_else(unless_impossible);
    }
    Ok(())
}

/// Ignores the error of a file system whose folders cannot be synced.
fn unless_impossible(error: io::Error) -> io::Result<()> {
    match error.kind() {
        io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported => Ok(()),
        _ => Err(error),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_cannot_be_synced_is_no_error() {
        const EIO: i32 = 5;
        const EINVAL: i32 = 22;
        for (code, is_ignored) in [(EINVAL, true), (EIO, false)] {
            let end = unless_impossible(io::Error::from_raw_os_error(code));
            assert_eq!(end.is_ok(), is_ignored, "{end:?}");
        }
    }
}
