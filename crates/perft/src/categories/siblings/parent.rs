//! The node in every lane, and the positions after the moves from it.

use super::moves::{EightMoves, Siblings};
use crate::lanes::Lanes;
use crate::lanes::pieces::{Changes, Child, Pieces, Squares};

/// A node in every lane.
pub(super) struct Parent<L> {
    mover: Pieces<L>,
    replier: Pieces<L>,
    castling: L,
    /// The lines through the mover's king, by axis.
    pub(super) lines: [L; 4],
    /// The square of the replier's king.
    pub(super) king: u8,
}

impl<L: Lanes> Parent<L> {
    #[inline(always)]
    pub(super) fn of(siblings: &Siblings) -> Self {
        let (node, lines) = (&siblings.node, &siblings.lines);
        Self {
            mover: Pieces::splat(&node.mover),
            replier: Pieces::splat(&node.replier),
            castling: L::splat(node.castling & 0xff),
            lines: [L::splat(lines[0]), L::splat(lines[1]), L::splat(lines[2]), L::splat(lines[3])],
            king: node.replier.king.trailing_zeros() as u8,
        }
    }

    /// The positions after the moves.
    #[inline(always)]
    pub(super) fn child(&self, moves: &EightMoves) -> Child<L> {
        let squares = Squares { from: L::squares(&moves.from), to: L::squares(&moves.to) };
        let child = Child::after(&self.mover, &self.replier, self.castling, squares);
        changed(child, moves)
    }
}

/// The positions with the other changes of promotions and castlings.
#[inline(always)]
pub(super) fn changed<L: Lanes>(child: Child<L>, moves: &EightMoves) -> Child<L> {
    if !moves.changed {
        return child;
    }
    child.changed(Changes {
        knights: L::squares(&moves.changes[EightMoves::KNIGHT]),
        diagonal: L::squares(&moves.changes[EightMoves::DIAGONAL]),
        orthogonal: L::squares(&moves.changes[EightMoves::ORTHOGONAL]),
        rook_leaves: L::squares(&moves.changes[EightMoves::ROOK_LEAVES]),
    })
}
