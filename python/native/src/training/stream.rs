//! The records of files in batches, made by threads of their own.
//!
//! One thread reads blocks, several decode and filter them, and one puts the records that come in the files' order
//! into random order and into batches. None of them touches Python.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::vec;

use tabiya::{Color, Move, Position, SplitMix64};
use tabiya_data::{Bad, Block, Blocks, Format, Found, Pipeline, ReadError, Reason, Record};

/// The size of a block in bytes: small, so that shards are alike.
const BLOCK: usize = 1 << 14;
/// The score of a record without one.
pub(super) const NO_SCORE: i16 = i16::MIN;
/// The result of a record without one, as in `read_pgn`.
pub(super) const UNKNOWN_RESULT: i8 = 2;

/// What is to be read, and how.
pub(super) struct Plan {
    pub(super) files: Vec<(PathBuf, Format)>,
    /// The number of records in a batch.
    pub(super) size: usize,
    /// The number of records from which the next one is chosen; 0 for the files' order.
    pub(super) shuffle: usize,
    /// The number of this shard, and that of all shards.
    pub(super) shard: (u64, u64),
    pub(super) seed: u64,
    /// Which records are taken.
    pub(super) records: tabiya_data::Plan,
    /// How often the files are read; `None` without end.
    pub(super) epochs: Option<u64>,
    pub(super) threads: NonZeroUsize,
}

impl Plan {
    /// The order of the files in an epoch.
    fn order(&self, epoch: u64) -> vec::IntoIter<usize> {
        let mut order: Vec<_> = (0..self.files.len()).collect();
        if self.shuffle > 0 {
            let mut random = SplitMix64::new(self.seed).part(epoch);
            for last in (1..order.len()).rev() {
                order.swap(last, random.below(last + 1));
            }
        }
        order.into_iter()
    }

    /// The blocks of a file that belong to this shard: block `b` of file `f` belongs to shard `(f + b) % n`, so it
    /// doesn't depend on the seed.
    fn blocks(&self, file: usize) -> impl Iterator<Item = Result<Job, FileError>> + use<> {
        let (path, format) = self.files[file].clone();
        let (shard, shards) = self.shard;
        let (opened, error) = match File::open(&path) {
            Ok(input) => (Some(Blocks::of_size(input, format, BLOCK)), None),
            Err(error) => (None, Some(Err(error))),
        };
        let blocks = opened.into_iter().flatten().chain(error);
        (file as u64..).zip(blocks).filter_map(move |(number, block)| {
            let job = block.map_err(ReadError::Io).and_then(|block| {
                if number == file as u64 {
                    must_be(format, &block).map_err(ReadError::Bad)?;
                }
                Ok(Job { file, block })
            });
            let job = job.map_err(|error| FileError { path: path.clone(), error });
            (job.is_err() || number % shards == shard).then_some(job)
        })
    }

    /// The blocks of this shard, and `None` after those of each epoch.
    fn jobs(self: Arc<Self>) -> impl Iterator<Item = Result<Option<Job>, FileError>> {
        (0..self.epochs.unwrap_or(u64::MAX)).flat_map(move |epoch| {
            let plan = Arc::clone(&self);
            let jobs = self.order(epoch).flat_map(move |file| plan.blocks(file));
            jobs.map(|job| job.map(Some)).chain([Ok(None)])
        })
    }

    /// The records of a block.
    fn decode(&self, Job { file, block }: Job) -> Part {
        let mut records = Vec::new();
        let format = self.files[file].1;
        let found = self.records.visit(format, &block, |record| records.push(record.clone()));
        Part { file, records, found }
    }
}

/// Fails if the first block of a file has bad records, and none that could be kept: then it isn't of its format.
fn must_be(format: Format, block: &Block) -> Result<(), Bad> {
    let (mut decoder, mut record, mut first) = (format.decoder(block), Record::default(), None);
    loop {
        match decoder.next(&mut record) {
            Ok(true) | Err(Bad { record: Some(_), .. }) => return Ok(()),
            Err(bad) => drop(first.get_or_insert(bad)),
            Ok(false) => break,
        }
    }
    let Some(Bad { offset, reason, .. }) = first else { return Ok(()) };
    let text = format!("{reason}; none of the first records can be read, so it isn't {format}");
    Err(Bad { offset, reason: Reason::Form(text), record: None })
}

/// A block of a file.
struct Job {
    file: usize,
    block: Block,
}

/// What was in a block.
struct Part {
    file: usize,
    records: Vec<Record>,
    found: Found,
}

/// A file can't be read on.
pub(super) struct FileError {
    pub(super) path: PathBuf,
    pub(super) error: ReadError,
}

/// A batch.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) positions: Vec<Position>,
    pub(super) moves: Vec<u16>,
    pub(super) scores: Vec<i16>,
    pub(super) results: Vec<i8>,
    pub(super) plies: Vec<u16>,
}

impl Rows {
    fn push(&mut self, record: Record) {
        self.positions.push(record.position);
        self.moves.push(record.mv.map_or(0, Move::bits));
        self.scores.push(record.score.unwrap_or(NO_SCORE));
        let result = record.result.map(|result| result.for_side(Color::White));
        self.results.push(result.unwrap_or(UNKNOWN_RESULT));
        self.plies.push(record.ply);
    }
}

/// The bad records that have been found so far.
#[derive(Clone, Default)]
pub(super) struct BadRecords {
    /// Their number, by kind.
    pub(super) counts: BTreeMap<&'static str, u64>,
    /// The first ones in words.
    pub(super) messages: Vec<String>,
}

/// Why there are no more batches.
pub(super) enum End {
    Files,
    /// No record is left by the shard or the filter, and the files would be read without end.
    Nothing,
    Error(FileError),
}

/// A batch or the end, and what was bad until then.
pub(super) type Message = (Result<Rows, End>, BadRecords);

/// Puts records into random order and into batches.
pub(super) struct Batches {
    plan: Arc<Plan>,
    /// `None` after each epoch.
    parts: Pipeline<Result<Option<Part>, FileError>>,
    /// The records of the last part that are left, and the end that comes after them, if it's known.
    records: vec::IntoIter<Record>,
    end: Option<End>,
    has_any: bool,
    held: Vec<Record>,
    random: SplitMix64,
    bad: BadRecords,
    is_stopped: Arc<AtomicBool>,
}

impl Batches {
    /// Begins to read. If `is_stopped` is set, no more is read.
    pub(super) fn start(plan: Arc<Plan>, is_stopped: Arc<AtomicBool>) -> io::Result<Self> {
        let (jobs, own) = (Arc::clone(&plan).jobs().map(Ok), Arc::clone(&plan));
        let decode = move |_, job: Result<Option<_>, _>| Ok(job?.map(|job| own.decode(job)));
        Ok(Self {
            parts: Pipeline::start(jobs, plan.threads, decode)?,
            records: Vec::new().into_iter(),
            end: None,
            has_any: false,
            held: Vec::new(),
            random: SplitMix64::new(plan.seed).part(u64::MAX),
            bad: BadRecords::default(),
            plan,
            is_stopped,
        })
    }

    /// The next batch, or the end.
    pub(super) fn next(&mut self) -> Message {
        let mut rows = Rows::default();
        while rows.positions.len() < self.plan.size {
            let Some(record) = self.pick() else { break };
            rows.push(record);
        }
        let result = match self.end.take_if(|_| rows.positions.is_empty()) {
            Some(end) => Err(end),
            None => Ok(rows),
        };
        (result, self.bad.clone())
    }

    /// One of the records that are held, at random; without a buffer, the next one.
    fn pick(&mut self) -> Option<Record> {
        loop {
            let next = self.read();
            match next {
                Some(record) if self.held.len() < self.plan.shuffle => self.held.push(record),
                _ if self.held.is_empty() => return next,
                _ => {
                    let place = self.random.below(self.held.len());
                    return Some(match next {
                        Some(record) => std::mem::replace(&mut self.held[place], record),
                        None => self.held.swap_remove(place),
                    });
                }
            }
        }
    }

    /// The next record in the files' order.
    fn read(&mut self) -> Option<Record> {
        loop {
            let record = self.records.next();
            if record.is_some() || self.end.is_some() {
                return record;
            }
            if let Err(end) = self.next_part() {
                self.end = Some(end);
            }
        }
    }

    fn next_part(&mut self) -> Result<(), End> {
        let part = self.parts.next().filter(|_| !self.is_stopped.load(Ordering::Relaxed));
        let part = part.ok_or(End::Files)?.expect("an error of a file is a job");
        let Some(Part { file, records, found }) = part.map_err(End::Error)? else {
            let is_endless = self.plan.epochs.is_none();
            return if is_endless && !self.has_any { Err(End::Nothing) } else { Ok(()) };
        };
        self.records = records.into_iter();
        self.has_any |= found.selected > 0;
        let path = &self.plan.files[file].0;
        for bad in found.first.iter().take(Found::DESCRIBED - self.bad.messages.len()) {
            self.bad.messages.push(format!("{}: {bad}", path.display()));
        }
        for (kind, (count, bad)) in found.kinds {
            *self.bad.counts.entry(kind).or_default() += count;
            if found.is_stopped {
                let error = FileError { path: path.clone(), error: ReadError::Bad(bad) };
                self.end = Some(End::Error(error));
            }
        }
        Ok(())
    }
}
