//! Iterators over the squares and the subsets of a set.

use super::Bitboard;
use crate::square::Square;

/// The squares of a set, see [`Bitboard::iter`].
#[derive(Clone, Debug)]
pub struct Squares(pub(super) Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        self.0.pop_first()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.len() as usize;
        (len, Some(len))
    }
}

impl DoubleEndedIterator for Squares {
    #[inline]
    fn next_back(&mut self) -> Option<Square> {
        let square = self.0.last()?;
        self.0 = self.0.without(square);
        Some(square)
    }
}

impl ExactSizeIterator for Squares {}
impl core::iter::FusedIterator for Squares {}

/// The subsets of a set, see [`Bitboard::subsets`].
#[derive(Clone, Debug)]
pub struct Subsets {
    pub(super) set: Bitboard,
    pub(super) next: Option<Bitboard>,
}

impl Iterator for Subsets {
    type Item = Bitboard;

    fn next(&mut self) -> Option<Bitboard> {
        let subset = self.next?;
        // Subtracting the set adds one to the number formed by the subset's bits ("carry-rippler").
        let after = subset.0.wrapping_sub(self.set.0) & self.set.0;
        self.next = (after != 0).then_some(Bitboard(after));
        Some(subset)
    }
}
