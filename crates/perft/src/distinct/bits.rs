//! Sequences of bits.

/// A sequence of bits that begins with all bits 0 and grows as far as bits are set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits {
    words: Vec<u64>,
}

impl Bits {
    pub(super) fn set(&mut self, place: u64) {
        let word = (place / 64) as usize;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (place % 64);
    }

    /// Sixty-four bits, the first one lowest.
    #[inline(always)]
    fn window(&self, place: u64) -> u64 {
        let word = (place / 64) as usize;
        let at = |word: usize| self.words.get(word).copied().unwrap_or(0);
        let pair = u128::from(at(word + 1)) << 64 | u128::from(at(word));
        (pair >> (place % 64)) as u64
    }

    pub(super) fn ones(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    pub(super) fn bytes(&self) -> u64 {
        8 * self.words.capacity() as u64
    }
}

/// Reads bits from the first on.
#[derive(Debug)]
pub(super) struct BitReader<'a> {
    bits: &'a Bits,
    next: u64,
}

impl<'a> BitReader<'a> {
    pub(super) fn new(bits: &'a Bits) -> Self {
        Self { bits, next: 0 }
    }

    /// Takes the next `count` bits, and returns which of them are set.
    #[inline(always)]
    pub(super) fn take(&mut self, count: usize) -> Ones<'a> {
        let first = self.next;
        self.next += count as u64;
        Ones { bits: self.bits, first, count, word: 0, base: 0, begun: 0 }
    }
}

/// The numbers of the bits that are set, in a part of a sequence.
#[derive(Debug)]
pub(super) struct Ones<'a> {
    bits: &'a Bits,
    first: u64,
    count: usize,
    /// What is left of the current 64 bits.
    word: u64,
    base: usize,
    /// How many bits have been looked at or are in `word`.
    begun: usize,
}

impl Iterator for Ones<'_> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while self.word == 0 {
            let left = self.count - self.begun;
            if left == 0 {
                return None;
            }
            self.base = self.begun;
            self.word = self.bits.window(self.first + self.begun as u64);
            let taken = left.min(64);
            self.word &= u64::MAX >> (64 - taken);
            self.begun += taken;
        }
        let number = self.base + self.word.trailing_zeros() as usize;
        self.word &= self.word - 1;
        Some(number)
    }
}
