//! Which moves might leave the opponent without a move? Hardly ever any.
//!
//! A move need not be made to see that it neither mates nor stalemates: one answer is enough. The
//! opponent's king flees, or one of his men that is not pinned takes the only man that checks;
//! [`Escape::is_sure`] looks for these and leaves the rest to those who make the move.
//!
//! To find stalemates without making every move, look for opponents who will surely be able to
//! move whatever we do, the *witnesses*. A man that stands on no line with its king is never
//! pinned, so if it can move now, and we give no check, it can move after our move as well,
//! unless
//!
//! * we capture it, or
//! * it is a pawn and we step in front of it.
//!
//! An ordinary move ends on one square, so it stops at most one of two witnesses that do not
//! share their squares. Castling and en passant fill or clear two squares, and stop at most two
//! of three. In the middlegame two or three such pawns are found with a handful of instructions.

use tabiya::attacks::Sliders;
use tabiya::{Bitboard, Position, Role, Square, attacks};

/// What is known about the opponent's moves after ours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Escape {
    /// The opponent's king.
    king: Square,
    /// The opponent's men that stand on no line with their king, which is not among them.
    free: Bitboard,
    /// The targets of ordinary moves after which the opponent might have no move.
    pub(super) doubtful: Bitboard,
    /// May castling or a capture en passant leave the opponent without a move?
    pub(super) special_doubtful: bool,
}

impl Escape {
    /// The witnesses of the side that is not to move, whose king stands on a square.
    #[inline(always)]
    pub(super) fn of(position: &Position, king: Square) -> Self {
        let board = position.board();
        let them = !position.turn();
        let empty = !board.occupied();
        let lines = attacks::rook_rays(king) | attacks::bishop_rays(king);
        let free = board.color(them) - lines - king.bitboard();
        let ahead = (free & board.role(Role::Pawn)).shift(them.forward()) & empty;
        match ahead.len() {
            0 | 1 => Self::of_few(position, king, free, ahead),
            pawns => {
                let special_doubtful = pawns == 2;
                Self { king, free, doubtful: Bitboard::EMPTY, special_doubtful }
            }
        }
    }

    /// The same where at most one pawn may advance, to `ahead`: pieces count, too.
    fn of_few(position: &Position, king: Square, free: Bitboard, ahead: Bitboard) -> Self {
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

    /// Can the opponent surely answer an ordinary move, from one square to another by a man that
    /// is a `role` afterwards, and perhaps the only one to check? Who is not sure to answer may
    /// still be able to.
    #[inline(always)]
    pub(super) fn is_sure<L: Sliders>(
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
        // Sliders see through a king that steps back.
        let lifted = occupied.without(self.king);
        let covered = attacks::piece(sliders, role.of(us), to, lifted);
        let near = attacks::king(self.king) - covered - board.color(!us).without(to);
        let flees = |step| !board.attackers_with(sliders, step, lifted).meets(ours);
        near.iter().any(flees)
            || checks_alone && board.attackers_with(sliders, to, occupied).meets(self.free)
    }
}
