//! Subtraction in the four lanes of an AVX2 vector: a rook in one, a bishop in another.
//!
//! See [`lanes`](super::lanes) for their contents.

use core::arch::x86_64::{
    __m128i, __m256i, _mm_and_si128, _mm_cvtsi128_si64, _mm_extract_epi64, _mm_or_si128,
    _mm_sad_epu8, _mm_set_epi8, _mm_setzero_si128, _mm_shuffle_epi8, _mm_unpackhi_epi64,
    _mm_xor_si128, _mm256_and_si256, _mm256_castsi256_si128, _mm256_extracti128_si256,
    _mm256_loadu_si256, _mm256_set1_epi64x, _mm256_shuffle_epi8, _mm256_sub_epi64,
};

use super::super::proof::{proof_of_features, sliders_by_features};
use super::lanes::{OPERANDS, Operands};
use super::{Bitboard, Sliders, Square};

proof_of_features! {
    /// Sliders by subtraction in lanes with AVX2. Having a value proves that the CPU supports it.
    ///
    /// ```
    /// use tabiya::attacks::{HyperbolaAvx2, Sliders};
    /// use tabiya::{Bitboard, Square};
    /// if let Some(hyperbola) = HyperbolaAvx2::detect() {
    ///     assert_eq!(hyperbola.rook(Square::A1, Bitboard::EMPTY).len(), 14);
    /// }
    /// ```
    HyperbolaAvx2: "avx2"
}

/// The rook's or the bishop's four lanes of a table.
#[inline]
#[target_feature(enable = "avx2")]
fn load<T>(lanes: &[T; 8], bishop: bool) -> __m256i {
    const { assert!(size_of::<T>() == 8) };
    let half = &lanes[4 * usize::from(bishop)..][..4];
    // SAFETY: the slice has the four lanes of eight bytes that are read; alignment is not needed.
    unsafe { _mm256_loadu_si256(half.as_ptr().cast()) }
}

/// The attacks along the two lines of a rook or a bishop.
#[inline]
#[target_feature(enable = "avx2")]
fn two_lines(square: Square, occupied: u64, bishop: bool) -> __m128i {
    let Operands { shuffle, masks, sliders } = &OPERANDS[square as usize];
    let occupied = _mm256_set1_epi64x(occupied.cast_signed());
    let masks = load(masks, bishop);
    let blockers = _mm256_and_si256(_mm256_shuffle_epi8(occupied, load(shuffle, bishop)), masks);
    let borrowed = _mm256_sub_epi64(blockers, load(sliders, bishop));
    let up = _mm256_castsi256_si128(borrowed);
    let down = _mm256_extracti128_si256::<1>(borrowed);
    // The blockers are in both and cancel out, so this is the union of both attacks.
    let attacks = _mm_xor_si128(up, swap_bytes(down));
    _mm_and_si128(attacks, _mm256_castsi256_si128(masks))
}

#[inline]
#[target_feature(enable = "avx2")]
fn swap_bytes(words: __m128i) -> __m128i {
    let mirrored = _mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
    _mm_shuffle_epi8(words, mirrored)
}

/// The attacks along the file and the rank together; in the vector the rank lies on the diagonal.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn join_rook(lines: __m128i, square: Square) -> u64 {
    let file = _mm_cvtsi128_si64(lines).cast_unsigned();
    let sums = _mm_sad_epu8(lines, _mm_setzero_si128());
    file | _mm_extract_epi64::<1>(sums).cast_unsigned() << (square as u32 & 56)
}

/// The attacks along the two diagonals together.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn join_bishop(lines: __m128i) -> u64 {
    _mm_cvtsi128_si64(_mm_or_si128(lines, _mm_unpackhi_epi64(lines, lines))).cast_unsigned()
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn rook(square: Square, occupied: u64) -> u64 {
    join_rook(two_lines(square, occupied, false), square)
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn bishop(square: Square, occupied: u64) -> u64 {
    join_bishop(two_lines(square, occupied, true))
}

#[inline]
#[target_feature(enable = "avx2")]
fn queen(square: Square, occupied: u64) -> u64 {
    rook(square, occupied) | bishop(square, occupied)
}

sliders_by_features!(HyperbolaAvx2, "hyperbola avx2", rook, bishop, queen);
