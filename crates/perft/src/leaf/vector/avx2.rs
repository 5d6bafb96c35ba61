//! Four bitboards in a 256-bit register.
//!
//! Only siblings are counted with them. On CPUs without AVX-512, the nodes two plies above the
//! leaves are counted as fast one by one.

#![expect(
    clippy::multiple_unsafe_ops_per_block,
    reason = "every intrinsic is unsafe for one and the same reason"
)]

use super::lanes::Lanes;
use super::rows::{ROWS, Row};
use core::arch::x86_64::*;
use core::ops::{BitAnd, BitOr, BitXor, Not};

/// Four bitboards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ymm(__m256i);

// SAFETY (all blocks of this file): each intrinsic needs features that `instances.rs` lists for
// `Avx2`. Only `categories/siblings.rs` chooses this type, for work that `Avx2::enter` runs. No
// function here runs elsewhere, because each takes or returns the type. Loads and stores stay
// within slices whose length was checked, and ask for no alignment.

impl BitAnd for Ymm {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_and_si256(self.0, other.0) })
    }
}

impl BitOr for Ymm {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_or_si256(self.0, other.0) })
    }
}

impl BitXor for Ymm {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_xor_si256(self.0, other.0) })
    }
}

impl Not for Ymm {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_xor_si256(self.0, _mm256_set1_epi64x(-1)) })
    }
}

impl Ymm {
    /// Four words of an array.
    #[inline(always)]
    fn words(from: &[u64; 8], at: usize) -> Self {
        let from: &[u64] = &from[at..at + 4];
        // SAFETY: see above.
        Self(unsafe { _mm256_loadu_si256(from.as_ptr().cast()) })
    }

    #[inline(always)]
    fn put(self, to: &mut [u64]) {
        // SAFETY: see above; the slice is checked to be long enough.
        unsafe { _mm256_storeu_si256(to[..4].as_mut_ptr().cast(), self.0) };
    }

    /// All ones in the lanes that are empty.
    #[inline(always)]
    fn is_empty(self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_cmpeq_epi64(self.0, _mm256_setzero_si256()) })
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_add_epi64(self.0, other.0) })
    }

    /// Four rows of four words, turned.
    #[inline(always)]
    fn square(rows: &[Row; ROWS], index: &[u8; 8], at: usize, from: usize) -> [Self; 4] {
        // Not by `map`, which may stay out of line.
        let row = |i: usize| Self::words(&rows[index[at + i] as usize % ROWS], from).0;
        let r = [row(0), row(1), row(2), row(3)];
        // SAFETY: see above. Neighbours, then pairs change places.
        unsafe {
            let even = [_mm256_unpacklo_epi64(r[0], r[1]), _mm256_unpacklo_epi64(r[2], r[3])];
            let odd = [_mm256_unpackhi_epi64(r[0], r[1]), _mm256_unpackhi_epi64(r[2], r[3])];
            [
                Self(_mm256_permute2x128_si256::<0x20>(even[0], even[1])),
                Self(_mm256_permute2x128_si256::<0x20>(odd[0], odd[1])),
                Self(_mm256_permute2x128_si256::<0x31>(even[0], even[1])),
                Self(_mm256_permute2x128_si256::<0x31>(odd[0], odd[1])),
            ]
        }
    }
}

impl Lanes for Ymm {
    const WIDTH: usize = 4;

    #[inline(always)]
    fn splat(x: u64) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_set1_epi64x(x as i64) })
    }
    #[inline(always)]
    fn columns(rows: &[Row; ROWS], index: &[u8; 8], at: usize) -> [Self; 8] {
        let [a, b, c, d] = Self::square(rows, index, at, 0);
        let [e, f, g, h] = Self::square(rows, index, at, 4);
        [a, b, c, d, e, f, g, h]
    }
    #[inline(always)]
    fn squares(square: &[u8; 8], at: usize) -> Self {
        let four = [square[at], square[at + 1], square[at + 2], square[at + 3]];
        // SAFETY: see above. A shift by 64 or more leaves nothing.
        Self(unsafe {
            let numbers = _mm256_cvtepu8_epi64(_mm_cvtsi32_si128(i32::from_le_bytes(four)));
            _mm256_sllv_epi64(_mm256_set1_epi64x(1), numbers)
        })
    }
    #[inline(always)]
    fn shl(self, n: u32) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_sllv_epi64(self.0, _mm256_set1_epi64x(n.into())) })
    }
    #[inline(always)]
    fn shr(self, n: u32) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_srlv_epi64(self.0, _mm256_set1_epi64x(n.into())) })
    }
    #[inline(always)]
    fn turned(self) -> Self {
        // SAFETY: see above.
        Self(unsafe {
            let order = _mm256_set_epi64x(
                0x0809_0a0b_0c0d_0e0f,
                0x0001_0203_0405_0607,
                0x0809_0a0b_0c0d_0e0f,
                0x0001_0203_0405_0607,
            );
            _mm256_shuffle_epi8(self.0, order)
        })
    }
    #[inline(always)]
    fn decrement(self) -> Self {
        self.add(<Self as Lanes>::splat(!0))
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_andnot_si256(other.0, self.0) })
    }
    #[inline(always)]
    fn if_any(self, condition: Self) -> Self {
        self.without(condition.is_empty())
    }
    #[inline(always)]
    fn if_none(self, condition: Self) -> Self {
        self & condition.is_empty()
    }
    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: see above.
        unsafe { _mm256_testz_si256(self.0, self.0) == 0 }
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.add(other)
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_sub_epi64(self.0, other.0) })
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_mul_epu32(self.0, other.0) })
    }
    #[inline(always)]
    fn put(self, to: &mut [u64; 8], at: usize) {
        Self::put(self, &mut to[at..]);
    }
    #[inline(always)]
    fn occupied(self) -> u32 {
        // SAFETY: see above.
        let empty = unsafe { _mm256_movemask_pd(_mm256_castsi256_pd(self.is_empty().0)) };
        !(empty as u32) & 15
    }
    /// Counts by nibbles, with a shuffle as the table, and adds up the bytes of each lane.
    #[inline(always)]
    fn size(self) -> Self {
        // SAFETY: see above.
        Self(unsafe {
            let table = _mm256_broadcastsi128_si256(_mm_setr_epi8(
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
            ));
            let nibble = _mm256_set1_epi8(15);
            let low = _mm256_shuffle_epi8(table, _mm256_and_si256(self.0, nibble));
            let high = _mm256_and_si256(_mm256_srli_epi16::<4>(self.0), nibble);
            let high = _mm256_shuffle_epi8(table, high);
            _mm256_sad_epu8(_mm256_add_epi8(low, high), _mm256_setzero_si256())
        })
    }
}
