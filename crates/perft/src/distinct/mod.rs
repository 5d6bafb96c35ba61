//! Distinct positions: how many there are at each ply, exactly.
//!
//! Two move sequences that transpose reach one position. Positions are the same if
//! [they are equal](Position#impl-PartialEq-for-Position): same pieces, same side to move, same
//! castling rights and same *legal* en-passant capture. The halfmove clock and the fullmove number
//! do not matter.
//!
//! The plies are searched one after the other. From each distinct position of a ply, every legal
//! move is made once. The resulting positions are [packed](PackedIdentity) into 24 bytes without
//! loss and sorted, and duplicates are dropped. No hash is involved, so the result cannot be wrong
//! by chance. What does not fit into the given memory goes to temporary files and is merged.

mod bits;
mod children;
mod collector;
mod error;
mod fingerprint;
mod frames;
mod pass;
mod plies;
mod record;
mod runs;
mod set;
mod tree;

use std::fs::File;
use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use tabiya::Position;
use tabiya::packed::PackedIdentity;

use crate::pool::Pool;
use crate::progress::{Progress, Watch};
use collector::{Collector, Level, Sorted};
pub use error::DistinctError;
pub(crate) use frames::{Layout, RecordReader, RecordWriter, ZstdReader, ZstdWriter};
pub(crate) use record::{CountedPosition, Record};

/// Memory for everything but sorted records: the program, its tables, its threads, and the
/// positions in which moves are made.
const BASE: u64 = 24 << 20;
/// Memory for reading one run.
const READER: u64 = 3 << 19;
/// Moves are made in this many positions before the results are added to the sorted ones.
const BATCH: usize = 2048;

/// Where positions are kept while they are sorted.
#[derive(Clone, Debug)]
pub struct DistinctOptions {
    /// The most memory that the whole program may use, in bytes; at least [`MIN_MEMORY`].
    pub memory: u64,
    /// The directory for temporary files. It must exist even if no file is needed.
    pub temp: PathBuf,
    /// How many threads make moves and sort.
    pub threads: NonZeroUsize,
}

/// The smallest memory limit: 64 MiB.
pub const MIN_MEMORY: u64 = 64 << 20;

/// A limit of one GiB, the system's directory for temporary files, one thread.
impl Default for DistinctOptions {
    fn default() -> Self {
        Self { memory: 1 << 30, temp: std::env::temp_dir(), threads: NonZeroUsize::MIN }
    }
}

/// The numbers of distinct positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistinctTotal {
    /// The distinct positions at ply 0, 1, 2 and so on. A position may occur at several plies.
    pub by_ply: Vec<u64>,
    /// Was everything counted? If not, `by_ply` ends with the last ply that was counted.
    pub complete: bool,
    /// How many bytes were written to temporary files.
    pub spilled: u64,
}

impl DistinctTotal {
    /// The distinct positions at the last ply that was counted.
    pub fn positions(&self) -> u64 {
        self.by_ply.last().copied().unwrap_or(0)
    }
}

/// Counts the distinct positions at each ply up to `plies`, or until the watch cancels the work.
///
/// # Errors
/// [`DistinctError`] if the memory limit is too small, or a temporary file cannot be created or
/// written.
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
) -> Result<DistinctTotal, DistinctError> {
    let storage = Storage::new(options)?;
    let mut by_ply = vec![1];
    let complete = match plies::count(root, plies, &storage, options.memory - BASE, watch, &mut by_ply) {
        Ok(()) => true,
        Err(DistinctError::Cancelled) => false,
        Err(error) => return Err(error),
    };
    let spilled = storage.written.load(Ordering::Relaxed);
    Ok(DistinctTotal { by_ply, complete, spilled })
}

/// Calls a function with the distinct positions at a ply and their multiplicities, in order.
pub(crate) fn for_each_counted(
    root: &Position,
    plies: u32,
    storage: &Storage,
    watch: &dyn Watch,
    mut take: impl FnMut(&CountedPosition) -> Result<(), DistinctError>,
) -> Result<(), DistinctError> {
    let mut level = Level::root(CountedPosition::root(PackedIdentity::of(root)));
    let Some(before) = plies.checked_sub(1) else {
        return take(&CountedPosition::root(PackedIdentity::of(root)));
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

fn stop_if_cancelled(done: u64, watch: &dyn Watch) -> Result<(), DistinctError> {
    if done.is_multiple_of(1 << 16) && watch.is_cancelled() {
        Err(DistinctError::Cancelled)
    } else {
        Ok(())
    }
}

/// Makes every legal move in every position of a level.
fn expand<R: Record>(
    mut level: Level<R>,
    root: &Position,
    storage: &Storage,
    watch: &dyn Watch,
) -> Result<Sorted<R>, DistinctError> {
    let total = usize::try_from(level.len()).unwrap_or(usize::MAX);
    let (mut done, mut games) = (0, 0u128);
    let mut collector = Collector::new(storage, level.held())?;
    loop {
        if watch.is_cancelled() {
            return Err(DistinctError::Cancelled);
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
    // The memory of the level is free before the results are merged.
    drop(level);
    collector.finish()
}

fn children<R: Record>(parents: &[R], root: &Position) -> Result<Vec<R>, DistinctError> {
    let mut children = Vec::with_capacity(32 * parents.len());
    for record in parents {
        let parent = record.packed().unpack(root.castling_mode(), 1)?;
        let moves = parent.legal_moves();
        children.extend(moves.iter().map(|&mv| record.child(PackedIdentity::of(&parent.play(mv)))));
    }
    Ok(children)
}

/// How many records fit into memory, and where the others go.
#[derive(Debug)]
pub(crate) struct Storage {
    /// Bytes for sorted records; `None` for no limit.
    limit: Option<u64>,
    dir: PathBuf,
    /// How many runs are merged at once.
    fan_in: usize,
    written: AtomicU64,
    /// The threads that play and sort.
    pool: Pool,
}

impl Storage {
    pub(crate) fn new(options: &DistinctOptions) -> Result<Self, DistinctError> {
        if options.memory < MIN_MEMORY {
            return Err(DistinctError::TooLittleMemory { granted: options.memory });
        }
        let free = options.memory - BASE;
        let fan_in = (free / 8 / READER).clamp(4, 32);
        // The runs are read, one is written and one level is read at the same time.
        let limit = Some(free - (fan_in + 2) * READER);
        let dir = options.temp.clone();
        let pool = Pool::new(options.threads);
        let storage =
            Self { limit, dir, fan_in: fan_in as usize, written: AtomicU64::new(0), pool };
        // A missing directory is better noticed now than hours later, when the memory is full.
        storage.temporary_file()?;
        Ok(storage)
    }

    /// A new temporary file without a name.
    fn temporary_file(&self) -> Result<File, DistinctError> {
        tempfile::tempfile_in(&self.dir).map_err(|source| {
            let dir = self.dir.clone();
            DistinctError::TemporaryDirectory { dir, source }
        })
    }

    /// Everything in memory, without a limit.
    pub(crate) fn unlimited() -> Self {
        let pool = Pool::new(std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN));
        Self { limit: None, dir: PathBuf::new(), fan_in: 0, written: AtomicU64::new(0), pool }
    }

    const fn is_limited(&self) -> bool {
        self.limit.is_some()
    }

    /// How many records fit into a buffer if `held` bytes are in memory already.
    fn records<R>(&self, held: u64) -> usize {
        let bytes = self.limit.map_or(1 << 20, |limit| limit.saturating_sub(held));
        usize::try_from(bytes).unwrap_or(usize::MAX) / size_of::<R>()
    }

    /// May `held` bytes stay in memory while the next ply is sorted?
    fn leaves_room(&self, held: usize) -> bool {
        self.limit.is_none_or(|limit| held as u64 <= limit / 2)
    }

    fn wrote(&self, bytes: u64) {
        self.written.fetch_add(bytes, Ordering::Relaxed);
    }

    fn failed(&self, source: io::Error) -> DistinctError {
        DistinctError::Temporary { dir: self.dir.clone(), source }
    }
}
