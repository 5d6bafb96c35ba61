//! The records of files in batches, made by threads of their own.
//!
//! One thread reads blocks, several decode and filter them, and one puts the records that come in the files' order
//! into random order and into batches. None of them touches Python.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::vec;

use tabiya::{Move, Position, SplitMix64};
use tabiya_data::{Bad, Block, Blocks, Filter, Format, GameResult, Pipeline, Record};

/// The size of a block in bytes: small, so that shards are alike.
const BLOCK: usize = 1 << 14;
/// The number of bad records that are described.
const DESCRIBED: usize = 20;
/// The score of a record without one.
pub(super) const NO_SCORE: i16 = i16::MIN;
/// The result of a record without one, as in `read_pgn`.
pub(super) const UNKNOWN_RESULT: i8 = 2;

/// What becomes of bad records.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OnBad {
    Skip,
    /// Without their bad values, if only values are bad.
    Keep,
    Stop,
}

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
    pub(super) filter: Option<Filter>,
    pub(super) on_bad: OnBad,
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

    /// The records of a block.
    fn decode(&self, job: &Job) -> Part {
        let mut part =
            Part { epoch: job.epoch, file: job.file, records: Vec::new(), bad: Vec::new() };
        let is_wanted = |record: &Record| self.filter.as_ref().is_none_or(|it| it.accepts(record));
        let mut decoder = self.files[job.file].1.decoder(&job.block);
        let mut record = Record::default();
        loop {
            match decoder.next(&mut record) {
                Ok(true) if is_wanted(&record) => part.records.push(record.clone()),
                Ok(true) => {}
                Ok(false) => return part,
                Err(mut bad) => {
                    if let Some(kept) = bad.record.take().filter(|_| self.on_bad == OnBad::Keep)
                        && is_wanted(&kept)
                    {
                        part.records.push(*kept);
                    }
                    part.bad.push(bad);
                    if self.on_bad == OnBad::Stop {
                        return part;
                    }
                }
            }
        }
    }
}

/// A block of a file.
struct Job {
    epoch: u64,
    file: usize,
    block: Block,
}

/// What was in a block.
struct Part {
    epoch: u64,
    file: usize,
    records: Vec<Record>,
    bad: Vec<Bad>,
}

/// The blocks of a shard, in the files' order, epoch by epoch.
///
/// Block `b` of file `f` belongs to shard `(f + b) % n`, so it doesn't depend on the seed.
struct Jobs {
    plan: Arc<Plan>,
    epoch: u64,
    order: vec::IntoIter<usize>,
    /// The number of the file, that of the next block, and the blocks.
    open: Option<(usize, u64, Blocks<File>)>,
    has_any: bool,
}

impl Jobs {
    fn new(plan: Arc<Plan>) -> Self {
        let order = plan.order(0);
        Self { plan, epoch: 0, order, open: None, has_any: false }
    }

    fn step(&mut self) -> Result<Option<Job>, (usize, io::Error)> {
        let (shard, shards) = self.plan.shard;
        loop {
            if let Some((file, number, blocks)) = &mut self.open {
                let Some(block) = blocks.next_block().map_err(|error| (*file, error))? else {
                    self.open = None;
                    continue;
                };
                let is_ours = (*file as u64).wrapping_add(*number) % shards == shard;
                *number += 1;
                if is_ours {
                    self.has_any = true;
                    return Ok(Some(Job { epoch: self.epoch, file: *file, block }));
                }
            } else if let Some(file) = self.order.next() {
                let (path, format) = &self.plan.files[file];
                let input = File::open(path).map_err(|error| (file, error))?;
                self.open = Some((file, 0, Blocks::of_size(input, *format, BLOCK)));
            } else {
                self.epoch += 1;
                if !self.has_any || self.plan.epochs == Some(self.epoch) {
                    return Ok(None);
                }
                self.order = self.plan.order(self.epoch);
            }
        }
    }
}

impl Iterator for Jobs {
    type Item = io::Result<Job>;

    fn next(&mut self) -> Option<io::Result<Job>> {
        let job = self.step().map_err(|(file, error)| {
            let path = self.plan.files[file].0.clone();
            io::Error::new(error.kind(), FileError { path, error })
        });
        job.transpose()
    }
}

/// A file can't be read.
#[derive(Debug)]
pub(super) struct FileError {
    pub(super) path: PathBuf,
    pub(super) error: io::Error,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.error)
    }
}

impl Error for FileError {}

/// A batch.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) positions: Vec<Position>,
    pub(super) moves: Vec<u16>,
    pub(super) scores: Vec<i16>,
    pub(super) results: Vec<i8>,
    pub(super) plies: Vec<u16>,
    /// What was found until then.
    pub(super) bad: BadRecords,
}

impl Rows {
    fn push(&mut self, record: Record) {
        self.positions.push(record.position);
        self.moves.push(record.mv.map_or(0, Move::bits));
        self.scores.push(record.score.unwrap_or(NO_SCORE));
        self.results.push(match record.result {
            Some(GameResult::WhiteWins) => 1,
            Some(GameResult::Draw) => 0,
            Some(GameResult::BlackWins) => -1,
            None => UNKNOWN_RESULT,
        });
        self.plies.push(record.ply);
    }
}

/// The bad records that have been found so far.
#[derive(Clone, Default)]
pub(super) struct BadRecords {
    /// Their number, by kind.
    pub(super) counts: BTreeMap<&'static str, u64>,
    /// The first ones: the number of the file, and what is wrong.
    pub(super) first: Vec<(usize, Bad)>,
}

/// Why there are no more batches.
pub(super) enum End {
    Files,
    /// No record is left by the shard or the filter, and the files would be read without end.
    Nothing,
    Bad(usize, Bad),
    Io(io::Error),
}

/// What comes from the threads.
pub(super) enum Message {
    Rows(Box<Rows>),
    End(End, BadRecords),
}

/// The batches aren't wanted any more.
struct Closed;

/// Puts records into random order and into batches.
struct Mixer {
    plan: Arc<Plan>,
    random: SplitMix64,
    held: Vec<Record>,
    rows: Rows,
    bad: BadRecords,
    sender: SyncSender<Message>,
}

/// Reads everything, until `is_stopped` or until nobody listens. The last message is an end.
pub(super) fn read(plan: Arc<Plan>, sender: SyncSender<Message>, is_stopped: &AtomicBool) {
    let random = SplitMix64::new(plan.seed).part(u64::MAX);
    let (held, rows, bad) = (Vec::new(), Rows::default(), BadRecords::default());
    let mut mixer = Mixer { plan, random, held, rows, bad, sender };
    let end = match mixer.run(is_stopped) {
        Ok(end) => end,
        Err(Closed) => return,
    };
    if mixer.drain().is_ok() {
        let Mixer { sender, bad, .. } = mixer;
        // Nobody may listen.
        let _ = sender.send(Message::End(end, bad));
    }
}

impl Mixer {
    fn run(&mut self, is_stopped: &AtomicBool) -> Result<End, Closed> {
        let plan = Arc::clone(&self.plan);
        let jobs = Jobs::new(Arc::clone(&plan));
        let parts = match Pipeline::start(jobs, plan.threads, move |_, job| plan.decode(&job)) {
            Ok(parts) => parts,
            Err(error) => return Ok(End::Io(error)),
        };
        let (mut epoch, mut has_any) = (0, false);
        for part in parts {
            if is_stopped.load(Ordering::Relaxed) {
                return Err(Closed);
            }
            let part = match part {
                Ok(part) => part,
                Err(error) => return Ok(End::Io(error)),
            };
            if part.epoch > epoch && self.plan.epochs.is_none() && !has_any {
                return Ok(End::Nothing);
            }
            epoch = part.epoch;
            has_any |= !part.records.is_empty();
            part.records.into_iter().try_for_each(|record| self.add(record))?;
            for bad in part.bad {
                *self.bad.counts.entry(bad.reason.kind()).or_default() += 1;
                if self.plan.on_bad == OnBad::Stop {
                    return Ok(End::Bad(part.file, bad));
                }
                if self.bad.first.len() < DESCRIBED {
                    self.bad.first.push((part.file, bad));
                }
            }
        }
        // Jobs without end end only if there are none.
        Ok(if self.plan.epochs.is_none() { End::Nothing } else { End::Files })
    }

    /// Adds a record; if as many as wanted are held, gives one of them out.
    fn add(&mut self, record: Record) -> Result<(), Closed> {
        if self.held.len() < self.plan.shuffle {
            self.held.push(record);
            return Ok(());
        }
        if self.held.is_empty() {
            return self.give(record);
        }
        let place = self.random.below(self.held.len());
        let given = std::mem::replace(&mut self.held[place], record);
        self.give(given)
    }

    fn give(&mut self, record: Record) -> Result<(), Closed> {
        self.rows.push(record);
        if self.rows.positions.len() < self.plan.size { Ok(()) } else { self.send() }
    }

    fn send(&mut self) -> Result<(), Closed> {
        let mut rows = std::mem::take(&mut self.rows);
        rows.bad = self.bad.clone();
        self.sender.send(Message::Rows(Box::new(rows))).map_err(|_| Closed)
    }

    /// Gives out all that are held.
    fn drain(&mut self) -> Result<(), Closed> {
        while !self.held.is_empty() {
            let place = self.random.below(self.held.len());
            let given = self.held.swap_remove(place);
            self.give(given)?;
        }
        if self.rows.positions.is_empty() { Ok(()) } else { self.send() }
    }
}
