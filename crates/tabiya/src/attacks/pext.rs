//! PEXT: one instruction packs the relevant occupancy into the index of the attack set.
//!
//! BMI2's `pext` gathers the bits of the occupancy under a mask into the low bits. The result is an
//! index without gaps or collisions, so no multipliers need to be found.

use core::arch::x86_64::_pext_u64;

use super::proof::proof_of_features;
use super::table::{Numbering, Slider, attack_sets};
use super::{Sliders, relevant};
use crate::bitboard::Bitboard;
use crate::square::Square;

/// The relevant squares of a square, and where its attack sets begin.
#[derive(Clone, Copy)]
struct Entry {
    mask: u64,
    start: u32,
}

struct Table<const CASES: usize> {
    entries: [Entry; 64],
    attacks: [Bitboard; CASES],
}

static ROOK: Table<{ relevant::ROOK_OCCUPANCIES }> = table(Slider::Rook);
static BISHOP: Table<{ relevant::BISHOP_OCCUPANCIES }> = table(Slider::Bishop);

const fn table<const CASES: usize>(slider: Slider) -> Table<CASES> {
    let starts = slider.starts();
    let mut entries = [Entry { mask: 0, start: 0 }; 64];
    let mut index = 0;
    while index < 64 {
        let mask = slider.mask(Square::ALL[index]).0;
        entries[index] = Entry { mask, start: starts[index] };
        index += 1;
    }
    Table { entries, attacks: attack_sets(slider, &Numbering::Pext) }
}

impl<const CASES: usize> Table<CASES> {
    /// # Safety
    /// The CPU has BMI2.
    #[inline(always)]
    unsafe fn look_up(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let entry = self.entries[square as usize];
        // SAFETY: the caller guarantees BMI2.
        let number = unsafe { _pext_u64(occupied.0, entry.mask) };
        // SAFETY: the number is below 2 to the power of the mask's squares, and the entries divide
        // the table into runs of exactly that length, as the assertions in `attack_sets` prove.
        unsafe { *self.attacks.get_unchecked(entry.start as usize + number as usize) }
    }
}

proof_of_features! {
    /// Sliders by PEXT. Having a value proves that the CPU has BMI2.
    ///
    /// ```
    /// use tabiya::attacks::{Pext, Sliders};
    /// use tabiya::{Bitboard, Square};
    /// if let Some(pext) = Pext::detect() {
    ///     assert_eq!(pext.rook(Square::A1, Bitboard::EMPTY).len(), 14);
    /// }
    /// ```
    Pext: "bmi2"
}

impl Sliders for Pext {
    const NAME: &'static str = "pext";

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        // SAFETY: `self` proves BMI2.
        unsafe { ROOK.look_up(square, occupied) }
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        // SAFETY: `self` proves BMI2.
        unsafe { BISHOP.look_up(square, occupied) }
    }

    #[inline(always)]
    fn enter<V: super::MethodVisitor>(self, visitor: &mut V) {
        self.inside(visitor);
    }
}
