//! Obstruction difference: both directions of a line by one subtraction, without a mirror.
//!
//! Cut the line at the slider into an upper and a lower half. The nearest blockers are the
//! lowest above and the highest below; subtracting the latter from all blockers above borrows
//! from the former, and the borrow passes over everything that lies between the two:
//!
//! ```text
//!   the line                  1 1 1 1 1 . 1 1     the slider stands at the dot
//!   blockers above            0 1 0 0 0 . 0 0
//!   the highest below         0 0 0 0 0 . 0 1
//!   their difference          0 0 1 1 1 . 1 1
//!   ^ blockers above          0 1 1 1 1 . 1 1     attacked: up to and with both blockers
//! ```
//!
//! If there is none below, a1 stands in, since no line goes on beyond it; what the borrow sets
//! beside the line, the mask takes away. Hyperbola quintessence needs a mirror
//! for the way down; here the highest bit does, which is one instruction on CPUs that count
//! leading zeros, for ranks as for other lines.
//!
//! Source: Michael Hoffmann, "Obstruction Difference", Chess Programming Wiki.

#[cfg(target_arch = "x86_64")]
mod avx512;

#[cfg(target_arch = "x86_64")]
pub use avx512::ObstructionAvx512;

use super::Sliders;
use super::lines::RAYS;
use crate::bitboard::Bitboard;
use crate::direction::Direction;
use crate::square::Square;

/// The halves of a square's lines: file, rank, diagonal and anti-diagonal. One cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Halves {
    upper: [u64; 4],
    lower: [u64; 4],
}

static HALVES: [Halves; 64] = {
    let ways = [Direction::North, Direction::East, Direction::NorthEast, Direction::NorthWest];
    let mut table = [Halves { upper: [0; 4], lower: [0; 4] }; 64];
    let mut square = 0;
    while square < 64 {
        let mut line = 0;
        while line < 4 {
            table[square].upper[line] = RAYS[ways[line] as usize][square].0;
            table[square].lower[line] = RAYS[ways[line].opposite() as usize][square].0;
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

/// Sliders by obstruction difference: 4 KiB of tables and nothing that a CPU might lack.
///
/// ```
/// use tabiya::attacks::{Obstruction, Sliders};
/// use tabiya::Square;
/// let occupied = Square::B4.bitboard() | Square::F4.bitboard() | Square::H4.bitboard();
/// let reached = Obstruction.rook(Square::D4, occupied);
/// assert!(reached.has(Square::B4) && reached.has(Square::F4));
/// assert!(!reached.has(Square::A4) && !reached.has(Square::G4));
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
