//! The operations on vectors that the kernels need.
//!
//! A value holds eight bitboards side by side, one position to a lane. The kernels are written
//! once over this trait; an instance says how a machine performs a dozen operations. Every method
//! must be `#[inline(always)]`: it is only ever compiled inside a function that has the
//! instance's CPU features switched on.

use super::rows::{ROWS, Row};
use core::ops::{BitAnd, BitOr, BitXor, Not};

/// Eight bitboards side by side.
pub(crate) trait Lanes:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// The same bitboard in every lane.
    fn splat(x: u64) -> Self;
    /// The columns of eight rows.
    fn columns(rows: &[Row; ROWS], index: &[u8; 8]) -> [Self; 8];
    /// Squares as bitboards; nothing for a number above 63.
    fn squares(numbers: &[u8; 8]) -> Self;

    /// Every lane shifted left. `n` is a constant after inlining.
    fn shl(self, n: u32) -> Self;
    /// Every lane shifted right. `n` is a constant after inlining.
    fn shr(self, n: u32) -> Self;
    /// Every lane with its bytes in reverse order: the board seen from the other side.
    fn turned(self) -> Self;
    /// Every lane less one.
    fn decrement(self) -> Self;

    /// `self & !other`.
    fn without(self, other: Self) -> Self;
    /// This value in the lanes where `condition` is not empty, nothing elsewhere.
    fn if_any(self, condition: Self) -> Self;
    /// This value in the lanes where `condition` is empty, nothing elsewhere.
    fn if_none(self, condition: Self) -> Self;
    /// Is any lane not empty?
    fn any(self) -> bool;

    /// The members of an odd number of three sets.
    #[inline(always)]
    fn parity(a: Self, b: Self, c: Self) -> Self {
        a ^ b ^ c
    }
    /// The members of two of three sets.
    #[inline(always)]
    fn majority(a: Self, b: Self, c: Self) -> Self {
        (a & b) | (c & (a ^ b))
    }
    /// Each lane as a number: the sum.
    fn plus(self, other: Self) -> Self;
    /// Each lane as a number: the difference.
    fn minus(self, other: Self) -> Self;
    /// Each lane as a number below 2^32: the product.
    fn times(self, other: Self) -> Self;
    /// The lanes as words.
    fn put(self, to: &mut [u64; 8]);
    /// Which lanes are not empty, the first in the lowest bit.
    fn occupied(self) -> u8;
    /// The number of members of each lane.
    fn size(self) -> Self;
    /// Adds the number of members of a set to a sum.
    #[inline(always)]
    fn count(sum: &mut Self, set: Self) {
        *sum = sum.plus(set.size());
    }
    /// Adds three times that number: a promotion is four moves, and a set counts one of them.
    #[inline(always)]
    fn count_thrice(sum: &mut Self, set: Self) {
        let size = set.size();
        *sum = sum.plus(size.plus(size.shl(1)));
    }
}
