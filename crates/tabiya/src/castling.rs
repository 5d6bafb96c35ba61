//! Castling: the rooks that still have the right, the targets of king and rook, and the squares
//! that must be empty or safe.
//!
//! The rules are those of Chess960, of which standard chess is one case: the king lands on the
//! c-file or g-file and the rook next to it on the inner side, from wherever the two started.

use core::fmt;

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::color::{Color, Side};
use crate::square::{File, Square};

/// The side of the board on which a king castles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum CastlingSide {
    /// King side: towards the h-file, "short".
    King,
    /// Queen side: towards the a-file, "long".
    Queen,
}

impl CastlingSide {
    /// Both, the king side first.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// The side of its king on which a rook stands.
    #[inline]
    pub const fn of(king: Square, rook: Square) -> Self {
        if (rook as u8) > king as u8 { Self::King } else { Self::Queen }
    }

    /// The square on which the king lands.
    ///
    /// ```
    /// use tabiya::{CastlingSide, Color, Square};
    /// assert_eq!(CastlingSide::King.king_target(Color::White), Square::G1);
    /// assert_eq!(CastlingSide::Queen.rook_target(Color::Black), Square::D8);
    /// ```
    #[inline]
    pub const fn king_target(self, color: Color) -> Square {
        let file = match self {
            Self::King => File::G,
            Self::Queen => File::C,
        };
        Square::new(file, color.back_rank())
    }

    /// The square on which the rook lands.
    #[inline]
    pub const fn rook_target(self, color: Color) -> Square {
        let file = match self {
            Self::King => File::F,
            Self::Queen => File::D,
        };
        Square::new(file, color.back_rank())
    }

    /// The squares that the king crosses and its target. None of them may be attacked. The king's
    /// own square, which is not included, may not be attacked either.
    ///
    /// ```
    /// use tabiya::{CastlingSide, Color, Square};
    /// let path = CastlingSide::Queen.king_path(Color::White, Square::E1);
    /// assert!(path.iter().eq([Square::C1, Square::D1]));
    /// ```
    #[inline(always)]
    pub const fn king_path(self, color: Color, king: Square) -> Bitboard {
        let target = self.king_target(color);
        attacks::between(king, target).with(target)
    }

    /// The squares that must be empty for castling: those that king and rook cross and land on,
    /// without the squares of king and rook themselves.
    ///
    /// ```
    /// use tabiya::{CastlingSide, Color, Square};
    /// let clear = CastlingSide::Queen.clear_squares(Color::White, Square::E1, Square::A1);
    /// assert!(clear.iter().eq([Square::B1, Square::C1, Square::D1]));
    /// ```
    #[inline(always)]
    pub const fn clear_squares(self, color: Color, king: Square, rook: Square) -> Bitboard {
        let rook_target = self.rook_target(color);
        let rook_path = attacks::between(rook, rook_target).with(rook_target);
        self.king_path(color, king).union(rook_path).without(king).without(rook)
    }

    /// The file of the rook in standard chess.
    pub const fn standard_rook_file(self) -> File {
        match self {
            Self::King => File::H,
            Self::Queen => File::A,
        }
    }
}

/// The notation of castling, in moves and in FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum CastlingMode {
    /// The king moves to its target: `e1g1`; FEN letters `KQkq`.
    #[default]
    Standard,
    /// The king captures its own rook: `e1h1`; FEN letters `KQkq`, or the rook's file if the rook
    /// is not the outermost (X-FEN).
    Chess960,
}

/// The rooks that still have the right to castle, as the set of their squares.
///
/// A rook's square is enough: its rank gives the colour, and its place relative to the king gives
/// the side. A right is lost when its rook leaves the square or is captured there, or when
/// the king moves.
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
    /// No rights.
    pub const NONE: Self = Self(Bitboard::EMPTY);

    /// The rights at the start of a game of standard chess.
    pub const START: Self = Self(Bitboard(0x8100_0000_0000_0081));

    /// The rights of rooks on these squares.
    #[inline(always)]
    pub(crate) const fn of_rooks(rooks: Bitboard) -> Self {
        Self(rooks)
    }

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

    /// Are there no rights left?
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// Has the rook on a square a right?
    ///
    /// ```
    /// use tabiya::{CastlingRights, Square};
    /// assert!(CastlingRights::START.has(Square::H8));
    /// assert!(!CastlingRights::START.has(Square::E8));
    /// ```
    #[inline(always)]
    pub const fn has(self, rook: Square) -> bool {
        self.0.has(rook)
    }

    /// Adds the right of the rook on a square.
    pub fn add(&mut self, rook: Square) {
        self.0 = self.0.with(rook);
    }

    /// Removes the rights of all rooks on the given squares.
    pub fn remove(&mut self, rooks: Bitboard) {
        *self = self.without(rooks);
    }

    /// The rights without those of the given rooks.
    #[inline(always)]
    pub(crate) fn without(self, rooks: Bitboard) -> Self {
        Self(self.0 - rooks)
    }

    /// The rooks whose right is lost with a move of `S` between the given squares: those that are
    /// moved or captured, or all rooks of `S` if the king moves.
    #[inline(always)]
    pub(crate) fn lost_by<S: Side>(self, squares: Bitboard, is_king: bool) -> Bitboard {
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
            Self::King => "king side",
            Self::Queen => "queen side",
        })
    }
}
