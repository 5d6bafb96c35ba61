//! Sequences of bits.

use std::collections::TryReserveError;

/// A sequence of bits. Bits that have not been set are 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// The sequence in these words, the lowest bit first.
    pub(super) const fn from_words(words: Vec<u64>) -> Self {
        Self { words }
    }

    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    /// Sets a bit.
    pub(super) fn set(&mut self, place: u64) -> Result<(), TryReserveError> {
        let word = (place / 64) as usize;
        if word >= self.words.len() {
            self.words.try_reserve(word + 1 - self.words.len())?;
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (place % 64);
        Ok(())
    }

    /// Makes room for exactly this number of bits.
    pub(super) fn resize(&mut self, bits: u64) -> Result<(), TryReserveError> {
        let words = bits.div_ceil(64) as usize;
        self.words.try_reserve_exact(words.saturating_sub(self.words.len()))?;
        self.words.resize(words, 0);
        self.words.shrink_to_fit();
        Ok(())
    }

    /// Sixty-four bits, the first one in the lowest place.
    #[inline(always)]
    fn window(&self, place: u64) -> u64 {
        let word = (place / 64) as usize;
        let at = |word: usize| self.words.get(word).copied().unwrap_or(0);
        let pair = u128::from(at(word + 1)) << 64 | u128::from(at(word));
        (pair >> (place % 64)) as u64
    }
}

/// Reads the bits in order, starting with the first.
#[derive(Debug)]
pub(super) struct BitReader {
    bits: std::sync::Arc<Bits>,
    next: u64,
}

impl BitReader {
    pub(super) const fn new(bits: std::sync::Arc<Bits>) -> Self {
        Self { bits, next: 0 }
    }

    /// Takes the next bits, at most 64, and returns them as a number, the first one in the lowest
    /// place.
    #[inline(always)]
    pub(super) fn take(&mut self, count: usize) -> u64 {
        debug_assert!((1..=64).contains(&count));
        let window = self.bits.window(self.next);
        self.next += count as u64;
        window & u64::MAX >> (64 - count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use tabiya::SplitMix64;

    #[test]
    fn bits_are_read_back_in_pieces_of_any_size() {
        let mut random = SplitMix64::new(3);
        let places: Vec<bool> = (0..5000).map(|_| random.below(3) == 0).collect();
        let mut bits = Bits::default();
        for (place, _) in places.iter().enumerate().filter(|&(_, &is_set)| is_set) {
            bits.set(place as u64).unwrap();
        }
        bits.resize(places.len() as u64).unwrap();
        let mut reader = BitReader::new(Arc::new(bits));
        let mut place = 0;
        while place < places.len() {
            let count = (1 + random.below(64)).min(places.len() - place);
            let taken = reader.take(count);
            for bit in 0..count {
                assert_eq!(taken >> bit & 1 == 1, places[place + bit], "bit {}", place + bit);
            }
            assert_eq!(taken.checked_shr(count as u32).unwrap_or(0), 0);
            place += count;
        }
        // All bits after the end are 0.
        assert_eq!(reader.take(64), 0);
    }
}
