//! Sorting more records than fit into memory, and dropping duplicates early.
//!
//! Records are collected in a buffer. A full buffer is sorted, and duplicates are dropped. Often
//! this makes enough room, because most move sequences transpose. Otherwise the buffer is written
//! to a file as a *run*. When a tier has as many runs as can be merged at once, they become one run
//! of the next tier. So each record is rewritten only a few times, even with little memory. At the
//! end, all runs are merged.

use super::record::CountedPosition;
use super::runs::{Run, RunReader, RunWriter, merge, merge_into_run};
use super::{DistinctError, Storage};

/// Collects records.
pub(super) struct Collector<'a> {
    storage: &'a Storage,
    buffer: Vec<CountedPosition>,
    /// The number of records that fit into the buffer.
    capacity: usize,
    /// The runs of each tier: records in tier *n* have been merged *n* times.
    tiers: Vec<Vec<Run>>,
}

impl<'a> Collector<'a> {
    /// A collector for the memory that remains if `held` bytes are already in use.
    pub(super) fn new(storage: &'a Storage, held: u64) -> Result<Self, DistinctError> {
        let capacity = storage.records(held);
        let mut buffer = Vec::new();
        // The system provides memory only when it is written to, so this does not use it yet.
        buffer.try_reserve_exact(capacity).map_err(|_| DistinctError::OutOfMemory)?;
        Ok(Self { storage, buffer, capacity, tiers: Vec::new() })
    }

    pub(super) fn push_all(
        &mut self,
        mut records: &[CountedPosition],
    ) -> Result<(), DistinctError> {
        while !records.is_empty() {
            if self.buffer.len() == self.capacity {
                self.make_room()?;
            }
            let (now, later) =
                records.split_at(records.len().min(self.capacity - self.buffer.len()));
            self.buffer.extend_from_slice(now);
            records = later;
        }
        Ok(())
    }

    fn make_room(&mut self) -> Result<(), DistinctError> {
        self.sort()?;
        if self.buffer.len() <= self.capacity / 2 {
            return Ok(());
        }
        if self.storage.is_limited() {
            return self.spill();
        }
        self.buffer.try_reserve_exact(self.capacity).map_err(|_| DistinctError::OutOfMemory)?;
        self.capacity *= 2;
        Ok(())
    }

    /// Sorts the buffer and drops duplicates.
    fn sort(&mut self) -> Result<(), DistinctError> {
        self.storage.pool.sort_unstable(&mut self.buffer);
        let mut result = Ok(());
        self.buffer.dedup_by(|next, kept| {
            let same = next.packed == kept.packed;
            if same && result.is_ok() {
                result = kept.absorb(next);
            }
            same
        });
        result
    }

    /// Writes the sorted buffer to a file.
    fn spill(&mut self) -> Result<(), DistinctError> {
        let mut writer = RunWriter::new(self.storage)?;
        for record in &self.buffer {
            writer.write(record)?;
        }
        self.buffer.clear();
        self.add_run(writer.finish()?, 0)
    }

    fn add_run(&mut self, run: Run, tier: usize) -> Result<(), DistinctError> {
        if self.tiers.len() == tier {
            self.tiers.push(Vec::new());
        }
        self.tiers[tier].push(run);
        if self.tiers[tier].len() == self.storage.fan_in {
            let runs = std::mem::take(&mut self.tiers[tier]);
            let merged = merge_into_run(runs, self.storage)?;
            return self.add_run(merged, tier + 1);
        }
        Ok(())
    }

    /// All records, sorted and without duplicates.
    pub(super) fn finish(mut self) -> Result<Sorted, DistinctError> {
        self.sort()?;
        if self.tiers.is_empty() {
            self.buffer.shrink_to_fit();
            return Ok(Sorted::Memory(self.buffer));
        }
        self.spill()?;
        self.buffer = Vec::new();
        // Merge the smallest runs until the remaining ones can be merged at once.
        let mut runs: Vec<Run> = self.tiers.into_iter().flatten().collect();
        while runs.len() > self.storage.fan_in {
            runs.sort_by_key(|run| std::cmp::Reverse(run.len()));
            let excess = runs.len() - self.storage.fan_in + 1;
            let small = runs.split_off(runs.len() - excess.min(self.storage.fan_in));
            runs.push(merge_into_run(small, self.storage)?);
        }
        Ok(Sorted::Runs(runs))
    }
}

/// Sorted records without duplicates: in memory, or in runs that are not merged yet.
pub(super) enum Sorted {
    Memory(Vec<CountedPosition>),
    Runs(Vec<Run>),
}

impl Sorted {
    /// Calls a function with every record, in order.
    pub(super) fn for_each(
        self,
        storage: &Storage,
        mut take: impl FnMut(&CountedPosition) -> Result<(), DistinctError>,
    ) -> Result<(), DistinctError> {
        match self {
            Self::Memory(records) => records.iter().try_for_each(take),
            Self::Runs(runs) => merge(runs, storage, &mut take),
        }
    }

    /// Returns the records as a level: in memory if they leave room for the next level, otherwise
    /// in one file.
    pub(super) fn into_level(self, storage: &Storage) -> Result<Level, DistinctError> {
        match self {
            Self::Memory(records) if storage.leaves_room(size_of_val(&records[..])) => Ok(Level {
                len: records.len() as u64,
                records: Source::Memory { records, next: 0 },
            }),
            Self::Memory(records) => {
                let mut writer = RunWriter::new(storage)?;
                records.iter().try_for_each(|record| writer.write(record))?;
                Level::of_run(writer.finish()?, storage)
            }
            Self::Runs(mut runs) => match (runs.pop(), runs.is_empty()) {
                (Some(only), true) => Level::of_run(only, storage),
                (last, _) => {
                    runs.extend(last);
                    Level::of_run(merge_into_run(runs, storage)?, storage)
                }
            },
        }
    }
}

/// The positions of a ply, which can be read only once.
pub(super) struct Level {
    len: u64,
    records: Source,
}

enum Source {
    Memory { records: Vec<CountedPosition>, next: usize },
    File(Box<RunReader>),
}

impl Level {
    pub(super) fn root(record: CountedPosition) -> Self {
        Self { len: 1, records: Source::Memory { records: vec![record], next: 0 } }
    }

    fn of_run(run: Run, storage: &Storage) -> Result<Self, DistinctError> {
        Ok(Self { len: run.len(), records: Source::File(Box::new(run.reader(storage)?)) })
    }

    pub(super) const fn len(&self) -> u64 {
        self.len
    }

    /// The number of bytes of memory that the level uses.
    pub(super) fn held(&self) -> u64 {
        match &self.records {
            Source::Memory { records, .. } => size_of_val(&records[..]) as u64,
            Source::File(_) => 0,
        }
    }

    /// The next records, at most `limit`; empty at the end.
    pub(super) fn next_batch(
        &mut self,
        limit: usize,
        storage: &Storage,
    ) -> Result<Vec<CountedPosition>, DistinctError> {
        match &mut self.records {
            Source::Memory { records, next } => {
                let end = records.len().min(*next + limit);
                let batch = records[*next..end].to_vec();
                *next = end;
                Ok(batch)
            }
            Source::File(reader) => {
                let mut batch = Vec::with_capacity(limit);
                while batch.len() < limit {
                    let Some(record) = reader.next(storage)? else { break };
                    batch.push(record);
                }
                Ok(batch)
            }
        }
    }
}
