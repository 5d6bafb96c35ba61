//! Step by step: the attacks of a slider, one square at a time.
//!
//! This is the oracle against which the other methods are tested. It is too slow for a generator.

use super::Sliders;
use crate::bitboard::Bitboard;
use crate::direction::Direction;
use crate::square::Square;

/// Follows each ray up to the first occupied square.
#[derive(Clone, Copy, Debug, Default)]
pub struct StepByStep;

fn follow(square: Square, directions: [Direction; 4], occupied: Bitboard) -> Bitboard {
    let mut attacked = Bitboard::EMPTY;
    for direction in directions {
        let mut at = square;
        while let Some(next) = at.step(direction) {
            attacked = attacked.with(next);
            if occupied.has(next) {
                break;
            }
            at = next;
        }
    }
    attacked
}

impl Sliders for StepByStep {
    const NAME: &'static str = "step-by-step";

    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        follow(square, Direction::ORTHOGONAL, occupied)
    }

    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        follow(square, Direction::DIAGONAL, occupied)
    }
}
