//! Keys of positions, with a proof of how rarely they mislead.
//!
//! A position is packed into four words without loss ([`KeyWords`]). Its key is two multilinear
//! hashes of them: with random 128-bit numbers *a*, the upper half of
//!
//! ```text
//! a0 + a1*w1 + a2*w2 + a3*w3 + a4*w4   (mod 2^128)
//! ```
//!
//! Whatever the positions, two different ones get the same 64 bits with a chance of exactly
//! 2^-64 over the choice of the *a*. One hash says where a position's entry may stand, the other,
//! independent of it, is kept in the entry and compared. No property of chess and no quality of a
//! table of random numbers is assumed. (The first is mixed once more, one to one, which
//! changes nothing in that.)
//!
//! Source: Daniel Lemire and Owen Kaser, "Strongly universal string hashing is fast", 2014.

use crate::random::SplitMix;

/// A position, packed without loss: three bit-planes of what stands on each square and one of
/// whose it is.
pub(crate) type KeyWords = [u64; 4];

/// What says where an entry may stand, and what must be found there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// Spread evenly over all 64-bit numbers; the bucket is a share of them.
    pub place: u64,
    /// Compared with the entry.
    pub check: u64,
}

/// The random numbers behind the keys.
#[derive(Clone, Debug)]
pub struct Keys {
    place: Multilinear<4>,
    check: Multilinear<4>,
}

impl Keys {
    /// The numbers of a seed: another seed gives keys that have nothing to do with the first.
    pub fn new(seed: u64) -> Self {
        let mut random = SplitMix::new(seed);
        Self { place: Multilinear::new(&mut random), check: Multilinear::new(&mut random) }
    }

    /// The key of a packed position.
    #[inline(always)]
    pub fn key(&self, words: &KeyWords) -> Key {
        Key { place: mix(self.place.hash(words)), check: self.check.hash(words) }
    }
}

/// A multilinear hash of `N` words.
#[derive(Clone, Debug)]
pub(crate) struct Multilinear<const N: usize> {
    constant: u128,
    factors: [u128; N],
}

impl<const N: usize> Multilinear<N> {
    pub(crate) fn new(random: &mut SplitMix) -> Self {
        let mut next = || u128::from(random.next()) << 64 | u128::from(random.next());
        Self { constant: next(), factors: std::array::from_fn(|_| next()) }
    }

    /// The hash of the words.
    #[inline(always)]
    pub(crate) fn hash(&self, words: &[u64; N]) -> u64 {
        (self.sum(words) >> 64) as u64
    }

    /// What the hash is the upper half of. The sum of two such sums is the sum of all their words.
    #[inline(always)]
    pub(crate) fn sum(&self, words: &[u64; N]) -> u128 {
        let mut sum = self.constant;
        for (factor, &word) in self.factors.iter().zip(words) {
            sum = sum.wrapping_add(factor.wrapping_mul(u128::from(word)));
        }
        sum
    }
}

/// Mixes a number, one to one.
///
/// Multilinear hashes of numbers in a row lie at even distances, and positions that differ little
/// are somewhat like that: some buckets would be crowded and others empty.
#[inline(always)]
pub(crate) const fn mix(number: u64) -> u64 {
    let product = (number ^ number >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ product >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_give_different_keys() {
        let words = [1, 2, 3, 4];
        assert_ne!(Keys::new(1).key(&words), Keys::new(2).key(&words));
        assert_eq!(Keys::new(1).key(&words), Keys::new(1).key(&words));
    }

    #[test]
    fn every_bit_of_the_position_matters() {
        let keys = Keys::new(7);
        let base = keys.key(&[0; 4]);
        for bit in 0..256 {
            let mut words = [0u64; 4];
            words[bit / 64] = 1 << (bit % 64);
            let other = keys.key(&words);
            assert!(other.check != base.check && other.place != base.place, "bit {bit}");
        }
    }
}
