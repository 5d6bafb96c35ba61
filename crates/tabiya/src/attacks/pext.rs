//! PEXT: the relevant squares, packed by one instruction, number the attack set.
//!
//! BMI2's `pext` gathers the bits of the occupancy under a mask into the low bits. That number
//! is an index without gaps or collisions, so nothing needs to be searched for.

use core::arch::x86_64::_pext_u64;

use super::table::{Numbering, Slider, attack_sets};
use super::{Sliders, relevant};
use crate::bitboard::Bitboard;
use crate::square::Square;

/// Which squares number a square's attack sets, and where those begin.
#[derive(Clone, Copy)]
struct Entry {
    mask: u64,
    start: u32,
}

struct Table<const CASES: usize> {
    entries: [Entry; 64],
    attacks: [Bitboard; CASES],
}

static ROOK: Table<{ relevant::ROOK_CASES }> = table(Slider::Rook);
static BISHOP: Table<{ relevant::BISHOP_CASES }> = table(Slider::Bishop);

const fn table<const CASES: usize>(slider: Slider) -> Table<CASES> {
    let starts = slider.starts();
    let mut entries = [Entry { mask: 0, start: 0 }; 64];
    let mut index = 0;
    while index < 64 {
        let mask = slider.mask(Square::ALL[index]).0;
        entries[index] = Entry { mask, start: starts[index] };
        index += 1;
    }
    Table { entries, attacks: attack_sets(slider, &Numbering::Packed) }
}

impl<const CASES: usize> Table<CASES> {
    /// # Safety
    /// The CPU has BMI2.
    #[inline(always)]
    unsafe fn look_up(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let entry = self.entries[square as usize];
        // SAFETY: the caller vouches for BMI2.
        let number = unsafe { _pext_u64(occupied.0, entry.mask) };
        // SAFETY: the number is below 2 to the power of the mask's squares, and the entries cut
        // the table into runs of exactly that length, as the assertions in `attack_sets` prove.
        unsafe { *self.attacks.get_unchecked(entry.start as usize + number as usize) }
    }
}

/// Sliders by PEXT. Holding a value proves that the CPU has BMI2.
///
/// ```
/// use tabiya::attacks::{Pext, Sliders};
/// use tabiya::{Bitboard, Square};
/// if let Some(pext) = Pext::detect() {
///     assert_eq!(pext.rook(Square::A1, Bitboard::EMPTY).len(), 14);
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Pext(());

impl Pext {
    /// The method, if this CPU has BMI2. Without the `std` feature the answer is what the build
    /// was compiled for.
    #[inline]
    pub fn detect() -> Option<Self> {
        #[cfg(feature = "std")]
        let available = std::arch::is_x86_feature_detected!("bmi2");
        #[cfg(not(feature = "std"))]
        let available = cfg!(target_feature = "bmi2");
        available.then_some(Self(()))
    }

    /// The method without asking the CPU.
    ///
    /// # Safety
    /// The CPU has BMI2.
    #[inline(always)]
    pub const unsafe fn assume() -> Self {
        Self(())
    }
}

/// A build for CPUs with BMI2 has the proof already.
#[cfg(target_feature = "bmi2")]
impl Default for Pext {
    #[inline(always)]
    fn default() -> Self {
        Self(())
    }
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
}
