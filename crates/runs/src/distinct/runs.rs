//! Runs: sorted records in temporary files, and merging them.
//!
//! The files are unlinked as soon as they are created (on Windows, they are deleted when they are
//! closed). So no file remains, however the program ends.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::{self, Seek};

use lz4_flex::frame::{FrameDecoder, FrameEncoder};

use super::frames::{Layout, RecordReader, RecordWriter};
use super::record::CountedPosition;
use super::{DistinctError, Storage};

/// Sorted records without duplicates in a file.
#[derive(Debug)]
pub(super) struct Run {
    file: File,
    len: u64,
}

impl Run {
    pub(super) const fn len(&self) -> u64 {
        self.len
    }

    /// Reads the run from its beginning.
    pub(super) fn reader(mut self, storage: &Storage) -> Result<RunReader, DistinctError> {
        self.file.rewind().map_err(|error| storage.failed(error))?;
        let records = RecordReader::new(FrameDecoder::new(self.file), Layout::FrontCoded);
        Ok(RunReader { records, left: self.len })
    }
}

/// Writes a run.
pub(super) struct RunWriter<'a> {
    records: RecordWriter<FrameEncoder<File>>,
    len: u64,
    storage: &'a Storage,
}

impl<'a> RunWriter<'a> {
    pub(super) fn new(storage: &'a Storage) -> Result<Self, DistinctError> {
        let output = FrameEncoder::new(storage.temporary_file()?);
        Ok(Self { records: RecordWriter::new(output), len: 0, storage })
    }

    pub(super) fn write(&mut self, record: &CountedPosition) -> Result<(), DistinctError> {
        self.len += 1;
        self.records.write(record).map_err(|error| self.storage.failed(error))
    }

    pub(super) fn finish(self) -> Result<Run, DistinctError> {
        let finish = || self.records.finish()?.finish().map_err(io::Error::from);
        let file = finish().map_err(|error| self.storage.failed(error))?;
        let written = file.metadata().map_or(0, |metadata| metadata.len());
        self.storage.wrote(written);
        Ok(Run { file, len: self.len })
    }
}

/// Reads a run.
pub(super) struct RunReader {
    records: RecordReader<FrameDecoder<File>>,
    left: u64,
}

impl RunReader {
    /// The next record; `None` after the last.
    pub(super) fn next(
        &mut self,
        storage: &Storage,
    ) -> Result<Option<CountedPosition>, DistinctError> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        self.records.next().map(Some).map_err(|error| storage.failed(error))
    }
}

/// Merges runs: calls a function with every position once, in order.
pub(super) fn merge(
    runs: Vec<Run>,
    storage: &Storage,
    mut take: impl FnMut(&CountedPosition) -> Result<(), DistinctError>,
) -> Result<(), DistinctError> {
    let mut readers = Vec::with_capacity(runs.len());
    let mut heads = BinaryHeap::with_capacity(runs.len());
    for run in runs {
        let mut reader = run.reader(storage)?;
        if let Some(head) = reader.next(storage)? {
            heads.push(Reverse((head, readers.len())));
            readers.push(reader);
        }
    }
    let mut current: Option<CountedPosition> = None;
    while let Some(mut head) = heads.peek_mut() {
        let Reverse((record, number)) = *head;
        match readers[number].next(storage)? {
            Some(next) => *head = Reverse((next, number)),
            None => {
                PeekMut::pop(head);
            }
        }
        match &mut current {
            Some(current) if current.packed == record.packed => current.absorb(&record)?,
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
pub(super) fn merge_into_run(runs: Vec<Run>, storage: &Storage) -> Result<Run, DistinctError> {
    let mut writer = RunWriter::new(storage)?;
    merge(runs, storage, |record| writer.write(record))?;
    writer.finish()
}
