//! Sorting more records than memory holds, and dropping duplicates early.
//!
//! Records are gathered in a buffer. When it is full it is sorted and duplicates go, which often
//! makes room enough, since most games transpose; otherwise it is written to a file as a *run*.
//! In the end the runs are merged. As many runs as can be merged at once become one run of the
//! next tier, so each record is rewritten only a few times however little memory there is.

use super::record::Record;
use super::runs::{Run, RunReader, RunWriter, merge, merge_into_run};
use super::{Error, Storage};

/// Gathers records.
pub(super) struct Collector<'a, R> {
    storage: &'a Storage,
    buffer: Vec<R>,
    /// So many records fit into the buffer.
    capacity: usize,
    /// Runs by how often their records were merged.
    tiers: Vec<Vec<Run<R>>>,
}

impl<'a, R: Record> Collector<'a, R> {
    /// A collector beside `held` bytes that are in memory already.
    pub(super) fn new(storage: &'a Storage, held: u64) -> Result<Self, Error> {
        let capacity = storage.records::<R>(held);
        let mut buffer = Vec::new();
        // Memory that is asked for is not used before it is written to.
        buffer.try_reserve_exact(capacity).map_err(|_| Error::OutOfMemory)?;
        Ok(Self { storage, buffer, capacity, tiers: Vec::new() })
    }

    pub(super) fn push_all(&mut self, mut records: &[R]) -> Result<(), Error> {
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

    fn make_room(&mut self) -> Result<(), Error> {
        self.sort()?;
        if self.buffer.len() <= self.capacity / 2 {
            return Ok(());
        }
        if self.storage.is_limited() {
            return self.spill();
        }
        self.buffer.try_reserve_exact(self.capacity).map_err(|_| Error::OutOfMemory)?;
        self.capacity *= 2;
        Ok(())
    }

    /// Sorts the buffer and drops duplicates.
    fn sort(&mut self) -> Result<(), Error> {
        self.storage.pool.sort_unstable(&mut self.buffer);
        let mut result = Ok(());
        self.buffer.dedup_by(|next, kept| {
            let same = next.packed() == kept.packed();
            if same && result.is_ok() {
                result = kept.absorb(next);
            }
            same
        });
        result
    }

    /// Writes the sorted buffer to a file.
    fn spill(&mut self) -> Result<(), Error> {
        let mut writer = RunWriter::new(self.storage)?;
        for record in &self.buffer {
            writer.write(record)?;
        }
        self.buffer.clear();
        self.add_run(writer.finish()?, 0)
    }

    fn add_run(&mut self, run: Run<R>, tier: usize) -> Result<(), Error> {
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
    pub(super) fn finish(mut self) -> Result<Sorted<R>, Error> {
        self.sort()?;
        if self.tiers.is_empty() {
            self.buffer.shrink_to_fit();
            return Ok(Sorted::Memory(self.buffer));
        }
        self.spill()?;
        self.buffer = Vec::new();
        // The smallest runs first, until all that are left can be merged at once.
        let mut runs: Vec<Run<R>> = self.tiers.into_iter().flatten().collect();
        while runs.len() > self.storage.fan_in {
            runs.sort_by_key(|run| std::cmp::Reverse(run.len()));
            let excess = runs.len() - self.storage.fan_in + 1;
            let small = runs.split_off(runs.len() - excess.min(self.storage.fan_in));
            runs.push(merge_into_run(small, self.storage)?);
        }
        Ok(Sorted::Runs(runs))
    }
}

/// Sorted records without duplicates: in memory, or in runs still to be merged.
pub(super) enum Sorted<R> {
    Memory(Vec<R>),
    Runs(Vec<Run<R>>),
}

impl<R: Record> Sorted<R> {
    /// Hands every record to a function, in order.
    pub(super) fn for_each(
        self,
        storage: &Storage,
        mut take: impl FnMut(&R) -> Result<(), Error>,
    ) -> Result<(), Error> {
        match self {
            Self::Memory(records) => records.iter().try_for_each(take),
            Self::Runs(runs) => merge(runs, storage, &mut take),
        }
    }

    /// The records as a level to go on from: in memory if they leave room for the next, else in
    /// one file.
    pub(super) fn into_level(self, storage: &Storage) -> Result<Level<R>, Error> {
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

/// The positions of a ply, to be read once.
pub(super) struct Level<R> {
    len: u64,
    records: Source<R>,
}

enum Source<R> {
    Memory { records: Vec<R>, next: usize },
    File(RunReader<R>),
}

impl<R: Record> Level<R> {
    pub(super) fn root(record: R) -> Self {
        Self { len: 1, records: Source::Memory { records: vec![record], next: 0 } }
    }

    fn of_run(run: Run<R>, storage: &Storage) -> Result<Self, Error> {
        Ok(Self { len: run.len(), records: Source::File(run.reader(storage)?) })
    }

    pub(super) const fn len(&self) -> u64 {
        self.len
    }

    /// How many bytes of memory it holds.
    pub(super) fn held(&self) -> u64 {
        match &self.records {
            Source::Memory { records, .. } => size_of_val(&records[..]) as u64,
            Source::File(_) => 0,
        }
    }

    /// The next records, at most `most`; none at the end.
    pub(super) fn next_batch(&mut self, most: usize, storage: &Storage) -> Result<Vec<R>, Error> {
        match &mut self.records {
            Source::Memory { records, next } => {
                let end = records.len().min(*next + most);
                let batch = records[*next..end].to_vec();
                *next = end;
                Ok(batch)
            }
            Source::File(reader) => {
                let mut batch = Vec::with_capacity(most);
                while batch.len() < most {
                    let Some(record) = reader.next(storage)? else { break };
                    batch.push(record);
                }
                Ok(batch)
            }
        }
    }
}
