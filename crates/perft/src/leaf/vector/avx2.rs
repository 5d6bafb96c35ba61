//! Four bitboards in a 256-bit register; the eight directions take two.
//!
//! AVX2 can neither count bits nor leading zeros. Bits are counted by nibbles, with a shuffle as
//! the table, and the sums stay in bytes until the end. A ray that falls is cut by smearing its
//! blockers along it: three doublings cover its seven squares.

#![expect(
    clippy::multiple_unsafe_ops_per_block,
    reason = "every intrinsic is unsafe for one and the same reason"
)]

use super::instance::machine;
use super::lanes::Lanes;
use super::rows::{ROWS, Row};
use crate::leaf::star::{STEP, Star};
use core::arch::x86_64::*;
use core::ops::{BitAnd, BitOr, BitXor, Not};

/// Four bitboards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ymm(__m256i);

/// Eight bitboards: the rising directions, the falling ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Two(Ymm, Ymm);

// SAFETY (all blocks of this file): each intrinsic needs features that `machine!` lists below. Two
// places outside this file's functions choose these types: the drivers of `machine!`, which need a
// value from `Avx2::detect`, and a test (`nodes/oracle.rs`), which asks `detect` first. No function
// here runs elsewhere, because each takes or returns one of the types. Loads and stores stay within
// slices whose length was checked, and ask for no alignment.

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

    /// The number of bits of each byte.
    #[inline(always)]
    fn bits(self) -> __m256i {
        // SAFETY: see above.
        unsafe {
            let table = _mm256_broadcastsi128_si256(_mm_setr_epi8(
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
            ));
            let nibble = _mm256_set1_epi8(15);
            let low = _mm256_shuffle_epi8(table, _mm256_and_si256(self.0, nibble));
            let high = _mm256_shuffle_epi8(
                table,
                _mm256_and_si256(_mm256_srli_epi16::<4>(self.0), nibble),
            );
            _mm256_add_epi8(low, high)
        }
    }

    /// Each lane rotated by a constant of its own, bits that come round the edge being lost. All four
    /// rise or all fall; the second, a step along a row or a knight's, tells which.
    #[inline(always)]
    fn roll(self, by: &[u64; 8], at: usize) -> Self {
        let n = Self::words(by, at).0;
        // SAFETY: see above.
        unsafe {
            if by[at + 1] < 32 {
                Self(_mm256_sllv_epi64(self.0, n))
            } else {
                Self(_mm256_srlv_epi64(self.0, _mm256_sub_epi64(_mm256_set1_epi64x(64), n)))
            }
        }
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
    /// Sums of bytes. `ALGORITHM.md` says why none overflows.
    type Tally = Self;

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
    #[inline(always)]
    fn sum(tally: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm256_sad_epu8(tally.0, _mm256_setzero_si256()) })
    }
    #[inline(always)]
    fn tally() -> Self {
        <Self as Lanes>::splat(0)
    }
    #[inline(always)]
    fn count(tally: &mut Self, x: Self) {
        // SAFETY: see above.
        tally.0 = unsafe { _mm256_add_epi8(tally.0, x.bits()) };
    }
}

impl BitAnd for Two {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0, self.1 & other.1)
    }
}

impl BitOr for Two {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0, self.1 | other.1)
    }
}

impl BitXor for Two {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0, self.1 ^ other.1)
    }
}

impl Not for Two {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0, !self.1)
    }
}

impl Star for Two {
    #[inline(always)]
    fn splat(x: u64) -> Self {
        let half = <Ymm as Lanes>::splat(x);
        Self(half, half)
    }
    #[inline(always)]
    fn load(from: &[u64; 8]) -> Self {
        Self(Ymm::words(from, 0), Ymm::words(from, 4))
    }
    #[inline(always)]
    fn rotate(self, by: &[u64; 8]) -> Self {
        Self(self.0.roll(by, 0), self.1.roll(by, 4))
    }
    #[inline(always)]
    fn if_any(self, condition: Self) -> Self {
        Self(self.0.if_any(condition.0), self.1.if_any(condition.1))
    }
    #[inline(always)]
    fn up_to(ray: Self, blockers: Self) -> Self {
        let b = blockers.1;
        let b = b | b.roll(&STEP, 4);
        let b = b | b.roll(&crate::leaf::star::STEP_2, 4);
        let b = b | b.roll(&crate::leaf::star::STEP_4, 4);
        Self(ray.0 & (blockers.0 ^ blockers.0.decrement()), ray.1.without(b.roll(&STEP, 4)))
    }
    #[inline(always)]
    fn union(self) -> u64 {
        // SAFETY: see above.
        unsafe {
            let half = (self.0 | self.1).0;
            let pair =
                _mm_or_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half));
            _mm_cvtsi128_si64(_mm_or_si128(pair, _mm_unpackhi_epi64(pair, pair))) as u64
        }
    }
    #[inline(always)]
    fn any(self) -> bool {
        (self.0 | self.1).any()
    }
}

machine!(
    /// The instance for CPUs with AVX2.
    Avx2, Two, Ymm,
    ["avx2", "bmi1", "bmi2", "lzcnt", "popcnt"]
);
