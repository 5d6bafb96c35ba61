//! Numbers that look random, the same in every run.

use tabiya::{Bitboard, SplitMix64};

/// A generator, and the choices that tests make.
pub(crate) struct Random(SplitMix64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0.number()
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0.below(end)
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

    /// One of the items.
    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        self.0.pick(items)
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
