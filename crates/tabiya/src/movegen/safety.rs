//! The safety of a king: rules that need only a board. Positions, setups, the generator and the
//! readers of moves all use them.

use crate::attacks::{self, DefaultSliders, Sliders};
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::color::{Color, Side};
use crate::role::Role;
use crate::square::Square;

/// The squares that the opponent of `S` attacks with the king removed.
///
/// Attacks outside `region` may be missing. If the region is next to the king, only the pieces that
/// could attack a square there are examined.
#[inline(always)]
pub(crate) fn danger<S: Side, L: Sliders>(
    board: &Board,
    sliders: L,
    king: Square,
    region: Bitboard,
) -> Bitboard {
    let them = S::Them::COLOR;
    let occupied_without_king = board.occupied().without(king);
    let mut attacked = attacks::pawns(them, board.pieces(them, Role::Pawn))
        | attacks::king(board.pieces(them, Role::King).first_unchecked());
    let adjacent = region.is_subset(attacks::king(king));
    let could_attack =
        |zone: &[Bitboard; 64]| if adjacent { zone[king as usize] } else { Bitboard::FULL };
    for from in board.pieces(them, Role::Knight) & could_attack(&attacks::KNIGHT_ZONES) {
        attacked |= attacks::knight(from);
    }
    for from in board.orthogonal_sliders(them) & could_attack(&attacks::ROOK_ZONES) {
        attacked |= sliders.rook(from, occupied_without_king);
    }
    for from in board.diagonal_sliders(them) & could_attack(&attacks::BISHOP_ZONES) {
        attacked |= sliders.bishop(from, occupied_without_king);
    }
    attacked
}

/// The pieces that attack the king of `us`, on `king`, after a move to `to` that clears the squares
/// `from`: the origin, and that of a pawn captured en passant, which may be among them. For one move
/// this is less work than finding all pins.
#[inline(always)]
pub(crate) fn king_attackers_after<L: Sliders>(
    sliders: L,
    board: &Board,
    (us, king): (Color, Square),
    from: Bitboard,
    to: Square,
) -> Bitboard {
    let occupied = (board.occupied() ^ from) | to.bitboard();
    board.attackers_with(sliders, !us, king, occupied) - to.bitboard()
}

/// Does `us` have a legal en-passant capture on the square?
pub(crate) fn can_capture_en_passant(board: &Board, us: Color, to: Square) -> bool {
    let able = attacks::pawn(!us, to) & board.pieces(us, Role::Pawn);
    able.iter().any(|from| en_passant_is_legal(board, us, from, to))
}

/// May the pawn of `us` on `from` capture en passant on `to`?
#[inline]
pub(crate) fn en_passant_is_legal(board: &Board, us: Color, from: Square, to: Square) -> bool {
    en_passant_attackers(board, us, from, to).is_empty()
}

/// The pieces that attack the king of `us` after its pawn on `from` has captured en passant on
/// `to`.
///
/// It is the only capture that removes two pieces from a line of the king at once. It is rare, so
/// it is tried out: with the pawn moved and the victim removed, which pieces attack the king?
#[inline]
pub(crate) fn en_passant_attackers(board: &Board, us: Color, from: Square, to: Square) -> Bitboard {
    let king = board.pieces(us, Role::King).first_unchecked();
    let victim = en_passant_victim(to).bitboard();
    let from = from.bitboard() | victim;
    king_attackers_after(DefaultSliders::default(), board, (us, king), from, to) - victim
}

/// The square of the pawn that an en-passant capture on `to` removes: on the same file, one rank
/// nearer to the middle of the board.
#[inline(always)]
pub(crate) const fn en_passant_victim(to: Square) -> Square {
    Square::from_low_bits(to as u8 ^ 8)
}
