//! Attacks on an empty board, and zones around a king: the squares from which a piece could attack
//! the king or a neighbouring square on an empty board. Pieces outside the zone need not be
//! examined when the king moves.

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
#[doc(alias("get_rook_rays", "empty board attacks"))]
#[inline(always)]
pub const fn rook_rays(square: Square) -> Bitboard {
    ROOK_RAYS[square as usize]
}

/// The squares that a bishop attacks on an empty board.
#[doc(alias = "get_bishop_rays")]
#[inline(always)]
pub const fn bishop_rays(square: Square) -> Bitboard {
    BISHOP_RAYS[square as usize]
}

/// The union of a table's entries for a king's square and its neighbours.
macro_rules! zone {
    (|$neighbour:ident| $attackers:expr) => {
        per_square!(|square| {
            let (mut zone, mut index) = (Bitboard::EMPTY, 0);
            let block = leapers::king_block(square);
            while index < 64 {
                let $neighbour = Square::ALL[index];
                if block.has($neighbour) {
                    zone = zone.union($attackers);
                }
                index += 1;
            }
            zone
        })
    };
}

pub(crate) static ROOK_ZONES: [Bitboard; 64] = zone!(|neighbour| rays(neighbour, 0));
pub(crate) static BISHOP_ZONES: [Bitboard; 64] = zone!(|neighbour| rays(neighbour, 1));
pub(crate) static KNIGHT_ZONES: [Bitboard; 64] =
    zone!(|neighbour| leapers::knights(neighbour.bitboard()));
