//! A small number for each square: a set for each binary digit.
//!
//! To add one to every square of a set is then a few operations, and the sum over a set a few
//! population counts.

use crate::leaf::sets::{count, index};

/// A number from 0 to 31 for each square. Most are below 8, so the two high digits are looked at
/// only if they must be.
#[derive(Clone, Copy)]
pub(super) struct Digits([u64; 5]);

impl Digits {
    pub(super) const ZERO: Self = Self([0; 5]);

    /// Adds one to each square of a set.
    #[inline(always)]
    pub(super) fn add(&mut self, set: u64) {
        let d = &mut self.0;
        let carry = d[0] & set;
        d[0] ^= set;
        self.carry(carry);
    }

    /// Adds two to each square of a set.
    #[inline(always)]
    fn carry(&mut self, set: u64) {
        let d = &mut self.0;
        let four = d[1] & set;
        d[1] ^= set;
        let eight = d[2] & four;
        d[2] ^= four;
        self.carry_high(eight);
    }

    /// Adds eight to each square of a set.
    #[inline(always)]
    fn carry_high(&mut self, set: u64) {
        if set != 0 {
            self.0[4] |= self.0[3] & set;
            self.0[3] ^= set;
        }
    }

    /// Adds numbers of three digits.
    #[inline(always)]
    pub(super) fn add_numbers(&mut self, numbers: [u64; 3]) {
        let d = &mut self.0;
        let mut carry = 0;
        for (at, other) in numbers.into_iter().enumerate() {
            let either = d[at] ^ other;
            let both = d[at] & other | either & carry;
            d[at] = either ^ carry;
            carry = both;
        }
        self.carry_high(carry);
    }

    /// The sum over a set.
    #[inline(always)]
    pub(super) fn sum(&self, set: u64) -> u64 {
        let part = |i: usize| count(self.0[i] & set) << i;
        let low = part(0) + part(1) + part(2);
        if self.0[3] | self.0[4] == 0 { low } else { low + part(3) + part(4) }
    }

    /// The number of one square.
    #[inline(always)]
    pub(super) fn at(&self, square: u64) -> u64 {
        let square = index(square);
        let digit = |i: usize| (self.0[i] >> square & 1) << i;
        digit(0) | digit(1) | digit(2) | digit(3) | digit(4)
    }

    /// The sets of the digits, the lowest first.
    pub(super) fn sets(&self) -> [u64; 5] {
        self.0
    }
}

/// A number from 0 to 3 for each square.
#[derive(Clone, Copy, Debug)]
pub(super) struct Few([u64; 2]);

impl Few {
    pub(super) const ZERO: Self = Self([0; 2]);

    /// Adds one to each square of a set.
    #[inline(always)]
    pub(super) fn add(&mut self, set: u64) {
        self.0[1] ^= self.0[0] & set;
        self.0[0] ^= set;
    }

    /// The sum over a set.
    #[inline(always)]
    pub(super) fn sum(&self, set: u64) -> i64 {
        if (self.0[0] | self.0[1]) & set == 0 {
            return 0;
        }
        (count(self.0[0] & set) + 2 * count(self.0[1] & set)) as i64
    }
}
