//! The eight directions, and steps and fills along them in every lane at once.
//!
//! A fill by doubling (Kogge-Stone) reaches all squares of a line in three steps.

use super::Lanes;
use crate::node::sets::{NOT_A, NOT_H, RANK_1, RANK_8};

/// Where two steps to the east may land; then to the west.
const NOT_AB: u64 = NOT_A & (NOT_A << 1);
const NOT_GH: u64 = NOT_H & (NOT_H >> 1);

/// A direction: how far to shift, and where a step may land. `UP` tells which way to shift.
#[derive(Clone, Copy)]
pub(crate) struct Direction<const UP: bool> {
    pub shift: u32,
    pub landing: u64,
    /// Its place among the eight; `lane ^ 4` is the opposite direction.
    pub lane: usize,
}

const fn direction<const UP: bool>(shift: u32, landing: u64, lane: usize) -> Direction<UP> {
    Direction { shift, landing, lane }
}

pub(crate) const NORTH: Direction<true> = direction(8, !0, 0);
pub(crate) const EAST: Direction<true> = direction(1, NOT_A, 1);
pub(crate) const NORTH_EAST: Direction<true> = direction(9, NOT_A, 2);
pub(crate) const NORTH_WEST: Direction<true> = direction(7, NOT_H, 3);
pub(crate) const SOUTH: Direction<false> = direction(8, !0, 4);
pub(crate) const WEST: Direction<false> = direction(1, NOT_H, 5);
pub(crate) const SOUTH_WEST: Direction<false> = direction(9, NOT_H, 6);
pub(crate) const SOUTH_EAST: Direction<false> = direction(7, NOT_A, 7);

/// The steps of a knight that rise.
pub(crate) static KNIGHT_RISING: [Direction<true>; 4] = [
    direction(17, NOT_A, 0),
    direction(15, NOT_H, 1),
    direction(10, NOT_AB, 2),
    direction(6, NOT_GH, 3),
];
/// The steps of a knight that fall.
pub(crate) static KNIGHT_FALLING: [Direction<false>; 4] = [
    direction(17, NOT_H, 4),
    direction(15, NOT_A, 5),
    direction(10, NOT_GH, 6),
    direction(6, NOT_AB, 7),
];

impl<const UP: bool> Direction<UP> {
    #[inline(always)]
    pub(crate) fn shift<L: Lanes>(self, x: L, times: u32) -> L {
        if UP { x.shl(self.shift * times) } else { x.shr(self.shift * times) }
    }

    /// As [`Direction::shift`], the other way.
    #[inline(always)]
    pub(crate) fn back<L: Lanes>(self, x: L, times: u32) -> L {
        if UP { x.shr(self.shift * times) } else { x.shl(self.shift * times) }
    }

    /// Is it a rook's?
    #[inline(always)]
    pub(crate) fn orthogonal(self) -> bool {
        self.lane & 2 == 0
    }

    /// Every member one step on.
    #[inline(always)]
    pub(crate) fn step<L: Lanes>(self, x: L) -> L {
        self.shift(x, 1) & L::splat(self.landing)
    }

    /// Where a fill may spread in one, two and four steps.
    #[inline(always)]
    pub(crate) fn spread<L: Lanes>(self, empty: L) -> [L; 3] {
        let p = empty & L::splat(self.landing);
        let p2 = p & self.shift(p, 1);
        let p4 = p2 & self.shift(p2, 2);
        [p, p2, p4]
    }

    /// The squares reached from `from`, the first blocker with them.
    #[inline(always)]
    pub(crate) fn slide<L: Lanes>(self, from: L, spread: &[L; 3]) -> L {
        let g = from | (spread[0] & self.shift(from, 1));
        let g = g | (spread[1] & self.shift(g, 2));
        let g = g | (spread[2] & self.shift(g, 4));
        self.step(g)
    }
}

/// Where sliders began: from `to` back against a direction, the first piece, with another direction
/// in each lane. Its number is the lane of the [`Direction`].
#[inline(always)]
pub(crate) fn origins<L: Lanes>(to: L, directions: &[u8; 8], occupied: L) -> L {
    /// A step back is a rotation to the left.
    const ROTATIONS: [u64; 8] = [56, 63, 55, 57, 8, 1, 9, 7];
    /// Where it may land.
    const LANDINGS: [u64; 8] = [
        !RANK_8,
        NOT_H,
        NOT_H & !RANK_8,
        NOT_A & !RANK_8,
        !RANK_1,
        NOT_A,
        NOT_A & !RANK_1,
        NOT_H & !RANK_1,
    ];
    let one = L::look_up(&ROTATIONS, directions);
    let (two, four) = (one.shl(1), one.shl(2));
    let landing = L::look_up(&LANDINGS, directions);
    let p = landing.without(occupied);
    let g = to | (p & to.rotated(one));
    let p2 = p & p.rotated(one);
    let g = g | (p2 & g.rotated(two));
    let p4 = p2 & p2.rotated(two);
    let g = g | (p4 & g.rotated(four));
    g.rotated(one) & landing & occupied
}

/// In which directions there may be something to do: those of rooks, those of bishops.
#[derive(Clone, Copy)]
pub(crate) struct Lines {
    pub orthogonal: bool,
    pub diagonal: bool,
}

impl Lines {
    pub(crate) const ALL: Self = Self { orthogonal: true, diagonal: true };
}

/// All squares attacked by knights.
#[inline(always)]
pub(crate) fn knight_attacks<L: Lanes>(knights: L) -> L {
    let near = knights.shl(1) & L::splat(NOT_A) | knights.shr(1) & L::splat(NOT_H);
    let far = knights.shl(2) & L::splat(NOT_AB) | knights.shr(2) & L::splat(NOT_GH);
    near.shl(16) | near.shr(16) | far.shl(8) | far.shr(8)
}

/// All squares a king's step from a set, and some of its own.
#[inline(always)]
pub(crate) fn king_attacks<L: Lanes>(king: L) -> L {
    let row = king | king.shl(1) & L::splat(NOT_A) | king.shr(1) & L::splat(NOT_H);
    row | row.shl(8) | row.shr(8)
}

/// Runs a block for the eight directions, or for those of rooks or bishops. The code is repeated,
/// so that each direction's shifts are constants.
macro_rules! each {
    ([$($direction:ident),+], $d:ident => $body:block) => {
        $({
            let $d = $crate::lanes::direction::$direction;
            $body
        })+
    };
    ($lines:expr, $d:ident => $body:block) => {
        let lines: $crate::lanes::direction::Lines = $lines;
        if lines.orthogonal {
            $crate::lanes::direction::each!([NORTH, EAST, SOUTH, WEST], $d => $body);
        }
        if lines.diagonal {
            $crate::lanes::direction::each!(
                [NORTH_EAST, NORTH_WEST, SOUTH_WEST, SOUTH_EAST], $d => $body
            );
        }
    };
}
pub(crate) use each;

/// Runs a block for each step of a knight.
macro_rules! each_leap {
    ($d:ident => $body:block) => {
        for $d in &$crate::lanes::direction::KNIGHT_RISING {
            let $d = *$d;
            $body
        }
        for $d in &$crate::lanes::direction::KNIGHT_FALLING {
            let $d = *$d;
            $body
        }
    };
}
pub(crate) use each_leap;
