//! Classical rays: the whole ray without the squares behind its first blocker.
//!
//! ```text
//!   the ray of a bishop      & occupied: g7 and h8,     ^ the ray behind g7:
//!   on c3 to the north-east  of which g7 comes first    what the bishop attacks
//!   . . . . . . . X          . . . . . . . X            . . . . . . . .
//!   . . . . . . X .          . . . . . . X .            . . . . . . X .
//!   . . . . . X . .          . . . . . . . .            . . . . . X . .
//!   . . . . X . . .          . . . . . . . .            . . . . X . . .
//!   . . . X . . . .          . . . . . . . .            . . . X . . . .
//!   . . B . . . . .          . . B . . . . .            . . B . . . . .
//! ```
//!
//! Square numbers rise along four of the directions; there the first blocker is found by counting
//! trailing zeros. They fall along the other four; there it is found by counting leading zeros. If
//! there is no blocker, the last square in that order (h8 or a1) takes its place. No ray in these
//! directions continues from there, so nothing is removed.
//!
//! Source: "Classical Approach", Chess Programming Wiki.

use super::Sliders;
use super::lines::RAYS;
use crate::bitboard::Bitboard;
use crate::direction::Direction;
use crate::square::Square;

/// Sliders by rays and their first blockers.
///
/// ```
/// use tabiya::attacks::{Classical, Sliders};
/// use tabiya::Square;
/// let occupied = Square::G7.bitboard() | Square::H8.bitboard();
/// let attacked = Classical.bishop(Square::C3, occupied);
/// assert!(attacked.has(Square::G7) && !attacked.has(Square::H8));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Classical;

/// The attacks along one ray. The direction is constant at every call, so the test of the direction
/// costs no branch.
#[inline(always)]
fn along(square: Square, direction: Direction, occupied: Bitboard) -> Bitboard {
    let rays = &RAYS[direction as usize];
    let ray = rays[square as usize];
    let blockers = (ray & occupied).0;
    let first = if direction.is_rising() {
        (blockers | Square::H8.bitboard().0).trailing_zeros()
    } else {
        63 - (blockers | Square::A1.bitboard().0).leading_zeros()
    };
    ray ^ rays[first as usize & 63]
}

impl Sliders for Classical {
    const NAME: &'static str = "classical";

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        along(square, Direction::North, occupied)
            | along(square, Direction::East, occupied)
            | along(square, Direction::South, occupied)
            | along(square, Direction::West, occupied)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        along(square, Direction::NorthEast, occupied)
            | along(square, Direction::SouthEast, occupied)
            | along(square, Direction::SouthWest, occupied)
            | along(square, Direction::NorthWest, occupied)
    }
}
