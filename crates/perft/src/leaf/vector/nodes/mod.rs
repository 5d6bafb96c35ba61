//! The kernel for nodes two plies above leaves, several at a time.
//!
//! It sums up the replies to most moves without making them, and hands out the other moves. The
//! idea, with boards and proofs, is in `ALGORITHM.md`. In short:
//!
//! - [`board`]: the positions, a lane to each; what sliders reach, what is attacked, what is legal;
//! - [`king`]: which moves are *sharp*, because the replier's king is concerned;
//! - [`mobility`]: how many replies a null move has, and how that changes when a square is left or
//!   entered;
//! - [`moves`]: the moves, quiet or sharp;
//! - here: the sum over all quiet moves.
//!
//! In an optimised build all of this is one function. Without optimisation every vector would have
//! a place of its own on the stack, more than a thread has; so in a debug build the larger parts
//! are functions.

mod board;
mod king;
mod mobility;
mod moves;
#[cfg(test)]
mod oracle;

use super::lanes::Lanes;
use super::rows::Rows;
use board::{Attacked, Boards, NodeLegality, Rays};
use king::KingFacts;
use mobility::Mobility;
use moves::Moves;

pub(super) use moves::{DOUBLE, EAST, KINDS, KING, KNIGHT, KNIGHT_OFFSETS, SINGLE, WEST};

/// What the kernel finds out about eight nodes.
#[derive(Clone, Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct EightNodes {
    /// The replies to all quiet moves, modulo 2^64.
    pub leaves: [u64; 8],
    /// Where sharp moves end, by kind and lane. Only what is present is up to date.
    pub sets: [[u64; 8]; KINDS],
    /// The lanes in which a kind of sharp move is present.
    pub present: [u8; KINDS],
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
    /// The lanes with anything except quiet moves and these sharp moves, or with replies to them
    /// that the kernel for children does not count.
    pub special: u8,
}

impl EightNodes {
    /// The lanes in which eight kinds are present, a byte to a kind.
    #[inline(always)]
    pub(super) fn present(&self, group: usize) -> u64 {
        let p = &self.present[8 * (group % 3)..][..8];
        u64::from_le_bytes([p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]])
    }
}

/// Counts eight nodes, in the rows from `first` on.
#[inline(always)]
pub(super) fn count_eight<L: Lanes>(rows: &Rows, first: usize, out: &mut EightNodes) {
    out.present = [0; KINDS];
    let b = Boards::<L>::load(rows, first);
    let rays = Rays::of(&b);
    let attacked = Attacked::of(&b, &rays);
    let legal = NodeLegality::of(&b, &rays);
    let king = KingFacts::of(&b, &rays, &attacked);
    let mobility = Mobility::of(&b, &rays, &king);
    let moves = Moves { b: &b, rays: &rays, legal: &legal, king: &king, mobility: &mobility };
    let quiet = moves.all(out);

    debug_assert!(!(attacked.once & b.replier.king).any(), "the replier is not in check");
    // The sum over all squares of visits times effect, the highest digits first.
    let n = &quiet.visits.0;
    let e = &mobility.effect;
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
    let sum = sum.plus(moves).plus(quiet.extra);
    let (mut null, mut count) = ([0; 8], [0; 8]);
    mobility.null.put(&mut null);
    moves.put(&mut count);
    sum.put(&mut out.leaves);
    b.occupied.put(&mut out.occupied);
    legal.danger.put(&mut out.danger);
    let castling = legal.castling(&b);
    out.castling = castling.occupied();
    let special = castling | quiet.special | b.en_passant | b.unorthodox;
    out.special = special.occupied();
    let mut lane = 0;
    while lane < 8 {
        let null = null[lane] + rows.unorthodox_castlings(first + lane);
        out.leaves[lane] = out.leaves[lane].wrapping_add(null.wrapping_mul(count[lane]));
        lane += 1;
    }
}
