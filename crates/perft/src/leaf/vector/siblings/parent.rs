//! The node in every lane, and the positions after the moves from it.

use super::moves::{EightMoves, Siblings};
use crate::leaf::vector::lanes::Lanes;
use crate::leaf::vector::pieces::{Changes, Child, Pieces, Squares};

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

    /// The positions after the moves from lane `at` on.
    #[inline(always)]
    pub(super) fn child(&self, moves: &EightMoves, at: usize) -> Child<L> {
        let squares = Squares { from: L::squares(&moves.from, at), to: L::squares(&moves.to, at) };
        let child = Child::after(&self.mover, &self.replier, self.castling, squares);
        changed(child, moves, at)
    }
}

/// The positions with the other changes of promotions and castlings, from lane `at` on.
#[inline(always)]
pub(super) fn changed<L: Lanes>(child: Child<L>, moves: &EightMoves, at: usize) -> Child<L> {
    if !moves.changed {
        return child;
    }
    child.changed(Changes {
        knights: L::squares(&moves.changes[EightMoves::KNIGHT], at),
        diagonal: L::squares(&moves.changes[EightMoves::DIAGONAL], at),
        orthogonal: L::squares(&moves.changes[EightMoves::ORTHOGONAL], at),
        rook_leaves: L::squares(&moves.changes[EightMoves::ROOK_LEAVES], at),
    })
}
