//! Creating, opening and changing the file.

use std::collections::HashMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read};
use std::path::Path;

use redb::TableHandle;
use redb::backends::FileBackend;
use tabiya::{CastlingMode, Move};
use tempfile::TempPath;

use super::database::{Database, RowChanges, Snapshot};
use super::error::CheckpointError;
use super::format::{CATEGORY_FORMAT, FORMAT};
use super::job::{Job, WorkUnit};
use super::job::{castling_text, position_of};
use super::place::Place;
use super::result::Difference;
use super::result::UnitResult;
use super::rows::{CHECKS, FIELDS, RESULTS, ResultRow, UnitRow};
use super::status;
use crate::output_file::{refuse_folder, refuse_read_only};
use tabiya_perft::Watch;

/// The first bytes of a database.
const MAGIC: [u8; 9] = *b"redb\x1a\x0a\xa9\x0d\x0a";

/// An open checkpoint.
#[derive(Debug)]
pub(super) struct Store {
    database: Database,
    pub(super) header: Header,
}

/// The job according to the file.
#[derive(Clone, Debug)]
pub(super) struct Header {
    pub(super) job: Job,
    /// Plies from the root to the units.
    pub(super) split: u32,
    /// The root's moves as moves and as text.
    pub(super) moves: Vec<(Move, String)>,
    /// The number of units.
    pub(super) units: u64,
    /// The number of move sequences that lead to the units.
    pub(super) games: u128,
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
    /// Creates the file of a new job. A file that others have put at the path meanwhile stays.
    ///
    /// The file gets its name only when everything is on the disk, so a file with that name is
    /// complete. Until then, the name ends with `.new`. If the process is killed, that file stays,
    /// and the next attempt overwrites it. A file with results stays: it is a checkpoint that was
    /// given this name.
    pub(super) fn create(
        path: &Path,
        job: &Job,
        watch: &dyn Watch,
    ) -> Result<(Self, Place), CheckpointError> {
        if path.as_os_str().is_empty() {
            let empty = io::Error::new(io::ErrorKind::InvalidInput, "its name is empty");
            return Err(CheckpointError::Create(empty));
        }
        let mut new = path.as_os_str().to_owned();
        new.push(".new");
        let new = Path::new(&new);
        expect_remains(new)?;
        let file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(new)
            .map_err(CheckpointError::Create)?;
        lock(&file).map_err(CheckpointError::in_creation)?;
        let place = Place::of(path, &file).map_err(CheckpointError::Create)?;
        // If anything fails after this, the file is removed once the database is closed. It
        // contains nothing of value.
        let new = TempPath::try_from_path(new).map_err(CheckpointError::Create)?;
        if path.exists() {
            // Another process has just created the checkpoint.
            return Err(CheckpointError::InUse);
        }
        let database = Self::fill(file, job, watch).map_err(CheckpointError::in_creation)?;
        rename_to_free(new, path).map_err(CheckpointError::Create)?;
        status::remove(path);
        sync_directory_of(path).map_err(CheckpointError::Create)?;
        Ok((Self::read(database, watch)?, place))
    }

    /// Writes a new job into a locked file.
    fn fill(file: File, job: &Job, watch: &dyn Watch) -> Result<Database, CheckpointError> {
        // An earlier attempt may have been killed and left data.
        file.set_len(0)?;
        unlock_for_database(&file)?;
        let backend = FileBackend::new(file).map_err(redb::Error::from)?;
        let database = Database::create(backend)?;
        write_job(&database, job, watch)?;
        Ok(database)
    }

    /// Opens an existing file and verifies everything in it.
    pub(super) fn open(path: &Path, watch: &dyn Watch) -> Result<(Self, Place), CheckpointError> {
        expect_database(path)?;
        refuse_read_only(&fs::metadata(path)?)?;
        let file = File::options().read(true).write(true).open(path)?;
        lock(&file)?;
        let place = Place::of(path, &file)?;
        // A database without contents would be created anew.
        if file.metadata()?.len() == 0 {
            return Err(CheckpointError::Foreign);
        }
        status::remove(path);
        unlock_for_database(&file)?;
        Ok((Self::read(Database::open(file)?, watch)?, place))
    }

    /// Opens an existing file for reading and verifies everything in it, without changing the file.
    pub(super) fn open_to_read(path: &Path) -> Result<Self, CheckpointError> {
        expect_database(path)?;
        Self::read(Database::open_to_read(path)?, &())
    }

    /// Creates or opens a checkpoint in storage other than a file.
    #[cfg(test)]
    pub(super) fn on(
        backend: impl redb::StorageBackend,
        job: Option<&Job>,
    ) -> Result<Self, CheckpointError> {
        let database = Database::create(backend)?;
        if let Some(job) = job {
            write_job(&database, job, &())?;
        }
        Self::read(database, &())
    }

    fn read(database: Database, watch: &dyn Watch) -> Result<Self, CheckpointError> {
        let header = Header::of_fields(&database.job_fields()?)?;
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

    /// Calls a function with each unit, in the order of their numbers.
    pub(super) fn each_unit(
        &self,
        mut see: impl FnMut(UnitWithResults),
    ) -> Result<(), CheckpointError> {
        self.each_in(&self.database.snapshot()?, &(), |row| {
            see(row);
            Ok(())
        })
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
        self.database.snapshot()?.disputes()
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
        self.database.write(&RowChanges {
            results: result_rows(RESULTS.name(), &changes.results),
            checks: result_rows(CHECKS.name(), &changes.checks),
            disputes: changes.disputes.iter().map(evidence).collect(),
        })
    }

    /// Makes sure that nothing is written from now on, not even when the file is closed.
    pub(super) fn abandon(&self) {
        self.database.abandon();
    }

    /// Is nothing written any more, because somebody else has written to the file?
    pub(super) fn is_abandoned(&self) -> bool {
        self.database.is_abandoned()
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
    database.write_job(&header.fields(), rows, watch)
}

impl Header {
    pub(super) fn of_units(job: &Job, units: &[WorkUnit]) -> Self {
        // Without units, such as after a mate at the root, the file is still one for this split.
        let wanted = job.split().unwrap_or(1);
        let split = units.first().map_or(wanted, |unit| job.depth() - unit.depth);
        Self {
            job: job.clone(),
            split,
            moves: move_texts(job),
            units: units.len() as u64,
            games: units.iter().map(|unit| u128::from(unit.multiplicity())).sum(),
        }
    }

    /// The fields of the table `job`.
    fn fields(&self) -> Vec<(&'static str, String)> {
        let Self { job, split, moves, units, games } = self;
        let root = job.root();
        let values = [
            root.fen().to_string(),
            castling_text(root.castling_mode()).to_owned(),
            job.depth().to_string(),
            split.to_string(),
            joined(moves),
            units.to_string(),
            games.to_string(),
        ];
        let mut fields: Vec<_> = FIELDS.into_iter().zip(values).collect();
        let by_category = job.is_by_category();
        let texts = fields.iter().map(|(name, value)| format!("{name} {value}\n"));
        let checksum = checksum_of_fields(texts, by_category);
        fields.push(("checksum", checksum));
        fields.push(("format", format_of(by_category).to_string()));
        fields
    }

    /// Reads the fields of the table `job`. The format is checked first, because another format may
    /// have other fields.
    fn of_fields(fields: &HashMap<String, String>) -> Result<Self, CheckpointError> {
        let field = |name: &str| {
            fields
                .get(name)
                .ok_or_else(|| CheckpointError::Damaged(format!("its job has no field {name:?}")))
        };
        let found = field("format")?;
        let by_category = [false, true]
            .into_iter()
            .find(|&by_category| format_of(by_category).to_string() == *found)
            .ok_or_else(|| CheckpointError::Format { found: found.clone() })?;
        let mut texts = Vec::new();
        for name in FIELDS {
            texts.push(format!("{name} {}\n", field(name)?));
        }
        let unreadable = || CheckpointError::Damaged("its job cannot be read".to_owned());
        if *field("checksum")? != checksum_of_fields(texts, by_category) {
            return Err(unreadable());
        }
        let mode = castling_mode(field("castling")?).ok_or_else(unreadable)?;
        let root = position_of(field("root")?, mode).ok_or_else(unreadable)?;
        let depth = field("depth")?.parse().map_err(|_| unreadable())?;
        let split = field("split")?.parse().map_err(|_| unreadable())?;
        let job = Job::new(root, depth)
            .and_then(|job| job.with_split(split))
            .and_then(|job| if by_category { job.by_category() } else { Ok(job) })
            .map_err(|_| unreadable())?;
        let moves = move_texts(&job);
        if joined(&moves) != *field("moves")? {
            return Err(CheckpointError::Damaged("its moves are not those of its root".to_owned()));
        }
        let units = field("units")?.parse().map_err(|_| unreadable())?;
        let games = field("games")?.parse().map_err(|_| unreadable())?;
        Ok(Self { split, moves, units, games, job })
    }
}

/// The format of the file.
const fn format_of(by_category: bool) -> u32 {
    if by_category { CATEGORY_FORMAT } else { FORMAT }
}

/// The checksum of the fields, given as lines. It also covers the format, except the first format.
fn checksum_of_fields(lines: impl IntoIterator<Item = String>, by_category: bool) -> String {
    let mut text: String = lines.into_iter().collect();
    if by_category {
        text += &format!("format {CATEGORY_FORMAT}\n");
    }
    crc32fast::hash(text.as_bytes()).to_string()
}

/// The root's moves as moves and as text.
fn move_texts(job: &Job) -> Vec<(Move, String)> {
    job.moves().into_iter().map(|mv| (mv, job.root().uci(mv).to_string())).collect()
}

/// The moves as text on one line.
fn joined(moves: &[(Move, String)]) -> String {
    moves.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(" ")
}

fn castling_mode(text: &str) -> Option<CastlingMode> {
    [CastlingMode::Standard, CastlingMode::Chess960]
        .into_iter()
        .find(|&mode| castling_text(mode) == text)
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

/// Returns an error if the path exists, unless it was left by an earlier attempt to create a
/// checkpoint.
fn expect_remains(new: &Path) -> Result<(), CheckpointError> {
    let found = match fs::symlink_metadata(new) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(CheckpointError::Create(error)),
    };
    if found.is_file() && is_unfinished(new)? {
        return Ok(());
    }
    let text = format!("{} is in the way", new.display());
    Err(CheckpointError::Create(io::Error::new(io::ErrorKind::AlreadyExists, text)))
}

/// Is this file one that an attempt to create a checkpoint may have left?
fn is_unfinished(path: &Path) -> Result<bool, CheckpointError> {
    let start = start_of(path).map_err(CheckpointError::Create)?;
    // The store writes the first bytes of the file last.
    if start != MAGIC {
        return Ok(start.is_empty() || start == [0; MAGIC.len()]);
    }
    // A checkpoint that is in use under this name has results, or will have some.
    match Database::open_to_read(path).and_then(|database| database.has_no_results()) {
        Err(CheckpointError::InUse) => Err(CheckpointError::InUse),
        has_no_results => Ok(has_no_results.unwrap_or(false)),
    }
}

/// The first bytes of a file.
fn start_of(path: &Path) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    File::open(path)?.take(MAGIC.len() as u64).read_to_end(&mut start)?;
    Ok(start)
}

/// Locks a file. If that fails, another process uses it.
fn lock(file: &File) -> Result<(), CheckpointError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(CheckpointError::InUse),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

/// The database locks the file too, and Windows refuses a second lock.
fn unlock_for_database(file: &File) -> io::Result<()> {
    if cfg!(windows) { file.unlock() } else { Ok(()) }
}

/// Gives a file its final name, unless another file has this name.
fn rename_to_free(new: TempPath, path: &Path) -> io::Result<()> {
    let Err(failed) = new.persist_noclobber(path) else { return Ok(()) };
    // Some file systems can only replace a file, so the last question is whether there is one.
    if failed.error.kind() != io::ErrorKind::AlreadyExists && !path.try_exists()? {
        return failed.path.persist(path).map_err(|failed| failed.error);
    }
    let text = "another file was given this name meanwhile, and stays; the new one was removed";
    Err(io::Error::new(io::ErrorKind::AlreadyExists, text))
}

/// Makes sure that the new name of a file survives a power loss.
fn sync_directory_of(path: &Path) -> io::Result<()> {
    if cfg!(unix) {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let synced = File::open(parent.unwrap_or(Path::new(".")))?.sync_all();
        return synced.or_else(unless_impossible);
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
