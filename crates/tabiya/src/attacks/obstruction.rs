//! Obstruction difference: both directions of a line by one subtraction, without a mirror.
//!
//! The slider divides the line into an upper and a lower half. The nearest blockers are the lowest
//! one above and the highest one below. Subtracting the latter from all blockers above borrows from
//! the former, and the borrow sets every bit between the two:
//!
//! ```text
//!   the line                  1 1 1 1 1 . 1 1     the slider stands at the dot
//!   blockers above            0 1 0 0 0 . 0 0
//!   the highest below         0 0 0 0 0 . 0 1
//!   their difference          0 0 1 1 1 . 1 1
//!   ^ blockers above          0 1 1 1 1 . 1 1     attacked, including both blockers
//! ```
//!
//! If there is no blocker below, a1 takes its place, because no line continues below it. The mask
//! removes the bits that the borrow sets outside the line. Hyperbola quintessence has to mirror the
//! line for the downward half. This method finds the highest bit instead, which takes one
//! instruction on CPUs that count leading zeros, and it works for ranks too.
//!
//! Source: Michael Hoffmann, "Obstruction Difference", Chess Programming Wiki.

use super::Sliders;
use super::lines::{LINE_DIRECTIONS, RAYS};
use crate::bitboard::Bitboard;
use crate::square::Square;

/// The halves of a square's lines: file, rank, diagonal and anti-diagonal. One cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Halves {
    upper: [u64; 4],
    lower: [u64; 4],
}

static HALVES: [Halves; 64] = {
    let mut table = [Halves { upper: [0; 4], lower: [0; 4] }; 64];
    let mut square = 0;
    while square < 64 {
        let mut line = 0;
        while line < 4 {
            table[square].upper[line] = RAYS[LINE_DIRECTIONS[line] as usize][square].0;
            table[square].lower[line] = RAYS[LINE_DIRECTIONS[line].opposite() as usize][square].0;
            line += 1;
        }
        square += 1;
    }
    table
};

#[inline(always)]
fn along(line: usize, square: Square, occupied: Bitboard) -> Bitboard {
    let Halves { upper, lower } = &HALVES[square as usize];
    let above = upper[line] & occupied.0;
    let below = lower[line] & occupied.0 | 1;
    let highest = Square::H8.bitboard().0 >> below.leading_zeros();
    Bitboard((above ^ above.wrapping_sub(highest)) & (upper[line] | lower[line]))
}

/// Sliders by obstruction difference: 4 KiB of tables, and no special CPU features.
///
/// ```
/// use tabiya::attacks::{Obstruction, Sliders};
/// use tabiya::Square;
/// let occupied = Square::B4.bitboard() | Square::F4.bitboard() | Square::H4.bitboard();
/// let attacked = Obstruction.rook(Square::D4, occupied);
/// assert!(attacked.has(Square::B4) && attacked.has(Square::F4));
/// assert!(!attacked.has(Square::A4) && !attacked.has(Square::G4));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Obstruction;

impl Sliders for Obstruction {
    const NAME: &'static str = "obstruction";

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        along(0, square, occupied) | along(1, square, occupied)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        along(2, square, occupied) | along(3, square, occupied)
    }
}
