//! Kogge-Stone fills with all eight directions in the lanes of one AVX-512 vector.
//!
//! AVX-512 can rotate each lane by a different amount. A rotation to the left by -8 is a rotation to
//! the right by 8, so rising and falling directions are handled alike, and the lanes are in the
//! order of [`Direction::ALL`]: even lanes are the rook's, odd lanes the bishop's. Bits that rotate
//! past the end of the word wrap around an edge, and the same mask removes them.

use core::arch::x86_64::{
    __m512i, _mm_set_epi64x, _mm256_or_si256, _mm512_and_si512, _mm512_broadcast_i32x4,
    _mm512_castsi512_si256, _mm512_extracti64x4_epi64, _mm512_or_si512, _mm512_rolv_epi64,
    _mm512_set_epi64, _mm512_set1_epi64, _mm512_slli_epi64,
};

use super::super::proof::proof_of_features;
use super::avx2::lanes::join;
use super::{Bitboard, Sliders, Square, landing, set_wise};
use crate::direction::Direction;

proof_of_features! {
    /// Fills in all eight directions in one vector with AVX-512. Having a value proves that the CPU
    /// supports it.
    ///
    /// ```
    /// use tabiya::attacks::{ray, KoggeStoneAvx512};
    /// use tabiya::{Bitboard, Direction, Square};
    /// let queen = Square::D4.bitboard();
    /// if let Some(fills) = KoggeStoneAvx512::detect() {
    ///     let attacks = fills.directions(queen, queen, Bitboard::EMPTY);
    ///     for (direction, attacked) in Direction::ALL.into_iter().zip(attacks) {
    ///         assert_eq!(attacked, ray(Square::D4, direction));
    ///     }
    /// }
    /// ```
    KoggeStoneAvx512: "avx2", "avx512f"
}

set_wise!(KoggeStoneAvx512, "kogge-stone avx512", lanes);

mod lanes {
    use super::*;

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn vector(lanes: [i64; 8]) -> __m512i {
        let [a, b, c, d, e, f, g, h] = lanes;
        _mm512_set_epi64(h, g, f, e, d, c, b, a)
    }

    #[inline]
    #[target_feature(enable = "avx2,avx512f")]
    fn all(rooks: u64, bishops: u64, occupied: u64) -> __m512i {
        let landing = vector(Direction::ALL.map(|direction| landing(direction).0.cast_signed()));
        let one = vector(Direction::ALL.map(|direction| direction.offset().into()));
        let (two, four) = (_mm512_slli_epi64::<1>(one), _mm512_slli_epi64::<2>(one));
        let moved = |bits, places| _mm512_rolv_epi64(bits, places);
        let (and, or) = (|a, b| _mm512_and_si512(a, b), |a, b| _mm512_or_si512(a, b));

        let sliders = _mm_set_epi64x(bishops.cast_signed(), rooks.cast_signed());
        let mut filled = _mm512_broadcast_i32x4(sliders);
        let mut free = and(_mm512_set1_epi64(!occupied.cast_signed()), landing);
        filled = or(filled, and(free, moved(filled, one)));
        free = and(free, moved(free, one));
        filled = or(filled, and(free, moved(filled, two)));
        free = and(free, moved(free, two));
        filled = or(filled, and(free, moved(filled, four)));
        and(moved(filled, one), landing)
    }

    #[inline]
    #[target_feature(enable = "avx2,avx512f")]
    pub(super) fn both(rooks: u64, bishops: u64, occupied: u64) -> [u64; 2] {
        let all = all(rooks, bishops, occupied);
        join(_mm256_or_si256(_mm512_castsi512_si256(all), _mm512_extracti64x4_epi64::<1>(all)))
    }

    #[inline]
    #[target_feature(enable = "avx2,avx512f")]
    pub(super) fn directions(rooks: u64, bishops: u64, occupied: u64) -> [u64; 8] {
        let all = all(rooks, bishops, occupied);
        // SAFETY: a vector of 512 bits is eight words of 64 in the order of its lanes.
        unsafe { core::mem::transmute::<__m512i, [u64; 8]>(all) }
    }
}
