//! Blocks of bytes that are examined together.
//!
//! Every form of a block classifies the same characters. The lexer is generic over the form, so all
//! of them are tested on every machine, including [`ByteByByte`], which has no blocks at all.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod sse2;
mod swar;

use std::convert::Infallible;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub use sse2::Sse2;
pub use swar::Swar;

/// The form that is fast on this machine.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub type Native = Sse2;
/// The form that is fast on this machine.
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
pub type Native = Swar;

/// Some bytes, with tests of their classes.
pub trait Block: Copy {
    /// The number of bytes, at most 32.
    const WIDTH: usize;

    /// The bytes from this offset on, if the buffer has as many.
    fn read(buffer: &[u8], at: usize) -> Option<Self>;

    /// The places of bytes other than spaces, digits and dots; and of spaces behind a digit, since
    /// digits without a dot may be a move, such as `0000` and `00`.
    fn not_numbers(self) -> Places;

    /// The places of bytes that no word contains.
    fn not_words(self) -> Places;

    /// The places of closing braces.
    fn braces(self) -> Places;

    /// The places of bytes other than ASCII letters.
    fn not_letters(self) -> Places;

    /// The places of quotation marks, backslashes and line ends.
    fn value_signs(self) -> Places;
}

/// Places in a block, one bit each.
///
/// The bits are private, so that nobody can mistake the width of a block for a place: the case that
/// there is no place must be handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places(u32);

impl Places {
    #[inline(always)]
    const fn new(bits: u32) -> Self {
        Self(bits)
    }

    /// The first place. `None` says nothing about the bytes after the block.
    #[inline(always)]
    pub(super) const fn first(self) -> Option<usize> {
        if self.0 == 0 { None } else { Some(self.0.trailing_zeros() as usize) }
    }

    /// The first place that is not before this one.
    #[inline(always)]
    pub(super) const fn first_from(self, place: usize) -> Option<usize> {
        // This avoids a shift by the full width of the number.
        Self(self.0 & (u32::MAX.wrapping_shl(place as u32))).first()
    }
}

/// No block: no fast way is ever taken, and all tokens are read byte by byte.
#[derive(Clone, Copy, Debug)]
pub struct ByteByByte(Infallible);

impl Block for ByteByByte {
    const WIDTH: usize = 1;

    #[inline(always)]
    fn read(_: &[u8], _: usize) -> Option<Self> {
        None
    }

    fn not_numbers(self) -> Places {
        match self.0 {}
    }

    fn not_words(self) -> Places {
        match self.0 {}
    }

    fn braces(self) -> Places {
        match self.0 {}
    }

    fn not_letters(self) -> Places {
        match self.0 {}
    }

    fn value_signs(self) -> Places {
        match self.0 {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::class::is_in_word;

    /// The bits of bytes that satisfy a condition.
    fn bits(bytes: &[u8], condition: impl Fn(u8) -> bool) -> Places {
        Places(bytes.iter().rev().fold(0, |bits, &byte| 2 * bits + u32::from(condition(byte))))
    }

    /// Checks that all pairs of bytes in some places of a text are classified as in the tables.
    fn judges_every_byte<B: Block>(text: &[u8]) {
        assert_eq!(text.len(), B::WIDTH);
        let is_number = |byte| matches!(byte, b'0'..=b'9' | b' ' | b'.');
        let not_numbers = |bytes: &[u8]| {
            let is_digit = |place: usize| bytes[place].is_ascii_digit();
            let is_behind = |place: usize| bytes[place] == b' ' && place > 0 && is_digit(place - 1);
            let is_one = |place: &usize| !is_number(bytes[*place]) || is_behind(*place);
            Places((0..bytes.len()).filter(is_one).fold(0, |bits, place| bits | 1 << place))
        };
        // Miri is slow.
        let step = if cfg!(miri) { 37 } else { 1 };
        for first in (0..=255).step_by(step) {
            for second in (0..=255).step_by(step) {
                for (a, b) in [(0, 1), (1, 2), (2, 5), (B::WIDTH - 2, B::WIDTH - 1)] {
                    let mut bytes = text.to_vec();
                    (bytes[a], bytes[b]) = (first, second);
                    let block = B::read(&bytes, 0).expect("it has all bytes");
                    let expected = |condition: &dyn Fn(u8) -> bool| bits(&bytes, condition);
                    assert_eq!(block.not_numbers(), not_numbers(&bytes));
                    assert_eq!(block.not_words(), expected(&|byte| !is_in_word(byte)));
                    assert_eq!(block.braces(), expected(&|byte| byte == b'}'));
                    assert_eq!(block.not_letters(), expected(&|byte| !byte.is_ascii_alphabetic()));
                    let signs = expected(&|byte| matches!(byte, b'"' | b'\\' | b'\n' | b'\r'));
                    assert_eq!(block.value_signs(), signs);
                }
            }
        }
    }

    #[test]
    fn numbers_judge_every_byte_as_the_tables_do() {
        judges_every_byte::<Swar>(b" 12. Na3");
        judges_every_byte::<Swar>(b"}}}}}}}}");
    }

    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    #[test]
    fn vectors_judge_every_byte_as_the_tables_do() {
        judges_every_byte::<Sse2>(b" 12... Nbxd2+ {[");
        judges_every_byte::<Sse2>(b"}}}}}}}}}}}}}}}}");
    }

    #[test]
    fn a_block_has_all_of_its_bytes_or_is_none() {
        fn check<B: Block>() {
            let buffer = vec![b' '; 2 * B::WIDTH];
            for len in 0..=buffer.len() {
                for at in 0..=len + 1 {
                    let read = B::read(&buffer[..len], at).is_some();
                    assert_eq!(read, at + B::WIDTH <= len, "{at} of {len}");
                }
            }
        }
        check::<Swar>();
        check::<Native>();
    }

    #[test]
    fn places_are_found_from_any_place_on() {
        for bits in [0, 1, 0x80, 0x8000, 0x8000_0000, 0xffff, u32::MAX, 0x0101_0040] {
            for from in 0..32 {
                let expected = (from..32).find(|place| bits >> place & 1 == 1);
                assert_eq!(Places(bits).first_from(from as usize), expected.map(|it| it as usize));
            }
            let expected = (0..32).find(|place| bits >> place & 1 == 1);
            assert_eq!(Places(bits).first(), expected.map(|it| it as usize));
        }
    }
}
