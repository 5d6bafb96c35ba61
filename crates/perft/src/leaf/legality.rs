//! What the mover must respect: checks and pins, found by look-ups.

use tabiya::attacks;

use super::machine::Machine;
use crate::node::Node;
use crate::node::sets::{NOT_A, NOT_H, RANK_6, between, each, index, line, square, up_attacks};
use crate::node::tables::{KING, KNIGHT, NEAR, PAWN_DOWN};

/// What the mover must respect, apart from the squares that the replier attacks.
pub(super) struct Legality {
    /// Where pieces other than the king may go.
    pub targets: u64,
    pub pinned: u64,
    pub in_check: bool,
    pub double_check: bool,
}

impl Legality {
    #[inline(always)]
    pub(super) fn of(node: &Node, own: u64, occupied: u64) -> Self {
        let (mover, replier) = (&node.mover, &node.replier);
        let king = mover.king;
        let k = index(king);
        let mut pinned = 0;
        let mut checkers = KNIGHT[k] & replier.knights | PAWN_DOWN[k] & replier.pawns;
        let mut block = 0;
        let aligned = replier.orthogonal & attacks::rook_rays(square(king)).0
            | replier.diagonal & attacks::bishop_rays(square(king)).0;
        for from in each(aligned) {
            let path = between(king, from);
            let shields = path & occupied;
            if shields == 0 {
                checkers |= from;
                block |= path;
            } else if shields & shields.wrapping_sub(1) == 0 {
                pinned |= shields & own;
            }
        }
        let in_check = checkers != 0;
        let double_check = checkers & checkers.wrapping_sub(1) != 0;
        let targets = if in_check { block | checkers } else { !own };
        Self { targets, pinned, in_check, double_check }
    }

    /// Where the mover's pawns may go: by single and double pushes, by captures to the west and to the
    /// east.
    #[inline(always)]
    pub(super) fn pawn_targets(&self, node: &Node, occupied: u64) -> [u64; 4] {
        let (empty, enemy) = (!occupied, node.replier.all());
        let mut sets = [0; 4];
        let mut free = node.mover.pawns & !self.pinned;
        let mut leash = self.targets;
        let mut tied = node.mover.pawns & self.pinned;
        loop {
            let single = free >> 8 & empty;
            sets[0] |= single & leash;
            sets[1] |= (single & RANK_6) >> 8 & empty & leash;
            sets[2] |= free >> 9 & NOT_H & enemy & leash;
            sets[3] |= free >> 7 & NOT_A & enemy & leash;
            if tied == 0 {
                return sets;
            }
            // Pinned pawns follow one by one, each on its leash.
            free = tied & tied.wrapping_neg();
            tied ^= free;
            leash = self.targets & self.leash(node.mover.king, free);
        }
    }

    /// Where a piece may go without leaving the line on which it is pinned.
    #[inline(always)]
    pub(super) fn leash(&self, king: u64, from: u64) -> u64 {
        if self.pinned & from == 0 { !0 } else { line(king, from) }
    }
}

/// The squares that the replier attacks, through the mover's king: those next to the king, and all
/// if the mover may castle. Others may be missing.
#[inline(always)]
pub(super) fn danger(machine: impl Machine, node: &Node, occupied: u64) -> u64 {
    let (mover, replier) = (&node.mover, &node.replier);
    let near = if node.castling >> 56 == 0 { &NEAR[index(mover.king)] } else { &[!0; 4] };
    let mut danger = up_attacks(replier.pawns) | KING[index(replier.king)];
    // There is no escape behind the king.
    let occupied = occupied ^ mover.king;
    for from in each(replier.orthogonal & near[0]) {
        danger |= machine.rook(from, occupied);
    }
    for from in each(replier.diagonal & near[1]) {
        danger |= machine.bishop(from, occupied);
    }
    for from in each(replier.knights & near[2]) {
        danger |= KNIGHT[index(from)];
    }
    danger
}

/// The number of captures en passant that reply to the mover's double pushes to the squares of a
/// set.
///
/// Only sliders can forbid one: it ends a check of the pushed pawn, and a push gives no other check
/// but a slider's. So it's enough to look from the king past the squares that both pawns have left.
#[inline(always)]
pub(super) fn passing_replies(
    machine: impl Machine,
    replier_pawns: u64,
    replier_king: u64,
    [diagonal, orthogonal]: [u64; 2],
    occupied: u64,
    pushes: u64,
) -> u64 {
    let mut replies = 0;
    for to in each(pushes) {
        let after = occupied ^ (to << 16 | to << 8);
        for from in each(PAWN_DOWN[index(to << 8)] & replier_pawns) {
            let seen = machine.rook(replier_king, after ^ from) & orthogonal
                | machine.bishop(replier_king, after ^ from) & diagonal;
            replies += u64::from(seen == 0);
        }
    }
    replies
}
