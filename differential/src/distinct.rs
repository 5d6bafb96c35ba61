//! An estimate of the number of distinct positions, in 16 kB: HyperLogLog.
//!
//! A hash with many zeros at its end is rare, so the longest run of zeros shows the number of
//! different hashes. The mean of many registers makes the estimate good to about a percent.
//!
//! Source: Flajolet, Fusy, Gandouet, Meunier, "HyperLogLog", 2007.

use crate::random::mix;

const BITS: u32 = 14;

/// An estimate of the number of different numbers that were added.
#[derive(Clone, Debug)]
pub struct Distinct(Vec<u8>);

impl Distinct {
    /// An estimate before any number is added.
    pub fn new() -> Self {
        Self(vec![0; 1 << BITS])
    }

    /// Adds a number.
    #[inline]
    pub fn add(&mut self, number: u64) {
        let hash = mix(number);
        let register = &mut self.0[(hash >> (64 - BITS)) as usize];
        *register = (*register).max((hash | 1 << (64 - BITS)).trailing_zeros() as u8 + 1);
    }

    /// Adds all numbers that were added to another one.
    pub fn merge(&mut self, other: &Self) {
        for (register, &other) in self.0.iter_mut().zip(&other.0) {
            *register = (*register).max(other);
        }
    }

    /// The approximate number of different numbers.
    pub fn estimate(&self) -> f64 {
        let registers = self.0.len() as f64;
        let sum: f64 = self.0.iter().map(|&run| (-f64::from(run)).exp2()).sum();
        let estimate = 0.7213 / (1.0 + 1.079 / registers) * registers * registers / sum;
        let empty = self.0.iter().filter(|&&run| run == 0).count();
        // For few numbers, the empty registers give a better estimate.
        if estimate < 2.5 * registers && empty > 0 {
            registers * (registers / empty as f64).ln()
        } else {
            estimate
        }
    }
}

impl Default for Distinct {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_estimate_is_good_to_a_few_percent() {
        for count in [10_u64, 1000, 30_000, 1_000_000] {
            let mut distinct = Distinct::new();
            for number in (0..count).chain(0..count / 2) {
                distinct.add(number);
            }
            let error = distinct.estimate() / count as f64 - 1.0;
            assert!(error.abs() < 0.03, "{count}: {error}");
        }
    }
}
