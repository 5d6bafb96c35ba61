//! Entries that many threads read and write without locks.
//!
//! An entry is two words: the data, and the data XORed with the key's check. A reader loads both
//! and undoes the XOR. If another thread wrote between the two loads, the words do not belong
//! together. The XOR then gives a number as good as random instead of the check, and the entry is
//! not recognised. So a torn entry is as harmless as an empty one, and the two stores need no
//! particular order.
//!
//! Source: Robert Hyatt and Timothy Mann, "A lockless transposition table implementation for
//! parallel search", 2002.

use std::sync::atomic::{AtomicU64, Ordering};

use super::key::Key;
use crate::machine::Zeroed;

/// A word that threads share: an atomic of the standard library, or of the concurrency tests.
pub(super) trait Word {
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

/// Bits of the data word that hold the low bits of the key's place. When the table grows, they say
/// which bucket the entry moves to.
pub(super) const BLOCK_BITS: u32 = 12;
/// The largest count that fits into the other bits. These bits hold the count plus one, so that the
/// data of an entry is never zero. Larger counts are stored in the second level.
pub(crate) const MAX_COUNT: u64 = (1 << (64 - BLOCK_BITS)) - 2;

/// The count and the block in one word; `None` if the count does not fit.
#[inline(always)]
fn pack(key: Key, count: u64) -> Option<u64> {
    let block = key.place & ((1 << BLOCK_BITS) - 1);
    (count <= MAX_COUNT).then(|| (count + 1) << BLOCK_BITS | block)
}

/// The number of leaf nodes of a subtree.
#[derive(Debug, Default)]
struct Entry<W> {
    /// The key's check, XORed with the data.
    check: W,
    /// From high to low bits: the count plus one, the block. Zero if the entry is empty.
    data: W,
}

/// The number of entries in a bucket.
pub(super) const ENTRIES: usize = 4;

/// Four entries, which fill one cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
pub(super) struct Bucket<W = AtomicU64>([Entry<W>; ENTRIES]);

// SAFETY: a bucket consists of atomic words, for which any bytes are valid, and has no drop glue.
unsafe impl Zeroed for Bucket {}

impl<W: Word> Bucket<W> {
    /// The number of leaf nodes of the subtree of this key, if it is stored.
    #[inline(always)]
    pub(super) fn get(&self, key: Key) -> Option<u64> {
        for entry in &self.0 {
            let (check, data) = (entry.check.get(), entry.data.get());
            if check ^ data == key.check {
                return (data >> BLOCK_BITS).checked_sub(1);
            }
        }
        None
    }

    /// Stores a count in place of the entry that was the least work to count.
    ///
    /// Data words compare by count, which is the work that an entry saves. The least of the four is
    /// always replaced, so large subtrees stay while small ones come and go. Returns whether the
    /// replaced entry was empty.
    #[inline(always)]
    pub(super) fn put(&self, key: Key, count: u64) -> bool {
        let Some(data) = pack(key, count) else { return false };
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

    /// Empties all entries.
    pub(super) fn clear(&self) {
        for entry in &self.0 {
            entry.check.set(0);
            entry.data.set(0);
        }
    }

    /// Moves the entries whose block has this bit to the same places in another bucket.
    ///
    /// Threads that read or write at the same time may miss or lose entries, which is harmless.
    pub(super) fn split(&self, bit: u64, other: &Self) {
        for (entry, twin) in self.0.iter().zip(&other.0) {
            let (check, data) = (entry.check.get(), entry.data.get());
            if data & bit != 0 {
                twin.check.set(check);
                twin.data.set(data);
                entry.check.set(0);
                entry.data.set(0);
            }
        }
    }

    /// The number of entries that are not empty.
    pub(super) fn used(&self) -> usize {
        self.0.iter().filter(|entry| entry.data.get() != 0).count()
    }
}
