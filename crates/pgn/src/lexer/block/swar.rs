//! Eight bytes as one number, for every CPU.

use super::{Block, Places};

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// Eight bytes.
#[derive(Clone, Copy, Debug)]
pub struct Swar(u64);

impl Block for Swar {
    const WIDTH: usize = 8;

    #[inline(always)]
    fn read(buffer: &[u8], at: usize) -> Option<Self> {
        let bytes = buffer.get(at..)?.first_chunk()?;
        Some(Self(u64::from_le_bytes(*bytes)))
    }

    #[inline(always)]
    fn not_numbers(self) -> Places {
        let digits = below(self.0 ^ (u64::from(b'0') * ONES), 10);
        let spaces = below(self.0 ^ (u64::from(b' ') * ONES), 1);
        let dots = below(self.0 ^ (u64::from(b'.') * ONES), 1);
        bits((digits | (spaces & !(digits << 8)) | dots) ^ HIGHS)
    }

    #[inline(always)]
    fn not_words(self) -> Places {
        // From `#` to `z`, without some signs.
        let words = below(self.0, b'z' + 1);
        let early = below(self.0, b'#');
        let signs = below(self.0 ^ (u64::from(b'(') * ONES), 3) & !equal(self.0, b'+');
        // With these bits set, `;` and `[` are `{`, and of the bytes in words none is.
        let joined = self.0 | (0x60 * ONES);
        let others =
            equal(self.0, b'?') | equal(self.0, b'.') | equal(self.0, b'$') | equal(joined, b'{');
        bits((words & !early & !signs & !others) ^ HIGHS)
    }

    #[inline(always)]
    fn braces(self) -> Places {
        bits(equal(self.0, b'}'))
    }

    #[inline(always)]
    fn not_letters(self) -> Places {
        let small = self.0 | (0x20 * ONES);
        bits((below(small, b'z' + 1) & !below(small, b'a')) ^ HIGHS)
    }

    #[inline(always)]
    fn value_signs(self) -> Places {
        let line_ends = equal(self.0, b'\n') | equal(self.0, b'\r');
        bits(equal(self.0, b'"') | equal(self.0, b'\\') | line_ends)
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
const fn bits(highs: u64) -> Places {
    Places::new(((highs >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32)
}
