//! What the mover must respect: checks and pins, found by look-ups.

use tabiya::attacks;

use super::machine::Machine;
use super::node::Node;
use super::sets::{between, each, index, line, square, up_attacks};
use super::tables::{KING, KNIGHT, NEAR, PAWN_DOWN};

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
    let near = if node.castling >> 56 == 0 { &NEAR[index(mover.king)] } else { &[!0; 3] };
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

/// Does a slider of the mover see the replier's king if these squares are occupied?
#[inline(always)]
pub(super) fn replier_is_seen(machine: impl Machine, node: &Node, occupied: u64) -> bool {
    let (mover, king) = (&node.mover, node.replier.king);
    machine.rook(king, occupied) & mover.orthogonal
        | machine.bishop(king, occupied) & mover.diagonal
        != 0
}
