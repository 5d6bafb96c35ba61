//! A board with everything else that FEN says, playable or not.

mod impossible;
mod validate;

pub use impossible::Impossible;
pub use validate::{EnPassantCause, PositionError};

use crate::board::Board;
use crate::castling::{CastlingMode, CastlingRights};
use crate::color::Color;
use crate::square::{File, Rank, Square};

/// What a board editor holds: any men anywhere, and the state of a game beside them.
///
/// A setup may be unfinished. [`Position::from_setup`](crate::Position::from_setup) accepts those
/// that can be played on.
///
/// ```
/// use tabiya::{Position, Setup};
/// let empty = Setup::from_fen("8/8/8/8/8/8/8/8 w - - 0 1").unwrap();
/// assert!(Position::from_setup(&empty).is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The men.
    pub board: Board,
    /// Who is to move.
    pub turn: Color,
    /// The rooks with which castling is still allowed.
    pub castling: CastlingRights,
    /// How castling is written.
    pub mode: CastlingMode,
    /// The square that a pawn has just passed with a double push, whether or not it can be
    /// captured there.
    pub en_passant: Option<Square>,
    /// Half-moves since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The number of the move, from 1, one more after each move of Black.
    pub fullmove_number: u16,
}

impl Setup {
    /// A board without men, White to move.
    pub const EMPTY: Self = Self {
        board: Board::EMPTY,
        turn: Color::White,
        castling: CastlingRights::NONE,
        mode: CastlingMode::Standard,
        en_passant: None,
        halfmove_clock: 0,
        fullmove_number: 1,
    };

    /// The start of a game.
    pub const START: Self =
        Self { board: Board::START, castling: CastlingRights::START, ..Self::EMPTY };

    /// Do all castling rights belong to kings on the e-file and rooks in the corners?
    pub fn has_standard_castling(&self) -> bool {
        self.castling.rooks().iter().all(|rook| {
            let color = if rook.rank() == Rank::First { Color::White } else { Color::Black };
            let corner = matches!(rook.file(), File::A | File::H);
            corner && self.board.king(color).is_some_and(|king| king.file() == File::E)
        })
    }

    /// The same setup seen from the other side, with the colours changed.
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
