//! Facts of single positions.

use tabiya::{Color, Outcome, Position};
use tabiya_openings::Opening;

use super::planes;

/// The castling rights: White's on the king side and on the queen side, then Black's.
pub(super) fn castling(position: &Position, row: &mut [bool]) {
    for (color, half) in Color::ALL.into_iter().zip(row.chunks_exact_mut(2)) {
        half.copy_from_slice(&planes::rights(position, color));
    }
}

/// The square of a legal capture en passant, or -1.
pub(super) fn en_passant(position: &Position) -> i8 {
    position.en_passant().map_or(-1, |square| square as i8)
}

/// The halfmove clock and the number of the move.
pub(super) fn clocks(position: &Position, row: &mut [u16]) {
    row.copy_from_slice(&[position.halfmove_clock(), position.fullmove_number()]);
}

/// The index of the named opening, or -1.
pub(super) fn opening(position: &Position) -> i16 {
    const { assert!(Opening::COUNT <= i16::MAX as usize) };
    Opening::at(position).map_or(-1, |opening| opening.index() as i16)
}

/// The outcome of the game as a number: 0 if it goes on.
///
/// `tabiya.encodings.OUTCOMES` has the same numbers.
pub(super) fn outcome(position: &Position) -> i8 {
    match position.outcome() {
        None => 0,
        Some(Outcome::Checkmate { winner: Color::White }) => 1,
        Some(Outcome::Checkmate { winner: Color::Black }) => -1,
        Some(Outcome::Stalemate) => 2,
        Some(Outcome::InsufficientMaterial) => 3,
        // No other outcome can be seen in a single position.
        Some(_) => 4,
    }
}
