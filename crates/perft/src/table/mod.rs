//! A table of counts that all threads share.
//!
//! The same position is reached in many ways, and its subtree needs to be counted only once. The
//! table remembers counts under the [keys](Keys) of positions. Entries are lock-free and never
//! trusted further than the 64 bits that they verify; [`Table::risk`] says how far that is.
//!
//! Memory is touched only as it is needed: a table begins with one block of buckets and doubles
//! their number, up to the size asked for, whenever two thirds of the entries are taken. A look-up
//! goes to any page of those in use, and the fewer they are, the fewer addresses have to be
//! translated anew; and the system need not clear what is never used.

mod bucket;
mod key;
mod memory;

pub use bucket::{Bucket, Word};
pub use key::{Key, Keys};
pub(crate) use key::{Multilinear, mix};
pub use memory::{HashSize, TableError};
pub(crate) use memory::{Pages, Zeroed};

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A table begins with a block of at least so many buckets (16 MiB), if it is as large.
const SMALLEST_BLOCK: usize = 1 << 18;
/// The smallest page of memory that a system has.
const PAGE: usize = 1 << 12;
/// One in so many new entries is counted, chosen by its key.
const SAMPLED: u64 = 256;

/// A table of counts.
///
/// ```
/// use tabiya_perft::table::{HashSize, Table};
/// let table = Table::new(HashSize::mebibytes(1), 0)?;
/// let key = table.key(&[1, 2, 3, 4]);
/// assert_eq!(table.get(key, 3), None);
/// table.put(key, 3, 8902);
/// assert_eq!(table.get(key, 3), Some(8902));
/// assert_eq!(table.get(key, 4), None);
/// # Ok::<(), tabiya_perft::table::TableError>(())
/// ```
#[derive(Debug)]
pub struct Table {
    buckets: Pages<Bucket>,
    keys: Keys,
    /// The buckets of a block.
    block: usize,
    /// The number of blocks that may be used, a power of two.
    blocks: u64,
    /// The number of blocks in use, less one: a mask for the block bits of places.
    mask: AtomicU64,
    /// The entries filled, nearly.
    filled: AtomicU64,
    growing: AtomicBool,
}

impl Table {
    /// A table of a size, with keys made from a seed.
    ///
    /// # Errors
    /// [`TableError`] if so much memory is not to be had; it is asked for at once.
    pub fn new(size: HashSize, seed: u64) -> Result<Self, TableError> {
        let buckets = Pages::<Bucket>::new(size)?;
        let doublings = (buckets.len() / SMALLEST_BLOCK).checked_ilog2().unwrap_or(0);
        let doublings = doublings.min(bucket::BLOCK_BITS);
        Ok(Self {
            block: buckets.len() >> doublings,
            blocks: 1 << doublings,
            buckets,
            keys: Keys::new(seed),
            mask: AtomicU64::new(0),
            filled: AtomicU64::new(0),
            growing: AtomicBool::new(false),
        })
    }

    /// The size in bytes, of which at first only a part is used.
    pub fn bytes(&self) -> u64 {
        size_of_val(&*self.buckets) as u64
    }

    /// The bytes in use.
    pub fn bytes_in_use(&self) -> u64 {
        size_of_val(self.in_use()) as u64
    }

    /// The key of a packed position.
    #[inline(always)]
    pub fn key(&self, words: &[u64; 4]) -> Key {
        self.keys.key(words)
    }

    /// The bucket of a key: low bits of the place say in which block, and the place as a fraction
    /// of all places where in the block.
    #[inline(always)]
    fn bucket(&self, key: Key) -> &Bucket {
        let block = (key.place & self.mask.load(Ordering::Relaxed)) as usize;
        let within = ((u128::from(key.place) * self.block as u128) >> 64) as usize;
        &self.buckets[block * self.block + within]
    }

    /// Begins to fetch what [`get`](Self::get) will read.
    #[inline(always)]
    pub fn prefetch(&self, key: Key) {
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

    /// The leaves `depth` half-moves below a position, if they are known.
    #[inline(always)]
    pub fn get(&self, key: Key, depth: u32) -> Option<u64> {
        self.bucket(key).get(key, depth)
    }

    /// Remembers the leaves `depth` half-moves below a position.
    #[inline(always)]
    pub fn put(&self, key: Key, depth: u32, count: u64) {
        if self.bucket(key).put(key, depth, count) && key.check.is_multiple_of(SAMPLED) {
            self.filled_more();
        }
    }

    /// Notes that [`SAMPLED`] more entries are filled, and grows when they are too many.
    #[cold]
    fn filled_more(&self) {
        let filled = self.filled.fetch_add(SAMPLED, Ordering::Relaxed);
        let blocks = self.mask.load(Ordering::Relaxed) + 1;
        let entries = blocks * self.block as u64 * bucket::ENTRIES as u64;
        if blocks < self.blocks && filled > entries / 3 * 2 {
            self.grow();
        }
    }

    /// Doubles the number of blocks in use. Other threads go on meanwhile, and may miss entries
    /// that move.
    fn grow(&self) {
        if self.growing.swap(true, Ordering::Acquire) {
            return;
        }
        // Another thread may just have done it.
        let blocks = self.mask.load(Ordering::Relaxed) + 1;
        let buckets = blocks as usize * self.block;
        if blocks < self.blocks && self.filled.load(Ordering::Relaxed) > buckets as u64 * 2 {
            let (old, new) = self.buckets.split_at(buckets);
            let new = &new[..buckets];
            // The system clears memory when it is touched first. That takes longer than all the
            // rest, so it is done while no entry is on the move.
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

    /// The share of entries that are filled, of those in use, from a sample.
    pub fn load(&self) -> f64 {
        let buckets = self.in_use();
        let sample = buckets.len().min(4096);
        let step = buckets.len() / sample;
        let used: usize = buckets.iter().step_by(step).take(sample).map(Bucket::used).sum();
        used as f64 / (sample * bucket::ENTRIES) as f64
    }

    /// An upper bound for the chance that any of so many look-ups took another position's count.
    ///
    /// Each look-up compares 64 bits with at most four entries; a wrong one agrees with a chance
    /// of 2^-64 over the choice of the seed.
    ///
    /// ```
    /// assert!(tabiya_perft::table::Table::risk(10_000_000_000) < 1e-8);
    /// ```
    pub fn risk(look_ups: u64) -> f64 {
        4.0 * look_ups as f64 / 2f64.powi(64)
    }
}
