//! Relevant occupancy: the squares whose occupancy can change the attacks of a slider.
//!
//! A blocker on the last square of a ray changes nothing, because there is no square behind it. So
//! the edges do not count, except for a slider that moves along an edge. Magic and PEXT number the
//! subsets of these squares.

use super::lines::RAYS;
use crate::bitboard::Bitboard;
use crate::direction::Direction;
use crate::square::Square;

/// The number of relevant occupancies of all squares: the size of the rook's table.
pub(crate) const ROOK_OCCUPANCIES: usize = 102_400;
/// The same for bishops.
pub(crate) const BISHOP_OCCUPANCIES: usize = 5_248;

const fn relevant(square: Square, directions: [Direction; 4]) -> Bitboard {
    let mut mask = 0;
    let mut index = 0;
    while index < 4 {
        let direction = directions[index];
        let ray = RAYS[direction as usize][square as usize];
        // The ray without its last square.
        mask |= ray.0 & ray.shift(direction.opposite()).0;
        index += 1;
    }
    Bitboard(mask)
}

/// The relevant squares of a rook.
///
/// ```
/// use tabiya::{attacks::relevant, Square};
/// assert_eq!(relevant::rook(Square::A1).len(), 12);
/// assert_eq!(relevant::rook(Square::D4).len(), 10);
/// ```
pub const fn rook(square: Square) -> Bitboard {
    relevant(square, Direction::ORTHOGONAL)
}

/// The relevant squares of a bishop.
pub const fn bishop(square: Square) -> Bitboard {
    relevant(square, Direction::DIAGONAL)
}
