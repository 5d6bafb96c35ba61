//! The bits of the movetext, from the highest of each byte on, and signed numbers.

/// How many bits a number below `count` needs.
pub(super) fn width(count: u32) -> u32 {
    u32::BITS - count.saturating_sub(1).leading_zeros()
}

/// The bits of one record. It has 29 at most: 4 of the piece, 5 of its move and 20 of the score.
pub(super) struct Window {
    bits: u64,
    used: u32,
}

impl Window {
    /// The bits from a place on, which is counted in bits; zeros after the last byte.
    pub(super) fn at(bytes: &[u8], place: usize) -> Self {
        let from = bytes.get(place / 8..).unwrap_or_default();
        let word = from.first_chunk().copied().unwrap_or_else(|| {
            let mut word = [0; 8];
            word[..from.len()].copy_from_slice(from);
            word
        });
        Self { bits: u64::from_be_bytes(word) << (place % 8), used: 0 }
    }

    pub(super) fn take(&mut self, count: u32) -> u32 {
        let taken = self.bits >> 1 >> (63 - count);
        self.bits <<= count;
        self.used += count;
        taken as u32
    }

    /// A number in blocks of four bits, the lowest first, each after a bit that says whether another one follows.
    /// `None` if there are too many. How many there are, no CPU can predict, so there's no loop.
    pub(super) fn take_blocks(&mut self) -> Option<u16> {
        const MORE: u64 = 0b10000_10000_10000_10000;
        let last = self.bits >> 44;
        let before = (!last & MORE).leading_zeros().saturating_sub(44) / 5;
        let nibble = |block: u32| (last >> (15 - 5 * block) & 15) << (4 * block);
        let number = nibble(0) | nibble(1) | nibble(2) | nibble(3);
        self.used += 5 * (before + 1);
        let mask = (1 << (4 * (before + 1))) - 1;
        (before < 4).then_some((number & mask) as u16)
    }

    pub(super) fn used(&self) -> usize {
        self.used as usize
    }
}

/// Movetext that is being written.
#[derive(Default)]
pub(super) struct Bits {
    /// Those that don't fill a byte yet, at the bottom.
    rest: u64,
    count: u32,
}

impl Bits {
    pub(super) fn put(&mut self, bits: u32, count: u32) {
        self.rest = self.rest << count | u64::from(bits);
        self.count += count;
    }

    pub(super) fn put_blocks(&mut self, mut number: u16) {
        while number > 15 {
            self.put(u32::from(number & 15 | 16), 5);
            number >>= 4;
        }
        self.put(u32::from(number), 5);
    }

    /// Moves whole bytes to `out`.
    pub(super) fn flush(&mut self, out: &mut Vec<u8>) {
        while self.count >= 8 {
            self.count -= 8;
            out.push((self.rest >> self.count) as u8);
        }
    }

    /// Fills the last byte with zeros.
    pub(super) fn finish(&mut self, out: &mut Vec<u8>) {
        self.put(0, self.count.wrapping_neg() % 8);
        self.flush(out);
    }
}

/// A number near zero as a small one: 0, −1, 1, −2, 2 and so on.
pub(super) fn to_unsigned(number: i16) -> u16 {
    let bits = number as u16;
    (if number < 0 { bits ^ 0x7fff } else { bits }).rotate_left(1)
}

pub(super) fn to_signed(number: u16) -> i16 {
    let bits = number.rotate_right(1);
    (if bits & 0x8000 != 0 { bits ^ 0x7fff } else { bits }) as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_by_their_distance_from_zero() {
        let numbers: Vec<i16> = (0..5).map(to_signed).collect();
        assert_eq!(numbers, [0, -1, 1, -2, 2]);
        assert!((i16::MIN..=i16::MAX).all(|number| to_signed(to_unsigned(number)) == number));
    }

    #[test]
    fn blocks_of_four_bits() {
        for number in 0..=u16::MAX {
            let (mut bits, mut bytes) = (Bits::default(), Vec::new());
            bits.put(1, 3);
            bits.put_blocks(number);
            bits.finish(&mut bytes);
            let mut window = Window::at(&bytes, 3);
            assert_eq!(window.take_blocks(), Some(number));
            assert_eq!((3 + window.used()).div_ceil(8), bytes.len());
        }
        assert_eq!(Window::at(&[0xff; 8], 0).take_blocks(), None);
    }

    #[test]
    fn as_few_bits_as_a_number_needs() {
        let widths: Vec<u32> = [0, 1, 2, 3, 4, 5, 8, 9, 16].map(width).into();
        assert_eq!(widths, [0, 0, 1, 2, 2, 3, 3, 4, 4]);
    }
}
