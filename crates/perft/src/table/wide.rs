//! Counts that do not fit into the entries of a bucket.
//!
//! Only very deep subtrees have so many leaf nodes, and there are few of them. The counts are in
//! ordinary maps behind locks, under the packed position and the depth themselves, so no other
//! subtree can be mistaken for the right one.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::key::{Key, KeyWords};
use super::size::MEBIBYTE;

/// The number of maps, a power of two. Threads rarely need the same one at the same time.
const SHARDS: usize = 64;
/// The share of the table's size that the maps may use in addition to it.
const SHARE: u64 = 8;
/// The maps may use this many bytes, however small the table is.
const MIN_BYTES: u64 = 16 * MEBIBYTE;

/// A packed position and the depth of the subtree below it.
type Subtree = (KeyWords, u32);

/// Exact numbers of leaf nodes of very large subtrees.
#[derive(Debug)]
pub(super) struct WideCounts {
    shards: Box<[Mutex<HashMap<Subtree, u128>>]>,
    /// The largest number of counts in a shard.
    limit: usize,
    /// Has any count been stored? In an ordinary count, none ever is.
    used: AtomicBool,
}

impl WideCounts {
    /// Room for the counts in addition to a table of this size.
    pub(super) fn beside(table_bytes: u64) -> Self {
        let bytes = (table_bytes / SHARE).max(MIN_BYTES);
        // A map has a power of two of places, with a byte of its own for each, and fills up to
        // seven eighths of them.
        let place = size_of::<(Subtree, u128)>() as u64 + 1;
        let places = 1usize << (bytes / SHARDS as u64 / place).ilog2();
        Self::with_limit(places / 8 * 7)
    }

    /// Room for this many counts in each shard.
    pub(super) fn with_limit(limit: usize) -> Self {
        let shards = (0..SHARDS).map(|_| Mutex::default()).collect();
        Self { shards, limit, used: AtomicBool::new(false) }
    }

    /// The number of leaf nodes of the subtree, if it is stored.
    pub(super) fn get(&self, key: Key, words: &KeyWords, depth: u32) -> Option<u128> {
        // A thread that does not yet see another's first count misses it, which is harmless.
        if !self.used.load(Ordering::Relaxed) {
            return None;
        }
        self.shard(key).get(&(*words, depth)).copied()
    }

    /// Stores the number of leaf nodes of the subtree. If there is no room, the smaller half of the
    /// shard's counts is removed, so on average each stored count removes at most one.
    pub(super) fn put(&self, key: Key, words: &KeyWords, depth: u32, count: u128) {
        self.used.store(true, Ordering::Relaxed);
        let mut shard = self.shard(key);
        if shard.len() >= self.limit {
            let mut counts: Vec<u128> = shard.values().copied().collect();
            let middle = counts.len() / 2;
            let (_, &mut median, _) = counts.select_nth_unstable(middle);
            shard.retain(|_, count| *count > median);
        }
        shard.insert((*words, depth), count);
    }

    /// The map of a key. The low bits of the place say which block of the table it is in, so the
    /// high ones are taken.
    fn shard(&self, key: Key) -> MutexGuard<'_, HashMap<Subtree, u128>> {
        let number = (key.place >> (u64::BITS - SHARDS.ilog2())) as usize;
        // The maps are valid even if a thread panicked while it held the lock.
        self.shards[number].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: Key = Key { place: 0, check: 0 };

    #[test]
    fn counts_are_found_under_their_position_and_depth_alone() {
        let counts = WideCounts::beside(MEBIBYTE);
        assert_eq!(counts.get(KEY, &[1, 2, 3, 4], 5), None);
        counts.put(KEY, &[1, 2, 3, 4], 5, u128::MAX);
        counts.put(KEY, &[1, 2, 3, 4], 6, 1 << 64);
        assert_eq!(counts.get(KEY, &[1, 2, 3, 4], 5), Some(u128::MAX));
        assert_eq!(counts.get(KEY, &[1, 2, 3, 4], 6), Some(1 << 64));
        assert_eq!(counts.get(KEY, &[1, 2, 3, 4], 7), None);
        assert_eq!(counts.get(KEY, &[1, 2, 4, 3], 5), None);
    }

    #[test]
    fn the_smaller_half_gives_way() {
        let counts = WideCounts::with_limit(8);
        (1..=8).for_each(|number| counts.put(KEY, &[0; 4], number, number.into()));
        let kept = || (0..100).filter(|&depth| counts.get(KEY, &[0; 4], depth).is_some());
        assert_eq!(kept().collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7, 8]);
        counts.put(KEY, &[0; 4], 9, 1);
        assert_eq!(kept().collect::<Vec<_>>(), [6, 7, 8, 9]);
        // Equal counts are removed together.
        (10..=13).for_each(|number| counts.put(KEY, &[0; 4], number, 8));
        counts.put(KEY, &[0; 4], 14, 8);
        assert_eq!(kept().collect::<Vec<_>>(), [14]);
    }

    #[test]
    fn the_maps_use_an_eighth_of_the_size_at_most() {
        for (table, most) in [(1, 16), (128, 16), (1 << 10, 128), (3000, 375)] {
            let places = WideCounts::beside(table * MEBIBYTE).limit * SHARDS / 7 * 8;
            let bytes = (places * (size_of::<(Subtree, u128)>() + 1)) as u64;
            let most = most * MEBIBYTE;
            assert!(most / 2 < bytes && bytes <= most, "{table} MiB: {bytes} of {most}");
        }
    }
}
