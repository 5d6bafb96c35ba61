//! Entries that many threads read and write without locks.
//!
//! An entry is two words: the data, and the data XORed with the key's check. A reader takes both
//! and undoes the XOR. If another thread wrote between the two reads, the words do not belong
//! together, and what comes out is not the check but a number as good as random: the entry is not
//! recognised. So a torn entry is as harmless as an empty one, and no order between the two
//! writes is needed.
//!
//! Source: Robert Hyatt and Timothy Mann, "A lockless transposition table implementation for
//! parallel search", 2002.

use std::sync::atomic::{AtomicU64, Ordering};

use super::key::Key;

/// A word that threads share.
///
/// The atomics of the standard library implement it; the concurrency tests bring their own.
pub trait Word {
    /// Reads the word, in no particular order.
    fn get(&self) -> u64;
    /// Writes the word, in no particular order.
    fn set(&self, value: u64);
}

impl Word for AtomicU64 {
    #[inline(always)]
    fn get(&self) -> u64 {
        self.load(Ordering::Relaxed)
    }

    #[inline(always)]
    fn set(&self, value: u64) {
        self.store(value, Ordering::Relaxed);
    }
}

/// Bits of the data word that hold the depth.
const DEPTH_BITS: u32 = 6;
/// Bits of the data word that hold the low bits of the key's place, by which the entry finds its
/// new bucket when the table grows.
pub(super) const BLOCK_BITS: u32 = 12;
/// Where the count begins, which has the bits that are left.
const COUNT_SHIFT: u32 = DEPTH_BITS + BLOCK_BITS;

/// The count, the block and the depth in one word; `None` if they do not fit.
///
/// Counts of 2^46 and more do not. Nothing is lost but the sum of a subtree whose children are
/// remembered.
#[inline(always)]
fn pack(key: Key, depth: u32, count: u64) -> Option<u64> {
    let fits = depth < 1 << DEPTH_BITS && count < 1 << (64 - COUNT_SHIFT);
    let block = key.place & ((1 << BLOCK_BITS) - 1);
    fits.then_some(count << COUNT_SHIFT | block << DEPTH_BITS | u64::from(depth))
}

/// What an entry knows: the leaves so many half-moves below a position.
#[derive(Debug, Default)]
struct Entry<W> {
    /// The key's check, XORed with the data.
    check: W,
    /// The count above, then the block, the depth in the low bits.
    data: W,
}

/// The entries of a bucket.
pub(super) const ENTRIES: usize = 4;

/// Four entries, which fill one line of the CPU's cache.
#[derive(Debug, Default)]
#[repr(align(64))]
pub struct Bucket<W = AtomicU64>([Entry<W>; ENTRIES]);

impl<W: Word> Bucket<W> {
    /// The leaves `depth` half-moves below the position of this key, if they are known.
    #[inline(always)]
    pub fn get(&self, key: Key, depth: u32) -> Option<u64> {
        for entry in &self.0 {
            let (check, data) = (entry.check.get(), entry.data.get());
            if check ^ data == key.check && data & ((1 << DEPTH_BITS) - 1) == u64::from(depth) {
                return Some(data >> COUNT_SHIFT);
            }
        }
        None
    }

    /// Remembers a count, in place of the entry that cost the least work.
    ///
    /// The data words compare by count, which is the work that an entry saves, and then by depth.
    /// The least of four always goes, so large subtrees stay while small ones come and go.
    /// Returns whether the entry was empty.
    #[inline(always)]
    pub fn put(&self, key: Key, depth: u32, count: u64) -> bool {
        let Some(data) = pack(key, depth, count) else { return false };
        let mut cheapest = &self.0[0];
        for entry in &self.0[1..] {
            if entry.data.get() < cheapest.data.get() {
                cheapest = entry;
            }
        }
        let was_empty = cheapest.data.get() == 0;
        cheapest.check.set(key.check ^ data);
        cheapest.data.set(data);
        was_empty
    }

    /// Empties the entries.
    pub(super) fn clear(&self) {
        for entry in &self.0 {
            entry.check.set(0);
            entry.data.set(0);
        }
    }

    /// Moves the entries of blocks that have this bit to the same places of another bucket.
    ///
    /// Threads that read or write meanwhile may miss entries or lose them, no more.
    pub(super) fn split(&self, bit: u64, other: &Self) {
        for (entry, twin) in self.0.iter().zip(&other.0) {
            let (check, data) = (entry.check.get(), entry.data.get());
            if data & bit << DEPTH_BITS != 0 {
                twin.check.set(check);
                twin.data.set(data);
                entry.check.set(0);
                entry.data.set(0);
            }
        }
    }

    /// How many entries have been written.
    pub(super) fn used(&self) -> usize {
        self.0.iter().filter(|entry| entry.data.get() != 0).count()
    }
}
