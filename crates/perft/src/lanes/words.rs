//! Eight bitboards in an array: what each operation of the vectors means, for the tests.

use core::array::from_fn;
use core::ops::{BitAnd, BitOr, BitXor, Not};

use super::{Lanes, Row};

/// Eight bitboards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words(pub [u64; 8]);

impl Words {
    fn each(self, f: impl Fn(u64) -> u64) -> Self {
        Self(self.0.map(f))
    }

    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self(from_fn(|lane| f(self.0[lane], other.0[lane])))
    }
}

impl BitAnd for Words {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
}

impl BitOr for Words {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
}

impl BitXor for Words {
    type Output = Self;
    fn bitxor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }
}

impl Not for Words {
    type Output = Self;
    fn not(self) -> Self {
        self.each(|a| !a)
    }
}

impl Lanes for Words {
    fn splat(x: u64) -> Self {
        Self([x; 8])
    }
    fn columns<const N: usize>(rows: &[Row; N], index: &[u8; 8]) -> [Self; 8] {
        from_fn(|column| Self(index.map(|row| rows[usize::from(row)][column])))
    }
    fn squares(numbers: &[u8; 8]) -> Self {
        Self(numbers.map(|number| 1u64.checked_shl(number.into()).unwrap_or(0)))
    }
    fn load(words: &[u64; 8]) -> Self {
        Self(*words)
    }
    fn shl(self, n: u32) -> Self {
        self.each(|a| a << n)
    }
    fn shr(self, n: u32) -> Self {
        self.each(|a| a >> n)
    }
    fn turned(self) -> Self {
        self.each(u64::swap_bytes)
    }
    fn decrement(self) -> Self {
        self.each(|a| a.wrapping_sub(1))
    }
    fn without(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }
    fn if_any(self, condition: Self) -> Self {
        self.zip(condition, |a, b| if b != 0 { a } else { 0 })
    }
    fn if_none(self, condition: Self) -> Self {
        self.zip(condition, |a, b| if b == 0 { a } else { 0 })
    }
    fn any(self) -> bool {
        self.0 != [0; 8]
    }
    fn plus(self, other: Self) -> Self {
        self.zip(other, u64::wrapping_add)
    }
    fn minus(self, other: Self) -> Self {
        self.zip(other, u64::wrapping_sub)
    }
    fn times(self, other: Self) -> Self {
        self.zip(other, u64::wrapping_mul)
    }
    fn put(self, to: &mut [u64; 8]) {
        *to = self.0;
    }
    fn occupied(self) -> u8 {
        (0..8).map(|lane| u8::from(self.0[lane] != 0) << lane).sum()
    }
    fn size(self) -> Self {
        self.each(|a| a.count_ones().into())
    }
}
