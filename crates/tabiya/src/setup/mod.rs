//! A board with the other fields of FEN, playable or not.

pub mod chess960;
mod impossible;
mod last_move;
mod moves;
mod validate;

pub use impossible::Impossible;
pub use validate::{EnPassantCause, PositionError};

use crate::board::Board;
use crate::castling::{CastlingMode, CastlingRights};
use crate::color::Color;
use crate::square::{File, Square};

/// The contents of a board editor: any pieces on any squares, and the other fields of FEN.
///
/// A setup may be unfinished. [`Position::from_setup`](crate::Position::from_setup) accepts the
/// playable ones.
///
/// ```
/// use tabiya::{Position, Setup};
/// let empty = Setup::from_fen("8/8/8/8/8/8/8/8 w - - 0 1").unwrap();
/// assert!(Position::from_setup(&empty).is_err());
/// ```
#[doc(alias("BoardBuilder", "editor"))]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The pieces.
    pub board: Board,
    /// The side to move.
    pub turn: Color,
    /// The rooks that still have the right to castle.
    pub castling: CastlingRights,
    /// The notation of castling.
    pub castling_mode: CastlingMode,
    /// The square that a pawn has just crossed with a double push, whether or not the pawn can be
    /// captured there.
    pub en_passant: Option<Square>,
    /// The number of plies since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The number of the current move. It begins at 1 and increases after each move of Black.
    pub fullmove_number: u16,
}

impl Setup {
    /// The empty board, White to move.
    pub const EMPTY: Self = Self {
        board: Board::EMPTY,
        turn: Color::White,
        castling: CastlingRights::NONE,
        castling_mode: CastlingMode::Standard,
        en_passant: None,
        halfmove_clock: 0,
        fullmove_number: 1,
    };

    /// The start of a game.
    pub const START: Self =
        Self { board: Board::START, castling: CastlingRights::START, ..Self::EMPTY };

    /// Do all castling rights belong to kings on the e-file and rooks in the corners?
    pub fn has_standard_castling(&self) -> bool {
        Color::ALL.into_iter().all(|color| {
            let rooks = self.castling.of(color);
            rooks.is_empty() || self.board.king(color).is_some_and(|king| king.file() == File::E)
        }) && self.castling.rooks().is_subset(CastlingRights::START.rooks())
    }

    /// The same setup with ranks and colours exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        Self {
            board: self.board.mirrored(),
            turn: !self.turn,
            castling: self.castling.rooks().flip_ranks().iter().collect(),
            en_passant: self.en_passant.map(Square::flip_ranks),
            ..*self
        }
    }
}

impl Default for Setup {
    fn default() -> Self {
        Self::START
    }
}
