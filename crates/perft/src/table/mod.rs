//! A table of counts that all threads share.
//!
//! Many games lead to the same position, and its subtree needs to be counted only once. The table
//! stores counts under keys of subtrees, that is, of positions and depths. Entries need no locks.
//! [`Table::risk`] bounds how often a table may return the count of another subtree.
//!
//! Memory is used only as far as it is needed: a table begins with one block of buckets and doubles
//! their number when 15 of 16 entries are filled, up to the requested size. Look-ups are spread
//! over all pages in use. With fewer pages, fewer addresses have to be translated, and the system
//! need not clear pages that are never used. A nearly full table loses only the entries that are
//! the least work to count again.
//!
//! An entry has 52 bits for the count. The few subtrees with more leaf nodes are stored in a second
//! level, with counts of 128 bits. The second level may use one eighth of the table's size in
//! addition to the table, and up to 16 MiB in any case. Only very deep counts of small positions
//! use it.

mod bucket;
mod key;
#[cfg(test)]
mod tests;
mod wide;

pub use crate::machine::{HashSize, HashSizeError, TableError};
pub(crate) use crate::machine::{Pages, Zeroed};
pub(crate) use key::{Key, KeyWords, Multilinear, mix};
pub(crate) use wide::{WideCount, WideCounts};

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::seed::Seed;
use bucket::Bucket;
use bucket::MAX_COUNT;
use key::KeyHasher;

/// The smallest first block of a table, in buckets (16 MiB), if the table is that large.
const MIN_BLOCK: usize = 1 << 18;
/// The size of the smallest pages.
const PAGE: usize = 1 << 12;
/// The counter of filled entries samples one of this many new entries.
const SAMPLED: u64 = 256;

/// A table of counts for an [`Engine`](crate::Engine).
///
/// ```
/// # #[cfg(feature = "system")] {
/// use tabiya::Position;
/// use tabiya_perft::table::{HashSize, Table};
/// use tabiya_perft::{Engine, Options, Seed};
///
/// let table = Table::new(HashSize::mebibytes(16), Seed::random()?)?;
/// let engine = Engine::new(Options::default()).with_table(table);
/// let total = engine.perft(&Position::START, 6, &());
/// assert_eq!(total.nodes, 119_060_324);
/// assert!(Table::risk(total.look_ups) < 1e-12);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Table {
    buckets: Pages<Bucket>,
    hasher: KeyHasher,
    /// Counts that are too large for the buckets.
    wide: WideCounts<u128>,
    /// The number of buckets in a block.
    block: usize,
    /// The number of blocks that may be used, a power of two.
    blocks: u64,
    /// The number of blocks in use, minus one: a mask for the block bits of places.
    mask: AtomicU64,
    /// The number of filled entries, roughly.
    filled: AtomicU64,
    growing: AtomicBool,
}

impl Table {
    /// Creates a table of a size. The seed determines its keys.
    ///
    /// # Errors
    /// [`TableError`] if there is not enough memory. All of it is requested at once.
    pub fn new(size: HashSize, seed: Seed) -> Result<Self, TableError> {
        let buckets = Pages::<Bucket>::new(size)?;
        let doublings = (buckets.len() / MIN_BLOCK).checked_ilog2().unwrap_or(0);
        let doublings = doublings.min(bucket::BLOCK_BITS);
        Ok(Self {
            block: buckets.len() >> doublings,
            blocks: 1 << doublings,
            wide: WideCounts::for_table(size_of_val(&*buckets) as u64),
            buckets,
            hasher: KeyHasher::new(seed),
            mask: AtomicU64::new(0),
            filled: AtomicU64::new(0),
            growing: AtomicBool::new(false),
        })
    }

    /// The size in bytes, without the second level for counts of very deep subtrees. Only a part is
    /// used at first.
    pub fn bytes(&self) -> u64 {
        size_of_val(&*self.buckets) as u64
    }

    /// The bytes in use.
    pub fn bytes_in_use(&self) -> u64 {
        size_of_val(self.in_use()) as u64
    }

    /// The key of the subtree of a depth, at most [`MAX_DEPTH`](crate::MAX_DEPTH), below a packed
    /// position.
    #[inline(always)]
    pub(crate) fn key(&self, words: &KeyWords, depth: u32) -> Key {
        self.hasher.key(words, depth)
    }

    /// The bucket of a key. The low bits of the place say which block it is in. The place as a
    /// fraction of all places says where in the block it is.
    #[inline(always)]
    fn bucket(&self, key: Key) -> &Bucket {
        let block = (key.place & self.mask.load(Ordering::Relaxed)) as usize;
        let within = ((u128::from(key.place) * self.block as u128) >> 64) as usize;
        &self.buckets[block * self.block + within]
    }

    /// Starts to fetch what [`get`](Self::get) will read.
    #[inline(always)]
    pub(crate) fn prefetch(&self, key: Key) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket: *const Bucket = self.bucket(key);
            // SAFETY: a prefetch reads nothing, and the pointer comes from a reference.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// The number of leaf nodes of a subtree, if it is stored.
    #[inline(always)]
    pub(crate) fn get(&self, key: Key) -> Option<u64> {
        self.bucket(key).get(key)
    }

    /// Stores the number of leaf nodes of a subtree. A number above [`MAX_COUNT`] is not stored.
    #[inline(always)]
    pub(crate) fn put(&self, key: Key, count: u64) {
        if self.bucket(key).put(key, count) && is_sampled(key) {
            self.add_filled();
        }
    }

    /// Like [`get`](Self::get), but also finds counts above [`MAX_COUNT`].
    pub(crate) fn get_wide(&self, words: &KeyWords, depth: u32) -> Option<u128> {
        let key = self.key(words, depth);
        self.get(key).map(u128::from).or_else(|| self.wide.get(key.place, words, depth))
    }

    /// Like [`put`](Self::put), but also stores counts above [`MAX_COUNT`].
    pub(crate) fn put_wide(&self, words: &KeyWords, depth: u32, count: u128) {
        let key = self.key(words, depth);
        match u64::try_from(count) {
            Ok(count @ ..=MAX_COUNT) => self.put(key, count),
            _ => self.wide.put(key.place, words, depth, count),
        }
    }

    /// Notes that [`SAMPLED`] more entries are filled, and grows the table if it is full.
    #[cold]
    fn add_filled(&self) {
        let filled = self.filled.fetch_add(SAMPLED, Ordering::Relaxed);
        let blocks = self.mask.load(Ordering::Relaxed) + 1;
        if blocks < self.blocks && self.is_full(filled, blocks) {
            self.grow();
        }
    }

    /// Are so many entries filled that the number of blocks, now `blocks`, should double?
    fn is_full(&self, filled: u64, blocks: u64) -> bool {
        let entries = blocks * self.block as u64 * bucket::ENTRIES as u64;
        filled > entries / 16 * 15
    }

    /// Doubles the number of blocks in use. Other threads continue at the same time, and may miss
    /// entries that move.
    fn grow(&self) {
        if self.growing.swap(true, Ordering::Acquire) {
            return;
        }
        // Another thread may have grown the table just before.
        let blocks = self.mask.load(Ordering::Relaxed) + 1;
        let buckets = blocks as usize * self.block;
        if blocks < self.blocks && self.is_full(self.filled.load(Ordering::Relaxed), blocks) {
            let (old, new) = self.buckets.split_at(buckets);
            let new = &new[..buckets];
            // The system clears a page when it is first touched. That takes longer than everything
            // else, so it is done before any entry moves.
            new.iter().step_by(PAGE / size_of::<Bucket>()).for_each(Bucket::clear);
            for (bucket, twin) in old.iter().zip(new) {
                bucket.split(blocks, twin);
            }
            self.mask.store(2 * blocks - 1, Ordering::Relaxed);
        }
        self.growing.store(false, Ordering::Release);
    }

    /// The buckets in use.
    fn in_use(&self) -> &[Bucket] {
        let blocks = self.mask.load(Ordering::Relaxed) as usize + 1;
        &self.buckets[..blocks * self.block]
    }

    /// The share of the entries in use that are filled, estimated from a sample.
    pub fn load(&self) -> f64 {
        let buckets = self.in_use();
        let sample = buckets.len().min(4096);
        let step = buckets.len() / sample;
        let used: usize = buckets.iter().step_by(step).take(sample).map(Bucket::used).sum();
        used as f64 / (sample * bucket::ENTRIES) as f64
    }

    /// An upper bound for the chance that any of this many look-ups returned the count of another
    /// subtree: of another position, or of the same position to another depth.
    ///
    /// A look-up compares 64 bits with at most four entries. The wrong entry has the same 64 bits
    /// with a chance of 2^-64. For truly random factors behind the keys, this is a theorem. The
    /// factors are the output of ChaCha20 with the [`Seed`] as its key. If the seed is random,
    /// telling these factors from truly random ones would break ChaCha20. The positions that are
    /// counted must not have been chosen with knowledge of the seed.
    ///
    /// ```
    /// assert!(tabiya_perft::table::Table::risk(10_000_000_000) < 1e-8);
    /// ```
    pub fn risk(look_ups: u64) -> f64 {
        4.0 * look_ups as f64 / 2f64.powi(64)
    }
}

/// Is an entry with this key in the sample that is counted?
///
/// The answer must not depend on the key's check: the bound of [`Table::risk`] requires that a
/// check does nothing except identify the right entry. So the answer depends on bits of the place
/// that determine neither the block nor, unless the table is huge, the bucket.
#[inline(always)]
const fn is_sampled(key: Key) -> bool {
    (key.place >> bucket::BLOCK_BITS).is_multiple_of(SAMPLED)
}
