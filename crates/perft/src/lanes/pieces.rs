//! The pieces of one side in several positions, a position to a lane.

use super::Lanes;
use super::direction::Direction;
use crate::node::Side;

/// The pieces of one side. Queens are in both sets of sliders.
#[derive(Clone, Copy)]
pub(crate) struct Pieces<L> {
    pub pawns: L,
    pub knights: L,
    pub diagonal: L,
    pub orthogonal: L,
    pub king: L,
}

impl<L: Lanes> Pieces<L> {
    /// The same side in every lane.
    #[inline(always)]
    pub(crate) fn splat(side: &Side) -> Self {
        Self {
            pawns: L::splat(side.pawns),
            knights: L::splat(side.knights),
            diagonal: L::splat(side.diagonal),
            orthogonal: L::splat(side.orthogonal),
            king: L::splat(side.king),
        }
    }

    #[inline(always)]
    pub(crate) fn all(&self) -> L {
        self.pawns | self.knights | self.diagonal | self.orthogonal | self.king
    }

    /// Those that slide in a direction.
    #[inline(always)]
    pub(crate) fn sliders<const UP: bool>(&self, d: Direction<UP>) -> L {
        if d.orthogonal() { self.orthogonal } else { self.diagonal }
    }

    /// The others, after a capture on `square`. The king stays.
    #[inline(always)]
    fn without(&self, square: L) -> Self {
        Self {
            pawns: self.pawns.without(square),
            knights: self.knights.without(square),
            diagonal: self.diagonal.without(square),
            orthogonal: self.orthogonal.without(square),
            king: self.king,
        }
    }

    /// The same pieces after the move of one of them.
    #[inline(always)]
    fn moved(&self, from: L, to: L) -> Self {
        let both = from | to;
        Self {
            pawns: self.pawns ^ both.if_any(self.pawns & from),
            knights: self.knights ^ both.if_any(self.knights & from),
            diagonal: self.diagonal ^ both.if_any(self.diagonal & from),
            orthogonal: self.orthogonal ^ both.if_any(self.orthogonal & from),
            king: self.king ^ both.if_any(self.king & from),
        }
    }

    /// The same pieces, seen from the other side of the board.
    #[inline(always)]
    fn turned(&self) -> Self {
        Self {
            pawns: self.pawns.turned(),
            knights: self.knights.turned(),
            diagonal: self.diagonal.turned(),
            orthogonal: self.orthogonal.turned(),
            king: self.king.turned(),
        }
    }
}

/// A move in every lane: where a piece leaves and arrives. Where the squares are none, nothing
/// moves.
#[derive(Clone, Copy)]
pub(crate) struct Squares<L> {
    pub from: L,
    pub to: L,
}

/// The other changes of promotions and castlings.
#[derive(Clone, Copy)]
pub(crate) struct Changes<L> {
    /// Where a pawn becomes a knight.
    pub knights: L,
    /// Where it becomes a slider, both kinds for a queen, or a rook arrives by castling.
    pub diagonal: L,
    pub orthogonal: L,
    /// Where a rook leaves by castling.
    pub rook_leaves: L,
}

/// Positions after a move.
#[derive(Clone, Copy)]
pub(crate) struct Child<L> {
    /// The side to move. Its pawns go up.
    pub own: Pieces<L>,
    /// The side that has moved.
    pub enemy: Pieces<L>,
    /// The corner rooks with which the side to move may castle.
    pub castling: L,
}

impl<L: Lanes> Child<L> {
    /// The positions after the mover has moved one piece, which keeps its role.
    #[inline(always)]
    pub(crate) fn after(
        mover: &Pieces<L>,
        replier: &Pieces<L>,
        castling: L,
        squares: Squares<L>,
    ) -> Self {
        let Squares { from, to } = squares;
        let castling = castling.without(to);
        Self { own: replier.without(to), enemy: mover.moved(from, to), castling }
    }

    /// The same with the other changes of the move.
    #[inline(always)]
    pub(crate) fn changed(&self, to: Changes<L>) -> Self {
        let pawns = self.enemy.pawns.without(to.knights | to.diagonal | to.orthogonal);
        let enemy = Pieces {
            pawns,
            knights: self.enemy.knights | to.knights,
            diagonal: self.enemy.diagonal | to.diagonal,
            orthogonal: self.enemy.orthogonal.without(to.rook_leaves) | to.orthogonal,
            king: self.enemy.king,
        };
        Self { enemy, ..*self }
    }

    /// The same from the other side of the board.
    #[inline(always)]
    pub(crate) fn turned(&self) -> Self {
        Self {
            own: self.own.turned(),
            enemy: self.enemy.turned(),
            castling: self.castling.turned(),
        }
    }
}
