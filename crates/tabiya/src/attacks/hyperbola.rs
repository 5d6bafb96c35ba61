//! Hyperbola quintessence: a slider's attacks on a line by subtraction, o^(o-2r).
//!
//! Take the occupied squares `o` of one line and the slider `r`. Subtracting `r` twice borrows
//! from the first blocker above it, so `o ^ (o - 2r)` is every square up to and with that
//! blocker. Mirrored bits do the same downwards.
//!
//! Source: Gerd Isenberg and Aleks Peshkov, "Hyperbola Quintessence", Chess Programming Wiki.

use super::Sliders;
use super::lines::RAYS;
use crate::bitboard::Bitboard;
use crate::direction::Direction;
use crate::square::Square;

/// `[line][square]` for file, rank, diagonal and anti-diagonal, without the square itself.
pub(super) static LINES: [[Bitboard; 64]; 4] = {
    let mut lines = [[Bitboard::EMPTY; 64]; 4];
    let ways = [Direction::North, Direction::East, Direction::NorthEast, Direction::NorthWest];
    let mut line = 0;
    while line < 4 {
        let mut square = 0;
        while square < 64 {
            let ahead = RAYS[ways[line] as usize][square];
            let behind = RAYS[ways[line].opposite() as usize][square];
            lines[line][square] = ahead.union(behind);
            square += 1;
        }
        line += 1;
    }
    lines
};

/// The attacks of a slider along one of its lines, usable in constants.
#[inline(always)]
pub(super) const fn along(line: usize, square: Square, occupied: Bitboard) -> Bitboard {
    let line = LINES[line][square as usize].0;
    let slider = square.bitboard().0;
    let blockers = occupied.0 & line;
    let up = blockers.wrapping_sub(slider << 1);
    let mirrored = blockers.reverse_bits().wrapping_sub(slider.reverse_bits() << 1);
    Bitboard((up ^ mirrored.reverse_bits()) & line)
}

/// Sliders by subtraction: no tables but four lines a square.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hyperbola;

impl Sliders for Hyperbola {
    const NAME: &'static str = "hyperbola";

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        along(0, square, occupied) | along(1, square, occupied)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        along(2, square, occupied) | along(3, square, occupied)
    }
}
