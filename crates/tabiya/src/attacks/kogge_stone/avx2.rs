//! Kogge-Stone fills with a direction in each lane of two AVX2 vectors.
//!
//! Four directions rise and four fall. AVX2 can shift each lane by a different amount, but all in
//! the same direction, so each half has its own vector:
//!
//! ```text
//!   lane       0      1      2      3
//!   rising     N 8    NE 9   E 1    NW 7     shifted left
//!   falling    S 8    SW 9   W 1    SE 7     shifted right
//!   sliders    rooks  bish.  rooks  bish.
//! ```
//!
//! Even lanes are the rook's and odd lanes the bishop's, so the halves can be joined without
//! reordering.

use core::arch::x86_64::{
    __m128i, __m256i, _mm_cvtsi128_si64, _mm_extract_epi64, _mm_or_si128, _mm_set_epi64x,
    _mm256_and_si256, _mm256_broadcastsi128_si256, _mm256_castsi256_si128, _mm256_extract_epi64,
    _mm256_extracti128_si256, _mm256_or_si256, _mm256_set_epi64x, _mm256_set1_epi64x,
    _mm256_slli_epi64, _mm256_sllv_epi64, _mm256_srlv_epi64,
};

use super::super::proof::proof_of_features;
use super::{Bitboard, Sliders, Square, landing, set_wise};
use crate::direction::Direction::{
    self, East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West,
};

proof_of_features! {
    /// Fills in all directions at once with AVX2. Having a value proves that the CPU supports it.
    ///
    /// ```
    /// use tabiya::attacks::{kogge_stone, KoggeStoneAvx2};
    /// use tabiya::{Rank, Bitboard};
    /// let rooks = Rank::First.bitboard();
    /// if let Some(fills) = KoggeStoneAvx2::detect() {
    ///     let [orthogonal, diagonal] = fills.rooks_and_bishops(rooks, Bitboard::EMPTY, rooks);
    ///     assert_eq!(orthogonal, kogge_stone::rooks(rooks, rooks));
    ///     assert!(diagonal.is_empty());
    /// }
    /// ```
    KoggeStoneAvx2: "avx2"
}

set_wise!(KoggeStoneAvx2, "kogge-stone avx2", lanes);

const RISING: [Direction; 4] = [North, NorthEast, East, NorthWest];
const FALLING: [Direction; 4] = [South, SouthWest, West, SouthEast];

pub(super) mod lanes {
    use super::*;

    #[inline]
    #[target_feature(enable = "avx2")]
    fn vector(lanes: [u64; 4]) -> __m256i {
        let [a, b, c, d] = lanes.map(u64::cast_signed);
        _mm256_set_epi64x(d, c, b, a)
    }

    /// The attacks in the four rising or falling directions.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn half<const UP: bool>(sliders: __m128i, empty: __m256i) -> __m256i {
        let directions = if UP { RISING } else { FALLING };
        let landing = vector(directions.map(|direction| landing(direction).0));
        let one = vector(directions.map(|direction| direction.offset().unsigned_abs().into()));
        let (two, four) = (_mm256_slli_epi64::<1>(one), _mm256_slli_epi64::<2>(one));
        let moved = |bits, places| {
            if UP { _mm256_sllv_epi64(bits, places) } else { _mm256_srlv_epi64(bits, places) }
        };
        let (and, or) = (|a, b| _mm256_and_si256(a, b), |a, b| _mm256_or_si256(a, b));

        let mut filled = _mm256_broadcastsi128_si256(sliders);
        let mut free = and(empty, landing);
        filled = or(filled, and(free, moved(filled, one)));
        free = and(free, moved(free, one));
        filled = or(filled, and(free, moved(filled, two)));
        free = and(free, moved(free, two));
        filled = or(filled, and(free, moved(filled, four)));
        and(moved(filled, one), landing)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn halves(rooks: u64, bishops: u64, occupied: u64) -> [__m256i; 2] {
        let sliders = _mm_set_epi64x(bishops.cast_signed(), rooks.cast_signed());
        let empty = _mm256_set1_epi64x(!occupied.cast_signed());
        [half::<true>(sliders, empty), half::<false>(sliders, empty)]
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn both(rooks: u64, bishops: u64, occupied: u64) -> [u64; 2] {
        let [rising, falling] = halves(rooks, bishops, occupied);
        join(_mm256_or_si256(rising, falling))
    }

    /// The union of the even lanes, and that of the odd lanes.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(in super::super) fn join(lanes: __m256i) -> [u64; 2] {
        let pair =
            _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
        [_mm_cvtsi128_si64(pair), _mm_extract_epi64::<1>(pair)].map(i64::cast_unsigned)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn directions(rooks: u64, bishops: u64, occupied: u64) -> [u64; 8] {
        let halves = halves(rooks, bishops, occupied);
        let mut attacks = [0; 8];
        for (directions, half) in [RISING, FALLING].into_iter().zip(halves) {
            let lanes = [
                _mm256_extract_epi64::<0>(half),
                _mm256_extract_epi64::<1>(half),
                _mm256_extract_epi64::<2>(half),
                _mm256_extract_epi64::<3>(half),
            ];
            for (direction, lane) in directions.into_iter().zip(lanes) {
                attacks[direction as usize] = lane.cast_unsigned();
            }
        }
        attacks
    }
}
