//! Sets of moves by kind, a lane to a position: each set holds the squares where moves end.
//!
//! A kind says where a move begins as well: a slider that moved in a direction came from the first
//! piece on the way back, and other pieces make steps of a fixed length.

use std::hint;

use super::Lanes;
use crate::node::tables::RAYS;

// Sliders come first, by direction.
/// The eight steps of knights.
pub(crate) const KNIGHT: usize = 8;
/// The king.
pub(crate) const KING: usize = 16;
/// Single pushes of pawns.
pub(crate) const SINGLE: usize = 17;
/// Double pushes of pawns.
pub(crate) const DOUBLE: usize = 18;
/// Captures of pawns to the west.
pub(crate) const WEST: usize = 19;
/// Captures of pawns to the east.
pub(crate) const EAST: usize = 20;
/// How many places there are; the last three stay empty.
pub(crate) const KINDS: usize = 24;

/// How far the eight steps of a knight go.
const KNIGHT_OFFSETS: [i8; 8] = [17, 15, 10, 6, -17, -15, -10, -6];

/// How far back a move of each kind begins, modulo 256, if a pawn's push begins `push` squares back,
/// and its captures to the west and to the east so many. For sliders and the king it's zero.
pub(crate) const fn back(push: i8, west: i8, east: i8) -> [u8; KINDS] {
    let mut back = [0; KINDS];
    let mut step = 0;
    while step < 8 {
        back[KNIGHT + step] = KNIGHT_OFFSETS[step].wrapping_neg() as u8;
        step += 1;
    }
    back[SINGLE] = push as u8;
    back[DOUBLE] = (2 * push) as u8;
    back[WEST] = west as u8;
    back[EAST] = east as u8;
    back
}

/// Where a slider began that moved to `to` in a direction: the first piece on the way back.
#[inline(always)]
pub(crate) fn origin(to: u32, direction: u8, occupied: u64) -> u32 {
    let ray = RAYS[to as usize & 63][(direction as usize ^ 4) & 7] & occupied;
    debug_assert_ne!(ray, 0, "there is a slider where its move began");
    let (lowest, highest) = (ray.trailing_zeros(), 63 ^ ray.leading_zeros());
    hint::select_unpredictable(direction < 4, highest, lowest)
}

/// Sets of moves of eight positions, by kind and lane.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct MoveSets<const N: usize> {
    /// Only what is present is up to date.
    sets: [[u64; 8]; N],
    /// The lanes in which a kind is present.
    present: [u8; N],
}

impl<const N: usize> Default for MoveSets<N> {
    fn default() -> Self {
        Self { sets: [[0; 8]; N], present: [0; N] }
    }
}

impl<const N: usize> MoveSets<N> {
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.present = [0; N];
    }

    #[inline(always)]
    pub(crate) fn put<L: Lanes>(&mut self, kind: usize, set: L) {
        set.put(&mut self.sets[kind]);
        self.present[kind] = set.occupied();
    }

    /// The set of a kind in a lane.
    #[inline(always)]
    pub(crate) fn get(&self, kind: usize, lane: usize) -> u64 {
        let (kind, lane) = (kind % N, lane % 8);
        if self.present[kind] >> lane & 1 == 0 { 0 } else { self.sets[kind][lane] }
    }

    /// The set of a kind in a lane in which it is present.
    #[inline(always)]
    pub(crate) fn present_set(&self, kind: usize, lane: usize) -> u64 {
        self.sets[kind % N][lane % 8]
    }

    /// Which sets of the eight kinds from `first` on are present: a byte to a kind, a bit to a lane.
    #[inline(always)]
    pub(crate) fn present(&self, first: usize) -> u64 {
        let p = &self.present[first..first + 8];
        u64::from_le_bytes([p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]])
    }
}
