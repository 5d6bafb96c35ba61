//! The attack sets of all relevant occupancies, for the methods that look them up.
//!
//! A slider's two lines do not depend on each other: its attacks are the union of the attacks along
//! each. So each square needs at most 64 sets for one line, 64 for the other, and the unions of all
//! pairs. The index of an occupancy is likewise the sum of the indices of its two halves, both for
//! the bits that PEXT packs and for the products of a magic multiplication. That keeps compile-time
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

    /// The slider's two lines, as indices of [`hyperbola::LINES_THROUGH`].
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

/// One of a slider's two lines: its occupancies, and the attacks with each.
pub(super) struct Half {
    pub(super) cases: usize,
    pub(super) occupancies: [u64; 64],
    pub(super) attacks: [u64; 64],
}

impl Slider {
    /// Both lines of a square.
    pub(super) const fn halves(self, square: Square) -> [Half; 2] {
        let mask = self.mask(square);
        let [first, second] = self.lines();
        [half(square, first, mask), half(square, second, mask)]
    }
}

const fn half(square: Square, line: usize, mask: Bitboard) -> Half {
    let mut half = Half { cases: 0, occupancies: [0; 64], attacks: [0; 64] };
    let set = mask.0 & hyperbola::LINES_THROUGH[square as usize][line].0;
    let mut subset = 0u64;
    loop {
        half.occupancies[half.cases] = subset;
        half.attacks[half.cases] = hyperbola::along(line, square, Bitboard(subset)).0;
        half.cases += 1;
        subset = subset.wrapping_sub(set) & set;
        if subset == 0 {
            return half;
        }
    }
}
