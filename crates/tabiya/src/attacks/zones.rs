//! Zones around a king: the squares from which a man could attack him or a square beside him if
//! the board were empty. Men outside the zone need not be asked when the king looks for safety.

use super::leapers::{self, per_square};
use super::lines::RAYS;
use crate::bitboard::Bitboard;
use crate::square::Square;

const fn rays(square: Square, first: usize) -> Bitboard {
    let at = square as usize;
    RAYS[first][at].union(RAYS[first + 2][at]).union(RAYS[first + 4][at]).union(RAYS[first + 6][at])
}

static ROOK_RAYS: [Bitboard; 64] = per_square!(|square| rays(square, 0));
static BISHOP_RAYS: [Bitboard; 64] = per_square!(|square| rays(square, 1));

/// The squares that a rook attacks on an empty board.
#[inline(always)]
pub fn rook_rays(square: Square) -> Bitboard {
    ROOK_RAYS[square as usize]
}

/// The squares that a bishop attacks on an empty board.
#[inline(always)]
pub fn bishop_rays(square: Square) -> Bitboard {
    BISHOP_RAYS[square as usize]
}

/// The union of a table's entries for a king's square and those beside it.
macro_rules! zone {
    (|$beside:ident| $reach:expr) => {
        per_square!(|square| {
            let (mut zone, mut index) = (Bitboard::EMPTY, 0);
            let near = leapers::king_block(square);
            while index < 64 {
                let $beside = Square::ALL[index];
                if near.has($beside) {
                    zone = zone.union($reach);
                }
                index += 1;
            }
            zone
        })
    };
}

pub(crate) static ROOK_ZONES: [Bitboard; 64] = zone!(|beside| rays(beside, 0));
pub(crate) static BISHOP_ZONES: [Bitboard; 64] = zone!(|beside| rays(beside, 1));
pub(crate) static KNIGHT_ZONES: [Bitboard; 64] =
    zone!(|beside| leapers::knights(beside.bitboard()));
