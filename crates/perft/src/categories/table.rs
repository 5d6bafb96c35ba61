//! A table of counts by category that all threads share.
//!
//! A record is one line of the CPU's cache: fourteen counts, and a check. The check is a
//! multilinear hash of everything at once: the position, the depth and the counts. Whatever else a
//! reader finds, another position's record, another depth's, or a record that two threads were
//! writing at the same time, the hash of what it finds with what it looks for agrees with the
//! check only with a chance of 2^-64 over the choice of the seed. So nothing needs a lock.
//!
//! Source: Daniel Lemire and Owen Kaser, "Strongly universal string hashing is fast", 2014.

use std::sync::atomic::{AtomicU64, Ordering};

use tabiya::Position;

use super::Category;
use super::leaves::Counts;
use crate::leaf::Node;
use crate::random::SplitMix;
use crate::table::{HashSize, Multilinear, Pages, TableError, Zeroed, mix};

/// The categories whose counts are kept. Others are sums; and of the four promotions of a pawn
/// one is as legal as the other, so that one count does for all.
const KEPT: [Category; 13] = [
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
/// The promotions that are as many as those to queens.
const PROMOTIONS: [Category; 3] =
    [Category::KnightPromotions, Category::BishopPromotions, Category::RookPromotions];
/// Words of counts in a record, each of which holds two: the leaves, then the categories.
const WORDS: usize = (1 + KEPT.len()).div_ceil(2);
/// A position may have its record in any of so many lines in a row.
const WAYS: usize = 4;

/// Counts below one position, and the check.
#[repr(align(64))]
#[derive(Debug)]
struct Record {
    check: AtomicU64,
    /// The number of leaves is the upper half of the first word.
    counts: [AtomicU64; WORDS],
}

// SAFETY: atomic words, for which any bytes are valid.
unsafe impl Zeroed for Record {}

impl Record {
    /// The work that the record saves; none if it is empty.
    fn leaves(&self) -> u64 {
        self.counts[0].load(Ordering::Relaxed) >> 32
    }
}

/// A table for [`categories_with_table`](super::categories_with_table), which later counts find
/// filled.
///
/// ```
/// use tabiya::Position;
/// use tabiya_perft::{table::HashSize, categories_with_table, Category, CategoryTable, Options};
///
/// let table = CategoryTable::new(HashSize::mebibytes(16), 0)?;
/// let tally = categories_with_table(&Position::START, 5, &Options::default(), &table, &());
/// assert_eq!(tally.categories[Category::EnPassant], 258);
/// # Ok::<(), tabiya_perft::table::TableError>(())
/// ```
#[derive(Debug)]
pub struct CategoryTable {
    records: Pages<Record>,
    place: Multilinear<5>,
    /// The two parts of the check: what is looked for, and what is found.
    query: Multilinear<5>,
    counts: Multilinear<WORDS>,
}

/// What is looked for: a position and a depth.
#[derive(Clone, Copy)]
pub(super) struct Query {
    /// The first of the lines where its record may stand.
    first: usize,
    /// Its part of the check.
    sum: u128,
}

impl CategoryTable {
    /// A table of a size, with random numbers made from a seed.
    ///
    /// # Errors
    /// [`TableError`] if so much memory is not to be had.
    pub fn new(size: HashSize, seed: u64) -> Result<Self, TableError> {
        let mut random = SplitMix::new(seed);
        Ok(Self {
            records: Pages::new(size)?,
            place: Multilinear::new(&mut random),
            query: Multilinear::new(&mut random),
            counts: Multilinear::new(&mut random),
        })
    }

    /// The size in bytes, which are used as far as they are needed.
    pub fn bytes(&self) -> u64 {
        size_of_val(&*self.records) as u64
    }

    /// The lines for the counts `depth` half-moves below a position.
    pub(super) fn query(&self, position: &Position, depth: u32) -> Query {
        let [a, b, c, d] = Node::of(position).packed();
        let words = [a, b, c, d, u64::from(depth)];
        let lines = (self.records.len() - (WAYS - 1)) as u128;
        let first = ((u128::from(mix(self.place.hash(&words))) * lines) >> 64) as usize;
        Query { first, sum: self.query.sum(&words) }
    }

    fn lines(&self, query: Query) -> &[Record] {
        &self.records[query.first..][..WAYS]
    }

    fn check(&self, query: Query, counts: &[u64; WORDS]) -> u64 {
        (query.sum.wrapping_add(self.counts.sum(counts)) >> 64) as u64
    }

    /// The counts, if they are known.
    pub(super) fn get(&self, query: Query) -> Option<Counts> {
        self.lines(query).iter().find_map(|record| {
            let words = record.counts.each_ref().map(|word| word.load(Ordering::Relaxed));
            let known = record.check.load(Ordering::Relaxed) == self.check(query, &words);
            known.then(|| unpack(&words))
        })
    }

    /// Remembers counts, in place of those that cost the least work.
    ///
    /// Counts of 2^32 and more are not kept. Nothing is lost then but the sum of a subtree whose
    /// children are remembered.
    pub(super) fn put(&self, query: Query, counts: &Counts) {
        let Some(words) = pack(counts) else { return };
        let lines = self.lines(query).iter();
        let Some(record) = lines.min_by_key(|record| record.leaves()) else { return };
        record.check.store(self.check(query, &words), Ordering::Relaxed);
        for (place, word) in record.counts.iter().zip(words) {
            place.store(word, Ordering::Relaxed);
        }
    }
}

/// Two counts a word; `None` if one does not fit. No category has more leaves than there are.
fn pack(counts: &Counts) -> Option<[u64; WORDS]> {
    u32::try_from(counts.nodes).ok()?;
    let mut words = [0; WORDS];
    words[0] = counts.nodes << 32;
    for (at, &category) in (1..).zip(&KEPT) {
        words[at / 2] |= counts[category] << shift(at);
    }
    Some(words)
}

fn unpack(words: &[u64; WORDS]) -> Counts {
    let count = |at: usize| words[at / 2] >> shift(at) & u64::from(u32::MAX);
    let mut counts = Counts::default();
    counts.nodes = count(0);
    for (at, &category) in (1..).zip(&KEPT) {
        counts.add(category, count(at));
    }
    for category in PROMOTIONS {
        counts.add(category, counts[Category::QueenPromotions]);
    }
    counts
}

/// Where the count of a number stands in its word.
const fn shift(at: usize) -> usize {
    32 * (1 - at % 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(nodes: u64) -> Counts {
        let mut counts = Counts::default();
        counts.nodes = nodes;
        for (number, category) in (1u64..).zip(KEPT) {
            counts.add(category, nodes - number);
        }
        for category in PROMOTIONS {
            counts.add(category, counts[Category::QueenPromotions]);
        }
        counts
    }

    #[test]
    fn counts_come_back_unless_they_are_too_large() {
        let table = CategoryTable::new(HashSize::mebibytes(1), 5).unwrap();
        let (fits, too_large) = (counts(u64::from(u32::MAX)), counts(1 << 32));
        let query = |depth| table.query(&Position::START, depth);
        assert!(table.get(query(2)).is_none());
        table.put(query(2), &fits);
        table.put(query(3), &too_large);
        let found = table.get(query(2)).unwrap();
        assert_eq!(found.nodes, fits.nodes);
        for category in Category::ALL {
            assert_eq!(found[category], fits[category], "{}", category.key());
        }
        assert!(table.get(query(3)).is_none());
    }

    #[test]
    fn the_least_work_is_forgotten_first() {
        let table = CategoryTable::new(HashSize::mebibytes(1), 5).unwrap();
        let query = |sum| Query { first: 7, sum };
        for work in [50, 100, 30, 40, 60] {
            table.put(query(work << 64), &counts(work as u64));
        }
        let left = [30, 40, 50, 60, 100].map(|work| table.get(query(work << 64)).is_some());
        assert_eq!(left, [false, true, true, true, true]);
    }
}
