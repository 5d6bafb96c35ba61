//! The attack sets of all relevant occupancies, for the methods that look them up.
//!
//! A slider's two lines do not interfere: its attacks are the union of the attacks along each. So
//! each square needs at most 64 sets for one line, 64 for the other, and the unions of all pairs.
//! The index of an occupancy is likewise the sum of the indices of its two halves, both for the
//! bits that PEXT packs and for the products of a magic multiplication. That keeps compile-time
//! evaluation short.

use super::hyperbola;
use super::relevant;
use crate::bitboard::Bitboard;
use crate::square::Square;

/// The two sliders that have tables; a queen uses both.
#[derive(Clone, Copy)]
pub(super) enum Slider {
    Rook,
    Bishop,
}

impl Slider {
    /// The relevant squares.
    pub(super) const fn mask(self, square: Square) -> Bitboard {
        match self {
            Self::Rook => relevant::rook(square),
            Self::Bishop => relevant::bishop(square),
        }
    }

    /// The slider's two lines, as indices of [`hyperbola::LINES`].
    const fn lines(self) -> [usize; 2] {
        match self {
            Self::Rook => [0, 1],
            Self::Bishop => [2, 3],
        }
    }

    /// The index at which each square's run of attack sets begins.
    pub(super) const fn starts(self) -> [u32; 64] {
        let mut starts = [0; 64];
        let mut square = 1;
        while square < 64 {
            let previous = self.mask(Square::ALL[square - 1]);
            starts[square] = starts[square - 1] + (1 << previous.len());
            square += 1;
        }
        starts
    }
}

/// How occupancies are numbered.
pub(super) enum Numbering<'a> {
    /// The relevant bits, packed together.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only x86-64 has PEXT"))]
    Pext,
    /// The top bits of the product with the square's multiplier.
    Magic(&'a [u64; 64]),
}

/// One line's part: for each of its occupancies, the attacks and the part of the index.
struct Half {
    cases: usize,
    attacks: [u64; 64],
    numbers: [u64; 64],
}

const fn half(square: Square, line: usize, mask: Bitboard, magic: Option<u64>) -> Half {
    let mut half = Half { cases: 0, attacks: [0; 64], numbers: [0; 64] };
    let set = mask.0 & hyperbola::LINES[square as usize][line].0;
    // The same line in packed form; its subsets come in the same order.
    let packed_set = packed(set, mask.0);
    let (mut subset, mut packed_subset) = (0u64, 0u64);
    loop {
        let attacks = hyperbola::along(line, square, Bitboard(subset));
        half.attacks[half.cases] = attacks.0;
        half.numbers[half.cases] = match magic {
            Some(magic) => subset.wrapping_mul(magic),
            None => packed_subset,
        };
        half.cases += 1;
        subset = subset.wrapping_sub(set) & set;
        packed_subset = packed_subset.wrapping_sub(packed_set) & packed_set;
        if subset == 0 {
            return half;
        }
    }
}

/// The result of `pext`, for constants.
const fn packed(set: u64, mask: u64) -> u64 {
    let (mut rest, mut place, mut out) = (mask, 0, 0);
    while rest != 0 {
        let lowest = rest & rest.wrapping_neg();
        if set & lowest != 0 {
            out |= 1 << place;
        }
        place += 1;
        rest ^= lowest;
    }
    out
}

/// The attack sets of all squares, each square's run in the order of its indices.
///
/// It does not compile if the runs do not fill the table exactly, or if two occupancies with
/// different attacks get the same index.
pub(super) const fn attack_sets<const CASES: usize>(
    slider: Slider,
    numbering: &Numbering<'_>,
) -> [Bitboard; CASES] {
    let mut sets = [Bitboard::EMPTY; CASES];
    let starts = slider.starts();
    let mut end = 0;
    let mut index = 0;
    while index < 64 {
        let square = Square::ALL[index];
        let mask = slider.mask(square);
        let (magic, shift) = match numbering {
            Numbering::Pext => (None, 0),
            Numbering::Magic(magics) => (Some(magics[index]), 64 - mask.len()),
        };
        let first = half(square, slider.lines()[0], mask, magic);
        let second = half(square, slider.lines()[1], mask, magic);
        let start = starts[index] as usize;
        let mut i = 0;
        while i < first.cases {
            let (number, attacks) = (first.numbers[i], first.attacks[i]);
            let mut j = 0;
            while j < second.cases {
                let place = start + (number.wrapping_add(second.numbers[j]) >> shift) as usize;
                let set = attacks | second.attacks[j];
                // Every slider attacks some square, so an empty entry has not been filled in yet.
                assert!(sets[place].0 == 0 || sets[place].0 == set, "two sets with one index");
                sets[place].0 = set;
                j += 1;
            }
            i += 1;
        }
        end = start + first.cases * second.cases;
        index += 1;
    }
    assert!(end == CASES, "the runs fill the table");
    sets
}
