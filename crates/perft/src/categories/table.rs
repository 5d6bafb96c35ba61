//! A table of counts by category that all threads share.
//!
//! A record is one cache line: fourteen counts and a check. The check is a multilinear hash of the
//! position, the depth and the counts together. A reader hashes the position and depth that it
//! looks for with the counts that it finds. If the record belongs to another position or depth, or
//! is only partly written by another thread, the hash equals the check with a chance of 2^-64. So
//! records need no locks.
//!
//! As in the other [table](crate::table::Table::risk), this is a theorem for truly random factors.
//! The factors are the output of ChaCha20 with the seed as its key. If the seed is random, telling
//! these factors from truly random ones would break ChaCha20.
//!
//! Counts of 2^32 and more do not fit into a record. If the subtree is deep enough to be counted in
//! slices, they are stored in a [second level](WideCounts) under exact keys. A smaller subtree is
//! counted from the records of its children.
//!
//! Source: Daniel Lemire and Owen Kaser, "Strongly universal string hashing is fast", 2014.

use std::sync::atomic::{AtomicU64, Ordering};

use tabiya::Position;

use super::category::{Categories, Category};
use super::counts::Counts;
use crate::node::Node;
use crate::seed::Seed;
use crate::table::{
    HashSize, KeyWords, Multilinear, Pages, TableError, WideCount, WideCounts, Zeroed, mix,
};

/// The categories whose counts are stored. The others are sums, or underpromotions: if a pawn can
/// promote to a queen, it can also promote to each of the other pieces.
const STORED: [Category; 13] = [
    Category::Captures,
    Category::EnPassant,
    Category::Castles,
    Category::QueenPromotions,
    Category::Checks,
    Category::Discovered,
    Category::DirectDiscovered,
    Category::DoubleDiscovered,
    Category::Checkmates,
    Category::DiscoveredMates,
    Category::DirectDiscoveredMates,
    Category::DoubleDiscoveredMates,
    Category::Stalemates,
];
/// The promotions that occur as often as those to a queen.
const UNDERPROMOTIONS: [Category; 3] =
    [Category::KnightPromotions, Category::BishopPromotions, Category::RookPromotions];
/// The words of a record that hold counts, two in each: first the leaf nodes, then the categories.
const WORDS: usize = (1 + STORED.len()).div_ceil(2);
/// The record of a position may be any of this many consecutive records.
const WAYS: usize = 4;

/// The counts below one position, and the check.
#[repr(align(64))]
#[derive(Debug)]
struct CategoryRecord {
    check: AtomicU64,
    /// The number of leaf nodes is the upper half of the first word.
    counts: [AtomicU64; WORDS],
}

// SAFETY: a record consists of atomic words and perhaps padding, so any bytes are valid. It has no
// drop glue.
unsafe impl Zeroed for CategoryRecord {}

impl CategoryRecord {
    /// The number of leaf nodes, which is the work that the record saves, or 0 if the record is
    /// empty.
    fn leaves(&self) -> u64 {
        self.counts[0].load(Ordering::Relaxed) >> 32
    }
}

/// A table for [`categories_with_table`](super::categories_with_table). It keeps its records from
/// one count to the next.
///
/// ```
/// # #[cfg(feature = "system")] {
/// use tabiya::Position;
/// use tabiya_perft::table::HashSize;
/// use tabiya_perft::{categories_with_table, Category, CategoryTable, Options, Seed};
///
/// let table = CategoryTable::new(HashSize::mebibytes(16), Seed::random()?)?;
/// let total = categories_with_table(&Position::START, 5, &Options::default(), &table, &());
/// assert_eq!(total.categories[Category::EnPassant], 258);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CategoryTable {
    records: Pages<CategoryRecord>,
    place: Multilinear<5>,
    /// The two parts of the check: position and depth, and the counts.
    position: Multilinear<5>,
    counts: Multilinear<WORDS>,
    wide: WideCounts<Categories>,
}

impl WideCount for Categories {
    // Room for more than 100,000 counts.
    const MIN_BYTES: u64 = 64 << 20;

    fn leaves(&self) -> u128 {
        self.nodes
    }
}

/// The key of a position and a depth.
#[derive(Clone, Copy)]
pub(super) struct RecordKey {
    /// The first of the records that may belong to this key.
    first: usize,
    /// The random number that `first` comes from.
    place: u64,
    /// The part of the check that position and depth contribute.
    sum: u128,
}

impl CategoryTable {
    /// Creates a table of a size. The seed determines its checks.
    ///
    /// # Errors
    /// [`TableError`] if there is not enough memory. All of it is requested at once.
    pub fn new(size: HashSize, seed: Seed) -> Result<Self, TableError> {
        let mut random = seed.expand();
        let records = Pages::new(size)?;
        Ok(Self {
            wide: WideCounts::for_table(size_of_val(&*records) as u64),
            records,
            place: Multilinear::new(&mut random),
            position: Multilinear::new(&mut random),
            counts: Multilinear::new(&mut random),
        })
    }

    /// The size in bytes, without the second level for counts of very deep subtrees. Memory is used
    /// only as far as it is needed.
    pub fn bytes(&self) -> u64 {
        size_of_val(&*self.records) as u64
    }

    /// The key of the counts `depth` plies below a position.
    pub(super) fn key(&self, position: &Position, depth: u32) -> RecordKey {
        self.key_of(&Node::of(position).packed(), depth)
    }

    fn key_of(&self, &[a, b, c, d]: &KeyWords, depth: u32) -> RecordKey {
        let words = [a, b, c, d, u64::from(depth)];
        let places = (self.records.len() - (WAYS - 1)) as u128;
        let place = mix(self.place.hash(&words));
        let first = ((u128::from(place) * places) >> 64) as usize;
        RecordKey { first, place, sum: self.position.sum(&words) }
    }

    /// The counts `depth` plies below a position that is counted in slices, if they are stored.
    pub(super) fn get_wide(&self, position: &Position, depth: u32) -> Option<Categories> {
        let words = Node::of(position).packed();
        let key = self.key_of(&words, depth);
        let small = self.get(key).map(|counts| counts.with_sums());
        small.or_else(|| self.wide.get(key.place, &words, depth))
    }

    /// Stores the counts of such a subtree, including large counts.
    pub(super) fn put_wide(&self, position: &Position, depth: u32, found: &Categories) {
        let words = Node::of(position).packed();
        let key = self.key_of(&words, depth);
        match Counts::of_small(found) {
            Some(counts) => self.put(key, &counts),
            None => self.wide.put(key.place, &words, depth, *found),
        }
    }

    /// The records that may belong to a key.
    fn candidates(&self, key: RecordKey) -> &[CategoryRecord] {
        &self.records[key.first..][..WAYS]
    }

    fn check(&self, key: RecordKey, counts: &[u64; WORDS]) -> u64 {
        (key.sum.wrapping_add(self.counts.sum(counts)) >> 64) as u64
    }

    /// The counts, if they are stored.
    pub(super) fn get(&self, key: RecordKey) -> Option<Counts> {
        self.candidates(key).iter().find_map(|record| {
            let words = record.counts.each_ref().map(|word| word.load(Ordering::Relaxed));
            let right = record.check.load(Ordering::Relaxed) == self.check(key, &words);
            right.then(|| unpack(&words))
        })
    }

    /// Stores counts in place of the record that was the least work to count.
    ///
    /// Counts of 2^32 and more are not stored. This loses little: the subtree has few plies, and
    /// the counts of its children are stored.
    pub(super) fn put(&self, key: RecordKey, counts: &Counts) {
        let Some(words) = pack(counts) else { return };
        let candidates = self.candidates(key).iter();
        let Some(record) = candidates.min_by_key(|record| record.leaves()) else { return };
        record.check.store(self.check(key, &words), Ordering::Relaxed);
        for (place, word) in record.counts.iter().zip(words) {
            place.store(word, Ordering::Relaxed);
        }
    }
}

/// Packs two counts into each word; `None` if they do not fit. No category has more leaf nodes than
/// there are in all.
fn pack(counts: &Counts) -> Option<[u64; WORDS]> {
    u32::try_from(counts.nodes).ok()?;
    let mut words = [0; WORDS];
    words[0] = counts.nodes << 32;
    for (at, &category) in (1..).zip(&STORED) {
        words[at / 2] |= counts[category] << shift(at);
    }
    Some(words)
}

fn unpack(words: &[u64; WORDS]) -> Counts {
    let count = |at: usize| words[at / 2] >> shift(at) & u64::from(u32::MAX);
    let mut counts = Counts::default();
    counts.nodes = count(0);
    for (at, &category) in (1..).zip(&STORED) {
        counts.add(category, count(at));
    }
    for category in UNDERPROMOTIONS {
        counts.add(category, counts[Category::QueenPromotions]);
    }
    counts
}

/// The shift of a count in its word.
const fn shift(at: usize) -> usize {
    32 * (1 - at % 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(nodes: u64) -> Counts {
        let mut counts = Counts::default();
        counts.nodes = nodes;
        for (number, category) in (1u64..).zip(STORED) {
            counts.add(category, nodes - number);
        }
        for category in UNDERPROMOTIONS {
            counts.add(category, counts[Category::QueenPromotions]);
        }
        counts
    }

    #[test]
    fn counts_are_stored_unless_they_are_too_large() {
        let table = CategoryTable::new(HashSize::mebibytes(1), 5.into()).unwrap();
        let (fits, too_large) = (counts(u64::from(u32::MAX)), counts(1 << 32));
        let key = |depth| table.key(&Position::START, depth);
        assert!(table.get(key(2)).is_none());
        table.put(key(2), &fits);
        table.put(key(3), &too_large);
        let found = table.get(key(2)).unwrap();
        assert_eq!(found.nodes, fits.nodes);
        for category in Category::ALL {
            assert_eq!(found[category], fits[category], "{}", category.key());
        }
        assert!(table.get(key(3)).is_none());
    }

    #[test]
    fn counts_of_every_size_are_stored_for_deep_subtrees() {
        let table = CategoryTable::new(HashSize::mebibytes(1), 5.into()).unwrap();
        let found = |nodes| counts(nodes).with_sums();
        let start = &Position::START;
        for (depth, nodes) in [(8, 1000), (9, u64::from(u32::MAX)), (10, 1 << 32), (11, 1 << 60)] {
            assert_eq!(table.get_wide(start, depth), None);
            table.put_wide(start, depth, &found(nodes));
        }
        for (depth, nodes) in [(8, 1000), (9, u64::from(u32::MAX)), (10, 1 << 32), (11, 1 << 60)] {
            assert_eq!(table.get_wide(start, depth), Some(found(nodes)), "{nodes}");
        }
        let mut more = found(1 << 60);
        more.nodes = u128::MAX;
        table.put_wide(start, 12, &more);
        assert_eq!(table.get_wide(start, 12), Some(more));
    }

    #[test]
    fn the_cheapest_record_is_replaced_first() {
        let table = CategoryTable::new(HashSize::mebibytes(1), 5.into()).unwrap();
        let key = |sum| RecordKey { first: 7, place: 0, sum };
        for work in [50, 100, 30, 40, 60] {
            table.put(key(work << 64), &counts(work as u64));
        }
        let left = [30, 40, 50, 60, 100].map(|work| table.get(key(work << 64)).is_some());
        assert_eq!(left, [false, true, true, true, true]);
    }
}
