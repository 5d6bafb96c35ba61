//! o^(o-2r) with PSHUFB: both lines of a bishop or a rook in the two lanes of one vector.
//!
//! [`Hyperbola`](super::Hyperbola) needs each line and its mirror image. SSSE3's `pshufb` puts the
//! bytes of a vector into any order, so it mirrors two lines of 64 bits at once. On diagonals that's
//! all, because each rank has one of their squares. The squares of a rank lie in one byte, so there
//! the bits of each byte have to be reversed as well: `pshufb` is also a table of sixteen bytes, and
//! it looks up the reverse of each half of a byte. No table in memory is needed but the lines.
//!
//! Source: Gerd Isenberg, "Hyperbola Quintessence", Chess Programming Wiki, with SSSE3 for bishops;
//! the article "Generating Chess Moves Efficiently" uses it too. The reversal of ranks is ours.

use core::arch::x86_64::{
    __m128i, _mm_and_si128, _mm_cvtsi128_si64, _mm_or_si128, _mm_set_epi64x, _mm_set1_epi8,
    _mm_set1_epi64x, _mm_shuffle_epi8, _mm_slli_epi64, _mm_srli_epi64, _mm_sub_epi64,
    _mm_unpackhi_epi64, _mm_xor_si128,
};

use super::hyperbola::LINES_THROUGH;
use super::sliders::{MethodVisitor, Sliders};
use crate::bitboard::Bitboard;
use crate::square::Square;

/// Sliders by subtraction in vectors. A value proves that the CPU has SSSE3.
///
/// ```
/// use tabiya::attacks::{Pshufb, Sliders};
/// use tabiya::Square;
/// let occupied = Square::B4.bitboard() | Square::F4.bitboard() | Square::H4.bitboard();
/// if let Some(pshufb) = Pshufb::detect() {
///     let attacked = pshufb.rook(Square::D4, occupied);
///     assert!(attacked.has(Square::B4) && attacked.has(Square::F4));
///     assert!(!attacked.has(Square::A4) && !attacked.has(Square::G4));
/// }
/// ```
#[doc(alias("ssse3", "o^(o-2r)", "hyperbola quintessence"))]
#[derive(Clone, Copy, Debug)]
pub struct Pshufb(());

impl Pshufb {
    /// The method, if this CPU supports it. Without the `std` feature, only the features for which
    /// the build is compiled count.
    #[inline]
    pub fn detect() -> Option<Self> {
        #[cfg(feature = "std")]
        let available = std::arch::is_x86_feature_detected!("ssse3");
        #[cfg(not(feature = "std"))]
        let available = cfg!(target_feature = "ssse3");
        available.then_some(Self(()))
    }
}

/// Two lines of 64 bits, each mirrored: by ranks for a bishop, by ranks and files for a rook.
#[target_feature(enable = "ssse3")]
#[inline]
fn mirrored<const ROOK: bool>(lines: __m128i) -> __m128i {
    let backwards = _mm_set_epi64x(0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607);
    let swapped = _mm_shuffle_epi8(lines, backwards);
    if !ROOK {
        return swapped;
    }
    // Byte n is n with its four bits reversed. The lower half of a byte becomes the upper half.
    let reversed = _mm_set_epi64x(0x0f07_0b03_0d05_0901, 0x0e06_0a02_0c04_0800);
    let half = _mm_set1_epi8(0x0f);
    let lower = _mm_shuffle_epi8(reversed, _mm_and_si128(swapped, half));
    let upper = _mm_and_si128(_mm_srli_epi64::<4>(swapped), half);
    _mm_or_si128(_mm_slli_epi64::<4>(lower), _mm_shuffle_epi8(reversed, upper))
}

/// The attacks along both lines of a rook or a bishop. One function with the feature, and not
/// intrinsics in functions without it: where the caller isn't compiled for SSSE3, it's one call.
#[target_feature(enable = "ssse3")]
#[inline]
fn attacks<const ROOK: bool>(square: Square, occupied: Bitboard) -> Bitboard {
    let both = |bits: u64| _mm_set1_epi64x(bits as i64);
    let [file, rank, diagonal, anti_diagonal] = LINES_THROUGH[square as usize];
    let [first, second] = if ROOK { [file, rank] } else { [diagonal, anti_diagonal] };
    let lines = _mm_set_epi64x(second.0 as i64, first.0 as i64);
    // The lines don't contain the slider, so the first of the two subtractions is already done.
    let blockers = _mm_and_si128(both(occupied.0), lines);
    let up = _mm_sub_epi64(blockers, both(1 << square as u32));
    let mirror_image = square as u32 ^ if ROOK { 63 } else { 56 };
    let down = _mm_sub_epi64(mirrored::<ROOK>(blockers), both(1 << mirror_image));
    let attacked = _mm_and_si128(_mm_xor_si128(up, mirrored::<ROOK>(down)), lines);
    let attacked = _mm_or_si128(attacked, _mm_unpackhi_epi64(attacked, attacked));
    Bitboard(_mm_cvtsi128_si64(attacked) as u64)
}

impl Sliders for Pshufb {
    const NAME: &'static str = "pshufb";

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        // SAFETY: the field is private and `detect` tests the CPU, so the value proves SSSE3.
        unsafe { attacks::<true>(square, occupied) }
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        // SAFETY: the field is private and `detect` tests the CPU, so the value proves SSSE3.
        unsafe { attacks::<false>(square, occupied) }
    }

    #[inline(always)]
    fn enter<V: MethodVisitor>(self, visitor: &mut V) {
        #[target_feature(enable = "ssse3")]
        fn compiled<V: MethodVisitor>(pshufb: Pshufb, visitor: &mut V) {
            visitor.visit(pshufb);
        }
        // SAFETY: `compiled` enables SSSE3, which the value proves as above.
        unsafe { compiled(self, visitor) }
    }
}
