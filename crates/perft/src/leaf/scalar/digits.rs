//! A small number for each square: a set for each binary digit.
//!
//! To add one to every square of a set is then a few operations, and the sum over a set a few
//! population counts.

use crate::node::sets::{count, index};

/// A number of `N` digits for each square. Most numbers of five digits are below 8, so the two high
/// ones are looked at only if they must be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Digits<const N: usize>([u64; N]);

impl<const N: usize> Default for Digits<N> {
    #[inline(always)]
    fn default() -> Self {
        Self::ZERO
    }
}

impl<const N: usize> Digits<N> {
    pub(super) const ZERO: Self = Self([0; N]);

    /// Adds one to each square of a set.
    #[inline(always)]
    pub(super) fn add(&mut self, set: u64) {
        let mut carry = set;
        for digit in self.0.iter_mut().take(3) {
            let both = *digit & carry;
            *digit ^= carry;
            carry = both;
        }
        self.carry_high(carry);
    }

    /// Adds eight to each square of a set.
    #[inline(always)]
    fn carry_high(&mut self, set: u64) {
        if let [_, _, _, eight, sixteen] = &mut self.0[..]
            && set != 0
        {
            *sixteen |= *eight & set;
            *eight ^= set;
        }
    }

    /// The sum over a set.
    #[inline(always)]
    pub(super) fn sum(&self, set: u64) -> i64 {
        // Few nodes have such a castling or escape.
        if N == 2 && (self.0[0] | self.0[1]) & set == 0 {
            return 0;
        }
        let part = |i: usize| count(self.0[i] & set) << i;
        let low: u64 = (0..N.min(3)).map(part).sum();
        if self.0[N.min(3)..].iter().fold(0, |any, digit| any | digit) == 0 {
            low as i64
        } else {
            (low + (3..N).map(part).sum::<u64>()) as i64
        }
    }

    /// The number of one square.
    #[inline(always)]
    pub(super) fn at(&self, square: u64) -> u64 {
        let square = index(square);
        self.0.iter().rev().fold(0, |number, digit| number << 1 | digit >> square & 1)
    }

    /// The sets of the digits, the lowest first.
    pub(super) fn sets(&self) -> [u64; N] {
        self.0
    }
}

impl Digits<5> {
    /// Adds numbers of three digits.
    #[inline(always)]
    pub(super) fn add_numbers(&mut self, numbers: [u64; 3]) {
        let mut carry = 0;
        for (digit, other) in self.0.iter_mut().zip(numbers) {
            let either = *digit ^ other;
            let both = *digit & other | either & carry;
            *digit = either ^ carry;
            carry = both;
        }
        self.carry_high(carry);
    }
}
