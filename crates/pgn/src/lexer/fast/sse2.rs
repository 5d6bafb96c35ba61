//! Sixteen bytes in a vector: every CPU of this architecture has SSE2.

use std::arch::x86_64::{
    __m128i, _mm_andnot_si128, _mm_cmpeq_epi8, _mm_cmpgt_epi8, _mm_min_epu8, _mm_movemask_epi8,
    _mm_or_si128, _mm_set_epi64x, _mm_set1_epi8, _mm_sub_epi8,
};

const WIDTH: usize = 16;

/// Bytes that are looked at together.
#[derive(Clone, Copy)]
pub(super) struct Block(Vector);

impl Block {
    pub(super) const WIDTH: usize = WIDTH;

    #[inline(always)]
    pub(super) fn new(bytes: &[u8; WIDTH]) -> Self {
        // SAFETY: every CPU of this architecture has SSE2.
        Self(unsafe { Vector::new(bytes) })
    }

    /// The bits of bytes that are neither spaces, nor digits, nor dots.
    #[inline(always)]
    pub(super) fn not_numbers(self) -> u32 {
        // SAFETY: every CPU of this architecture has SSE2.
        unsafe { self.0.not_numbers() }
    }

    /// The bits of bytes that no word contains.
    #[inline(always)]
    pub(super) fn not_words(self) -> u32 {
        // SAFETY: every CPU of this architecture has SSE2.
        unsafe { self.0.not_words() }
    }

    /// The bits of closing braces.
    #[inline(always)]
    pub(super) fn braces(self) -> u32 {
        // SAFETY: every CPU of this architecture has SSE2.
        unsafe { self.0.braces() }
    }

    /// The bits of bytes that are no letters of ASCII.
    #[inline(always)]
    pub(super) fn not_letters(self) -> u32 {
        // SAFETY: every CPU of this architecture has SSE2.
        unsafe { self.0.not_letters() }
    }

    /// The bits of quotation marks, backslashes and line ends.
    #[inline(always)]
    pub(super) fn value_signs(self) -> u32 {
        // SAFETY: every CPU of this architecture has SSE2.
        unsafe { self.0.value_signs() }
    }
}

#[derive(Clone, Copy)]
struct Vector(__m128i);

impl Vector {
    #[inline]
    #[target_feature(enable = "sse2")]
    fn new(bytes: &[u8; WIDTH]) -> Self {
        let number = u128::from_le_bytes(*bytes);
        Self(_mm_set_epi64x((number >> 64) as i64, number as i64))
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn not_numbers(self) -> u32 {
        // From `.` to `9`, without `/`.
        let plain = _mm_andnot_si128(self.equal(b'/'), self.within(b'.', b'9'));
        !bits(_mm_or_si128(plain, self.equal(b' '))) & 0xffff
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn not_words(self) -> u32 {
        // As signed numbers, bytes that are not ASCII come before all others.
        let outside = _mm_or_si128(
            _mm_cmpgt_epi8(_mm_set1_epi8(b'#' as i8), self.0),
            _mm_cmpgt_epi8(self.0, _mm_set1_epi8(b'z' as i8)),
        );
        let signs = _mm_or_si128(
            _mm_or_si128(self.equal(b'?'), self.equal(b'.')),
            _mm_or_si128(self.equal(b'$'), self.equal(b';')),
        );
        bits(_mm_or_si128(_mm_or_si128(outside, signs), self.within(b'(', b'*')))
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn braces(self) -> u32 {
        bits(self.equal(b'}'))
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn not_letters(self) -> u32 {
        let small = Self(_mm_or_si128(self.0, _mm_set1_epi8(0x20)));
        !bits(small.within(b'a', b'z')) & 0xffff
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn value_signs(self) -> u32 {
        let signs = _mm_or_si128(self.equal(b'"'), self.equal(b'\\'));
        bits(_mm_or_si128(signs, self.equal(b'\n')))
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn equal(self, byte: u8) -> __m128i {
        _mm_cmpeq_epi8(self.0, _mm_set1_epi8(byte as i8))
    }

    /// The bytes from the first to the last.
    #[inline]
    #[target_feature(enable = "sse2")]
    fn within(self, first: u8, last: u8) -> __m128i {
        let above = _mm_sub_epi8(self.0, _mm_set1_epi8(first as i8));
        _mm_cmpeq_epi8(above, _mm_min_epu8(above, _mm_set1_epi8((last - first) as i8)))
    }
}

/// One bit for each byte whose bits are set.
#[inline]
#[target_feature(enable = "sse2")]
fn bits(bytes: __m128i) -> u32 {
    _mm_movemask_epi8(bytes) as u32
}
