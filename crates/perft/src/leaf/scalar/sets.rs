//! Sets and squares as plain words, and look-ups in the library's tables.

use tabiya::{Bitboard, Square, attacks};

use crate::leaf::direction::{NOT_A, NOT_H};

pub(super) fn square(bits: u64) -> Square {
    Square::from_index((bits.trailing_zeros() & 63) as u8).unwrap_or(Square::A1)
}

pub(super) fn rook(bits: u64, occupied: u64) -> u64 {
    attacks::rook(square(bits), Bitboard(occupied)).0
}

pub(super) fn bishop(bits: u64, occupied: u64) -> u64 {
    attacks::bishop(square(bits), Bitboard(occupied)).0
}

pub(super) fn between(a: u64, b: u64) -> u64 {
    attacks::between(square(a), square(b)).0
}

pub(super) fn line(a: u64, b: u64) -> u64 {
    attacks::line(square(a), square(b)).0
}

pub(super) fn index(bits: u64) -> usize {
    bits.trailing_zeros() as usize & 63
}

pub(super) fn count(set: u64) -> u64 {
    set.count_ones().into()
}

/// Hands out the members of a set, each as a set.
pub(super) fn each(set: u64) -> impl Iterator<Item = u64> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let one = rest & rest.wrapping_neg();
        rest ^= one;
        (one != 0).then_some(one)
    })
}

pub(super) fn knight_attacks(knights: u64) -> u64 {
    attacks::knights(Bitboard(knights)).0
}

pub(super) fn up_attacks(pawns: u64) -> u64 {
    pawns << 7 & NOT_H | pawns << 9 & NOT_A
}

pub(super) fn king_zone(set: u64) -> u64 {
    let row = set | set << 1 & NOT_A | set >> 1 & NOT_H;
    row | row << 8 | row >> 8
}
