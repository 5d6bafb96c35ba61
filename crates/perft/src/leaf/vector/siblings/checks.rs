//! The moves of siblings that check, and which of them are mates.
//!
//! The kernel hands out checks as sets. Here they are listed, and sorted into direct and discovered
//! ones. When many are together, the kernel for replies counts the replies to eight at once. A
//! check without replies is mate.

use tabiya::Role;

use super::found::{Check, Found, Unsure};
use super::moves::EightMoves;
use super::parent::{Parent, changed};
use crate::leaf::vector::lanes::Lanes;
use crate::leaf::vector::nodes::{self, KNIGHT_OFFSETS};
use crate::leaf::vector::pieces::{Child, Squares};
use crate::leaf::vector::replies;
use crate::leaf::vector::waiting::origin;

/// Kinds of moves that check.
pub(super) struct Kind;

impl Kind {
    // The same kinds as in the kernel for nodes; sliders by direction first.
    pub(super) const KNIGHT: usize = nodes::KNIGHT;
    pub(super) const KING: usize = nodes::KING;
    pub(super) const SINGLE: usize = nodes::SINGLE;
    pub(super) const DOUBLE: usize = nodes::DOUBLE;
    pub(super) const WEST: usize = nodes::WEST;
    pub(super) const EAST: usize = nodes::EAST;
    /// EightMoves that discover a check come after those that check directly; promotions that do are the
    /// last.
    const DISCOVERED: usize = nodes::KINDS;
    const PROMOTIONS: usize = 2 * nodes::KINDS;
    /// How many places there are, a multiple of eight; the last four stay empty.
    const ALL: usize = 2 * nodes::KINDS + 16;

    #[inline(always)]
    pub(super) const fn discovered(kind: usize) -> usize {
        Self::DISCOVERED + kind
    }

    /// A promotion by a push, a capture to the east or to the west, to a knight, a bishop, a rook
    /// or a queen.
    #[inline(always)]
    pub(super) const fn promotion(way: usize, role: usize) -> usize {
        Self::PROMOTIONS + 4 * way + role
    }
}

/// The pieces to which a pawn is promoted, in the order of the kinds.
const ROLES: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
/// How far a push goes, a capture to the east and one to the west.
const WAYS: [u8; 3] = [8, 9, 7];

/// How far a move of each kind goes, modulo 256.
const STEPS: [u8; nodes::KINDS] = {
    let mut steps = [0; nodes::KINDS];
    let mut step = 0;
    while step < 8 {
        steps[Kind::KNIGHT + step] = KNIGHT_OFFSETS[step] as u8;
        step += 1;
    }
    steps[Kind::SINGLE] = 8;
    steps[Kind::DOUBLE] = 16;
    steps[Kind::WEST] = 7;
    steps[Kind::EAST] = 9;
    steps
};

/// The checks in eight siblings.
#[derive(Debug)]
#[repr(C, align(64))]
pub(super) struct EightChecks {
    /// Where they end, by kind and lane. Only what is present is up to date.
    sets: [[u64; 8]; Kind::ALL],
    /// The lanes in which a kind is present.
    present: [u8; Kind::ALL],
    /// The squares with a piece.
    pub occupied: [u64; 8],
    /// The lanes that are not counted.
    pub left_out: u8,
}

impl Default for EightChecks {
    fn default() -> Self {
        Self { sets: [[0; 8]; Kind::ALL], present: [0; Kind::ALL], occupied: [0; 8], left_out: 0 }
    }
}

impl EightChecks {
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.present = [0; Kind::ALL];
        self.left_out = 0;
    }

    /// The sets of eight kinds that follow each other, if any of them has a member.
    #[inline(always)]
    pub(super) fn hand_out_eight<L: Lanes>(&mut self, first: usize, sets: [L; 8]) {
        let [a, b, c, d, e, f, g, h] = sets;
        if (a | b | c | d | e | f | g | h).any() {
            let mut kind = 0;
            while kind < 8 {
                self.hand_out(first + kind, sets[kind]);
                kind += 1;
            }
        }
    }

    #[inline(always)]
    pub(super) fn hand_out<L: Lanes>(&mut self, kind: usize, set: L) {
        set.put(&mut self.sets[kind]);
        self.present[kind] = set.occupied();
    }

    /// Where checks of a kind in a lane end.
    #[inline(always)]
    fn set(&self, kind: usize, lane: usize) -> u64 {
        if self.present[kind % Kind::ALL] >> lane & 1 == 0 {
            return 0;
        }
        self.sets[kind % Kind::ALL][lane % 8]
    }
}

/// Checks that wait until all siblings are looked at.
#[derive(Debug, Default)]
pub(super) struct Checks {
    blocks: Vec<EightChecking>,
    len: usize,
}

/// Eight moves that check.
#[derive(Clone, Debug)]
struct EightChecking {
    /// The numbers of the siblings, and the moves to them.
    siblings: [u8; 8],
    first: EightMoves,
    /// The moves that check, and how they do.
    second: EightMoves,
    checks: [Check; 8],
}

impl EightChecking {
    const NONE: Self = Self {
        siblings: [0; 8],
        first: EightMoves::NONE,
        second: EightMoves::NONE,
        checks: [Check::Direct; 8],
    };
}

impl Checks {
    /// The block of the next check, and its lane.
    #[inline(always)]
    fn next(&mut self) -> (&mut EightChecking, usize) {
        let (block, lane) = (self.len / 8, self.len % 8);
        self.len += 1;
        if block == self.blocks.len() {
            self.blocks.push(EightChecking::NONE);
        }
        let next = &mut self.blocks[block];
        if lane == 0 {
            next.first.changed = false;
            next.second.changed = false;
        }
        (next, lane)
    }

    /// Lists the checks in some lanes of the block with this number.
    #[inline(always)]
    pub(super) fn list<L: Lanes>(
        &mut self,
        parent: &Parent<L>,
        number: usize,
        block: &EightMoves,
        checks: &EightChecks,
        lanes: u8,
        found: &mut Found,
    ) {
        let lanes = u64::from(lanes) * 0x0101_0101_0101_0101;
        for group in 0..Kind::ALL / 8 {
            let p = &checks.present[8 * group..][..8];
            let mut bits =
                u64::from_le_bytes([p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]]) & lanes;
            while bits != 0 {
                let bit = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let (kind, lane) = (8 * group + bit / 8, bit % 8);
                let mut targets = checks.sets[kind % Kind::ALL][lane];
                let (kind, check, direct) = if kind < Kind::DISCOVERED {
                    // EightMoves that also discover a check are listed with the discovered ones.
                    targets &= !checks.set(Kind::discovered(kind), lane);
                    (kind, Check::Direct, 0)
                } else if kind < Kind::PROMOTIONS {
                    let kind = kind - Kind::DISCOVERED;
                    (kind, Check::Discovered, checks.set(kind, lane))
                } else {
                    (kind, Check::Direct, 0)
                };
                while targets != 0 {
                    let to = targets.trailing_zeros();
                    targets &= targets - 1;
                    let check = if direct >> to & 1 != 0 { Check::Both } else { check };
                    found.checks[check as usize] += 1;
                    let (next, at) = self.next();
                    next.siblings[at] = (8 * number + lane) as u8;
                    next.checks[at] = check;
                    next.first.put(at, block.from[lane], block.to[lane]);
                    if block.changed {
                        next.first.change(at, block.changes(lane));
                    }
                    let to = to as u8;
                    if kind >= Kind::PROMOTIONS {
                        let kind = kind - Kind::PROMOTIONS;
                        next.second.put(at, to - WAYS[kind / 4 % 3], to);
                        next.second.promote(at, to, ROLES[kind % 4]);
                    } else {
                        let from = match kind {
                            0..8 => origin(to.into(), kind as u8, checks.occupied[lane]) as u8,
                            Kind::KING => parent.king,
                            _ => to.wrapping_sub(STEPS[kind % nodes::KINDS]),
                        };
                        next.second.put(at, from, to);
                    }
                }
            }
        }
    }

    /// Counts the mates, and forgets all checks.
    #[cfg_attr(not(any(debug_assertions, test)), inline(always))]
    #[cfg_attr(any(debug_assertions, test), inline(never))]
    pub(super) fn count<L: Lanes>(&mut self, parent: &Parent<L>, found: &mut Found) {
        let mut rest = std::mem::take(&mut self.len);
        for EightChecking { siblings, first, second, checks } in &self.blocks {
            if rest == 0 {
                break;
            }
            let child = parent.child(first);
            let squares = Squares { from: L::squares(&second.from), to: L::squares(&second.to) };
            let after = Child::after(&child.own, &child.enemy, L::splat(0), squares);
            let after = changed(after, second).turned();
            let answered = replies::of_lanes(&after).occupied();
            let mut mates = !answered & (0xff >> (8 - rest.min(8)));
            rest -= rest.min(8);
            while mates != 0 {
                let lane = mates.trailing_zeros() as usize % 8;
                mates &= mates - 1;
                let (from, to) = (second.from[lane], second.to[lane]);
                let (sibling, check) = (siblings[lane], checks[lane]);
                if from + 16 == to {
                    // A double push, perhaps: then there may be a reply en passant.
                    found.unsure.push(Unsure { sibling, from, to, check });
                } else {
                    found.mates[check as usize] += 1;
                }
            }
        }
    }
}
