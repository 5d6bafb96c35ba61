//! What the mover must respect.

use tabiya::attacks;

use super::{Cpu, Scalar};
use crate::leaf::sets::{between, each, index, line, square};
use crate::leaf::tables::{KNIGHT, PAWN_DOWN};

/// What the mover must respect, besides the squares that the replier attacks.
pub(super) struct Legality {
    /// Where pieces other than the king may go.
    pub targets: u64,
    pub pinned: u64,
    pub in_check: bool,
    pub double_check: bool,
}

impl Legality {
    #[inline(always)]
    pub(super) fn of<C: Cpu>(s: &Scalar<'_, C>) -> Self {
        let (m, r) = (&s.node.mover, &s.node.replier);
        let king = m.king;
        let k = index(king);
        let mut pinned = 0;
        let mut checkers = KNIGHT[k] & r.knights | PAWN_DOWN[k] & r.pawns;
        let mut block = 0;
        let aligned = r.orthogonal & attacks::rook_rays(square(king)).0
            | r.diagonal & attacks::bishop_rays(square(king)).0;
        for from in each(aligned) {
            let path = between(king, from);
            let shields = path & s.occupied;
            if shields == 0 {
                checkers |= from;
                block |= path;
            } else if shields & shields.wrapping_sub(1) == 0 {
                pinned |= shields & s.own;
            }
        }
        let in_check = checkers != 0;
        let double_check = checkers & checkers.wrapping_sub(1) != 0;
        let targets = if in_check { block | checkers } else { !s.own };
        Self { targets, pinned, in_check, double_check }
    }

    /// Where a piece may go without leaving the line on which it is pinned.
    #[inline(always)]
    pub(super) fn leash(&self, king: u64, from: u64) -> u64 {
        if self.pinned & from == 0 { !0 } else { line(king, from) }
    }
}
