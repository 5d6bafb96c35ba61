//! Sets of squares as plain words.

use tabiya::{File, Rank, Square, attacks};

pub(crate) const RANK_1: u64 = Rank::First.bitboard().0;
pub(crate) const RANK_2: u64 = Rank::Second.bitboard().0;
pub(crate) const RANK_3: u64 = Rank::Third.bitboard().0;
pub(crate) const RANK_6: u64 = Rank::Sixth.bitboard().0;
pub(crate) const RANK_7: u64 = Rank::Seventh.bitboard().0;
pub(crate) const RANK_8: u64 = Rank::Eighth.bitboard().0;

/// Where a step to the east may land; then to the west.
pub(crate) const NOT_A: u64 = !File::A.bitboard().0;
pub(crate) const NOT_H: u64 = !File::H.bitboard().0;

/// The square of a set with one member.
#[inline(always)]
pub(crate) fn square(bits: u64) -> Square {
    Square::from_index((bits.trailing_zeros() & 63) as u8).unwrap_or(Square::A1)
}

/// The squares between two on a line.
#[inline(always)]
pub(crate) fn between(a: u64, b: u64) -> u64 {
    attacks::between(square(a), square(b)).0
}

/// The whole line through two squares.
#[inline(always)]
pub(crate) fn line(a: u64, b: u64) -> u64 {
    attacks::line(square(a), square(b)).0
}

/// The number of the square of a set with one member.
#[inline(always)]
pub(crate) fn index(bits: u64) -> usize {
    bits.trailing_zeros() as usize & 63
}

/// How many members a set has.
#[inline(always)]
pub(crate) fn count(set: u64) -> u64 {
    set.count_ones().into()
}

/// The members of a set, each as a set.
#[inline(always)]
pub(crate) fn each(set: u64) -> impl Iterator<Item = u64> {
    let mut rest = set;
    std::iter::from_fn(move || {
        if rest == 0 {
            return None;
        }
        let one = rest & rest.wrapping_neg();
        rest &= rest - 1;
        Some(one)
    })
}

/// All squares attacked by pawns that go up.
#[inline(always)]
pub(crate) fn up_attacks(pawns: u64) -> u64 {
    pawns << 7 & NOT_H | pawns << 9 & NOT_A
}

/// All squares attacked by pawns that go down.
#[inline(always)]
pub(crate) fn down_attacks(pawns: u64) -> u64 {
    pawns >> 9 & NOT_H | pawns >> 7 & NOT_A
}
