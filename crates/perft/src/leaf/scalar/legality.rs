//! What the mover must respect.

use tabiya::attacks;

use super::{Scalar, reach};
use crate::leaf::sets::{between, each, index, knight_attacks, line, square, up_attacks};
use crate::leaf::tables::{KING, KNIGHT, PAWN_DOWN};

/// What the mover must respect.
pub(super) struct Legality {
    /// The squares that the replier attacks, through the king.
    pub danger: u64,
    /// Where pieces other than the king may go.
    pub targets: u64,
    pub pinned: u64,
    pub in_check: bool,
    pub double_check: bool,
}

impl Legality {
    pub(super) fn of(s: &Scalar<'_>) -> Self {
        let (m, r) = (&s.node.mover, &s.node.replier);
        let king = m.king;
        let k = index(king);
        let mut danger = knight_attacks(r.knights) | up_attacks(r.pawns) | KING[index(r.king)];
        let mut pinned = 0;
        let mut checkers = KNIGHT[k] & r.knights | PAWN_DOWN[k] & r.pawns;
        let mut block = 0;
        let orthogonal = attacks::rook_rays(square(king)).0;
        let diagonal = attacks::bishop_rays(square(king)).0;
        for from in each(r.orthogonal | r.diagonal) {
            // Through the king: there is no escape behind it.
            let (a, b) = reach(r, from, s.occupied ^ king);
            danger |= a | b;
            if orthogonal & r.orthogonal & from != 0 || diagonal & r.diagonal & from != 0 {
                let path = between(king, from);
                let shields = path & s.occupied;
                if shields == 0 {
                    checkers |= from;
                    block |= path;
                } else if shields & shields.wrapping_sub(1) == 0 {
                    pinned |= shields & s.own;
                }
            }
        }
        let in_check = checkers != 0;
        let double_check = checkers & checkers.wrapping_sub(1) != 0;
        let targets = if in_check { block | checkers } else { !s.own };
        Self { danger, targets, pinned, in_check, double_check }
    }

    /// Where a piece may go without leaving the line on which it is pinned.
    pub(super) fn leash(&self, king: u64, from: u64) -> u64 {
        if self.pinned & from == 0 { !0 } else { line(king, from) }
    }
}
