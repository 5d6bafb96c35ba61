//! Keys of positions, with a bound for how often they mislead.
//!
//! A subtree is a position and a depth. The position is packed into four words without loss
//! ([`KeyWords`]); the depth is the fifth word. The key of a subtree consists of two multilinear
//! hashes of these words: with 128-bit factors *a*, the upper half of
//!
//! ```text
//! a0 + a1*w1 + a2*w2 + a3*w3 + a4*w4 + a5*depth   (mod 2^128)
//! ```
//!
//! If the factors are truly random, any two different subtrees have the same 64 bits with a chance
//! of exactly 2^-64. This is a theorem: it assumes nothing about chess and nothing about the
//! positions. One hash determines the place of a subtree's entry, so the depths of one position are
//! spread over the table. The other, which has its own factors, is stored in the entry and
//! compared. (The first hash is also mixed, one to one, which does not change the chance.)
//!
//! The factors are the output of ChaCha20 with a 256-bit [seed](crate::Seed) as its key. If the
//! seed is random, telling these factors from truly random ones, by wrong counts or in any other
//! way, would break ChaCha20.
//!
//! Source: Daniel Lemire and Owen Kaser, "Strongly universal string hashing is fast", 2014.

use chacha20::ChaCha20Rng;
use chacha20::rand_core::Rng;

use crate::options::MAX_DEPTH;
use crate::seed::Seed;

/// A position, packed without loss: three bit planes say which piece stands on each square, and the
/// fourth says which side it belongs to.
pub(crate) type KeyWords = [u64; 4];

/// The bucket of an entry, and the contents that identify it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    /// Evenly distributed over all 64-bit numbers. It determines the bucket.
    pub(crate) place: u64,
    /// Compared with the entry.
    pub(crate) check: u64,
}

/// Makes keys. The factors depend on the seed.
#[derive(Clone, Debug)]
pub(super) struct KeyHasher {
    place: SubtreeHash,
    check: SubtreeHash,
}

impl KeyHasher {
    pub(super) fn new(seed: Seed) -> Self {
        let mut random = seed.expand();
        let mut hash = || SubtreeHash::new(&Multilinear::new(&mut random));
        Self { place: hash(), check: hash() }
    }

    /// The key of the subtree of a depth, at most [`MAX_DEPTH`], below a packed position.
    #[inline(always)]
    pub(super) fn key(&self, words: &KeyWords, depth: u32) -> Key {
        Key { place: mix(self.place.hash(words, depth)), check: self.check.hash(words, depth) }
    }
}

/// The number of depths.
const DEPTHS: usize = MAX_DEPTH as usize + 1;

/// A multilinear hash of five words: a packed position and a depth.
///
/// There are few depths, so the products with the depth are computed in advance. The depth then
/// costs no more than the constant alone.
#[derive(Clone, Debug)]
struct SubtreeHash {
    /// For each depth, the constant plus the product of the depth and its factor.
    constants: [u128; DEPTHS],
    /// The factors of the position.
    factors: [u128; 4],
}

impl SubtreeHash {
    fn new(hash: &Multilinear<5>) -> Self {
        let constants = std::array::from_fn(|depth| hash.sum(&[0, 0, 0, 0, depth as u64]));
        let [factors @ .., _] = hash.factors;
        Self { constants, factors }
    }

    #[inline(always)]
    fn hash(&self, words: &KeyWords, depth: u32) -> u64 {
        debug_assert!(depth <= MAX_DEPTH);
        let constant = self.constants[depth as usize % DEPTHS];
        (add_products(constant, &self.factors, words) >> 64) as u64
    }
}

/// A multilinear hash of `N` words.
#[derive(Clone, Debug)]
pub(crate) struct Multilinear<const N: usize> {
    constant: u128,
    factors: [u128; N],
}

impl<const N: usize> Multilinear<N> {
    /// The hash whose factors are the next random numbers.
    pub(crate) fn new(random: &mut ChaCha20Rng) -> Self {
        let mut next = || u128::from(random.next_u64()) << 64 | u128::from(random.next_u64());
        Self { constant: next(), factors: std::array::from_fn(|_| next()) }
    }

    /// The hash of the words.
    #[inline(always)]
    pub(crate) fn hash(&self, words: &[u64; N]) -> u64 {
        (self.sum(words) >> 64) as u64
    }

    /// The sum whose upper half is the hash. The sums of two hashes add up to the sum of all their
    /// words.
    #[inline(always)]
    pub(crate) fn sum(&self, words: &[u64; N]) -> u128 {
        add_products(self.constant, &self.factors, words)
    }
}

/// The sum of a number and the products of factors and words, modulo 2^128.
#[inline(always)]
fn add_products<const N: usize>(mut sum: u128, factors: &[u128; N], words: &[u64; N]) -> u128 {
    // The loop uses indices because it is hot, and `zip` is not always inlined.
    for index in 0..N {
        sum = sum.wrapping_add(factors[index].wrapping_mul(u128::from(words[index])));
    }
    sum
}

/// Mixes a number, one to one.
///
/// Multilinear hashes of consecutive numbers lie at equal distances, and similar positions resemble
/// consecutive numbers. Without mixing, some buckets would be crowded and others empty.
#[inline(always)]
pub(crate) const fn mix(number: u64) -> u64 {
    let product = (number ^ number >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ product >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_seeds_give_different_keys() {
        let words = [1, 2, 3, 4];
        let key = |seed: Seed| KeyHasher::new(seed).key(&words, 3);
        assert_ne!(key(1.into()), key(2.into()));
        assert_eq!(key(1.into()), key(1.into()));
        let mut bytes = [0; 32];
        for byte in 0..32 {
            bytes[byte] = 1;
            assert_ne!(key(Seed::from_bytes(bytes)), key(0.into()), "byte {byte} has no effect");
            bytes[byte] = 0;
        }
    }

    #[test]
    fn every_bit_of_the_position_matters() {
        let hasher = KeyHasher::new(7.into());
        let base = hasher.key(&[0; 4], 3);
        for bit in 0..256 {
            let mut words = [0u64; 4];
            words[bit / 64] = 1 << (bit % 64);
            let other = hasher.key(&words, 3);
            assert!(other.check != base.check && other.place != base.place, "bit {bit}");
        }
    }

    #[test]
    fn every_depth_matters() {
        let hasher = KeyHasher::new(7.into());
        let words = [1, 2, 3, 4];
        let mut seen = std::collections::HashSet::new();
        for depth in 0..=MAX_DEPTH {
            let key = hasher.key(&words, depth);
            assert!(seen.insert(key.place) && seen.insert(key.check), "depth {depth}");
        }
    }

    /// Checks that the products computed in advance are those of the formula.
    #[test]
    fn a_subtree_hash_is_the_multilinear_hash_of_five_words() {
        let multilinear = Multilinear::<5>::new(&mut Seed::from(3).expand());
        let hash = SubtreeHash::new(&multilinear);
        for depth in [0, 1, 2, 77, MAX_DEPTH] {
            let words = [u64::MAX, 1 << 63, 0x1234_5678_9abc_def0, u64::from(depth) << 9];
            let [a, b, c, d] = words;
            assert_eq!(hash.hash(&words, depth), multilinear.hash(&[a, b, c, d, depth.into()]));
        }
    }
}
