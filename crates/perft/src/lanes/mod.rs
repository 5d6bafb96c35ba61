//! Eight positions side by side, one to a lane of a vector.
//!
//! The kernels for vectors are written once over the trait [`Lanes`]; an instance says how a
//! machine performs a dozen operations: AVX-512 in one register ([`avx512`]), AVX2 in two
//! ([`avx2`]), and an array of words as the plain twin for tests ([`words`]). On top of it:
//!
//! - [`direction`]: shifts and fills along the eight directions;
//! - [`digits`]: a small number for each square;
//! - [`pieces`], [`legality`], [`replies`]: positions, what is legal in them, how many moves;
//! - [`kinds`]: sets of moves, by the kind of move.

mod avx2;
mod avx512;
pub(crate) mod digits;
pub(crate) mod direction;
pub(crate) mod kinds;
pub(crate) mod legality;
#[cfg(test)]
mod oracle;
pub(crate) mod pieces;
pub(crate) mod replies;
#[cfg(test)]
pub(crate) mod words;

pub(crate) use avx2::Ymm;
pub(crate) use avx512::Zmm;

use core::ops::{BitAnd, BitOr, BitXor, Not};

/// Eight words, as a vector loads them.
pub(crate) type Row = [u64; 8];

/// Eight bitboards side by side.
///
/// Every method must be `#[inline(always)]`: it's only ever compiled inside a function that has the
/// instance's CPU features switched on.
pub(crate) trait Lanes:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// The same bitboard in every lane.
    fn splat(x: u64) -> Self;
    /// The columns of eight rows.
    fn columns<const N: usize>(rows: &[Row; N], index: &[u8; 8]) -> [Self; 8];
    /// Squares as bitboards; nothing for a number above 63.
    fn squares(numbers: &[u8; 8]) -> Self;
    /// Eight words.
    fn load(words: &[u64; 8]) -> Self;
    /// The word of a table with each number, modulo 8.
    #[inline(always)]
    fn look_up(table: &[u64; 8], numbers: &[u8; 8]) -> Self {
        let mut words = [0; 8];
        let mut lane = 0;
        while lane < 8 {
            words[lane] = table[numbers[lane] as usize % 8];
            lane += 1;
        }
        Self::load(&words)
    }
    /// Every lane rotated left by the number in the same lane of `by`, modulo 64.
    #[inline(always)]
    fn rotated(self, by: Self) -> Self {
        let (mut words, mut numbers) = ([0; 8], [0; 8]);
        self.put(&mut words);
        by.put(&mut numbers);
        let mut lane = 0;
        while lane < 8 {
            words[lane] = words[lane].rotate_left(numbers[lane] as u32 % 64);
            lane += 1;
        }
        Self::load(&words)
    }

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

    /// Lists a row's moves to each square of a set, the lowest first: in three arrays the row, where
    /// the move begins, and where it ends. It begins on the number `(to & mask) + back`. What
    /// follows in the arrays may be overwritten.
    #[inline(always)]
    fn list(row: u8, targets: u64, mask: u8, back: u8, [rows, from, to]: [&mut [u8; 64]; 3]) {
        let mut rest = targets;
        let mut at = 0;
        while rest != 0 {
            let target = rest.trailing_zeros() as u8;
            (rows[at % 64], to[at % 64]) = (row, target);
            from[at % 64] = (target & mask).wrapping_add(back);
            rest &= rest - 1;
            at += 1;
        }
    }
}

/// Makes the caller's stack frame as aligned as a vector, so that no vector that is spilled from a
/// register crosses the end of a cache line: taking the address of one vector is enough.
#[inline(always)]
pub(crate) fn align_stack<L: Lanes>() {
    core::hint::black_box(&L::splat(0));
}
