//! Runs: sorted records in temporary files, and merging them.
//!
//! The files have no name from the moment they are made (on Windows they go when they are
//! closed), so nothing is left behind, however the program ends.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::{BufReader, Read, Seek, Write};
use std::marker::PhantomData;

use super::record::Record;
use super::{Error, Storage};

/// Records are written and read so many at a time.
const BATCH: usize = 1024;
/// The quickest compression there is: it halves what is written at the speed of disks.
const LEVEL: i32 = 1;

/// Sorted records without duplicates in a file.
#[derive(Debug)]
pub(super) struct Run<R> {
    file: File,
    len: u64,
    records: PhantomData<R>,
}

impl<R: Record> Run<R> {
    pub(super) const fn len(&self) -> u64 {
        self.len
    }

    /// Reads the run from its beginning.
    pub(super) fn reader(mut self, storage: &Storage) -> Result<RunReader<R>, Error> {
        let open = || {
            self.file.rewind()?;
            zstd::Decoder::new(self.file)
        };
        let decoder = open().map_err(|error| storage.failed(error))?;
        Ok(RunReader { decoder, left: self.len, batch: Vec::new(), next: 0 })
    }
}

/// Writes a run.
pub(super) struct RunWriter<'a, R> {
    encoder: zstd::Encoder<'static, File>,
    bytes: Vec<u8>,
    len: u64,
    storage: &'a Storage,
    records: PhantomData<R>,
}

impl<'a, R: Record> RunWriter<'a, R> {
    pub(super) fn new(storage: &'a Storage) -> Result<Self, Error> {
        let open = || zstd::Encoder::new(tempfile::tempfile_in(&storage.dir)?, LEVEL);
        let encoder = open().map_err(|error| storage.failed(error))?;
        let bytes = Vec::with_capacity(BATCH * R::BYTES);
        Ok(Self { encoder, bytes, len: 0, storage, records: PhantomData })
    }

    pub(super) fn write(&mut self, record: &R) -> Result<(), Error> {
        record.write(&mut self.bytes);
        self.len += 1;
        if self.bytes.len() == BATCH * R::BYTES { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), Error> {
        self.encoder.write_all(&self.bytes).map_err(|error| self.storage.failed(error))?;
        self.bytes.clear();
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<Run<R>, Error> {
        self.flush()?;
        let file = self.encoder.finish().map_err(|error| self.storage.failed(error))?;
        let written = file.metadata().map_or(0, |metadata| metadata.len());
        self.storage.wrote(written);
        Ok(Run { file, len: self.len, records: PhantomData })
    }
}

/// Reads a run.
pub(super) struct RunReader<R> {
    decoder: zstd::Decoder<'static, BufReader<File>>,
    left: u64,
    batch: Vec<R>,
    next: usize,
}

impl<R: Record> RunReader<R> {
    /// The next record; `None` after the last.
    pub(super) fn next(&mut self, storage: &Storage) -> Result<Option<R>, Error> {
        if self.next == self.batch.len() {
            self.fill().map_err(|error| storage.failed(error))?;
        }
        let record = self.batch.get(self.next).copied();
        self.next += 1;
        Ok(record)
    }

    fn fill(&mut self) -> std::io::Result<()> {
        let count = self.left.min(BATCH as u64) as usize;
        let mut bytes = vec![0; count * R::BYTES];
        self.decoder.read_exact(&mut bytes)?;
        self.batch.clear();
        self.batch.extend(bytes.chunks_exact(R::BYTES).map(R::read));
        self.left -= count as u64;
        self.next = 0;
        Ok(())
    }
}

/// Merges runs: every position once, in order, handed to a function.
pub(super) fn merge<R: Record>(
    runs: Vec<Run<R>>,
    storage: &Storage,
    mut take: impl FnMut(&R) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut readers = Vec::with_capacity(runs.len());
    let mut heads = BinaryHeap::with_capacity(runs.len());
    for run in runs {
        let mut reader = run.reader(storage)?;
        if let Some(head) = reader.next(storage)? {
            heads.push(Reverse((head, readers.len())));
            readers.push(reader);
        }
    }
    let mut current: Option<R> = None;
    while let Some(mut head) = heads.peek_mut() {
        let Reverse((record, number)) = *head;
        match readers[number].next(storage)? {
            Some(next) => *head = Reverse((next, number)),
            None => {
                PeekMut::pop(head);
            }
        }
        match &mut current {
            Some(current) if current.packed() == record.packed() => current.absorb(&record)?,
            _ => {
                if let Some(done) = current.replace(record) {
                    take(&done)?;
                }
            }
        }
    }
    current.map_or(Ok(()), |last| take(&last))
}

/// Merges runs into one.
pub(super) fn merge_into_run<R: Record>(
    runs: Vec<Run<R>>,
    storage: &Storage,
) -> Result<Run<R>, Error> {
    let mut writer = RunWriter::new(storage)?;
    merge(runs, storage, |record| writer.write(record))?;
    writer.finish()
}
