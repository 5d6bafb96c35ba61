//! Distinct positions: how many there are after so many half-moves, exactly.
//!
//! Two games that transpose reach one position. Positions are the same if
//! [they are equal](Position#impl-PartialEq-for-Position): men, turn, castling rights and a
//! *legal* capture en passant; how many moves were made does not matter.
//!
//! The plies are searched one after the other. Each distinct position of a ply is played on once;
//! what comes out is [packed](PackedPosition) into 24 bytes without loss, sorted, and duplicates dropped:
//! no hash is involved, so there is no chance of error. What does not fit into the memory that was
//! granted goes to temporary files and is merged.

mod collector;
mod record;
mod runs;

use std::fmt;
use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use tabiya::Position;

use crate::packed::{PackedPosition, UnpackError};
use crate::pool::Pool;
use crate::progress::{Progress, Watch};
use collector::{Collector, Level, Sorted};
pub(crate) use record::{Counted, Record};

/// What is taken by everything but sorted records: the program, its tables, its threads, and the
/// positions being played on.
const BASE: u64 = 24 << 20;
/// What reading one run takes.
const READER: u64 = 3 << 19;
/// So many positions are played on before the results are sorted in.
const BATCH: usize = 2048;

/// Where positions may be kept while they are sorted.
#[derive(Clone, Debug)]
pub struct DistinctOptions {
    /// Most memory, in bytes, that the whole program may take; at least [`MIN_MEMORY`].
    pub memory: u64,
    /// The directory for temporary files.
    pub temp: PathBuf,
    /// How many threads play and sort.
    pub threads: NonZeroUsize,
}

/// The least memory with which distinct positions can be counted: 64 MiB.
pub const MIN_MEMORY: u64 = 64 << 20;

/// One GiB, the system's directory for temporary files, one thread.
impl Default for DistinctOptions {
    fn default() -> Self {
        Self { memory: 1 << 30, temp: std::env::temp_dir(), threads: NonZeroUsize::MIN }
    }
}

/// How many distinct positions there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistinctTotal {
    /// The distinct positions after 0, 1, 2 ... half-moves. A position may occur in several.
    pub by_ply: Vec<u64>,
    /// Was everything counted? If not, `by_ply` ends with the last ply that was.
    pub complete: bool,
    /// How many bytes were written to temporary files.
    pub spilled: u64,
}

impl DistinctTotal {
    /// The distinct positions after the last ply that was counted.
    pub fn positions(&self) -> u64 {
        self.by_ply.last().copied().unwrap_or(0)
    }
}

/// Counts the distinct positions after `plies` half-moves, or until the watch says stop.
///
/// # Errors
/// If the memory is too little, or a temporary file cannot be written.
///
/// ```
/// use tabiya::Position;
/// use tabiya_perft::{distinct, DistinctOptions};
/// let tally = distinct(&Position::START, 4, &DistinctOptions::default(), &()).unwrap();
/// assert_eq!(tally.by_ply, [1, 20, 400, 5362, 72078]);
/// ```
pub fn distinct(
    root: &Position,
    plies: u32,
    options: &DistinctOptions,
    watch: &dyn Watch,
) -> Result<DistinctTotal, Error> {
    let storage = Storage::new(options)?;
    let mut by_ply = vec![1];
    let complete = match count(root, plies, &storage, watch, &mut by_ply) {
        Ok(()) => true,
        Err(Error::Cancelled) => false,
        Err(error) => return Err(error),
    };
    let spilled = storage.written.load(Ordering::Relaxed);
    Ok(DistinctTotal { by_ply, complete, spilled })
}

/// Counts ply by ply.
fn count(
    root: &Position,
    plies: u32,
    storage: &Storage,
    watch: &dyn Watch,
    by_ply: &mut Vec<u64>,
) -> Result<(), Error> {
    let Some(before) = plies.checked_sub(1) else { return Ok(()) };
    let mut level = Level::root(PackedPosition::root(PackedPosition::of(root)));
    for _ in 0..before {
        level = expand(level, root, storage, watch)?.into_level(storage)?;
        by_ply.push(level.len());
    }
    let mut positions = 0;
    expand(level, root, storage, watch)?.for_each(storage, |_| {
        positions += 1;
        stop_if_cancelled(positions, watch)
    })?;
    by_ply.push(positions);
    Ok(())
}

/// Hands the distinct positions after `plies` half-moves and their multiplicities to a function,
/// in order.
pub(crate) fn for_each_counted(
    root: &Position,
    plies: u32,
    storage: &Storage,
    watch: &dyn Watch,
    mut take: impl FnMut(&Counted) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut level = Level::root(Counted::root(PackedPosition::of(root)));
    let Some(before) = plies.checked_sub(1) else {
        return take(&Counted::root(PackedPosition::of(root)));
    };
    for _ in 0..before {
        level = expand(level, root, storage, watch)?.into_level(storage)?;
    }
    let mut positions = 0;
    expand(level, root, storage, watch)?.for_each(storage, |record| {
        positions += 1;
        stop_if_cancelled(positions, watch)?;
        take(record)
    })
}

fn stop_if_cancelled(done: u64, watch: &dyn Watch) -> Result<(), Error> {
    if done.is_multiple_of(1 << 16) && watch.is_cancelled() {
        Err(Error::Cancelled)
    } else {
        Ok(())
    }
}

/// Plays every position of a level on by one half-move.
fn expand<R: Record>(
    mut level: Level<R>,
    root: &Position,
    storage: &Storage,
    watch: &dyn Watch,
) -> Result<Sorted<R>, Error> {
    let total = usize::try_from(level.len()).unwrap_or(usize::MAX);
    let (mut done, mut games) = (0, 0u128);
    let mut collector = Collector::new(storage, level.held())?;
    loop {
        if watch.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let parents = level.next_batch(BATCH, storage)?;
        if parents.is_empty() {
            break;
        }
        let chunks: Vec<&[R]> = parents.chunks(64).collect();
        for children in storage.pool.map(chunks.len(), |number| children(chunks[number], root)) {
            let children = children?;
            games += children.len() as u128;
            collector.push_all(&children)?;
        }
        done += parents.len();
        watch.progress(Progress::of(done, total, games));
    }
    // What the level held is free before the results are put together.
    drop(level);
    collector.finish()
}

fn children<R: Record>(parents: &[R], root: &Position) -> Result<Vec<R>, Error> {
    let mut children = Vec::with_capacity(32 * parents.len());
    for record in parents {
        let parent = record.packed().unpack(root.mode(), 1).map_err(Error::Unpack)?;
        let moves = parent.legal_moves();
        children.extend(moves.iter().map(|&mv| record.child(PackedPosition::of(&parent.play(mv)))));
    }
    Ok(children)
}

/// Where records go that do not fit into memory, and how much fits.
#[derive(Debug)]
pub(crate) struct Storage {
    /// Bytes for sorted records; `None`: as much as there is.
    limit: Option<u64>,
    dir: PathBuf,
    /// So many runs are merged at once.
    fan_in: usize,
    written: AtomicU64,
    /// The threads that play and sort.
    pool: Pool,
}

impl Storage {
    pub(crate) fn new(options: &DistinctOptions) -> Result<Self, Error> {
        if options.memory < MIN_MEMORY {
            return Err(Error::TooLittleMemory { granted: options.memory });
        }
        let free = options.memory - BASE;
        let fan_in = (free / 8 / READER).clamp(4, 32);
        // The runs are read, one is written and one level is read at the same time.
        let limit = Some(free - (fan_in + 2) * READER);
        let dir = options.temp.clone();
        let pool = Pool::new(options.threads);
        Ok(Self { limit, dir, fan_in: fan_in as usize, written: AtomicU64::new(0), pool })
    }

    /// NoFilter in memory.
    pub(crate) fn unlimited() -> Self {
        let pool = Pool::new(std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN));
        Self { limit: None, dir: PathBuf::new(), fan_in: 0, written: AtomicU64::new(0), pool }
    }

    const fn is_limited(&self) -> bool {
        self.limit.is_some()
    }

    /// How many records a buffer may have beside what is held already.
    fn records<R>(&self, held: u64) -> usize {
        let bytes = self.limit.map_or(1 << 20, |limit| limit.saturating_sub(held));
        usize::try_from(bytes).unwrap_or(usize::MAX) / size_of::<R>()
    }

    /// May so many bytes stay in memory while the next ply is sorted?
    fn leaves_room(&self, held: usize) -> bool {
        self.limit.is_none_or(|limit| held as u64 <= limit / 2)
    }

    fn wrote(&self, bytes: u64) {
        self.written.fetch_add(bytes, Ordering::Relaxed);
    }

    fn failed(&self, source: io::Error) -> Error {
        Error::Temporary { dir: self.dir.clone(), source }
    }
}

/// Why distinct positions could not be counted or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The memory granted is less than [`MIN_MEMORY`].
    TooLittleMemory {
        /// What was granted, in bytes.
        granted: u64,
    },
    /// The system has not the memory that was granted.
    OutOfMemory,
    /// A temporary file could not be written or read back.
    Temporary {
        /// The directory.
        dir: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The result could not be written.
    Output(io::Error),
    /// More than 2^64 games lead to one position.
    Multiplicity,
    /// What was stored is no position.
    Unpack(UnpackError),
    /// The watch said so.
    Cancelled,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLittleMemory { granted } => write!(
                f,
                "{} KiB of memory are too little: at least {} MiB are needed",
                granted >> 10,
                MIN_MEMORY >> 20
            ),
            Self::OutOfMemory => f.write_str("the system has less memory than was granted"),
            Self::Temporary { dir, source } if source.kind() == io::ErrorKind::StorageFull => {
                write!(f, "the disk with the temporary files in {} is full", dir.display())
            }
            Self::Temporary { dir, source } => {
                write!(f, "temporary files in {}: {source}", dir.display())
            }
            Self::Output(source) => write!(f, "the output cannot be written: {source}"),
            Self::Multiplicity => f.write_str("more than 2^64 games lead to one position"),
            Self::Unpack(error) => error.fmt(f),
            Self::Cancelled => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Temporary { source, .. } | Self::Output(source) => Some(source),
            Self::Unpack(error) => Some(error),
            _ => None,
        }
    }
}
