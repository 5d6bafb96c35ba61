//! Eight bitboards in two 256-bit registers.
//!
//! Only siblings are counted with them. On CPUs without AVX-512, the nodes two plies above the
//! leaves are counted as fast one by one.

#![expect(
    clippy::multiple_unsafe_ops_per_block,
    reason = "every intrinsic is unsafe for one and the same reason"
)]

use super::{Lanes, Row};
use core::arch::x86_64::*;
use core::ops::{BitAnd, BitOr, BitXor, Not};

/// Eight bitboards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ymm([__m256i; 2]);

// SAFETY (all blocks of this file): each intrinsic needs features that `leaf/instances.rs` lists for
// `Bmi2`. Two places choose this type: `categories/siblings`, for work that `Bmi2::enter` runs, and
// a test (`vector/oracle.rs`), which asks `Bmi2::detect` first. No function here runs elsewhere,
// because each takes or returns the type. Loads and stores go through references to arrays of 64
// bytes, half of them to each register, and ask for no alignment.

/// Does the same with both registers of values.
macro_rules! both {
    ($($x:ident = $from:ident),+ => $body:expr) => {
        Self([both!(@0, $($x = $from),+ => $body), both!(@1, $($x = $from),+ => $body)])
    };
    (@$half:literal, $($x:ident = $from:ident),+ => $body:expr) => {{
        $(let $x = $from.0[$half];)+
        // SAFETY: see above.
        unsafe { $body }
    }};
}

impl BitAnd for Ymm {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        both!(a = self, b = other => _mm256_and_si256(a, b))
    }
}

impl BitOr for Ymm {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        both!(a = self, b = other => _mm256_or_si256(a, b))
    }
}

impl BitXor for Ymm {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        both!(a = self, b = other => _mm256_xor_si256(a, b))
    }
}

impl Not for Ymm {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        both!(a = self => _mm256_xor_si256(a, _mm256_set1_epi64x(-1)))
    }
}

impl Ymm {
    /// All ones in the lanes that are empty.
    #[inline(always)]
    fn is_empty(self) -> Self {
        both!(a = self => _mm256_cmpeq_epi64(a, _mm256_setzero_si256()))
    }
}

impl Lanes for Ymm {
    #[inline(always)]
    fn splat(x: u64) -> Self {
        // SAFETY: see above.
        Self([unsafe { _mm256_set1_epi64x(x as i64) }; 2])
    }
    #[inline(always)]
    fn columns<const N: usize>(rows: &[Row; N], index: &[u8; 8]) -> [Self; 8] {
        let column = |c: usize| {
            let mut words = [0; 8];
            let mut lane = 0;
            while lane < 8 {
                words[lane] = rows[index[lane] as usize % N][c];
                lane += 1;
            }
            Self::load(&words)
        };
        [column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7)]
    }
    #[inline(always)]
    fn squares(numbers: &[u8; 8]) -> Self {
        let [a, b, c, d, e, f, g, h] = *numbers;
        let square = |four: [u8; 4]| {
            // SAFETY: see above. A shift by 64 or more leaves nothing.
            unsafe {
                let numbers = _mm256_cvtepu8_epi64(_mm_cvtsi32_si128(i32::from_le_bytes(four)));
                _mm256_sllv_epi64(_mm256_set1_epi64x(1), numbers)
            }
        };
        Self([square([a, b, c, d]), square([e, f, g, h])])
    }
    #[inline(always)]
    fn load(words: &[u64; 8]) -> Self {
        // SAFETY: see above.
        Self(unsafe {
            let first = words.as_ptr().cast::<__m256i>();
            [_mm256_loadu_si256(first), _mm256_loadu_si256(first.add(1))]
        })
    }
    #[inline(always)]
    fn shl(self, n: u32) -> Self {
        both!(a = self => _mm256_sllv_epi64(a, _mm256_set1_epi64x(n.into())))
    }
    #[inline(always)]
    fn shr(self, n: u32) -> Self {
        both!(a = self => _mm256_srlv_epi64(a, _mm256_set1_epi64x(n.into())))
    }
    #[inline(always)]
    fn turned(self) -> Self {
        // SAFETY: see above.
        let order = unsafe {
            _mm256_broadcastsi128_si256(_mm_set_epi64x(
                0x0809_0a0b_0c0d_0e0f,
                0x0001_0203_0405_0607,
            ))
        };
        both!(a = self => _mm256_shuffle_epi8(a, order))
    }
    #[inline(always)]
    fn decrement(self) -> Self {
        self.plus(Self::splat(!0))
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        both!(a = self, b = other => _mm256_andnot_si256(b, a))
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
        let [a, b] = self.0;
        // SAFETY: see above.
        unsafe {
            let either = _mm256_or_si256(a, b);
            _mm256_testz_si256(either, either) == 0
        }
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        both!(a = self, b = other => _mm256_add_epi64(a, b))
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        both!(a = self, b = other => _mm256_sub_epi64(a, b))
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        both!(a = self, b = other => _mm256_mul_epu32(a, b))
    }
    #[inline(always)]
    fn put(self, to: &mut [u64; 8]) {
        // SAFETY: see above.
        unsafe {
            let first = to.as_mut_ptr().cast::<__m256i>();
            _mm256_storeu_si256(first, self.0[0]);
            _mm256_storeu_si256(first.add(1), self.0[1]);
        }
    }
    #[inline(always)]
    fn occupied(self) -> u8 {
        let [a, b] = self.is_empty().0;
        // SAFETY: see above.
        let [a, b] = unsafe {
            [_mm256_movemask_pd(_mm256_castsi256_pd(a)), _mm256_movemask_pd(_mm256_castsi256_pd(b))]
        };
        !((a | b << 4) as u8)
    }
    /// Counts by nibbles, with a shuffle as the table, and adds up the bytes of each lane.
    #[inline(always)]
    fn size(self) -> Self {
        // SAFETY: see above.
        let (table, nibble) = unsafe {
            let table = _mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
            (_mm256_broadcastsi128_si256(table), _mm256_set1_epi8(15))
        };
        both!(a = self => {
            let low = _mm256_shuffle_epi8(table, _mm256_and_si256(a, nibble));
            let high = _mm256_and_si256(_mm256_srli_epi16::<4>(a), nibble);
            let high = _mm256_shuffle_epi8(table, high);
            _mm256_sad_epu8(_mm256_add_epi8(low, high), _mm256_setzero_si256())
        })
    }
}
