//! Obstruction difference with a line in each lane: AVX-512 counts the leading zeros of all lanes
//! at once, so a queen takes one subtraction.

use core::arch::x86_64::{
    __m128i, _mm_and_si128, _mm_cvtsi128_si64, _mm_extract_epi64, _mm_loadu_si128, _mm_lzcnt_epi64,
    _mm_or_si128, _mm_set1_epi64x, _mm_srlv_epi64, _mm_sub_epi64, _mm_xor_si128, _mm256_and_si256,
    _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_lzcnt_epi64,
    _mm256_or_si256, _mm256_set1_epi64x, _mm256_srlv_epi64, _mm256_sub_epi64, _mm256_xor_si256,
};

use super::super::proof::{proof_of_features, sliders_by_features};
use super::{Bitboard, HALVES, Halves, Sliders, Square};

proof_of_features! {
    /// Sliders by obstruction difference in lanes with AVX-512. Having a value proves that the CPU
    /// supports it.
    ///
    /// ```
    /// use tabiya::attacks::{ObstructionAvx512, Sliders};
    /// use tabiya::{Bitboard, Square};
    /// if let Some(obstruction) = ObstructionAvx512::detect() {
    ///     assert_eq!(obstruction.queen(Square::A1, Bitboard::EMPTY).len(), 21);
    /// }
    /// ```
    ObstructionAvx512: "avx2", "avx512f", "avx512cd", "avx512vl"
}

#[inline]
#[target_feature(enable = "avx2")]
fn join(lanes: __m128i) -> u64 {
    (_mm_cvtsi128_si64(lanes) | _mm_extract_epi64::<1>(lanes)).cast_unsigned()
}

/// The attacks along two of the lines, from `first` on.
#[inline]
#[target_feature(enable = "avx2,avx512f,avx512cd,avx512vl")]
fn two_lines<const FIRST: usize>(square: Square, occupied: u64) -> u64 {
    const { assert!(FIRST <= 2) };
    let Halves { upper, lower } = &HALVES[square as usize];
    // SAFETY: the slice has at least the two words that are read; alignment is not needed.
    let upper = unsafe { _mm_loadu_si128(upper[FIRST..].as_ptr().cast()) };
    // SAFETY: `lower` has as many words, so the same holds.
    let lower = unsafe { _mm_loadu_si128(lower[FIRST..].as_ptr().cast()) };
    let occupied = _mm_set1_epi64x(occupied.cast_signed());
    let above = _mm_and_si128(upper, occupied);
    let below = _mm_or_si128(_mm_and_si128(lower, occupied), _mm_set1_epi64x(1));
    let highest = _mm_srlv_epi64(_mm_set1_epi64x(i64::MIN), _mm_lzcnt_epi64(below));
    let difference = _mm_xor_si128(above, _mm_sub_epi64(above, highest));
    join(_mm_and_si128(difference, _mm_or_si128(upper, lower)))
}

#[inline]
#[target_feature(enable = "avx2,avx512f,avx512cd,avx512vl")]
fn queen(square: Square, occupied: u64) -> u64 {
    let Halves { upper, lower } = &HALVES[square as usize];
    // SAFETY: the array has the four words that are read; alignment is not needed.
    let upper = unsafe { _mm256_loadu_si256(upper.as_ptr().cast()) };
    // SAFETY: `lower` has as many words, so the same holds.
    let lower = unsafe { _mm256_loadu_si256(lower.as_ptr().cast()) };
    let occupied = _mm256_set1_epi64x(occupied.cast_signed());
    let above = _mm256_and_si256(upper, occupied);
    let below = _mm256_or_si256(_mm256_and_si256(lower, occupied), _mm256_set1_epi64x(1));
    let highest = _mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), _mm256_lzcnt_epi64(below));
    let difference = _mm256_xor_si256(above, _mm256_sub_epi64(above, highest));
    let lanes = _mm256_and_si256(difference, _mm256_or_si256(upper, lower));
    join(_mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes)))
}

sliders_by_features!(
    ObstructionAvx512,
    "obstruction avx512",
    two_lines::<0>,
    two_lines::<2>,
    queen
);
