//! Magic multiplication: a product of the relevant occupancy gives the index of the attack set.
//!
//! Multiplying the relevant occupancy by a well-chosen number moves its bits to the top, and the
//! top bits of the product are the index. Two occupancies may share an index only if their attacks
//! are the same. Each square has as many indices as relevant occupancies ("fancy" magics). The
//! multipliers in [`magic_numbers`](super::magic_numbers) were found by trial and error with
//! `cargo xtask magics`.
//!
//! Source: Lasse Hansen and Pradu Kannan, "Magic Move-Bitboard Generation in Computer Chess".

use super::table::{Numbering, Slider, attack_sets};
use super::{Sliders, magic_numbers, relevant};
use crate::bitboard::Bitboard;
use crate::square::Square;

#[derive(Clone, Copy)]
struct Entry {
    mask: u64,
    magic: u64,
    start: u32,
    shift: u32,
}

impl Entry {
    /// The index of an occupancy's attack set in the table.
    #[inline(always)]
    fn index(self, occupied: u64) -> usize {
        let product = (occupied & self.mask).wrapping_mul(self.magic);
        self.start as usize + (product >> (self.shift & 63)) as usize
    }
}

struct Table<const CASES: usize> {
    entries: [Entry; 64],
    attacks: [Bitboard; CASES],
}

static ROOK: Table<{ relevant::ROOK_OCCUPANCIES }> = table(Slider::Rook, &magic_numbers::ROOK);
static BISHOP: Table<{ relevant::BISHOP_OCCUPANCIES }> =
    table(Slider::Bishop, &magic_numbers::BISHOP);

const fn table<const CASES: usize>(slider: Slider, magics: &[u64; 64]) -> Table<CASES> {
    let starts = slider.starts();
    let mut entries = [Entry { mask: 0, magic: 0, start: 0, shift: 0 }; 64];
    let mut index = 0;
    while index < 64 {
        let mask = slider.mask(Square::ALL[index]);
        entries[index] = Entry {
            mask: mask.0,
            magic: magics[index],
            start: starts[index],
            shift: 64 - mask.len(),
        };
        index += 1;
    }
    Table { entries, attacks: attack_sets(slider, &Numbering::Magic(magics)) }
}

impl<const CASES: usize> Table<CASES> {
    #[inline(always)]
    fn look_up(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let index = self.entries[square as usize].index(occupied.0);
        // SAFETY: the shift leaves as many bits as the mask has squares, and the entries divide
        // the table into runs of exactly 2 to that power, as the assertions in `attack_sets` prove.
        unsafe { *self.attacks.get_unchecked(index) }
    }
}

/// Sliders by magic multiplication: the default of builds that do not assume BMI2.
#[doc(alias = "magic bitboards")]
#[derive(Clone, Copy, Debug, Default)]
pub struct Magic;

impl Sliders for Magic {
    const NAME: &'static str = "magic";

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        ROOK.look_up(square, occupied)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        BISHOP.look_up(square, occupied)
    }
}
