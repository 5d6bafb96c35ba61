//! The eight directions, and steps and fills along them in every lane at once.

use super::lanes::Lanes;

pub(super) const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
pub(super) const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
pub(super) const NOT_AB: u64 = NOT_A & (NOT_A << 1);
pub(super) const NOT_GH: u64 = NOT_H & (NOT_H >> 1);

/// A direction: how far to shift, which way, and where a step may land.
#[derive(Clone, Copy)]
pub(super) struct Direction {
    pub shift: u32,
    pub up: bool,
    pub landing: u64,
    /// Its place among the eight; `lane ^ 4` is the opposite direction.
    pub lane: usize,
}

const fn direction(shift: u32, up: bool, landing: u64, lane: usize) -> Direction {
    Direction { shift, up, landing, lane }
}

pub(super) const NORTH: Direction = direction(8, true, !0, 0);
pub(super) const EAST: Direction = direction(1, true, NOT_A, 1);
pub(super) const NORTH_EAST: Direction = direction(9, true, NOT_A, 2);
pub(super) const NORTH_WEST: Direction = direction(7, true, NOT_H, 3);
pub(super) const SOUTH: Direction = direction(8, false, !0, 4);
pub(super) const WEST: Direction = direction(1, false, NOT_H, 5);
pub(super) const SOUTH_WEST: Direction = direction(9, false, NOT_H, 6);
pub(super) const SOUTH_EAST: Direction = direction(7, false, NOT_A, 7);
/// The steps of a knight.
pub(super) const KNIGHT_STEPS: [Direction; 8] = [
    direction(17, true, NOT_A, 0),
    direction(15, true, NOT_H, 1),
    direction(10, true, NOT_AB, 2),
    direction(6, true, NOT_GH, 3),
    direction(17, false, NOT_H, 4),
    direction(15, false, NOT_A, 5),
    direction(10, false, NOT_GH, 6),
    direction(6, false, NOT_AB, 7),
];

impl Direction {
    #[inline(always)]
    pub(super) fn shift<L: Lanes>(self, x: L, times: u32) -> L {
        if self.up { x.shl(self.shift * times) } else { x.shr(self.shift * times) }
    }

    /// As [`Direction::shift`], the other way.
    #[inline(always)]
    pub(super) fn back<L: Lanes>(self, x: L, times: u32) -> L {
        if self.up { x.shr(self.shift * times) } else { x.shl(self.shift * times) }
    }

    /// Every member one step on.
    #[inline(always)]
    pub(super) fn step<L: Lanes>(self, x: L) -> L {
        let moved = self.shift(x, 1);
        if self.landing == !0 { moved } else { moved & L::splat(self.landing) }
    }

    /// Where a fill may spread in one, two and four steps.
    #[inline(always)]
    pub(super) fn spread<L: Lanes>(self, empty: L) -> [L; 3] {
        let p = if self.landing == !0 { empty } else { empty & L::splat(self.landing) };
        let p2 = p & self.shift(p, 1);
        let p4 = p2 & self.shift(p2, 2);
        [p, p2, p4]
    }

    /// The squares reached from `from`, the first blocker with them.
    #[inline(always)]
    pub(super) fn slide<L: Lanes>(self, from: L, spread: &[L; 3]) -> L {
        let g = from | (spread[0] & self.shift(from, 1));
        let g = g | (spread[1] & self.shift(g, 2));
        let g = g | (spread[2] & self.shift(g, 4));
        self.step(g)
    }
}

/// All squares attacked by knights.
#[inline(always)]
pub(super) fn knight_attacks<L: Lanes>(knights: L) -> L {
    let near = knights.shl(1) & L::splat(NOT_A) | knights.shr(1) & L::splat(NOT_H);
    let far = knights.shl(2) & L::splat(NOT_AB) | knights.shr(2) & L::splat(NOT_GH);
    near.shl(16) | near.shr(16) | far.shl(8) | far.shr(8)
}

/// All squares a king's step from a set, and some of its own.
#[inline(always)]
pub(super) fn king_attacks<L: Lanes>(king: L) -> L {
    let row = king | king.shl(1) & L::splat(NOT_A) | king.shr(1) & L::splat(NOT_H);
    row | row.shl(8) | row.shr(8)
}

/// Runs a block for the directions of rooks or of bishops, each as a constant.
macro_rules! each {
    (orthogonal $d:ident => $body:block) => {
        $crate::leaf::direction::each!([NORTH, EAST, SOUTH, WEST] $d => $body)
    };
    (diagonal $d:ident => $body:block) => {
        $crate::leaf::direction::each!([NORTH_EAST, NORTH_WEST, SOUTH_WEST, SOUTH_EAST] $d => $body)
    };
    (knight $d:ident => $body:block) => {
        $crate::leaf::direction::each!([
            KNIGHT_STEPS[0], KNIGHT_STEPS[1], KNIGHT_STEPS[2], KNIGHT_STEPS[3],
            KNIGHT_STEPS[4], KNIGHT_STEPS[5], KNIGHT_STEPS[6], KNIGHT_STEPS[7]
        ] $d => $body)
    };
    ([$($x:expr),+] $d:ident => $body:block) => {
        $( { #[allow(unused_imports)] use $crate::leaf::direction::*; let $d = $x; $body } )+
    };
}
pub(super) use each;
