//! Forsyth-Edwards Notation: a setup in one line.
//!
//! ```text
//! rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1
//! pieces                                        | |    |  | fullmove number
//!                                     side to move|    |  halfmove clock: plies since a capture
//!                                   castling rights    |  or a pawn move
//!                                                      en-passant square
//! ```

mod convention;
mod error;
mod plain;
mod read;
mod write;

pub use convention::{CastlingNotation, EnPassantMode, FenConvention};
pub use error::{FenCause, FenError, FenField};
pub use write::{Fen, FenText};

use crate::board::Board;
use crate::castling::CastlingSide;
use crate::color::Color;
use crate::role::Role;
use crate::square::Square;

/// The rook farthest from the king on one side of the back rank.
fn outermost_rook(board: &Board, color: Color, side: CastlingSide) -> Option<Square> {
    let back_rank = color.back_rank().bitboard();
    let king = (board.pieces(color, Role::King) & back_rank).first()?;
    let rooks = board.pieces(color, Role::Rook) & back_rank;
    let outermost = match side {
        CastlingSide::King => rooks.last(),
        CastlingSide::Queen => rooks.first(),
    };
    outermost.filter(|&rook| CastlingSide::of(king, rook) == side)
}

/// The words of the text with their byte offsets.
fn fields(text: &str) -> impl Iterator<Item = (usize, &str)> {
    fields_from(text, 0)
}

/// The words from a byte offset on.
fn fields_from(text: &str, start: usize) -> impl Iterator<Item = (usize, &str)> {
    let rest = text.get(start..).unwrap_or_default();
    rest.split_ascii_whitespace()
        .map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}
