//! The other generators, and the common form in which their answers are compared.
//!
//! A peer is built from a setup, square by square, without any text. It never sees a result of
//! tabiya.

pub mod cozy;
pub mod shakmaty;

use std::fmt;

use tabiya::{CastlingRights, Color, Move, Position, Role, Setup, Square};

/// A move as two squares and a promotion. The target of castling is the rook's square, which no
/// other move of the king can have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(u16);

impl Code {
    /// A move between squares with these numbers; a promotion is the number of its role in tabiya.
    #[inline(always)]
    pub const fn new(from: u8, to: u8, promotion: u8) -> Self {
        Self(from as u16 | (to as u16) << 6 | (promotion as u16) << 12)
    }

    /// The code of a move of tabiya.
    #[inline(always)]
    pub fn of(mv: Move, turn: Color, rights: CastlingRights) -> Self {
        let from = mv.from();
        let rook = mv.castling().and_then(|side| rights.rook(turn, side, from));
        Self::new(
            from as u8,
            rook.unwrap_or(mv.to()) as u8,
            mv.promotion().map_or(0, |role| role as u8),
        )
    }

    /// The bits, for sorting.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The code with these bits.
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// The origin square.
    pub const fn from(self) -> u8 {
        self.0 as u8 & 63
    }

    /// The target square.
    pub const fn to(self) -> u8 {
        (self.0 >> 6) as u8 & 63
    }

    /// The number of the role to which a pawn promotes; 0 for none.
    pub const fn promotion(self) -> u8 {
        (self.0 >> 12) as u8
    }

    /// The move on the mirrored board.
    pub const fn mirrored(self) -> Self {
        Self::new(self.from() ^ 56, self.to() ^ 56, self.promotion())
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", name(self.from()), name(self.to()))?;
        let role = Role::ALL.get(usize::from(self.promotion())).filter(|_| self.promotion() > 0);
        role.map_or(Ok(()), |role| write!(f, "{}", role.letter()))
    }
}

/// The name of the square with a number.
fn name(number: u8) -> String {
    Square::from_index(number).map_or("?".to_owned(), |square| square.to_string())
}

/// All that a position consists of, whichever library has computed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// The squares of pawns, knights, bishops, rooks, queens and kings.
    pub roles: [u64; 6],
    /// The squares of White and of Black.
    pub colors: [u64; 2],
    /// Is Black to move?
    pub is_black_to_move: bool,
    /// The squares of the rooks that may castle.
    pub rights: u64,
    /// The square that the last move crossed with a double push.
    pub double_push: Option<u8>,
    /// The number of plies since a capture or pawn move.
    pub halfmove_clock: u32,
    /// The number of the move.
    pub fullmove_number: u32,
}

impl State {
    /// The state of a position of tabiya.
    #[inline]
    pub fn of(position: &Position) -> Self {
        Self::of_setup(&position.to_setup_with(tabiya::fen::EnPassantMode::Always))
    }

    /// The state of a setup.
    #[inline(always)]
    pub fn of_setup(setup: &Setup) -> Self {
        Self {
            roles: Role::ALL.map(|role| setup.board.role(role).0),
            colors: Color::ALL.map(|color| setup.board.color(color).0),
            is_black_to_move: setup.turn == Color::Black,
            rights: setup.castling.rooks().0,
            double_push: setup.en_passant.map(|square| square as u8),
            halfmove_clock: u32::from(setup.halfmove_clock),
            fullmove_number: u32::from(setup.fullmove_number),
        }
    }
}
