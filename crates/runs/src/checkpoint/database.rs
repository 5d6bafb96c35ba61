//! The embedded database, and the only place where panics are caught.
//!
//! The database is redb: a single file, transactions that are on the disk when they return, a
//! checksum on every page, and copy-on-write. So a crash at any moment leaves the state after some
//! transaction.
//!
//! A damaged file can violate assertions of redb. [`caught`] turns the panics into errors. A
//! function that it runs only calls redb: rows come out as plain values and are interpreted
//! outside. So a panic of tabiya itself is never reported as a damaged file.

use std::cell::Cell;
use std::collections::HashMap;
use std::fs::File;
use std::panic::{self, AssertUnwindSafe};

use redb::backends::{FileBackend, InMemoryBackend};
use redb::{
    Builder, Durability, ReadOnlyTable, ReadableDatabase, ReadableTable, ReadableTableMetadata,
    StorageBackend, TableDefinition, TableHandle, WriteTransaction,
};

use super::error::CheckpointError;
use super::rows::{
    CHECKS, DISPUTES, JOB, RESULTS, ResultColumns, ResultRow, UNITS, UnitColumns, UnitRow,
};
use tabiya_perft::Watch;

/// The number of rows that are inserted or read between calls of the watch.
const BATCH: usize = 4096;

thread_local!(static CALLING: Cell<bool> = const { Cell::new(false) });

/// Is a panic on this thread about to be caught and returned as [`CheckpointError::Damaged`]?
///
/// The store of a checkpoint can panic on a damaged file. The panic becomes an error, but before
/// that the process's panic hook prints a message. To suppress the message, install a hook that
/// calls this function:
///
/// ```
/// let standard = std::panic::take_hook();
/// std::panic::set_hook(Box::new(move |info| {
///     if !tabiya_runs::checkpoint::panic_is_caught() {
///         standard(info);
///     }
/// }));
/// ```
pub fn panic_is_caught() -> bool {
    CALLING.get()
}

/// Calls redb. A panic in redb means that the file is damaged.
fn caught<T>(call: impl FnOnce() -> Result<T, redb::Error>) -> Result<T, CheckpointError> {
    let outer = CALLING.replace(true);
    // After a panic, the database is only dropped.
    let outcome = panic::catch_unwind(AssertUnwindSafe(call));
    CALLING.set(outer);
    match outcome {
        Ok(outcome) => Ok(outcome?),
        Err(_) => Err(CheckpointError::Damaged("the store cannot read it".to_owned())),
    }
}

/// An open database.
#[derive(Debug)]
pub(super) struct Database {
    /// Empty only while the database is dropped.
    database: Option<redb::Database>,
}

/// redb writes when a database is closed, and may find damage then. All important data has been
/// written by earlier transactions.
impl Drop for Database {
    fn drop(&mut self) {
        let database = self.database.take();
        let _ = caught(|| {
            drop(database);
            Ok(())
        });
    }
}

impl Database {
    /// Opens the database in a file, and verifies the checksums of all pages. If the file is empty,
    /// the database is created.
    pub(super) fn in_file(file: File) -> Result<Self, CheckpointError> {
        Self::on(FileBackend::new(file).map_err(redb::Error::from)?)
    }

    /// Opens a copy of a file. redb writes even when it only reads: it marks the file as open, and
    /// if the last process was killed, it counts the free pages again.
    pub(super) fn in_memory(bytes: Vec<u8>) -> Result<Self, CheckpointError> {
        let copy = InMemoryBackend::new();
        copy.set_len(bytes.len() as u64)?;
        copy.write(0, &bytes)?;
        drop(bytes);
        Self::on(copy)
    }

    /// Opens or creates a database in any storage.
    pub(super) fn on(storage: impl StorageBackend) -> Result<Self, CheckpointError> {
        let mut builder = Builder::new();
        builder.set_check_integrity_on_open(true);
        let database = caught(|| Ok(builder.create_with_backend(storage)?))?;
        Ok(Self { database: Some(database) })
    }

    fn get(&self) -> Result<&redb::Database, CheckpointError> {
        self.database.as_ref().ok_or_else(|| CheckpointError::Store("it is closed".to_owned()))
    }

    /// The fields of the job.
    ///
    /// # Errors
    /// [`CheckpointError::Foreign`] if the database has no table of these fields.
    pub(super) fn job_fields(&self) -> Result<HashMap<String, String>, CheckpointError> {
        let database = self.get()?;
        let fields = caught(|| {
            let read = database.begin_read()?;
            if !read.list_tables()?.any(|table| table.name() == JOB.name()) {
                return Ok(None);
            }
            let mut fields = HashMap::new();
            for row in read.open_table(JOB)?.iter()? {
                let (name, value) = row?;
                fields.insert(name.value().to_owned(), value.value().to_owned());
            }
            Ok(Some(fields))
        })?;
        fields.ok_or(CheckpointError::Foreign)
    }

    /// Writes the fields of the job and its units into a new database, in one transaction. If the
    /// watch cancels the work, nothing is written.
    pub(super) fn write_job(
        &self,
        fields: &[(&str, String)],
        mut units: impl Iterator<Item = UnitRow>,
        watch: &dyn Watch,
    ) -> Result<(), CheckpointError> {
        let write = self.begin_write()?;
        caught(|| {
            let mut table = write.open_table(JOB)?;
            for (name, value) in fields {
                table.insert(name, value.as_str())?;
            }
            write.open_table(UNITS)?;
            write.open_table(RESULTS)?;
            write.open_table(CHECKS)?;
            write.open_table(DISPUTES)?;
            Ok(())
        })?;
        let mut number = 0;
        loop {
            if watch.is_cancelled() {
                return Err(CheckpointError::Cancelled);
            }
            let batch: Vec<UnitRow> = units.by_ref().take(BATCH).collect();
            if batch.is_empty() {
                break;
            }
            caught(|| {
                let mut table = write.open_table(UNITS)?;
                for unit in &batch {
                    table
                        .insert(number, (unit.fen.as_str(), unit.shares.as_str(), unit.checksum))?;
                    number += 1;
                }
                Ok(())
            })?;
        }
        caught(|| Ok(write.commit()?))
    }

    /// Changes results, all or none. The changes are on the disk when this returns.
    pub(super) fn write(&self, changes: &RowChanges) -> Result<(), CheckpointError> {
        let RowChanges { results, checks, disputes } = changes;
        if results.is_empty() && checks.is_empty() && disputes.is_empty() {
            return Ok(());
        }
        let write = self.begin_write()?;
        caught(|| {
            insert_missing(&write, RESULTS, results)?;
            insert_missing(&write, CHECKS, checks)?;
            for (number, evidence) in disputes {
                write.open_table(RESULTS)?.remove(number)?;
                write.open_table(CHECKS)?.remove(number)?;
                let mut disputes = write.open_table(DISPUTES)?;
                let next = disputes.len()?;
                disputes.insert(next, evidence.as_str())?;
            }
            Ok(write.commit()?)
        })
    }

    fn begin_write(&self) -> Result<WriteTransaction, CheckpointError> {
        let database = self.get()?;
        caught(|| {
            let mut write = database.begin_write()?;
            write.set_durability(Durability::Immediate)?;
            Ok(write)
        })
    }

    /// The database as it is now. Later transactions do not change the snapshot.
    pub(super) fn snapshot(&self) -> Result<Snapshot, CheckpointError> {
        let database = self.get()?;
        caught(|| {
            let read = database.begin_read()?;
            Ok(Snapshot {
                units: read.open_table(UNITS)?,
                results: read.open_table(RESULTS)?,
                checks: read.open_table(CHECKS)?,
                disputes: read.open_table(DISPUTES)?,
            })
        })
    }
}

/// Changes to the results.
pub(super) struct RowChanges {
    /// First results of units. A unit that already has one keeps it.
    pub(super) results: Vec<(u64, ResultRow)>,
    /// Second results of units, under the same rule.
    pub(super) checks: Vec<(u64, ResultRow)>,
    /// Units whose results are removed, and the reason.
    pub(super) disputes: Vec<(u64, String)>,
}

/// Inserts results, except for units that already have one in this table.
fn insert_missing(
    write: &WriteTransaction,
    table: TableDefinition<'static, u64, ResultColumns>,
    rows: &[(u64, ResultRow)],
) -> Result<(), redb::Error> {
    if rows.is_empty() {
        return Ok(());
    }
    let mut table = write.open_table(table)?;
    for (number, row) in rows {
        if table.get(number)?.is_none() {
            let ResultRow { nodes, micros, counter, checksum } = row;
            table.insert(number, (*nodes, *micros, counter.as_str(), *checksum))?;
        }
    }
    Ok(())
}

/// The tables at one moment.
pub(super) struct Snapshot {
    units: ReadOnlyTable<u64, UnitColumns>,
    results: ReadOnlyTable<u64, ResultColumns>,
    checks: ReadOnlyTable<u64, ResultColumns>,
    disputes: ReadOnlyTable<u64, &'static str>,
}

/// A unit and its results.
pub(super) struct Row {
    pub(super) number: u64,
    pub(super) unit: UnitRow,
    pub(super) result: Option<ResultRow>,
    pub(super) check: Option<ResultRow>,
}

impl Snapshot {
    /// The number of units.
    pub(super) fn units(&self) -> Result<u64, CheckpointError> {
        caught(|| Ok(self.units.len()?))
    }

    /// The greatest numbers of units that have a first result and a second one.
    pub(super) fn last_results(&self) -> Result<[Option<u64>; 2], CheckpointError> {
        caught(|| {
            let last = |table: &ReadOnlyTable<u64, ResultColumns>| {
                Ok::<_, redb::Error>(table.last()?.map(|(number, _)| number.value()))
            };
            Ok([last(&self.results)?, last(&self.checks)?])
        })
    }

    /// The next units with their results, starting with this number; empty after the last.
    pub(super) fn rows(&self, first: u64) -> Result<Vec<Row>, CheckpointError> {
        caught(|| {
            let mut rows = Vec::new();
            for row in self.units.range(first..)?.take(BATCH) {
                let (number, unit) = row?;
                let (number, (fen, shares, checksum)) = (number.value(), unit.value());
                rows.push(Row {
                    number,
                    unit: UnitRow { fen: fen.to_owned(), shares: shares.to_owned(), checksum },
                    result: result_row(&self.results, number)?,
                    check: result_row(&self.checks, number)?,
                });
            }
            Ok(rows)
        })
    }

    /// A unit by its number.
    pub(super) fn unit(&self, number: u64) -> Result<Option<UnitRow>, CheckpointError> {
        caught(|| {
            Ok(self.units.get(number)?.map(|row| {
                let (fen, shares, checksum) = row.value();
                UnitRow { fen: fen.to_owned(), shares: shares.to_owned(), checksum }
            }))
        })
    }

    /// The first result of a unit.
    pub(super) fn result(&self, number: u64) -> Result<Option<ResultRow>, CheckpointError> {
        caught(|| result_row(&self.results, number))
    }

    /// All disputes.
    pub(super) fn disputes(&self) -> Result<Vec<String>, CheckpointError> {
        caught(|| self.disputes.iter()?.map(|row| Ok(row?.1.value().to_owned())).collect())
    }
}

fn result_row(
    table: &ReadOnlyTable<u64, ResultColumns>,
    number: u64,
) -> Result<Option<ResultRow>, redb::Error> {
    Ok(table.get(number)?.map(|row| {
        let (nodes, micros, counter, checksum) = row.value();
        ResultRow { nodes, micros, counter: counter.to_owned(), checksum }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_calls_into_the_store_say_that_a_panic_is_caught() {
        assert!(!panic_is_caught());
        assert!(caught(|| Ok(panic_is_caught())).unwrap());
        assert!(!panic_is_caught());
        // `resume_unwind` panics without calling a hook.
        let outcome = caught::<()>(|| panic::resume_unwind(Box::new("as redb does")));
        assert!(matches!(outcome, Err(CheckpointError::Damaged(_))), "{outcome:?}");
        assert!(!panic_is_caught());
    }
}
