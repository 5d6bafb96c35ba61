//! One lane, so that tests see every word as a number.

use core::ops::{BitAnd, BitOr, BitXor, Not};

use super::lanes::Lanes;
use super::rows::{ROWS, Row};

/// One bitboard.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word(pub u64);

impl BitAnd for Word {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Word {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for Word {
    type Output = Self;
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Not for Word {
    type Output = Self;
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl Lanes for Word {
    const WIDTH: usize = 1;

    fn splat(x: u64) -> Self {
        Self(x)
    }
    fn columns(rows: &[Row; ROWS], index: &[u8; 8], at: usize) -> [Self; 8] {
        rows[usize::from(index[at])].map(Self)
    }
    fn squares(square: &[u8; 8], at: usize) -> Self {
        Self(1u64.checked_shl(square[at].into()).unwrap_or(0))
    }
    fn shl(self, n: u32) -> Self {
        Self(self.0 << n)
    }
    fn shr(self, n: u32) -> Self {
        Self(self.0 >> n)
    }
    fn turned(self) -> Self {
        Self(self.0.swap_bytes())
    }
    fn decrement(self) -> Self {
        Self(self.0.wrapping_sub(1))
    }
    fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
    fn if_any(self, condition: Self) -> Self {
        Self(if condition.0 != 0 { self.0 } else { 0 })
    }
    fn if_none(self, condition: Self) -> Self {
        Self(if condition.0 == 0 { self.0 } else { 0 })
    }
    fn any(self) -> bool {
        self.0 != 0
    }
    fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
    fn minus(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
    fn times(self, other: Self) -> Self {
        Self(self.0.wrapping_mul(other.0))
    }
    fn put(self, to: &mut [u64; 8], at: usize) {
        to[at] = self.0;
    }
    fn occupied(self) -> u32 {
        u32::from(self.any())
    }
    fn size(self) -> Self {
        Self(self.0.count_ones().into())
    }
}
