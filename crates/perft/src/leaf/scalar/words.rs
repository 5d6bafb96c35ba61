//! Eight bitboards in an array: the eight directions without vectors.

use core::ops::{BitAnd, BitOr, BitXor, Not};

use crate::leaf::star::Star;

/// Eight bitboards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words([u64; 8]);

impl Words {
    /// A word for each index. The function of this kind in `core` is not always compiled into its caller,
    /// and each call costs more than the loop.
    #[inline(always)]
    fn from_fn(word: impl Fn(usize) -> u64) -> Self {
        let mut words = [0; 8];
        let mut index = 0;
        while index < 8 {
            words[index] = word(index);
            index += 1;
        }
        Self(words)
    }
}

impl BitAnd for Words {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self::from_fn(|i| self.0[i] & other.0[i])
    }
}

impl BitOr for Words {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self::from_fn(|i| self.0[i] | other.0[i])
    }
}

impl BitXor for Words {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self::from_fn(|i| self.0[i] ^ other.0[i])
    }
}

impl Not for Words {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self::from_fn(|i| !self.0[i])
    }
}

impl Star for Words {
    #[inline(always)]
    fn splat(x: u64) -> Self {
        Self([x; 8])
    }
    #[inline(always)]
    fn load(from: &[u64; 8]) -> Self {
        Self(*from)
    }
    #[inline(always)]
    fn rotate(self, by: &[u64; 8]) -> Self {
        Self::from_fn(|i| self.0[i].rotate_left(by[i] as u32))
    }
    #[inline(always)]
    fn if_any(self, condition: Self) -> Self {
        Self::from_fn(|i| if condition.0[i] != 0 { self.0[i] } else { 0 })
    }
    #[inline(always)]
    fn up_to(ray: Self, blockers: Self) -> Self {
        Self::from_fn(|i| {
            let b = blockers.0[i];
            if i < 4 {
                ray.0[i] & (b ^ b.wrapping_sub(1))
            } else {
                ray.0[i] & (1u64 << 63 >> (b | 1).leading_zeros()).wrapping_neg()
            }
        })
    }
    #[inline(always)]
    fn union(self) -> u64 {
        self.0.iter().fold(0, |all, x| all | x)
    }
    #[inline(always)]
    fn any(self) -> bool {
        self.union() != 0
    }
}
