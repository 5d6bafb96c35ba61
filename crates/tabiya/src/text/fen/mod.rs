//! Forsyth-Edwards Notation: a setup in one line.
//!
//! ```text
//! rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1
//! pieces                                        | |    |  | fullmove number
//!                                     side to move|    |  halfmove clock: plies since a capture
//!                                   castling rights    |  or a pawn move
//!                                                      en-passant square
//! ```

mod error;
mod read;
mod write;

pub use error::{FenCause, FenError, FenField};
pub use write::Fen;

use crate::board::Board;
use crate::castling::CastlingSide;
use crate::color::Color;
use crate::role::Role;
use crate::square::Square;

/// When a FEN contains the en-passant square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum EnPassantMode {
    /// After every double push, as in the standard of 1994.
    Always,
    /// If a pawn can capture there, even if that leaves its king in check.
    PseudoLegal,
    /// If a capture there is legal.
    #[default]
    Legal,
}

/// How a FEN writes castling rights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum CastlingNotation {
    /// `KQkq` for the outermost rooks, the file's letter for others.
    #[default]
    XFen,
    /// Always the letter of the rook's file.
    Shredder,
}

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
