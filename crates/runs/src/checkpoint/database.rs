//! The embedded database.
//!
//! It is redb: a single file, transactions that are on the disk when they return, a checksum on
//! every page, and copy-on-write. So a crash at any moment leaves the state after some transaction.
//! All checksums are verified when a file is opened.

use std::collections::HashMap;
use std::fs::File;

use redb::backends::{FileBackend, InMemoryBackend};
use redb::{
    Builder, Durability, Error, ReadOnlyTable, ReadableDatabase, ReadableTable,
    ReadableTableMetadata, StorageBackend, TableDefinition, TableHandle, WriteTransaction,
};

use super::rows::{
    CHECKS, DISPUTES, JOB, RESULTS, ResultColumns, ResultRow, UNITS, UnitColumns, UnitRow,
};
use tabiya_perft::Watch;

/// The number of rows that are inserted or read between calls of the watch.
const BATCH: usize = 4096;

/// An open database.
#[derive(Debug)]
pub(super) struct Database(redb::Database);

impl Database {
    /// Opens the database in a file. If the file is empty, the database is created.
    pub(super) fn in_file(file: File) -> Result<Self, Error> {
        Self::on(FileBackend::new(file)?)
    }

    /// Opens a copy of a file. redb writes even when it only reads: it marks the file as open, and
    /// if the last process was killed, it counts the free pages again.
    pub(super) fn in_memory(bytes: Vec<u8>) -> Result<Self, Error> {
        let copy = InMemoryBackend::new();
        copy.set_len(bytes.len() as u64)?;
        copy.write(0, &bytes)?;
        drop(bytes);
        Self::on(copy)
    }

    /// Opens or creates a database in any storage. A damaged one is an error.
    pub(super) fn on(storage: impl StorageBackend) -> Result<Self, Error> {
        let mut builder = Builder::new();
        builder.set_check_integrity_on_open(true);
        Ok(Self(builder.create_with_backend(storage)?))
    }

    /// The fields of the job; `None` if the database has no table of them.
    pub(super) fn job_fields(&self) -> Result<Option<HashMap<String, String>>, Error> {
        let read = self.0.begin_read()?;
        if !read.list_tables()?.any(|table| table.name() == JOB.name()) {
            return Ok(None);
        }
        let mut fields = HashMap::new();
        for row in read.open_table(JOB)?.iter()? {
            let (name, value) = row?;
            fields.insert(name.value().to_owned(), value.value().to_owned());
        }
        Ok(Some(fields))
    }

    /// Writes the fields of the job and its units into a new database, in one transaction. If the
    /// watch cancels the work, nothing is written, and this returns `false`.
    pub(super) fn write_job(
        &self,
        fields: &[(&str, String)],
        units: impl Iterator<Item = UnitRow>,
        watch: &dyn Watch,
    ) -> Result<bool, Error> {
        let write = self.begin_write()?;
        let mut table = write.open_table(JOB)?;
        for (name, value) in fields {
            table.insert(name, value.as_str())?;
        }
        drop(table);
        write.open_table(RESULTS)?;
        write.open_table(CHECKS)?;
        write.open_table(DISPUTES)?;
        let mut table = write.open_table(UNITS)?;
        for (number, unit) in (0..).zip(units) {
            if number % BATCH as u64 == 0 && watch.is_cancelled() {
                return Ok(false);
            }
            table.insert(number, (unit.fen.as_str(), unit.shares.as_str(), unit.checksum))?;
        }
        drop(table);
        write.commit()?;
        Ok(true)
    }

    /// Changes results, all or none. The changes are on the disk when this returns.
    pub(super) fn write(&self, changes: &RowChanges) -> Result<(), Error> {
        let RowChanges { results, checks, disputes } = changes;
        if results.is_empty() && checks.is_empty() && disputes.is_empty() {
            return Ok(());
        }
        let write = self.begin_write()?;
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
    }

    fn begin_write(&self) -> Result<WriteTransaction, Error> {
        let mut write = self.0.begin_write()?;
        write.set_durability(Durability::Immediate)?;
        Ok(write)
    }

    /// The database as it is now. Later transactions do not change the snapshot.
    pub(super) fn snapshot(&self) -> Result<Snapshot, Error> {
        let read = self.0.begin_read()?;
        Ok(Snapshot {
            units: read.open_table(UNITS)?,
            results: read.open_table(RESULTS)?,
            checks: read.open_table(CHECKS)?,
            disputes: read.open_table(DISPUTES)?,
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
) -> Result<(), Error> {
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
    pub(super) fn units(&self) -> Result<u64, Error> {
        Ok(self.units.len()?)
    }

    /// The greatest numbers of units that have a first result and a second one.
    pub(super) fn last_results(&self) -> Result<[Option<u64>; 2], Error> {
        let last = |table: &ReadOnlyTable<u64, ResultColumns>| {
            Ok::<_, Error>(table.last()?.map(|(number, _)| number.value()))
        };
        Ok([last(&self.results)?, last(&self.checks)?])
    }

    /// The next units with their results, starting with this number; empty after the last.
    pub(super) fn rows(&self, first: u64) -> Result<Vec<Row>, Error> {
        let mut rows = Vec::new();
        for row in self.units.range(first..)?.take(BATCH) {
            let (number, unit) = row?;
            let number = number.value();
            rows.push(Row {
                number,
                unit: unit_row(unit.value()),
                result: result_row(&self.results, number)?,
                check: result_row(&self.checks, number)?,
            });
        }
        Ok(rows)
    }

    /// A unit by its number.
    pub(super) fn unit(&self, number: u64) -> Result<Option<UnitRow>, Error> {
        Ok(self.units.get(number)?.map(|row| unit_row(row.value())))
    }

    /// The first result of a unit.
    pub(super) fn result(&self, number: u64) -> Result<Option<ResultRow>, Error> {
        result_row(&self.results, number)
    }

    /// All disputes.
    pub(super) fn disputes(&self) -> Result<Vec<String>, Error> {
        self.disputes.iter()?.map(|row| Ok(row?.1.value().to_owned())).collect()
    }
}

fn unit_row((fen, shares, checksum): (&str, &str, u32)) -> UnitRow {
    UnitRow { fen: fen.to_owned(), shares: shares.to_owned(), checksum }
}

fn result_row(
    table: &ReadOnlyTable<u64, ResultColumns>,
    number: u64,
) -> Result<Option<ResultRow>, Error> {
    Ok(table.get(number)?.map(|row| {
        let (nodes, micros, counter, checksum) = row.value();
        ResultRow { nodes, micros, counter: counter.to_owned(), checksum }
    }))
}
