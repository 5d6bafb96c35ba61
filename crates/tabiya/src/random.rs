//! Pseudo-random numbers: the same seed gives the same numbers, on every machine and in every
//! version.

/// The SplitMix64 generator of Guy Steele, Doug Lea and Christine Flood ("Fast splittable
/// pseudorandom number generators", 2014). It makes the [keys](crate::Position::key) of positions,
/// and random games for tests.
///
/// ```
/// use tabiya::{Position, SplitMix64};
///
/// let mut random = SplitMix64::new(2014);
/// let moves = Position::START.legal_moves();
/// assert!(Position::START.is_legal(random.pick(&moves)));
/// ```
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The numbers of a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// What the numbers of a seed advance by.
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

    /// The generator after that many numbers.
    pub(crate) const fn after(self, numbers: u64) -> Self {
        Self(self.0.wrapping_add(Self::STEP.wrapping_mul(numbers)))
    }

    /// The numbers of a part of the work, so that they don't depend on which part is done first.
    ///
    /// ```
    /// use tabiya::SplitMix64;
    /// let seed = SplitMix64::new(1);
    /// assert_ne!(seed.part(0).number(), seed.part(1).number());
    /// ```
    #[must_use]
    pub const fn part(&self, number: u64) -> Self {
        Self(Self(self.0 ^ Self(number).number()).number())
    }

    /// Any 64-bit number.
    pub const fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(Self::STEP);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below a bound; 0 if the bound is 0.
    pub const fn below(&mut self, bound: usize) -> usize {
        ((self.number() as u128 * bound as u128) >> 64) as usize
    }

    /// One of the items.
    ///
    /// # Panics
    /// If there are no items.
    pub const fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the reference implementation by Sebastiano Vigna (`splitmix64.c`), for
    /// the seed 1234567.
    #[test]
    fn numbers_are_those_of_the_reference() {
        let mut random = SplitMix64::new(1_234_567);
        let numbers = [(); 5].map(|()| random.number());
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(numbers, expected);
    }

    #[test]
    fn numbers_are_below_their_bound() {
        let mut random = SplitMix64::new(0);
        let mut seen = [false; 7];
        (0..100).for_each(|_| seen[random.below(7)] = true);
        assert_eq!((seen, random.below(0)), ([true; 7], 0));
    }
}
