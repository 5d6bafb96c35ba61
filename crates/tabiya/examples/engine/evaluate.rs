//! Static evaluation of a position.

use tabiya::order::PieceSquare;
use tabiya::{Position, Square};

/// The values of material and of squares. The search updates their balance with every move.
pub(crate) static SQUARES: PieceSquare = PieceSquare::DEFAULT;

/// The value for the side to move, with the balance of `SQUARES`.
pub(crate) fn evaluate(position: &Position, balance: i32) -> i32 {
    if position.board().occupied().len() > 12 || balance.abs() < 250 {
        return balance;
    }
    // In won endgames the weaker king is driven to the edge, and the stronger one follows.
    let [ours, theirs] = [position.turn(), !position.turn()].map(|color| position.king(color));
    let weaker = if balance > 0 { theirs } else { ours };
    let driven = [Square::D4, Square::E4, Square::D5, Square::E5].map(|at| distance(weaker, at));
    balance + balance.signum() * (10 * driven.iter().sum::<i32>() - 8 * distance(ours, theirs))
}

fn distance(a: Square, b: Square) -> i32 {
    let files = (a.file() as i32 - b.file() as i32).abs();
    files.max((a.rank() as i32 - b.rank() as i32).abs())
}
