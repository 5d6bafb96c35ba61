//! Sixteen bytes in a vector. This module is compiled if the whole build is for CPUs that have
//! SSE2, as is usual on x86-64.

use std::arch::x86_64::{
    __m128i, _mm_andnot_si128, _mm_cmpeq_epi8, _mm_cmpgt_epi8, _mm_min_epu8, _mm_movemask_epi8,
    _mm_or_si128, _mm_set_epi64x, _mm_set1_epi8, _mm_slli_si128, _mm_sub_epi8,
};

use super::{Block, Places};

const WIDTH: usize = 16;

/// Sixteen bytes.
#[derive(Clone, Copy, Debug)]
pub struct Sse2(Vector);

impl Block for Sse2 {
    const WIDTH: usize = WIDTH;

    #[inline(always)]
    fn read(buffer: &[u8], at: usize) -> Option<Self> {
        let bytes = buffer.get(at..)?.first_chunk()?;
        // SAFETY: the whole build is for CPUs that have SSE2, see the `cfg` of this module.
        Some(Self(unsafe { Vector::new(bytes) }))
    }

    #[inline(always)]
    fn not_numbers(self) -> Places {
        // SAFETY: the whole build is for CPUs that have SSE2, see the `cfg` of this module.
        Places::new(unsafe { self.0.not_numbers() })
    }

    #[inline(always)]
    fn not_words(self) -> Places {
        // SAFETY: the whole build is for CPUs that have SSE2, see the `cfg` of this module.
        Places::new(unsafe { self.0.not_words() })
    }

    #[inline(always)]
    fn braces(self) -> Places {
        // SAFETY: the whole build is for CPUs that have SSE2, see the `cfg` of this module.
        Places::new(unsafe { self.0.braces() })
    }

    #[inline(always)]
    fn not_letters(self) -> Places {
        // SAFETY: the whole build is for CPUs that have SSE2, see the `cfg` of this module.
        Places::new(unsafe { self.0.not_letters() })
    }

    #[inline(always)]
    fn value_signs(self) -> Places {
        // SAFETY: the whole build is for CPUs that have SSE2, see the `cfg` of this module.
        Places::new(unsafe { self.0.value_signs() })
    }
}

#[derive(Clone, Copy, Debug)]
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
        let digits = self.within(b'0', b'9');
        let spaces = _mm_andnot_si128(_mm_slli_si128(digits, 1), self.equal(b' '));
        !bits(_mm_or_si128(_mm_or_si128(digits, spaces), self.equal(b'.'))) & 0xffff
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn not_words(self) -> u32 {
        // As signed numbers, bytes that are not ASCII come before all others.
        let outside = _mm_or_si128(
            _mm_cmpgt_epi8(_mm_set1_epi8(b'#' as i8), self.0),
            _mm_cmpgt_epi8(self.0, _mm_set1_epi8(b'z' as i8)),
        );
        // With these bits set, `;` and `[` are `{`, and of the bytes in words none is.
        let joined = Self(_mm_or_si128(self.0, _mm_set1_epi8(0x60)));
        let signs = _mm_or_si128(
            _mm_or_si128(self.equal(b'?'), self.equal(b'.')),
            _mm_or_si128(self.equal(b'$'), joined.equal(b'{')),
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
        let line_ends = _mm_or_si128(self.equal(b'\n'), self.equal(b'\r'));
        bits(_mm_or_si128(signs, line_ends))
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
