//! Finds the few moves that may leave the opponent without a legal move.
//!
//! One reply is enough to show that a move neither mates nor stalemates, so the move need not be
//! made. The opponent's king has an escape square, or a piece that is not pinned captures the only
//! checker. [`Escape::has_certain_reply`] looks for such replies. If it finds none, the move has to
//! be made.
//!
//! *Witnesses* exclude stalemate for all moves of a position at once. They are opponent's pieces
//! that will be able to move after almost any of our moves. A piece that stands on no line with its
//! king is never pinned. If it can move now and we give no check, it can also move after our move,
//! unless
//!
//! * we capture it, or
//! * it is a pawn and we block it.
//!
//! An ordinary move ends on one square, so two witnesses that depend on different squares are
//! enough. Castling and en passant fill or clear two squares, so they need three. In the
//! middlegame, a few instructions find two or three pawns that are witnesses.

use tabiya::attacks::Sliders;
use tabiya::{Bitboard, Position, Role, Square, attacks};

/// Facts about the opponent's replies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Escape {
    /// The opponent's king.
    king: Square,
    /// The opponent's pieces that stand on no line with their king, without the king itself.
    free: Bitboard,
    /// The targets of ordinary moves that may leave the opponent without a move.
    pub(super) doubtful: Bitboard,
    /// May castling or a capture en passant leave the opponent without a move?
    pub(super) special_doubtful: bool,
}

impl Escape {
    /// Finds the witnesses among the pieces of the side that is not to move, whose king stands on
    /// `king`.
    #[inline(always)]
    pub(super) fn of(position: &Position, king: Square) -> Self {
        let board = position.board();
        let them = !position.turn();
        let empty = !board.occupied();
        let lines = attacks::rook_rays(king) | attacks::bishop_rays(king);
        let free = board.color(them) - lines - king.bitboard();
        let ahead = (free & board.role(Role::Pawn)).shift(them.forward()) & empty;
        match ahead.len() {
            0 | 1 => Self::with_few_pawns(position, king, free, ahead),
            pawns => {
                let special_doubtful = pawns == 2;
                Self { king, free, doubtful: Bitboard::EMPTY, special_doubtful }
            }
        }
    }

    /// Also takes pieces other than pawns as witnesses. At most one pawn of `free` can advance, to
    /// `ahead`.
    fn with_few_pawns(position: &Position, king: Square, free: Bitboard, ahead: Bitboard) -> Self {
        let board = position.board();
        let them = !position.turn();
        let mut doubtful = Bitboard::FULL;
        let mut witnesses = 0;
        if ahead.any() {
            doubtful = ahead | ahead.shift(-them.forward());
            witnesses += 1;
        }
        for from in free - board.role(Role::Pawn) {
            if (board.attacks_from(from) - board.color(them)).any() {
                doubtful &= from.bitboard();
                witnesses += 1;
                if witnesses == 3 {
                    break;
                }
            }
        }
        Self { king, free, doubtful, special_doubtful: witnesses < 3 }
    }

    /// Does the opponent certainly have a legal reply to this ordinary move? `role` is the role of
    /// the moved piece after the move, and `checks_alone` says that no other piece gives check. If
    /// the answer is no, there may still be a reply.
    #[inline(always)]
    pub(super) fn has_certain_reply<L: Sliders>(
        &self,
        position: &Position,
        sliders: L,
        (role, from, to): (Role, Square, Square),
        checks_alone: bool,
    ) -> bool {
        let board = position.board();
        let us = position.turn();
        let ours = board.color(us).without(from);
        let occupied = board.occupied().without(from).with(to);
        // Sliders attack through the square that the king leaves.
        let without_king = occupied.without(self.king);
        let attacked = attacks::piece(sliders, role.of(us), to, without_king);
        let steps = attacks::king(self.king) - attacked - board.color(!us).without(to);
        let escapes = |step| !board.attackers_with(sliders, us, step, without_king).meets(ours);
        steps.iter().any(escapes)
            || checks_alone && board.attackers_with(sliders, us, to, occupied).meets(self.free)
    }
}
