//! The pieces as indices of features: 768 for each side's view.

use tabiya::{Color, Position};

use super::encoding::Orientation;

/// The most pieces that a position has.
pub(super) const MOST: usize = 32;
/// The number of features of one side's pieces.
const HALF: i32 = 6 * 64;

/// Fills two rows of [`MOST`] indices: one for each view.
pub(super) fn fill(position: &Position, orientation: Orientation, padding: i32, rows: &mut [i32]) {
    let board = position.board();
    let first = orientation.bottom(position.turn());
    rows.fill(padding);
    let (one, other) = rows.split_at_mut(MOST);
    let views = one.iter_mut().zip(other);
    for (square, (one, other)) in board.occupied().iter().zip(views) {
        let Some(piece) = board.piece_on(square) else { continue };
        let index = |view: Color| {
            let theirs = HALF * i32::from(piece.color != view);
            let flip = if view == Color::White { 0 } else { 56 };
            theirs + 64 * piece.role as i32 + i32::from(square as u8 ^ flip)
        };
        (*one, *other) = (index(first), index(!first));
    }
}
