//! Which last move can have given a check? The possible last moves are taken back, one ply deep.
//!
//! The side to move cannot have been in check before the last move, because the other side could
//! have captured its king. So the last move gave the check. Each move that the other side can have
//! made is taken back, until one is found before which the king was not in check. Nothing is known
//! about older moves, so any piece may have been captured, and castling may have been allowed.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::CastlingSide;
use crate::color::Color;
use crate::movegen::safety::en_passant_victim;
use crate::role::{Piece, Role};
use crate::square::Square;

/// The pieces that already gave check before the double push across `square`.
pub(super) fn checkers_before_double_push(board: &Board, king: Square, square: Square) -> Bitboard {
    let pawn = en_passant_victim(square);
    let Some(pushed) = board.piece_on(pawn) else { return Bitboard::EMPTY };
    let mut before = *board;
    before.set(pawn, None);
    before.set(Square::new(square.file(), pushed.color.pawn_rank()), Some(pushed));
    before.attackers_of(pushed.color, king)
}

/// Can the opponent of `us` have made a move before which the king of `us` was not in check?
pub(super) fn exists(board: &Board, king: Square, us: Color) -> bool {
    let past = Past { board, king, us };
    past.castling() || board.color(!us).iter().any(|to| past.arrival(to))
}

struct Past<'a> {
    board: &'a Board,
    king: Square,
    us: Color,
}

impl Past<'_> {
    /// Is the king not in check on this board, the board before the last move?
    fn not_in_check(&self, before: &Board) -> bool {
        before.attackers_of(!self.us, self.king).is_empty()
    }

    /// Can the last move have ended on `to`?
    fn arrival(&self, to: Square) -> bool {
        let Some(piece) = self.board.piece_on(to) else { return false };
        let (color, occupied) = (piece.color, self.board.occupied());
        if piece.role == Role::Pawn {
            return self.pawn_move(to, piece) || self.en_passant(to, piece);
        }
        let sliders = attacks::DefaultSliders::default();
        let origins = attacks::piece(sliders, piece, to, occupied) - occupied;
        let promotes = to.rank() == (!color).back_rank() && piece.role != Role::King;
        origins.iter().any(|from| self.came_from(from, to, piece, &[true, false]))
            || promotes && self.pawn_move(to, piece)
    }

    /// Can a pawn have moved to `to`, where it is `piece` now? En passant is not included.
    fn pawn_move(&self, to: Square, piece: Piece) -> bool {
        let color = piece.color;
        let pawn = Role::Pawn.of(color);
        let empty = !self.board.occupied() - color.back_rank().bitboard();
        let captures = attacks::pawn(!color, to) & empty;
        if captures.iter().any(|from| self.came_from(from, to, pawn, &[true])) {
            return true;
        }
        let back = color.forward().opposite();
        let single = to.bitboard().shift(back) & empty;
        let double = single.shift(back) & empty & color.pawn_rank().bitboard();
        (single | double).iter().any(|from| self.came_from(from, to, pawn, &[false]))
    }

    /// Was the king not in check with `piece` on `from`, and with or without a captured piece on
    /// `to`, as given?
    fn came_from(&self, from: Square, to: Square, piece: Piece, captures: &[bool]) -> bool {
        captures.iter().any(|captures| {
            let mut before = *self.board;
            // The role of the captured piece does not matter: it only blocks lines.
            before.set(to, captures.then_some(Role::Pawn.of(self.us)));
            before.set(from, Some(piece));
            self.not_in_check(&before)
        })
    }

    /// Can the pawn on `to` have captured en passant?
    fn en_passant(&self, to: Square, pawn: Piece) -> bool {
        let victim = en_passant_victim(to);
        let origin = Square::new(to.file(), self.us.pawn_rank());
        let occupied = self.board.occupied();
        if to.rank() != self.us.double_push_rank() || occupied.has(victim) || occupied.has(origin) {
            return false;
        }
        (attacks::pawn(self.us, to) - occupied).iter().any(|from| {
            let mut before = *self.board;
            before.set(to, None);
            before.set(from, Some(pawn));
            before.set(victim, Some(Role::Pawn.of(self.us)));
            self.not_in_check(&before)
        })
    }

    /// Can the last move have been castling?
    fn castling(&self) -> bool {
        let them = !self.us;
        CastlingSide::ALL.into_iter().any(|side| {
            let (king, rook) = (side.king_target(them), side.rook_target(them));
            if self.board.piece_on(king) != Some(Role::King.of(them))
                || self.board.piece_on(rook) != Some(Role::Rook.of(them))
            {
                return false;
            }
            let mut without = *self.board;
            without.set(king, None);
            without.set(rook, None);
            let places = them.back_rank().bitboard() - without.occupied();
            places.iter().any(|king| {
                places.without(king).iter().any(|rook| {
                    let clear = side.clear_squares(them, king, rook);
                    if CastlingSide::of(king, rook) != side || clear.meets(without.occupied()) {
                        return false;
                    }
                    let mut before = without;
                    before.set(king, Some(Role::King.of(them)));
                    before.set(rook, Some(Role::Rook.of(them)));
                    self.not_in_check(&before)
                })
            })
        })
    }
}
