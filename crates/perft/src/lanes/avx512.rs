//! Eight bitboards in a 512-bit register.
//!
//! Needs AVX-512 F, BW, VL, VPOPCNTDQ and VBMI2. Boolean combinations are written two operands
//! at a time; the compiler merges them into three-operand `vpternlogq`.

#![expect(
    clippy::multiple_unsafe_ops_per_block,
    reason = "every intrinsic is unsafe for one and the same reason"
)]

use super::{Lanes, Row};
use core::arch::x86_64::*;
use core::ops::{BitAnd, BitOr, BitXor, Not};

/// Eight bitboards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Zmm(__m512i);

// SAFETY (all blocks of this file): each intrinsic needs features that `instances.rs` lists for
// `Avx512`. Three places choose this type: `leaf/instances.rs` and `categories/siblings`, both for
// work that `Avx512::enter` runs, and a test (`vector/oracle.rs`), which asks `Avx512::detect`
// first. No function here runs elsewhere. Loads and stores go through references to whole arrays of
// 64 bytes, or to their first 16, and ask for no alignment.

impl BitAnd for Zmm {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm512_and_si512(self.0, other.0) })
    }
}

impl BitOr for Zmm {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm512_or_si512(self.0, other.0) })
    }
}

impl BitXor for Zmm {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm512_xor_si512(self.0, other.0) })
    }
}

impl Not for Zmm {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm512_xor_si512(self.0, _mm512_set1_epi64(-1)) })
    }
}

impl Lanes for Zmm {
    #[inline(always)]
    fn splat(x: u64) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm512_set1_epi64(x as i64) })
    }
    #[inline(always)]
    fn columns<const N: usize>(rows: &[Row; N], index: &[u8; 8]) -> [Self; 8] {
        // Element by element: what `core` has for whole arrays is not always compiled into its
        // caller.
        let row = |i: usize| Self::load(&rows[index[i] as usize % N]).0;
        let r = [row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7)];
        // SAFETY: see above. Neighbours, then pairs, then quadruples change places.
        unsafe {
            let even = |a, b| _mm512_unpacklo_epi64(a, b);
            let odd = |a, b| _mm512_unpackhi_epi64(a, b);
            let pairs = [
                [even(r[0], r[1]), even(r[2], r[3]), even(r[4], r[5]), even(r[6], r[7])],
                [odd(r[0], r[1]), odd(r[2], r[3]), odd(r[4], r[5]), odd(r[6], r[7])],
            ];
            // Of each operand the pairs 0 and 2, or 1 and 3.
            let near = |a, b| _mm512_shuffle_i64x2::<0x88>(a, b);
            let far = |a, b| _mm512_shuffle_i64x2::<0xdd>(a, b);
            let column = |c: usize| {
                let p = pairs[c & 1];
                let (a, b) = if c & 2 == 0 {
                    (near(p[0], p[1]), near(p[2], p[3]))
                } else {
                    (far(p[0], p[1]), far(p[2], p[3]))
                };
                Self(if c & 4 == 0 { near(a, b) } else { far(a, b) })
            };

            [column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7)]
        }
    }
    #[inline(always)]
    fn squares(numbers: &[u8; 8]) -> Self {
        // SAFETY: see above. A shift by 64 or more leaves nothing.
        Self(unsafe {
            let numbers = _mm512_cvtepu8_epi64(_mm_cvtsi64_si128(i64::from_le_bytes(*numbers)));
            _mm512_sllv_epi64(_mm512_set1_epi64(1), numbers)
        })
    }
    #[inline(always)]
    fn load(words: &[u64; 8]) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm512_loadu_si512(words.as_ptr().cast()) })
    }
    #[inline(always)]
    fn look_up(table: &[u64; 8], numbers: &[u8; 8]) -> Self {
        // SAFETY: see above. The permutation uses three bits of each number.
        Self(unsafe {
            let numbers = _mm512_cvtepu8_epi64(_mm_cvtsi64_si128(i64::from_le_bytes(*numbers)));
            _mm512_permutexvar_epi64(numbers, Self::load(table).0)
        })
    }
    #[inline(always)]
    fn rotated(self, by: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm512_rolv_epi64(self.0, by.0) })
    }
    #[inline(always)]
    fn shl(self, n: u32) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm512_sllv_epi64(self.0, _mm512_set1_epi64(n.into())) })
    }
    #[inline(always)]
    fn shr(self, n: u32) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm512_srlv_epi64(self.0, _mm512_set1_epi64(n.into())) })
    }
    #[inline(always)]
    fn turned(self) -> Self {
        // SAFETY: see above.
        Self(unsafe {
            let order = _mm512_set4_epi32(0x0809_0a0b, 0x0c0d_0e0f, 0x0001_0203, 0x0405_0607);
            _mm512_shuffle_epi8(self.0, order)
        })
    }
    #[inline(always)]
    fn decrement(self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm512_add_epi64(self.0, _mm512_set1_epi64(-1)) })
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm512_andnot_si512(other.0, self.0) })
    }
    #[inline(always)]
    fn if_any(self, condition: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe {
            _mm512_maskz_mov_epi64(_mm512_test_epi64_mask(condition.0, condition.0), self.0)
        })
    }
    #[inline(always)]
    fn if_none(self, condition: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe {
            _mm512_maskz_mov_epi64(_mm512_testn_epi64_mask(condition.0, condition.0), self.0)
        })
    }
    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: see above.
        unsafe { _mm512_test_epi64_mask(self.0, self.0) != 0 }
    }
    #[inline(always)]
    fn parity(a: Self, b: Self, c: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm512_ternarylogic_epi64::<0x96>(a.0, b.0, c.0) })
    }
    #[inline(always)]
    fn majority(a: Self, b: Self, c: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm512_ternarylogic_epi64::<0xe8>(a.0, b.0, c.0) })
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm512_add_epi64(self.0, other.0) })
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm512_sub_epi64(self.0, other.0) })
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm512_mul_epu32(self.0, other.0) })
    }
    #[inline(always)]
    fn put(self, to: &mut [u64; 8]) {
        // SAFETY: see above.
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), self.0) };
    }
    #[inline(always)]
    fn occupied(self) -> u8 {
        // SAFETY: see above.
        unsafe { _mm512_test_epi64_mask(self.0, self.0) }
    }
    #[inline(always)]
    fn size(self) -> Self {
        // SAFETY: see above.
        Self(unsafe { _mm512_popcnt_epi64(self.0) })
    }
    /// Packs the numbers of the squares by one instruction, and stores 16 of them if there are no
    /// more.
    #[inline(always)]
    fn list(row: u8, targets: u64, mask: u8, back: u8, [rows, from, to]: [&mut [u8; 64]; 3]) {
        let (row, mask, back) = (row as i8, mask as i8, back as i8);
        let (rows, from, to) = (rows.as_mut_ptr(), from.as_mut_ptr(), to.as_mut_ptr());
        // SAFETY: see above.
        unsafe {
            let squares = _mm512_loadu_si512(SQUARES.as_ptr().cast());
            let all = _mm512_maskz_compress_epi8(targets, squares);
            if targets.count_ones() <= 16 {
                let few = _mm512_castsi512_si128(all);
                let kept = _mm_and_si128(few, _mm_set1_epi8(mask));
                _mm_storeu_si128(rows.cast(), _mm_set1_epi8(row));
                _mm_storeu_si128(from.cast(), _mm_add_epi8(kept, _mm_set1_epi8(back)));
                _mm_storeu_si128(to.cast(), few);
            } else {
                let kept = _mm512_and_si512(all, _mm512_set1_epi8(mask));
                _mm512_storeu_si512(rows.cast(), _mm512_set1_epi8(row));
                _mm512_storeu_si512(from.cast(), _mm512_add_epi8(kept, _mm512_set1_epi8(back)));
                _mm512_storeu_si512(to.cast(), all);
            }
        }
    }
}

/// The numbers of the squares.
static SQUARES: [u8; 64] = {
    let mut squares = [0; 64];
    let mut square = 0;
    while square < 64 {
        squares[square] = square as u8;
        square += 1;
    }
    squares
};
