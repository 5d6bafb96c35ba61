//! The file: four tables in an embedded database.
//!
//! The database is redb: one file, transactions that are on the disk when they return, a
//! checksum on every page, and copy-on-write, so that a crash at any moment leaves the state
//! after some transaction. On top of that every row has a checksum of its own, which also covers
//! its number: a row that was changed, or moved, is noticed by whoever reads the file, however
//! it came about.

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{self, Read};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Once;

use redb::{
    Builder, Database, Durability, ReadTransaction, ReadableDatabase, ReadableTable,
    ReadableTableMetadata, TableDefinition, TableHandle,
};
use tabiya::Move;

use super::job::{mode_text, position_of};
use super::{CheckpointError, FORMAT, Job, WorkUnit};

/// The job, field by field.
const JOB: TableDefinition<&str, &str> = TableDefinition::new("job");
/// The fields of the job that its checksum covers.
const FIELDS: [&str; 7] = ["root", "castling", "depth", "split", "moves", "units", "games"];
/// The units: FEN; shares as `e2e4 12 d2d4 3`; checksum.
const UNITS: TableDefinition<u64, (&str, &str, u32)> = TableDefinition::new("units");
/// The first result of each unit: leaves, microseconds, counter, checksum.
const RESULTS: TableDefinition<u64, Row> = TableDefinition::new("results");
/// The second result of those that have been verified.
const CHECKS: TableDefinition<u64, Row> = TableDefinition::new("checks");
/// Pairs of results that differed, by the order in which they were found.
const DISPUTES: TableDefinition<u64, &str> = TableDefinition::new("disputes");

/// How a file of the store begins.
const MAGIC: [u8; 9] = *b"redb\x1a\x0a\xa9\x0d\x0a";

type Row = (u64, u64, &'static str, u32);

/// The result of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitResult {
    /// Leaves of the unit's subtree, counted once.
    pub nodes: u64,
    /// How long that took, in microseconds.
    pub micros: u64,
    /// Who counted.
    pub counter: String,
}

impl UnitResult {
    /// The checksum of the result in its place.
    fn checksum(&self, table: &str, unit: u64) -> u32 {
        let Self { nodes, micros, counter } = self;
        crc32fast::hash(format!("{table} {unit} {nodes} {micros} {counter}").as_bytes())
    }
}

/// An open checkpoint.
#[derive(Debug)]
pub(super) struct Store {
    database: Quietly,
    pub(super) header: Header,
}

/// What the file says of the job.
#[derive(Clone, Debug)]
pub(super) struct Header {
    pub(super) job: Job,
    /// The half-moves from the root to the units.
    pub(super) split: u32,
    /// The root's moves and their texts.
    pub(super) moves: Vec<(Move, String)>,
    /// How many units there are.
    pub(super) units: u64,
    /// How many games lead to the units.
    pub(super) games: u128,
}

impl Store {
    /// Makes the file of a new job.
    ///
    /// It gets its name only when everything is on the disk: a file with that name is complete.
    pub(super) fn create(path: &Path, job: &Job) -> Result<Self, CheckpointError> {
        let mut new = path.as_os_str().to_owned();
        new.push(".new");
        let new = PathBuf::from(new);
        let file =
            File::options().read(true).write(true).create(true).truncate(false).open(&new)?;
        if file.try_lock().is_err() {
            return Err(CheckpointError::InUse);
        }
        if path.exists() {
            // Another process was faster.
            return Err(CheckpointError::InUse);
        }
        // What an earlier attempt left behind.
        file.set_len(0)?;
        let filled = Builder::new()
            .create_file(file)
            .map_err(CheckpointError::from)
            .and_then(|database| fill(&database, job).map(|()| database));
        let database = match filled {
            Ok(database) => database,
            Err(error) => {
                // Nothing is in it that would be missed. Should it stay, the next attempt
                // empties it.
                let _ = fs::remove_file(&new);
                return Err(error);
            }
        };
        fs::rename(&new, path)?;
        sync_directory_of(path)?;
        Self::read(database)
    }

    /// Opens an existing file and looks at everything in it.
    pub(super) fn open(path: &Path) -> Result<Self, CheckpointError> {
        if !is_store(path)? {
            return Err(CheckpointError::Foreign);
        }
        guarded(|| {
            let mut database = Builder::new().open(path)?;
            // Verifies the checksums of all pages. That it is content says more than whether it
            // had to count the free pages anew, so the answer does not matter. It is opened
            // once more for what it may have written.
            database.check_integrity()?;
            drop(database);
            Self::read(Builder::new().open(path)?)
        })
    }

    /// Begins or goes on with whatever keeps the bytes.
    #[cfg(test)]
    pub(super) fn on(
        backend: impl redb::StorageBackend,
        job: Option<&Job>,
    ) -> Result<Self, CheckpointError> {
        let database = Builder::new().create_with_backend(backend)?;
        if let Some(job) = job {
            fill(&database, job)?;
        }
        Self::read(database)
    }

    fn read(database: Database) -> Result<Self, CheckpointError> {
        let header = read_header(&database.begin_read()?)?;
        let store = Self { database: Quietly(Some(database)), header };
        store.verify_rows()?;
        Ok(store)
    }

    /// Reads every row, so that later reading holds no surprise.
    fn verify_rows(&self) -> Result<(), CheckpointError> {
        let read = self.database.get()?.begin_read()?;
        let units = read.open_table(UNITS)?;
        let (found, wanted) = (units.len()?, self.header.units);
        if found != wanted {
            let how = format!("it has {found} units instead of {wanted}");
            return Err(CheckpointError::Damaged(how));
        }
        let (mut expected, mut games) = (0, 0);
        self.each_unit(|number, unit, _, _| {
            if number != expected {
                return Err(CheckpointError::Damaged(format!("unit {expected} is missing")));
            }
            expected += 1;
            games += u128::from(unit.multiplicity());
            Ok(())
        })?;
        if games == self.header.games {
            Ok(())
        } else {
            Err(CheckpointError::Damaged("the games of its units do not add up".to_owned()))
        }
    }

    /// Shows each unit with its results to a function.
    pub(super) fn each_unit(
        &self,
        mut see: impl FnMut(
            u64,
            WorkUnit,
            Option<UnitResult>,
            Option<UnitResult>,
        ) -> Result<(), CheckpointError>,
    ) -> Result<(), CheckpointError> {
        guarded(|| {
            let read = self.database.get()?.begin_read()?;
            let (results, checks) = (read.open_table(RESULTS)?, read.open_table(CHECKS)?);
            for (name, table) in [("results", &results), ("checks", &checks)] {
                if let Some((key, _)) = table.last()?
                    && key.value() >= self.header.units
                {
                    return Err(CheckpointError::Damaged(format!(
                        "its {name} speak of a unit {}, which does not exist",
                        key.value()
                    )));
                }
            }
            for row in read.open_table(UNITS)?.iter()? {
                let (key, value) = row?;
                let unit = self.unit_of(key.value(), value.value())?;
                let result = read_result(&results, "results", key.value())?;
                let check = read_result(&checks, "checks", key.value())?;
                see(key.value(), unit, result, check)?;
            }
            Ok(())
        })
    }

    /// One unit.
    pub(super) fn unit(&self, unit: u64) -> Result<WorkUnit, CheckpointError> {
        guarded(|| {
            let read = self.database.get()?.begin_read()?;
            let row = read.open_table(UNITS)?.get(unit)?.ok_or(CheckpointError::NoUnit(unit))?;
            self.unit_of(unit, row.value())
        })
    }

    /// The first result of a unit.
    pub(super) fn result(&self, unit: u64) -> Result<Option<UnitResult>, CheckpointError> {
        guarded(|| {
            let read = self.database.get()?.begin_read()?;
            read_result(&read.open_table(RESULTS)?, "results", unit)
        })
    }

    /// The evidence of units that were counted differently.
    pub(super) fn disputes(&self) -> Result<Vec<String>, CheckpointError> {
        guarded(|| {
            let read = self.database.get()?.begin_read()?;
            let table = read.open_table(DISPUTES)?;
            table.iter()?.map(|row| Ok(row?.1.value().to_owned())).collect()
        })
    }

    fn unit_of(&self, unit: u64, row: (&str, &str, u32)) -> Result<WorkUnit, CheckpointError> {
        let (fen, shares, checksum) = row;
        let damaged = || CheckpointError::Damaged(format!("unit {unit} does not read"));
        if checksum != unit_checksum(unit, fen, shares) {
            return Err(damaged());
        }
        let position =
            position_of(fen, mode_text(self.header.job.root().mode())).ok_or_else(damaged)?;
        let shares = parse_shares(shares, &self.header.moves).ok_or_else(damaged)?;
        Ok(WorkUnit { position, depth: self.header.job.depth() - self.header.split, shares })
    }

    /// Writes results down, all or none; they are on the disk when this returns.
    ///
    /// The first result of a unit stays: a later one for the same unit does not replace it.
    pub(super) fn write(&self, results: &[(u64, UnitResult)]) -> Result<(), CheckpointError> {
        guarded(|| self.insert(RESULTS, "results", results))
    }

    /// Writes second results down.
    pub(super) fn write_checks(&self, checks: &[(u64, UnitResult)]) -> Result<(), CheckpointError> {
        guarded(|| self.insert(CHECKS, "checks", checks))
    }

    fn insert(
        &self,
        table: TableDefinition<'static, u64, Row>,
        name: &str,
        rows: &[(u64, UnitResult)],
    ) -> Result<(), CheckpointError> {
        if rows.is_empty() {
            return Ok(());
        }
        let mut write = self.database.get()?.begin_write()?;
        write.set_durability(Durability::Immediate)?;
        {
            let mut table = write.open_table(table)?;
            for (unit, result) in rows {
                if table.get(unit)?.is_none() {
                    let checksum = result.checksum(name, *unit);
                    let row = (result.nodes, result.micros, result.counter.as_str(), checksum);
                    table.insert(unit, row)?;
                }
            }
        }
        Ok(write.commit()?)
    }

    /// Takes back the result of a unit that was counted differently the second time.
    pub(super) fn dispute(
        &self,
        unit: u64,
        first: &UnitResult,
        second: &UnitResult,
    ) -> Result<(), CheckpointError> {
        guarded(|| {
            let mut write = self.database.get()?.begin_write()?;
            write.set_durability(Durability::Immediate)?;
            {
                write.open_table(RESULTS)?.remove(unit)?;
                write.open_table(CHECKS)?.remove(unit)?;
                let mut disputes = write.open_table(DISPUTES)?;
                let number = disputes.len()?;
                let evidence = format!(
                    "unit {unit}: {} by {}, {} by {}",
                    first.nodes, first.counter, second.nodes, second.counter
                );
                disputes.insert(number, evidence.as_str())?;
            }
            Ok(write.commit()?)
        })
    }
}

/// A database whose end, too, finds damage without making noise.
#[derive(Debug)]
struct Quietly(Option<Database>);

impl Quietly {
    fn get(&self) -> Result<&Database, CheckpointError> {
        self.0.as_ref().ok_or_else(|| CheckpointError::Store("it is closed".to_owned()))
    }
}

impl Drop for Quietly {
    fn drop(&mut self) {
        // What there was to write has been written by transactions.
        let _ = guarded(|| {
            self.0.take();
            Ok(())
        });
    }
}

/// Writes the job and its units into a new database, in one transaction.
fn fill(database: &Database, job: &Job) -> Result<(), CheckpointError> {
    let units = job.units()?;
    let root = job.root();
    let depth_of_units = units.first().map_or(job.depth() - 1, |unit| unit.depth);
    let moves: Vec<String> = job.moves().iter().map(|&mv| root.uci(mv).to_string()).collect();
    let games: u128 = units.iter().map(|unit| u128::from(unit.multiplicity())).sum();
    let values = [
        root.fen().to_string(),
        mode_text(root.mode()).to_owned(),
        job.depth().to_string(),
        (job.depth() - depth_of_units).to_string(),
        moves.join(" "),
        units.len().to_string(),
        games.to_string(),
    ];
    let mut fields: Vec<(&str, String)> = FIELDS.into_iter().zip(values).collect();
    let all: String = fields.iter().map(|(name, value)| format!("{name} {value}\n")).collect();
    fields.push(("checksum", crc32fast::hash(all.as_bytes()).to_string()));
    fields.push(("format", FORMAT.to_string()));

    let mut write = database.begin_write()?;
    write.set_durability(Durability::Immediate)?;
    {
        let mut table = write.open_table(JOB)?;
        for (name, value) in &fields {
            table.insert(name, value.as_str())?;
        }
        let mut table = write.open_table(UNITS)?;
        for (number, unit) in units.iter().enumerate() {
            let number = number as u64;
            let fen = unit.position.fen().to_string();
            let shares: Vec<String> = unit
                .shares
                .iter()
                .map(|&(mv, ways)| format!("{} {ways}", moves[usize::from(mv)]))
                .collect();
            let shares = shares.join(" ");
            let checksum = unit_checksum(number, &fen, &shares);
            table.insert(number, (fen.as_str(), shares.as_str(), checksum))?;
        }
        write.open_table(RESULTS)?;
        write.open_table(CHECKS)?;
        write.open_table(DISPUTES)?;
    }
    Ok(write.commit()?)
}

/// Reads what the file says of the job, in the order in which mistakes are best told.
fn read_header(read: &ReadTransaction) -> Result<Header, CheckpointError> {
    let names = read.list_tables()?.map(|table| table.name().to_owned()).collect::<Vec<_>>();
    if !names.iter().any(|name| name == JOB.name()) {
        return Err(CheckpointError::Foreign);
    }
    let table = read.open_table(JOB)?;
    let field = |name: &str| {
        let value = table.get(name)?.map(|value| value.value().to_owned());
        value.ok_or_else(|| CheckpointError::Damaged(format!("its job has no {name}")))
    };
    let found = field("format")?;
    if found != FORMAT.to_string() {
        return Err(CheckpointError::Format { found });
    }
    let mut all = String::new();
    for name in FIELDS {
        all += &format!("{name} {}\n", field(name)?);
    }
    let unreadable = || CheckpointError::Damaged("its job does not read".to_owned());
    if field("checksum")? != crc32fast::hash(all.as_bytes()).to_string() {
        return Err(unreadable());
    }
    let root = position_of(&field("root")?, &field("castling")?).ok_or_else(unreadable)?;
    let depth = field("depth")?.parse().map_err(|_| unreadable())?;
    let split = field("split")?.parse().map_err(|_| unreadable())?;
    let job =
        Job::new(root, depth).and_then(|job| job.with_split(split)).map_err(|_| unreadable())?;
    let root = job.root();
    let moves: Vec<_> = job.moves().into_iter().map(|mv| (mv, root.uci(mv).to_string())).collect();
    if joined(&moves) != field("moves")? {
        return Err(CheckpointError::Damaged("it has other moves than its root".to_owned()));
    }
    let units = field("units")?.parse().map_err(|_| unreadable())?;
    let games = field("games")?.parse().map_err(|_| unreadable())?;
    Ok(Header { split, moves, units, games, job })
}

/// The texts of moves in one line.
fn joined(moves: &[(Move, String)]) -> String {
    moves.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(" ")
}

fn unit_checksum(unit: u64, fen: &str, shares: &str) -> u32 {
    crc32fast::hash(format!("{unit} {fen} {shares}").as_bytes())
}

/// Reads shares such as `e2e4 12 d2d4 3`.
fn parse_shares(text: &str, moves: &[(Move, String)]) -> Option<Vec<(u16, u64)>> {
    let mut words = text.split(' ');
    let mut shares = Vec::new();
    while let Some(mv) = words.next() {
        let number = moves.iter().position(|(_, known)| known == mv)?;
        shares.push((number as u16, words.next()?.parse().ok()?));
    }
    Some(shares)
}

fn read_result(
    table: &impl ReadableTable<u64, Row>,
    name: &str,
    unit: u64,
) -> Result<Option<UnitResult>, CheckpointError> {
    let Some(row) = table.get(unit)? else { return Ok(None) };
    let (nodes, micros, counter, checksum) = row.value();
    let result = UnitResult { nodes, micros, counter: counter.to_owned() };
    if result.checksum(name, unit) == checksum {
        Ok(Some(result))
    } else {
        Err(CheckpointError::Damaged(format!("the result of unit {unit} does not read")))
    }
}

/// Does the file begin like a database of the store?
fn is_store(path: &Path) -> Result<bool, CheckpointError> {
    let mut start = [0; MAGIC.len()];
    match File::open(path)?.read_exact(&mut start) {
        Ok(()) => Ok(start == MAGIC),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Works on a file that may be damaged.
///
/// The store has assertions where a file could not be so unless it was damaged; they are errors
/// here, and nothing is printed.
fn guarded<T>(work: impl FnOnce() -> Result<T, CheckpointError>) -> Result<T, CheckpointError> {
    thread_local!(static QUIET: Cell<bool> = const { Cell::new(false) });
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                hook(info);
            }
        }));
    });
    let was_quiet = QUIET.replace(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(work));
    QUIET.set(was_quiet);
    let damaged = |how: &str| Err(CheckpointError::Damaged(how.to_owned()));
    match outcome {
        Err(_) => damaged("the store cannot make sense of it"),
        Ok(Err(CheckpointError::Io(error))) if error.kind() == io::ErrorKind::UnexpectedEof => {
            damaged("it ends too early")
        }
        Ok(outcome) => outcome,
    }
}

/// Makes sure that a new name of a file outlives a power loss.
fn sync_directory_of(path: &Path) -> Result<(), CheckpointError> {
    if cfg!(unix) {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        File::open(parent.unwrap_or(Path::new(".")))?.sync_all()?;
    }
    Ok(())
}
