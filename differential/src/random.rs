//! Random numbers that depend on a seed and on the things generated with it.

use tabiya::SplitMix64;

/// The generator for a seed and for parts that identify the things to generate with it.
pub fn of_parts(seed: u64, parts: &[u64]) -> SplitMix64 {
    SplitMix64::new(parts.iter().fold(mix(seed), |state, &part| mix(state ^ mix(part))))
}

/// A number in which each bit depends on all bits of the given one.
pub fn mix(number: u64) -> u64 {
    // The generator adds this before it mixes.
    SplitMix64::new(number.wrapping_sub(0x9e37_79b9_7f4a_7c15)).number()
}
