//! The kernel for nodes two plies above leaves, several at a time.
//!
//! It sums up the replies to most moves without making them, and hands out the other moves. The
//! idea, with boards and proofs, is in `ALGORITHM.md`. In short:
//!
//! - [`board`](super::board): the positions, a lane to each; what sliders reach, what is attacked,
//!   what is legal;
//! - [`king_view`](super::king_view): which moves are *sharp*, because the replier's king is
//!   concerned;
//! - [`need_take`](super::need_take): how many replies a null move has, and how that changes when a
//!   square is left or entered;
//! - [`moves`](super::moves): the moves, quiet or sharp;
//! - here: the sum over all quiet moves.
//!
//! In an optimised build all of this is one function. Without optimisation every vector would have
//! a place of its own on the stack, more than a thread has; so in a debug build the larger parts
//! are functions.

use super::board::{Attacked, Board, NodeLegality, Rays};
use super::king_view::KingView;
use super::moves::Moves;
use super::need_take::NeedTake;
use super::rows::Rows;
use crate::lanes::kinds::{KINDS, MoveSets};
use crate::lanes::{Lanes, align_stack};

/// What the kernel finds out about eight nodes.
#[derive(Clone, Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct EightNodes {
    /// The replies to all quiet moves, modulo 2^64.
    pub leaves: [u64; 8],
    /// Where sharp moves end.
    pub sharp: MoveSets<KINDS>,
    /// The squares with a piece.
    pub occupied: [u64; 8],
    /// The squares that the replier attacks.
    pub danger: [u64; 8],
    /// Double pushes that may be answered en passant, if such a capture may expose the king.
    pub passing: [u64; 8],
    /// Where pawns are promoted, by pushes and by captures to the west and to the east.
    pub promotions: [[u64; 8]; 3],
    /// The lanes in which the mover may be able to castle.
    pub castling: u8,
    /// The lanes with children that are not made by moving one piece, or with replies that the
    /// kernel for children doesn't count.
    pub other: u8,
    /// These, and the lanes with `passing`.
    pub special: u8,
}

/// Counts eight nodes, in the rows from `first` on.
#[inline(always)]
pub(super) fn count_eight<L: Lanes>(rows: &Rows, first: usize, out: &mut EightNodes) {
    align_stack::<L>();
    out.sharp.clear();
    let b = Board::<L>::load(rows, first);
    let rays = Rays::of(&b);
    let attacked = Attacked::of(&b, &rays);
    let legal = NodeLegality::of(&b, &rays);
    let king = KingView::of(&b, &rays, &attacked);
    let replies = NeedTake::of(&b, &rays, &king);
    let moves = Moves { b: &b, rays: &rays, legal: &legal, king: &king, replies: &replies };
    let quiet = moves.all(out);

    debug_assert!(!(attacked.once & b.replier.king).any(), "the replier is not in check");
    // The sum over all squares of visits times effect, the highest digits first.
    let n = &quiet.visits.0;
    let e = &replies.effect;
    let mut sum = L::splat(0);
    let mut moves = L::splat(0);
    let mut i = 5;
    while i > 0 {
        i -= 1;
        sum = sum.shl(1);
        moves = moves.shl(1);
        if i < 3 || n[i].any() {
            let mut j = 0;
            while j < 6 {
                let part = (n[i] & e[j]).size().shl(j as u32);
                sum = if j < 5 { sum.plus(part) } else { sum.minus(part) };
                j += 1;
            }
            moves = moves.plus(n[i].without(b.own).size());
        }
    }
    // A negative is the complement and one more, for each square that is entered.
    let each = replies.null.plus(L::splat(1));
    sum.plus(each.times(moves)).plus(quiet.extra).put(&mut out.leaves);
    b.occupied.put(&mut out.occupied);
    legal.danger.put(&mut out.danger);
    let castling = legal.castling(&b);
    out.castling = castling.occupied();
    let other = castling | quiet.promotions | b.en_passant | b.unorthodox;
    out.other = other.occupied();
    out.special = (other | quiet.passing).occupied();
}
