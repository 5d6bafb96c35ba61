//! The moves of siblings that check, and which of them are mates.
//!
//! The kernel hands out checks as sets. Here they are listed, and sorted into direct and discovered
//! ones. When many are together, the kernel for replies counts the replies to eight at once. A
//! check without replies is mate.

use tabiya::Role;

use super::found::{Check, Found, Unsure};
use super::moves::EightMoves;
use super::parent::{Parent, changed};
use crate::lanes::Lanes;
use crate::lanes::kinds::{self, MoveSets, origin};
use crate::lanes::pieces::{Child, Squares};
use crate::lanes::replies;

/// Kinds of moves that check.
pub(super) struct Kind;

impl Kind {
    // The same kinds as in the kernel for nodes; sliders by direction first.
    pub(super) const KNIGHT: usize = kinds::KNIGHT;
    pub(super) const KING: usize = kinds::KING;
    pub(super) const SINGLE: usize = kinds::SINGLE;
    pub(super) const DOUBLE: usize = kinds::DOUBLE;
    pub(super) const WEST: usize = kinds::WEST;
    pub(super) const EAST: usize = kinds::EAST;
    /// EightMoves that discover a check come after those that check directly; promotions that do are the
    /// last.
    const DISCOVERED: usize = kinds::KINDS;
    const PROMOTIONS: usize = 2 * kinds::KINDS;
    /// How many places there are, a multiple of eight; the last four stay empty.
    const ALL: usize = 2 * kinds::KINDS + 16;

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

/// How far back a move of each kind begins, modulo 256.
const BACK: [u8; kinds::KINDS] = kinds::back(-8, -7, -9);

/// The checks in eight siblings.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub(super) struct EightChecks {
    /// Where they end.
    pub sets: MoveSets<{ Kind::ALL }>,
    /// The squares with a piece.
    pub occupied: [u64; 8],
    /// The lanes that are not counted.
    pub left_out: u8,
}

impl EightChecks {
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.sets.clear();
        self.left_out = 0;
    }

    /// The sets of eight kinds that follow each other, if any of them has a member.
    #[inline(always)]
    pub(super) fn hand_out_eight<L: Lanes>(&mut self, first: usize, sets: [L; 8]) {
        let [a, b, c, d, e, f, g, h] = sets;
        if (a | b | c | d | e | f | g | h).any() {
            let mut kind = 0;
            while kind < 8 {
                self.sets.put(first + kind, sets[kind]);
                kind += 1;
            }
        }
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
        for group in (0..Kind::ALL).step_by(8) {
            let mut bits = checks.sets.present(group) & lanes;
            while bits != 0 {
                let bit = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let (kind, lane) = (group + bit / 8, bit % 8);
                let mut targets = checks.sets.present_set(kind, lane);
                let (kind, check, direct) = if kind < Kind::DISCOVERED {
                    // EightMoves that also discover a check are listed with the discovered ones.
                    targets &= !checks.sets.get(Kind::discovered(kind), lane);
                    (kind, Check::Direct, 0)
                } else if kind < Kind::PROMOTIONS {
                    let kind = kind - Kind::DISCOVERED;
                    (kind, Check::Discovered, checks.sets.get(kind, lane))
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
                            _ => to.wrapping_add(BACK[kind % kinds::KINDS]),
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
            let answered = replies::count(&after).occupied();
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
