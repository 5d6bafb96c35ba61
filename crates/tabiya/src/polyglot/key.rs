//! Polyglot's key of a position, as the format defines it.

use super::numbers::NUMBERS;
use crate::castling::CastlingSide;
use crate::color::Color;
use crate::fen::EnPassantMode;
use crate::position::Position;

/// The index of the first castling right, after those of pieces on squares.
const CASTLING: usize = 768;
/// The index of the first en-passant file.
const EN_PASSANT: usize = 772;
/// The index of White to move.
const TURN: usize = 780;

impl Position {
    /// The key of the position in Polyglot's opening books.
    ///
    /// It differs from [`key`](Self::key) and has a different rule for en passant. Here, the file
    /// counts if a pawn stands beside the pawn that has just advanced two squares, whether or not
    /// the capture is legal. So equal positions may have different keys. A position that was read
    /// from a FEN has such a square only if the FEN contains it.
    ///
    /// Each call computes it from the whole position.
    ///
    /// ```
    /// use tabiya::Position;
    /// assert_eq!(Position::START.polyglot_key(), 0x463b_9618_1691_fc9c);
    /// ```
    #[doc(alias("zobrist_hash", "book key", "opening book"))]
    pub fn polyglot_key(&self) -> u64 {
        let mut key = match self.turn() {
            Color::White => NUMBERS[TURN],
            Color::Black => 0,
        };
        for (square, piece) in self.board().iter() {
            // Black pawn, white pawn, black knight, and so on.
            let kind = 2 * piece.role as usize + usize::from(piece.color == Color::White);
            key ^= NUMBERS[64 * kind + square as usize];
        }
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if self.castling_rights().rook(color, side, self.king(color)).is_some() {
                    key ^= NUMBERS[CASTLING + 2 * color as usize + side as usize];
                }
            }
        }
        // A pawn can capture, legally or not, if and only if it stands beside the advanced pawn.
        if let Some(square) = self.en_passant_with(EnPassantMode::PseudoLegal) {
            key ^= NUMBERS[EN_PASSANT + square.file() as usize];
        }
        key
    }
}
