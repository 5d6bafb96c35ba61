//! Walking: the attacks of a slider step by step, as one would with a finger on a board.
//!
//! This is the oracle against which the other methods are tested, and nothing that plays chess
//! should use it.

use super::Sliders;
use crate::bitboard::Bitboard;
use crate::direction::Direction;
use crate::square::Square;

/// Sliders by walking along each ray until something is in the way.
#[derive(Clone, Copy, Debug, Default)]
pub struct Walk;

fn walk(square: Square, directions: [Direction; 4], occupied: Bitboard) -> Bitboard {
    let mut reached = Bitboard::EMPTY;
    for direction in directions {
        let mut at = square;
        while let Some(next) = at.step(direction) {
            reached = reached.with(next);
            if occupied.has(next) {
                break;
            }
            at = next;
        }
    }
    reached
}

impl Sliders for Walk {
    const NAME: &'static str = "walk";

    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        walk(square, Direction::ORTHOGONAL, occupied)
    }

    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        walk(square, Direction::DIAGONAL, occupied)
    }
}
