//! A table of counts that all threads share.
//!
//! The same position is reached in many ways, and its subtree needs to be counted only once. The
//! table remembers counts under the [keys](Keys) of positions. Entries are lock-free and never
//! trusted further than the 64 bits that they verify; [`Table::risk`] says how far that is.

mod bucket;
mod key;
mod memory;

pub use bucket::{Bucket, Word};
pub use key::{Key, Keys};
pub use memory::{HashSize, TableError};

use memory::Buckets;

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
    buckets: Buckets,
    keys: Keys,
}

impl Table {
    /// A table of a size, with keys made from a seed.
    ///
    /// # Errors
    /// [`TableError`] if so much memory is not to be had; it is asked for at once.
    pub fn new(size: HashSize, seed: u64) -> Result<Self, TableError> {
        Ok(Self { buckets: Buckets::new(size)?, keys: Keys::new(seed) })
    }

    /// The size in bytes.
    pub fn bytes(&self) -> u64 {
        size_of_val(&*self.buckets) as u64
    }

    /// The key of a packed position.
    #[inline(always)]
    pub fn key(&self, words: &[u64; 4]) -> Key {
        self.keys.key(words)
    }

    /// The bucket of a key: the place as a fraction of all places, of the buckets.
    #[inline(always)]
    fn bucket(&self, key: Key) -> &Bucket {
        let buckets = &*self.buckets;
        &buckets[((u128::from(key.place) * buckets.len() as u128) >> 64) as usize]
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
        self.bucket(key).put(key, depth, count);
    }

    /// The share of buckets in use, from a sample.
    pub fn load(&self) -> f64 {
        let sample = self.buckets.len().min(4096);
        let step = self.buckets.len() / sample;
        let used = self.buckets.iter().step_by(step).take(sample).filter(|b| b.is_used()).count();
        used as f64 / sample as f64
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
