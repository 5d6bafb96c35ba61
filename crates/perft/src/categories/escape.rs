//! Which moves might leave the opponent without a move? Hardly ever any.
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

use tabiya::{Bitboard, Position, Role, Square, attacks};

/// What is known about the opponent's moves after ours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Escape {
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
        let free = board.color(them) - attacks::rook_rays(king) - attacks::bishop_rays(king);
        let ahead = (free & board.role(Role::Pawn)).shift(them.forward()) & empty;
        match ahead.len() {
            0 | 1 => Self::of_few(position, free, ahead),
            pawns => Self { doubtful: Bitboard::EMPTY, special_doubtful: pawns == 2 },
        }
    }

    /// The same where at most one pawn may advance, to `ahead`: pieces count, too.
    fn of_few(position: &Position, free: Bitboard, ahead: Bitboard) -> Self {
        let board = position.board();
        let them = !position.turn();
        let mut doubtful = Bitboard::FULL;
        let mut witnesses = 0;
        if ahead.any() {
            doubtful = ahead | ahead.shift(-them.forward());
            witnesses += 1;
        }
        for from in free - board.role(Role::Pawn) - board.role(Role::King) {
            if (board.attacks_from(from) - board.color(them)).any() {
                doubtful &= from.bitboard();
                witnesses += 1;
                if witnesses == 3 {
                    break;
                }
            }
        }
        Self { doubtful, special_doubtful: witnesses < 3 }
    }
}
