//! Numbers that look random, the same in every run.

use tabiya::Bitboard;

/// The SplitMix64 generator of Guy Steele, Doug Lea and Christine Flood.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// A set of squares, sparse, half full or dense.
    pub(crate) fn set(&mut self) -> Bitboard {
        let (a, b, c) = (self.next(), self.next(), self.next());
        Bitboard(match self.below(4) {
            0 => a & b & c,
            1 => a & b,
            2 => a,
            _ => a | b,
        })
    }

    /// Picks one of the items.
    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
