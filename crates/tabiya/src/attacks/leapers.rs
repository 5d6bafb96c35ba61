//! Attacks of the pieces that do not slide, kings, knights and pawns: look-ups in tables that are
//! made by shifting one square.

use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::direction::Direction::{East, North, South, West};
use crate::square::Square;

/// Builds a table with one entry for each square.
macro_rules! per_square {
    (|$square:ident| $entry:expr) => {{
        let mut table = [Bitboard::EMPTY; 64];
        let mut index = 0;
        while index < 64 {
            let $square = Square::ALL[index];
            table[index] = $entry;
            index += 1;
        }
        table
    }};
}
pub(super) use per_square;

static KING: [Bitboard; 64] =
    per_square!(|square| Bitboard(king_block(square).0 & !square.bitboard().0));

static KNIGHT: [Bitboard; 64] = per_square!(|square| knights(square.bitboard()));

static PAWN: [[Bitboard; 64]; 2] = [
    per_square!(|square| pawns(Color::White, square.bitboard())),
    per_square!(|square| pawns(Color::Black, square.bitboard())),
];

/// A square and its neighbours.
pub(super) const fn king_block(square: Square) -> Bitboard {
    let king = square.bitboard();
    let row = king.union(king.shift(East)).union(king.shift(West));
    row.union(row.shift(North)).union(row.shift(South))
}

/// The squares that a king attacks.
///
/// ```
/// use tabiya::{attacks, Square};
/// assert_eq!(attacks::king(Square::A1).len(), 3);
/// ```
#[doc(alias("king_attacks", "get_king_moves"))]
#[inline(always)]
pub const fn king(square: Square) -> Bitboard {
    KING[square as usize]
}

/// The squares that a knight attacks.
///
/// ```
/// use tabiya::{attacks, Square};
/// let b1 = attacks::knight(Square::B1);
/// assert!(b1.iter().eq([Square::D2, Square::A3, Square::C3]));
/// ```
#[doc(alias("knight_attacks", "get_knight_moves"))]
#[inline(always)]
pub const fn knight(square: Square) -> Bitboard {
    KNIGHT[square as usize]
}

/// The squares that a pawn of the given colour attacks. They are also the squares from which a
/// pawn of the *other* colour attacks this one.
#[doc(alias("pawn_attacks", "get_pawn_attacks"))]
#[inline(always)]
pub const fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color as usize][square as usize]
}

/// The squares that a whole set of pawns attacks.
#[inline(always)]
pub const fn pawns(color: Color, pawns: Bitboard) -> Bitboard {
    let row = pawns.shift(East).union(pawns.shift(West));
    row.shift(color.forward())
}

/// The squares that a whole set of knights attacks.
#[inline]
pub const fn knights(knights: Bitboard) -> Bitboard {
    let beside = knights.shift(East).union(knights.shift(West));
    let two_beside = knights.shift(East).shift(East).union(knights.shift(West).shift(West));
    let tall = beside.shift(North).shift(North).union(beside.shift(South).shift(South));
    tall.union(two_beside.shift(North)).union(two_beside.shift(South))
}
