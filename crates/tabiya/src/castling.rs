//! Castling: who may still castle with which rook, and where king and rook go.
//!
//! The rules are those of Chess960, of which standard chess is one case: the king goes to the
//! c- or g-file and the rook to its far side, wherever the two started.

use core::fmt;

use crate::bitboard::Bitboard;
use crate::color::{Color, Side, on_back_rank};
use crate::square::{File, Square};

/// The side of the king on which it castles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum CastlingSide {
    /// Towards the h-file; "short".
    King,
    /// Towards the a-file; "long".
    Queen,
}

impl CastlingSide {
    /// Both, the king's first.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// The side on which a rook stands, as seen from its king.
    #[inline]
    pub const fn of(king: Square, rook: Square) -> Self {
        if (rook as u8) > king as u8 { Self::King } else { Self::Queen }
    }

    /// Where the king lands.
    ///
    /// ```
    /// use tabiya::{Color, Square, CastlingSide};
    /// assert_eq!(CastlingSide::King.king_target(Color::White), Square::G1);
    /// assert_eq!(CastlingSide::Queen.rook_target(Color::Black), Square::D8);
    /// ```
    #[inline]
    pub const fn king_target(self, color: Color) -> Square {
        match self {
            Self::King => on_back_rank(color, File::G),
            Self::Queen => on_back_rank(color, File::C),
        }
    }

    /// Where the rook lands.
    #[inline]
    pub const fn rook_target(self, color: Color) -> Square {
        match self {
            Self::King => on_back_rank(color, File::F),
            Self::Queen => on_back_rank(color, File::D),
        }
    }

    /// The file of the rook in standard chess.
    pub const fn standard_rook_file(self) -> File {
        match self {
            Self::King => File::H,
            Self::Queen => File::A,
        }
    }
}

/// How a position writes castling, in moves and in FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum CastlingMode {
    /// The king moves to its target: `e1g1`; FEN letters `KQkq`.
    #[default]
    Standard,
    /// The king takes its own rook: `e1h1`; FEN letters `KQkq`, or the rook's file where it is
    /// not the outermost (X-FEN).
    Chess960,
}

/// The rooks with which the players may still castle, as the set of their squares.
///
/// A rook's square says all: its rank whose rook it is and its place beside the king on which
/// side. A right goes when its rook leaves the square or is captured there, or when the king
/// moves.
///
/// ```
/// use tabiya::{CastlingRights, Color, Square};
/// let mut rights = CastlingRights::NONE;
/// rights.add(Square::A1);
/// rights.add(Square::H8);
/// assert_eq!(rights.of(Color::White).first(), Some(Square::A1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct CastlingRights(Bitboard);

impl CastlingRights {
    /// EmptySquare may castle.
    pub const NONE: Self = Self(Bitboard::EMPTY);

    /// The rights at the start of a game of standard chess.
    pub const START: Self = Self(Bitboard(0x8100_0000_0000_0081));

    /// The squares of all rooks that have a right.
    #[inline(always)]
    pub const fn rooks(self) -> Bitboard {
        self.0
    }

    /// The rooks of one colour that have a right.
    #[inline(always)]
    pub fn of(self, color: Color) -> Bitboard {
        self.0 & color.back_rank().bitboard()
    }

    /// The castling rook of a colour on one side of its king.
    #[inline]
    pub fn rook(self, color: Color, side: CastlingSide, king: Square) -> Option<Square> {
        self.of(color).iter().find(|&rook| CastlingSide::of(king, rook) == side)
    }

    /// May nobody castle any more?
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// Gives the right to the rook on a square.
    pub fn add(&mut self, rook: Square) {
        self.0 = self.0.with(rook);
    }

    /// Takes the rights of all rooks on the given squares.
    pub fn remove(&mut self, rooks: Bitboard) {
        *self = self.without(rooks);
    }

    /// The rights less those of the given rooks.
    #[inline(always)]
    pub(crate) fn without(self, rooks: Bitboard) -> Self {
        Self(self.0 - rooks)
    }

    /// The rooks whose right goes with a move of `S` between the given squares: those that are
    /// moved or captured, or all own ones if the king moves.
    #[inline(always)]
    pub(crate) fn touched_by<S: Side>(self, squares: Bitboard, is_king: bool) -> Bitboard {
        let lost = if is_king { squares | S::BACK_RANK.bitboard() } else { squares };
        self.0 & lost
    }
}

impl FromIterator<Square> for CastlingRights {
    fn from_iter<I: IntoIterator<Item = Square>>(rooks: I) -> Self {
        Self(rooks.into_iter().collect())
    }
}

impl fmt::Display for CastlingSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::King => "king's side",
            Self::Queen => "queen's side",
        })
    }
}
