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

/// The pieces that would attack the king of `us` if it stepped from `king` to `to`. A piece that it
/// captures there is not among them.
#[inline]
pub(crate) fn king_attackers(board: &Board, us: Color, king: Square, to: Square) -> Bitboard {
    let occupied_without_king = board.occupied().without(king);
    board.attackers_with(DefaultSliders::default(), to, occupied_without_king) & board.color(!us)
}

/// Is the king of `S` safe after a piece of a role has gone from one square to another, capturing
/// any piece there? For one move this is less work than finding all pins.
///
/// It does not call [`Board::attackers_with`], which looks for pawns of both colours and makes
/// reading games slower.
#[inline(always)]
pub(crate) fn is_safe_after<S: Side>(
    board: &Board,
    role: Role,
    from: Bitboard,
    to: Square,
) -> bool {
    let king = board.pieces(S::COLOR, Role::King).first_unchecked();
    let king = if role == Role::King { to } else { king };
    let occupied = (board.occupied() ^ from) | to.bitboard();
    let queens = board.role(Role::Queen);
    let attackers = (attacks::king(king) & board.role(Role::King))
        | (attacks::knight(king) & board.role(Role::Knight))
        | (attacks::pawn(S::COLOR, king) & board.role(Role::Pawn))
        | (attacks::Hyperbola.rook(king, occupied) & (board.role(Role::Rook) | queens))
        | (attacks::Hyperbola.bishop(king, occupied) & (board.role(Role::Bishop) | queens));
    (attackers & (board.color(S::Them::COLOR) - to.bitboard())).is_empty()
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
    let occupied = (board.occupied() ^ from.bitboard() ^ victim) | to.bitboard();
    let attackers = board.attackers_with(DefaultSliders::default(), king, occupied);
    attackers & (board.color(!us) - victim)
}

/// The square of the pawn that an en-passant capture on `to` removes: on the same file, one rank
/// nearer to the middle of the board.
#[inline(always)]
pub(crate) const fn en_passant_victim(to: Square) -> Square {
    Square::from_low_bits(to as u8 ^ 8)
}
