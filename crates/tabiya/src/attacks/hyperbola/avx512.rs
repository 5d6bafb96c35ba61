//! Subtraction in the eight lanes of an AVX-512 vector: a queen at once.
//!
//! See [`lanes`](super::lanes) for their contents. A rook or a bishop alone fills half a vector and
//! uses the AVX2 form, which every CPU with AVX-512 supports.

use core::arch::x86_64::{
    __m512i, _mm512_and_si512, _mm512_castsi512_si128, _mm512_extracti32x4_epi32,
    _mm512_loadu_si512, _mm512_permutex_epi64, _mm512_set_epi64, _mm512_set1_epi64,
    _mm512_shuffle_epi8, _mm512_sub_epi64, _mm512_xor_si512,
};

use super::super::proof::{proof_of_features, sliders_by_features};
use super::lanes::{OPERANDS, Operands};
use super::{Bitboard, Sliders, Square, avx2};

proof_of_features! {
    /// Sliders by subtraction in lanes with AVX-512. Having a value proves that the CPU supports it.
    ///
    /// ```
    /// use tabiya::attacks::{HyperbolaAvx512, Sliders};
    /// use tabiya::{Bitboard, Square};
    /// if let Some(hyperbola) = HyperbolaAvx512::detect() {
    ///     assert_eq!(hyperbola.queen(Square::A1, Bitboard::EMPTY).len(), 21);
    /// }
    /// ```
    HyperbolaAvx512: "avx2", "avx512f", "avx512bw"
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load<T>(lanes: &[T; 8]) -> __m512i {
    const { assert!(size_of::<T>() == 8) };
    // SAFETY: the array has the eight lanes of eight bytes that are read; alignment is not needed.
    unsafe { _mm512_loadu_si512(lanes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn swap_bytes(words: __m512i) -> __m512i {
    // Byte indices count within 128 bits, so even and odd lanes differ.
    let even = i64::from_le_bytes([7, 6, 5, 4, 3, 2, 1, 0]);
    let odd = i64::from_le_bytes([15, 14, 13, 12, 11, 10, 9, 8]);
    _mm512_shuffle_epi8(words, _mm512_set_epi64(odd, even, odd, even, odd, even, odd, even))
}

#[inline]
#[target_feature(enable = "avx2,avx512f,avx512bw")]
fn queen(square: Square, occupied: u64) -> u64 {
    let Operands { shuffle, masks, sliders } = &OPERANDS[square as usize];
    let masks = load(masks);
    let occupied = _mm512_set1_epi64(occupied.cast_signed());
    let blockers = _mm512_and_si512(_mm512_shuffle_epi8(occupied, load(shuffle)), masks);
    let borrowed = _mm512_sub_epi64(blockers, load(sliders));
    // Each half of 256 bits has two lines, then the same two mirrored: exchange the pairs.
    let down = _mm512_permutex_epi64::<0b01_00_11_10>(swap_bytes(borrowed));
    let attacks = _mm512_and_si512(_mm512_xor_si512(borrowed, down), masks);
    avx2::join_rook(_mm512_castsi512_si128(attacks), square)
        | avx2::join_bishop(_mm512_extracti32x4_epi32::<2>(attacks))
}

sliders_by_features!(HyperbolaAvx512, "hyperbola avx512", avx2::rook, avx2::bishop, queen);
