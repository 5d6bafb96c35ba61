//! Counts that do not fit into the entries of a bucket.
//!
//! Only very deep subtrees have counts this large, and there are few of them. The counts are in
//! ordinary maps behind locks. The keys are the packed position and the depth themselves, so a
//! look-up never returns another subtree's count.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::key::KeyWords;

const MEBIBYTE: u64 = 1 << 20;

/// The number of maps, a power of two. Threads rarely need the same map at the same time.
const SHARDS: usize = 64;
/// The share of the table's size that the maps may use in addition to it.
const SHARE: u64 = 8;

/// A packed position and the depth of the subtree below it.
type Subtree = (KeyWords, u32);

/// The known counts of a very large subtree.
pub(crate) trait WideCount: Copy {
    /// The maps may use this many bytes even if the table is small.
    const MIN_BYTES: u64;

    /// The number of leaf nodes, which is the work that the count saves.
    fn leaves(&self) -> u128;
}

impl WideCount for u128 {
    const MIN_BYTES: u64 = 16 * MEBIBYTE;

    fn leaves(&self) -> u128 {
        *self
    }
}

/// Exact counts of very large subtrees.
#[derive(Debug)]
pub(crate) struct WideCounts<C> {
    shards: Box<[Mutex<HashMap<Subtree, C>>]>,
    /// The largest number of counts in a shard.
    limit: usize,
    /// Has any count been stored? Most runs never store one.
    used: AtomicBool,
}

impl<C: WideCount> WideCounts<C> {
    /// Makes room for counts in addition to a table of this size.
    pub(crate) fn for_table(table_bytes: u64) -> Self {
        let bytes = (table_bytes / SHARE).max(C::MIN_BYTES);
        // The number of places in a map is a power of two. A map has an extra byte for each place,
        // and fills up to seven eighths of the places.
        let place = size_of::<(Subtree, C)>() as u64 + 1;
        let places = 1usize << (bytes / SHARDS as u64 / place).ilog2();
        Self::with_limit(places / 8 * 7)
    }

    /// Makes room for this many counts in each shard.
    pub(super) fn with_limit(limit: usize) -> Self {
        let shards = (0..SHARDS).map(|_| Mutex::default()).collect();
        Self { shards, limit, used: AtomicBool::new(false) }
    }

    /// The count of the subtree, if it is stored. The place is a random number that belongs to the
    /// subtree.
    pub(crate) fn get(&self, place: u64, words: &KeyWords, depth: u32) -> Option<C> {
        // A thread that does not yet see another's first count misses it, which is harmless.
        if !self.used.load(Ordering::Relaxed) {
            return None;
        }
        self.shard(place).get(&(*words, depth)).copied()
    }

    /// Stores the count of the subtree. If there is no room, this removes the smaller half of the
    /// shard's counts, so on average each stored count removes at most one.
    pub(crate) fn put(&self, place: u64, words: &KeyWords, depth: u32, count: C) {
        self.used.store(true, Ordering::Relaxed);
        let mut shard = self.shard(place);
        if shard.len() >= self.limit {
            let mut counts: Vec<u128> = shard.values().map(C::leaves).collect();
            let middle = counts.len() / 2;
            let (_, &mut median, _) = counts.select_nth_unstable(middle);
            shard.retain(|_, count| count.leaves() > median);
        }
        shard.insert((*words, depth), count);
    }

    /// The map of a place. It depends on the high bits, because the low bits may say which block of
    /// the table the place is in.
    fn shard(&self, place: u64) -> MutexGuard<'_, HashMap<Subtree, C>> {
        let number = (place >> (u64::BITS - SHARDS.ilog2())) as usize;
        // The maps are valid even if a thread panicked while it held the lock.
        self.shards[number].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: u64 = 0;

    #[test]
    fn counts_are_found_under_their_position_and_depth_alone() {
        let counts = WideCounts::<u128>::for_table(MEBIBYTE);
        assert_eq!(counts.get(PLACE, &[1, 2, 3, 4], 5), None);
        counts.put(PLACE, &[1, 2, 3, 4], 5, u128::MAX);
        counts.put(PLACE, &[1, 2, 3, 4], 6, 1 << 64);
        assert_eq!(counts.get(PLACE, &[1, 2, 3, 4], 5), Some(u128::MAX));
        assert_eq!(counts.get(PLACE, &[1, 2, 3, 4], 6), Some(1 << 64));
        assert_eq!(counts.get(PLACE, &[1, 2, 3, 4], 7), None);
        assert_eq!(counts.get(PLACE, &[1, 2, 4, 3], 5), None);
    }

    #[test]
    fn the_smaller_half_gives_way() {
        let counts = WideCounts::with_limit(8);
        (1..=8).for_each(|number| counts.put(PLACE, &[0; 4], number, number.into()));
        let kept = || (0..100).filter(|&depth| counts.get(PLACE, &[0; 4], depth).is_some());
        assert_eq!(kept().collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7, 8]);
        counts.put(PLACE, &[0; 4], 9, 1);
        assert_eq!(kept().collect::<Vec<_>>(), [6, 7, 8, 9]);
        // Equal counts are removed together.
        (10..=13).for_each(|number| counts.put(PLACE, &[0; 4], number, 8));
        counts.put(PLACE, &[0; 4], 14, 8);
        assert_eq!(kept().collect::<Vec<_>>(), [14]);
    }

    #[test]
    fn the_maps_use_an_eighth_of_the_size_at_most() {
        for (table, most) in [(1, 16), (128, 16), (1 << 10, 128), (3000, 375)] {
            let places = WideCounts::<u128>::for_table(table * MEBIBYTE).limit * SHARDS / 7 * 8;
            let bytes = (places * (size_of::<(Subtree, u128)>() + 1)) as u64;
            let most = most * MEBIBYTE;
            assert!(most / 2 < bytes && bytes <= most, "{table} MiB: {bytes} of {most}");
        }
    }
}
