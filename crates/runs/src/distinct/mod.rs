//! Distinct positions: counting them at each ply.
//!
//! Two move sequences that transpose reach the same position. Positions are the same if [they are
//! equal](Position#impl-PartialEq-for-Position): same pieces, same side to move, same castling
//! rights and same *legal* en-passant capture. The halfmove clock and the fullmove number do not
//! matter.
//!
//! # How they are counted
//!
//! The first plies are counted by comparing [packed](PackedIdentity) positions. Later plies are
//! counted one after the other, as follows.
//!
//! All moves are made in each distinct position of the previous ply. The fingerprints of the
//! resulting positions go into a set, and the new ones are counted. A fingerprint is updated move
//! by move, so the positions need not be built. 96 of its bits are compared, so the chance of an
//! error is known: see [`DistinctTotal::risk`].
//!
//! If a set of all fingerprints does not fit into memory, the ply is counted in several passes.
//! Each pass considers a share of all fingerprints: those whose other 32 bits lie between two
//! numbers. Making all moves again costs less than writing fingerprints to a disk and reading them
//! back.
//!
//! The distinct positions of the previous ply are the nodes of a [`tree`], which takes about three
//! bits for each of them. Every pass walks through this tree. The positions of the last ply are not
//! kept at all.
//!
//! [Frontiers](crate::FrontierFile) contain positions in order and with their multiplicities. So
//! their positions are sorted, in memory and in temporary files ([`collector`]).

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
mod saved;
mod set;
mod status;
#[cfg(test)]
mod tests;
mod tree;

use std::fs::File;
use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use tabiya::Position;
use tabiya::packed::PackedIdentity;

use collector::{Collector, Level, Sorted};
pub use error::DistinctError;
pub(crate) use frames::{Layout, RecordReader, RecordWriter, ZstdWriter};
use plies::{Budget, Count, Counted};
pub(crate) use record::CountedPosition;
pub use status::{DistinctStatus, distinct_status};
use tabiya_perft::Seed;
use tabiya_perft::internal::Pool;
use tabiya_perft::{Progress, Watch};

/// Memory for everything except sorted records: the program, its tables, its threads, and the
/// positions in which moves are made.
const BASE: u64 = 24 << 20;
/// Memory for each thread that walks through a tree.
const THREAD: u64 = 1 << 18;
/// Memory for reading one run.
const READER: u64 = 3 << 19;
/// Moves are made in this many positions before the results are added to the sorted ones.
const BATCH: usize = 2048;

/// The memory and the directory for sorting positions, and the number of threads.
#[derive(Clone, Debug)]
pub struct DistinctOptions {
    /// The most memory that the whole program may use, in bytes; at least [`MIN_MEMORY`].
    pub memory: u64,
    /// The directory for temporary files. It must exist even if no file is needed.
    pub temp: PathBuf,
    /// The number of threads that make moves and sort.
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
#[non_exhaustive]
pub struct DistinctTotal {
    /// The distinct positions at ply 0, 1, 2 and so on. A position may occur at several plies.
    pub by_ply: Vec<u64>,
    /// Was everything counted? If not, `by_ply` ends with the last ply that was counted.
    pub complete: bool,
    /// The part of the next ply that was counted before the count was stopped.
    pub partial: Option<PartialPly>,
    /// The seed of the fingerprints.
    pub seed: Seed,
    /// The number of bytes that were written to temporary files.
    pub spilled: u64,
    /// The number of plies that were counted without fingerprints.
    exact: usize,
}

/// A part of the positions at a ply, which has been counted completely. The part is random.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PartialPly {
    /// The distinct positions in this part.
    pub positions: u64,
    /// The size of the part, in units of 2^-32 of the ply.
    pub shares: u64,
}

impl PartialPly {
    /// The size of the part, from 0 to 1.
    pub fn share(&self) -> f64 {
        self.shares as f64 / fingerprint::SHARES as f64
    }

    /// About how many distinct positions there are at the ply.
    pub fn projected(&self) -> f64 {
        self.positions as f64 / self.share()
    }
}

impl DistinctTotal {
    /// The distinct positions at the last ply that was counted.
    pub fn positions(&self) -> u64 {
        self.by_ply.last().copied().unwrap_or(0)
    }

    /// An upper bound for the chance that any of the numbers is wrong. A wrong number is too small.
    ///
    /// A number is wrong if two different positions of one ply have the same 96 bits. For any two
    /// of them the chance is 2^-96, so for *n* positions it is less than *n*² / 2^97. This is a
    /// theorem if the numbers behind the fingerprints are truly random. These numbers are the
    /// output of ChaCha20 with the [seed](Seed) as its key. If the seed is random, telling them
    /// from truly random ones would break ChaCha20. The root must not have been chosen with
    /// knowledge of the seed.
    ///
    /// If positions of a ply are lost, positions at later plies may be missing as well. The bound
    /// covers this, because it bounds the chance of any such loss.
    ///
    /// ```
    /// use tabiya::Position;
    /// use tabiya_runs::{DistinctOptions, distinct};
    /// let total = distinct(&Position::START, 5, &DistinctOptions::default(), &()).unwrap();
    /// assert!(total.risk() < 1e-15);
    /// ```
    pub fn risk(&self) -> f64 {
        let counted = self.by_ply.iter().skip(self.exact).copied();
        let positions = counted.chain(self.partial.map(|partial| partial.positions));
        let pairs = positions.fold(0.0, |pairs, count| pairs + (count as f64).powi(2) / 2.0);
        pairs / 2f64.powi(fingerprint::COMPARED_BITS)
    }
}

/// Counts the distinct positions at each ply up to `plies`, or until the watch cancels the work.
///
/// [`DistinctCount`] also accepts a seed, or a file from which a later count continues.
///
/// # Errors
/// [`DistinctError`] if the memory limit is too small, or a temporary file cannot be created or
/// written.
///
/// ```
/// use tabiya::Position;
/// use tabiya_runs::{DistinctOptions, distinct};
/// let total = distinct(&Position::START, 4, &DistinctOptions::default(), &()).unwrap();
/// assert_eq!(total.by_ply, [1, 20, 400, 5362, 72078]);
/// ```
pub fn distinct(
    root: &Position,
    plies: u32,
    options: &DistinctOptions,
    watch: &dyn Watch,
) -> Result<DistinctTotal, DistinctError> {
    DistinctCount::new(root.clone(), options.clone()).run(plies, watch)
}

/// A count of distinct positions.
///
/// ```
/// use tabiya::Position;
/// use tabiya_perft::Seed;
/// use tabiya_runs::{DistinctCount, DistinctOptions};
///
/// let folder = tempfile::tempdir()?;
/// let count = DistinctCount::new(Position::START, DistinctOptions::default())
///     .with_seed(Seed::from(7))
///     .with_checkpoint(folder.path().join("start.distinct"));
/// assert_eq!(count.run(4, &())?.positions(), 72078);
/// // Continues where the first count ended.
/// assert_eq!(count.run(5, &())?.positions(), 822_518);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DistinctCount {
    root: Position,
    options: DistinctOptions,
    seed: Option<Seed>,
    checkpoint: Option<PathBuf>,
}

impl DistinctCount {
    /// Creates a count below a position.
    pub fn new(root: Position, options: DistinctOptions) -> Self {
        Self { root, options, seed: None, checkpoint: None }
    }

    /// Uses fingerprints that this seed determines. The default is the seed of the checkpoint, or
    /// else a random one.
    #[must_use]
    pub fn with_seed(self, seed: Seed) -> Self {
        Self { seed: Some(seed), ..self }
    }

    /// Keeps the results in a file, and continues from the file if it exists.
    ///
    /// If the program ends, the ply that is being counted is lost, or at the last ply only the
    /// pass. The file does not depend on the depth, so a count to another depth can use it. It is
    /// created as soon as there are too many positions to compare them one by one. Before that,
    /// counting takes less than a second.
    #[must_use]
    pub fn with_checkpoint(self, path: PathBuf) -> Self {
        Self { checkpoint: Some(path), ..self }
    }

    /// Counts the distinct positions at each ply up to `plies`, or until the watch cancels the
    /// work.
    ///
    /// # Errors
    /// [`DistinctError`] if the memory limit is too small, if a file cannot be created, read or
    /// written, or if the checkpoint is damaged or belongs to another count.
    pub fn run(&self, plies: u32, watch: &dyn Watch) -> Result<DistinctTotal, DistinctError> {
        let storage = Storage::new(&self.options)?;
        let threads = self.options.threads.get() as u64;
        let total = (self.options.memory - BASE).saturating_sub(threads * THREAD);
        let budget = Budget { total: total.max(MIN_MEMORY / 4) };
        self.run_with(plies, budget, &storage, watch)
    }

    fn run_with(
        &self,
        plies: u32,
        budget: Budget,
        storage: &Storage,
        watch: &dyn Watch,
    ) -> Result<DistinctTotal, DistinctError> {
        let checkpoint = self.checkpoint.as_deref();
        let mut count = Count::new(&self.root, self.seed, checkpoint, budget, storage, watch)?;
        let end = count.run(plies, checkpoint);
        let Counted { by_ply, exact, seed, next } = count.counted(plies);
        let complete = by_ply.len() > plies as usize;
        let partial = next
            .filter(|_| !complete)
            .map(|passed| PartialPly { positions: passed.facts.nodes, shares: passed.shares });
        let spilled = storage.spilled.load(Ordering::Relaxed);
        let total = DistinctTotal { by_ply, complete, partial, seed, spilled, exact };
        let Err(error) = end else { return Ok(total) };
        match &error {
            DistinctError::Cancelled => return Ok(total),
            DistinctError::OutOfMemory
            | DistinctError::Temporary { .. }
            | DistinctError::TemporaryDirectory { .. }
            | DistinctError::MovedCheckpoint { .. } => {}
            // What was counted cannot be written.
            DistinctError::Checkpoint { .. } if count.is_saving() => {}
            _ => return Err(error),
        }
        Err(DistinctError::Stopped { error: error.into(), known: total.into() })
    }
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
fn expand(
    mut level: Level,
    root: &Position,
    storage: &Storage,
    watch: &dyn Watch,
) -> Result<Sorted, DistinctError> {
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
        let chunks: Vec<&[CountedPosition]> = parents.chunks(64).collect();
        for children in storage.pool.map(chunks.len(), |number| children(chunks[number], root)) {
            let children = children?;
            games += children.len() as u128;
            collector.push_all(&children)?;
        }
        done += parents.len();
        watch.progress(Progress::of(done, total, games));
    }
    // Frees the memory of the level before the results are merged.
    drop(level);
    collector.finish()
}

fn children(
    parents: &[CountedPosition],
    root: &Position,
) -> Result<Vec<CountedPosition>, DistinctError> {
    let mut children = Vec::with_capacity(32 * parents.len());
    for record in parents {
        let parent = record.packed.unpack(root.castling_mode(), 1)?;
        let moves = parent.legal_moves();
        children.extend(moves.iter().map(|&mv| record.child(PackedIdentity::of(&parent.play(mv)))));
    }
    Ok(children)
}

/// The number of records that fit into memory, and the place for the other records.
#[derive(Debug)]
pub(crate) struct Storage {
    /// Bytes for sorted records; `None` for no limit.
    limit: Option<u64>,
    dir: PathBuf,
    /// The number of runs that are merged at once.
    fan_in: usize,
    spilled: AtomicU64,
    /// The threads that make moves and sort.
    pool: Pool,
}

impl Storage {
    pub(crate) fn new(options: &DistinctOptions) -> Result<Self, DistinctError> {
        if options.memory < MIN_MEMORY {
            return Err(DistinctError::TooLittleMemory { granted: options.memory });
        }
        let free = options.memory - BASE;
        let fan_in = (free / 8 / READER).clamp(4, 32);
        // At the same time, the runs and one level are read, and one run is written.
        let limit = Some(free - (fan_in + 2) * READER);
        let dir = options.temp.clone();
        let pool = Pool::new(options.threads);
        let storage =
            Self { limit, dir, fan_in: fan_in as usize, spilled: AtomicU64::new(0), pool };
        // This reports a missing directory now, not hours later when the memory is full.
        storage.temporary_file()?;
        Ok(storage)
    }

    /// A new temporary file without a name.
    fn temporary_file(&self) -> Result<File, DistinctError> {
        tempfile::tempfile_in(&self.dir).map_err(|source| {
            let (dir, source) = (self.dir.clone(), crate::output_file::reason(&source));
            DistinctError::TemporaryDirectory { dir, source }
        })
    }

    /// Keeps everything in memory, without a limit.
    pub(crate) fn unlimited() -> Self {
        let pool = Pool::new(std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN));
        Self { limit: None, dir: PathBuf::new(), fan_in: 0, spilled: AtomicU64::new(0), pool }
    }

    const fn is_limited(&self) -> bool {
        self.limit.is_some()
    }

    /// The number of records that fit into a buffer if `held` bytes of memory are already in use.
    fn records(&self, held: u64) -> usize {
        let bytes = self.limit.map_or(1 << 20, |limit| limit.saturating_sub(held));
        usize::try_from(bytes).unwrap_or(usize::MAX) / size_of::<CountedPosition>()
    }

    /// May `held` bytes stay in memory while the next ply is sorted?
    fn leaves_room(&self, held: usize) -> bool {
        self.limit.is_none_or(|limit| held as u64 <= limit / 2)
    }

    fn wrote(&self, bytes: u64) {
        self.spilled.fetch_add(bytes, Ordering::Relaxed);
    }

    fn failed(&self, source: io::Error) -> DistinctError {
        DistinctError::Temporary { dir: self.dir.clone(), source }
    }
}
