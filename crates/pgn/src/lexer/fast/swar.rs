//! Eight bytes as one number, for every CPU.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// Bytes that are looked at together.
#[derive(Clone, Copy)]
pub(super) struct Block(u64);

impl Block {
    pub(super) const WIDTH: usize = 8;

    #[inline(always)]
    pub(super) fn new(bytes: &[u8; Self::WIDTH]) -> Self {
        Self(u64::from_le_bytes(*bytes))
    }

    /// The bits of bytes that are neither spaces, nor digits, nor dots.
    #[inline(always)]
    pub(super) const fn not_numbers(self) -> u32 {
        let digits = below(self.0 ^ (b'0' as u64 * ONES), 10);
        let spaces = below(self.0 ^ (b' ' as u64 * ONES), 1);
        let dots = below(self.0 ^ (b'.' as u64 * ONES), 1);
        bits((digits | spaces | dots) ^ HIGHS)
    }

    /// The bits of bytes that no word contains.
    #[inline(always)]
    pub(super) const fn not_words(self) -> u32 {
        // From `#` to `z`, without some signs.
        let words = below(self.0, b'z' + 1);
        let early = below(self.0, b'#');
        let signs = below(self.0 ^ (b'(' as u64 * ONES), 3) & !equal(self.0, b'+');
        let others =
            equal(self.0, b'?') | equal(self.0, b'.') | equal(self.0, b'$') | equal(self.0, b';');
        bits((words & !early & !signs & !others) ^ HIGHS)
    }

    /// The bits of closing braces.
    #[inline(always)]
    pub(super) const fn braces(self) -> u32 {
        bits(equal(self.0, b'}'))
    }

    /// The bits of bytes that are no letters of ASCII.
    #[inline(always)]
    pub(super) const fn not_letters(self) -> u32 {
        let small = self.0 | (0x20 * ONES);
        bits((below(small, b'z' + 1) & !below(small, b'a')) ^ HIGHS)
    }

    /// The bits of quotation marks, backslashes and line ends.
    #[inline(always)]
    pub(super) const fn value_signs(self) -> u32 {
        bits(equal(self.0, b'"') | equal(self.0, b'\\') | equal(self.0, b'\n'))
    }
}

/// The high bits of the bytes below the number, which is at most 128.
#[inline(always)]
const fn below(text: u64, number: u8) -> u64 {
    !((text | HIGHS) - number as u64 * ONES) & !text & HIGHS
}

/// The high bits of the bytes equal to this one.
#[inline(always)]
const fn equal(text: u64, byte: u8) -> u64 {
    below(text ^ (byte as u64 * ONES), 1)
}

/// One bit for each high bit.
#[inline(always)]
const fn bits(highs: u64) -> u32 {
    ((highs >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
}
