//! PEXT and PDEP: two instructions pack the relevant occupancy into the index of an attack set, and
//! unpack the set.
//!
//! BMI2's `pext` gathers the bits of the occupancy under a mask into the low bits. The result is an
//! index without gaps or collisions, so no multipliers need to be found. A slider attacks at most
//! 14 squares, so the sets are stored packed as well, in 16 bits each, and `pdep` spreads one over
//! the lines of the slider. The tables then need a quarter of the cache, which gains more than the
//! second instruction costs.

use core::arch::x86_64::{_pdep_u64, _pext_u64};

use super::relevant;
use super::sliders::{MethodVisitor, Sliders};
use super::table::{Half, Slider};
use crate::bitboard::Bitboard;
use crate::square::Square;

/// The relevant squares of a square, its attacks on an empty board, and the start of its attack
/// sets.
#[derive(Clone, Copy)]
struct Entry {
    mask: u64,
    lines: u64,
    start: usize,
}

struct Table<const CASES: usize> {
    entries: [Entry; 64],
    attacks: [u16; CASES],
}

static ROOK: Table<{ relevant::ROOK_OCCUPANCIES }> = table(Slider::Rook);
static BISHOP: Table<{ relevant::BISHOP_OCCUPANCIES }> = table(Slider::Bishop);

/// Compilation fails if the runs of the squares do not fill the table exactly.
const fn table<const CASES: usize>(slider: Slider) -> Table<CASES> {
    let starts = slider.starts();
    let mut table =
        Table { entries: [Entry { mask: 0, lines: 0, start: 0 }; 64], attacks: [0; CASES] };
    let mut end = 0;
    let mut index = 0;
    while index < 64 {
        let square = Square::ALL[index];
        let mask = slider.mask(square).0;
        let [first, second] = slider.halves(square);
        // The first occupancy of each half is the empty one.
        let lines = first.attacks[0] | second.attacks[0];
        let start = starts[index] as usize;
        table.entries[index] = Entry { mask, lines, start };
        let (first_numbers, first_attacks) = packed_half(&first, mask, lines);
        let (second_numbers, second_attacks) = packed_half(&second, mask, lines);
        let cases = second.cases;
        let mut i = 0;
        while i < first.cases {
            let (number, attacks) = (first_numbers[i], first_attacks[i]);
            let mut j = 0;
            while j < cases {
                let place = start + (number | second_numbers[j]) as usize;
                table.attacks[place] = attacks | second_attacks[j];
                j += 1;
            }
            i += 1;
        }
        end = start + first.cases * cases;
        index += 1;
    }
    assert!(end == CASES, "the runs fill the table");
    table
}

/// The parts of the indices and of the packed attack sets that come from one line.
const fn packed_half(half: &Half, mask: u64, lines: u64) -> ([u16; 64], [u16; 64]) {
    let (mask, lines) = (Bitboard(mask), Bitboard(lines));
    let (mut numbers, mut attacks) = ([0; 64], [0; 64]);
    let mut case = 0;
    while case < half.cases {
        numbers[case] = Bitboard(half.occupancies[case]).gather(mask) as u16;
        attacks[case] = Bitboard(half.attacks[case]).gather(lines) as u16;
        case += 1;
    }
    (numbers, attacks)
}

impl<const CASES: usize> Table<CASES> {
    /// # Safety
    /// The CPU must have BMI2.
    #[inline(always)]
    unsafe fn look_up(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let entry = &self.entries[square as usize];
        // SAFETY: the caller guarantees BMI2.
        let number = unsafe { _pext_u64(occupied.0, entry.mask) };
        // SAFETY: the number is below 2 to the power of the mask's squares, and the entries divide
        // the table into runs of exactly that length, as the assertion in `table` proves.
        let packed = unsafe { *self.attacks.get_unchecked(entry.start + number as usize) };
        // SAFETY: the caller guarantees BMI2.
        Bitboard(unsafe { _pdep_u64(u64::from(packed), entry.lines) })
    }
}

/// Sliders by PEXT. A value proves that the CPU has BMI2.
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
    /// The method, if this CPU supports it. Without the `std` feature, only the features for which
    /// the build is compiled count.
    #[inline]
    pub fn detect() -> Option<Self> {
        #[cfg(feature = "std")]
        let available = std::arch::is_x86_feature_detected!("bmi2");
        #[cfg(not(feature = "std"))]
        let available = cfg!(target_feature = "bmi2");
        available.then_some(Self(()))
    }
}

/// A build that requires the instructions needs no test.
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
        // SAFETY: the field is private, `detect` tests the CPU, and `Default` exists only in builds
        // that require BMI2, so having the value proves BMI2.
        unsafe { ROOK.look_up(square, occupied) }
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        // SAFETY: the field is private, `detect` tests the CPU, and `Default` exists only in builds
        // that require BMI2, so having the value proves BMI2.
        unsafe { BISHOP.look_up(square, occupied) }
    }

    #[inline(always)]
    fn enter<V: MethodVisitor>(self, visitor: &mut V) {
        #[target_feature(enable = "bmi2")]
        fn compiled<V: MethodVisitor>(pext: Pext, visitor: &mut V) {
            visitor.visit(pext);
        }
        // SAFETY: `compiled` enables BMI2, which the value proves as above.
        unsafe { compiled(self, visitor) }
    }
}
