//! The moves of siblings that check, and which of them are mates.
//!
//! The kernel hands out checks as sets. Here they are listed, and sorted into direct and discovered ones. When many are
//! together, the kernel for replies counts the replies to eight at once. A check without replies is mate.

use tabiya::Role;

use super::categories::{Parent, changed};
use super::lanes::Lanes;
use super::nodes::{self, KNIGHT_OFFSETS};
use super::pieces::{Child, Squares};
use super::replies;
use super::siblings::{Found, Moves, Unsure};
use crate::leaf::tables::RAYS;

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
    /// Moves that discover a check come after those that check directly; promotions that do are the last.
    const DISCOVERED: usize = nodes::KINDS;
    const PROMOTIONS: usize = 2 * nodes::KINDS;
    const ALL: usize = 2 * nodes::KINDS + 16;

    #[inline(always)]
    pub(super) const fn direct(kind: usize) -> usize {
        kind
    }

    #[inline(always)]
    pub(super) const fn discovered(kind: usize) -> usize {
        Self::DISCOVERED + kind
    }

    /// A promotion by a push, a capture to the east or to the west, to a knight, a bishop, a rook or a queen.
    #[inline(always)]
    pub(super) const fn promotion(way: usize, role: usize) -> usize {
        Self::PROMOTIONS + 4 * way + role
    }
}

/// The pieces to which a pawn is promoted, in the order of the kinds.
const ROLES: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
/// How far a push goes, a capture to the east and one to the west.
const WAYS: [u8; 4] = [8, 9, 7, 0];

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
    pub(super) fn hand_out_eight<L: Lanes>(&mut self, first: usize, sets: [L; 8], at: usize) {
        let [a, b, c, d, e, f, g, h] = sets;
        if (a | b | c | d | e | f | g | h).any() {
            let mut kind = 0;
            while kind < 8 {
                self.hand_out(first + kind, sets[kind], at);
                kind += 1;
            }
        }
    }

    #[inline(always)]
    pub(super) fn hand_out<L: Lanes>(&mut self, kind: usize, set: L, at: usize) {
        set.put(&mut self.sets[kind], at);
        self.present[kind] |= (set.occupied() as u8) << at;
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

/// How many checks wait at most.
const CHECKS: usize = 2048;
/// With more checks than this there may be no room for those of eight more siblings: no position has more than
/// 218 moves.
const FULL: usize = CHECKS - 8 * 218;

/// Checks that wait until there are many.
#[derive(Debug)]
pub(super) struct Checks {
    /// The moves to the siblings, and those that check.
    first: [Moves; CHECKS / 8],
    second: [Moves; CHECKS / 8],
    /// The number of the sibling, and the kind of check.
    which: [(u8, usize); CHECKS],
    len: usize,
}

impl Default for Checks {
    fn default() -> Self {
        Self {
            first: [Moves::NONE; CHECKS / 8],
            second: [Moves::NONE; CHECKS / 8],
            which: [(0, Found::DIRECT); CHECKS],
            len: 0,
        }
    }
}

impl Checks {
    /// May the checks of eight more siblings be too many?
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.len > FULL
    }

    /// Lists the checks in some lanes of the block with this number.
    #[inline(always)]
    pub(super) fn list<L: Lanes>(
        &mut self,
        parent: &Parent<L>,
        number: usize,
        block: &Moves,
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
                let (kind, how, other) = if kind < Kind::DISCOVERED {
                    // What also discovers a check comes later.
                    targets &= !checks.set(Kind::discovered(kind), lane);
                    (kind, Found::DIRECT, 0)
                } else if kind < Kind::PROMOTIONS {
                    let kind = kind - Kind::DISCOVERED;
                    (kind, Found::DISCOVERED, checks.set(kind, lane))
                } else {
                    (kind, Found::DIRECT, 0)
                };
                while targets != 0 {
                    let to = targets.trailing_zeros();
                    targets &= targets - 1;
                    let how = if other >> to & 1 != 0 { Found::BOTH } else { how };
                    found.checks[how % 3] += 1;
                    let at = self.len % CHECKS;
                    self.which[at] = ((8 * number + lane) as u8, how);
                    let (first, second) = (&mut self.first[at / 8], &mut self.second[at / 8]);
                    first.put(at, block.from[lane], block.to[lane]);
                    if block.changed {
                        first.change(at, block.changes(lane));
                    }
                    let to = to as u8;
                    if kind >= Kind::PROMOTIONS {
                        let kind = kind - Kind::PROMOTIONS;
                        second.put(at, to - WAYS[kind / 4 % 4], to);
                        second.promote(at, to, ROLES[kind % 4]);
                    } else {
                        let from = match kind {
                            0..8 => origin(to, kind, checks.occupied[lane]),
                            Kind::KING => parent.king,
                            _ => to.wrapping_sub(STEPS[kind % nodes::KINDS]),
                        };
                        second.put(at, from, to);
                    }
                    self.len = at + 1;
                }
            }
        }
    }

    /// Counts the mates, and forgets all checks.
    #[inline(always)]
    pub(super) fn count<L: Lanes>(&mut self, parent: &Parent<L>, found: &mut Found) {
        for block in 0..self.len.div_ceil(8) {
            let (first, second) = (&self.first[block], &self.second[block]);
            let mut answered = 0;
            for at in (0..8).step_by(L::WIDTH) {
                let child = parent.child(first, at);
                let squares =
                    Squares { from: L::squares(&second.from, at), to: L::squares(&second.to, at) };
                let after = Child::after(&child.own, &child.enemy, L::splat(0), squares);
                let after = changed(after, second, at).turned();
                answered |= replies::of_lanes(&after).occupied() << at;
            }
            let used = (1 << (self.len - 8 * block).min(8)) - 1;
            let mut mates: u32 = !answered & used;
            while mates != 0 {
                let lane = mates.trailing_zeros() as usize % 8;
                mates &= mates - 1;
                let (from, to) = (second.from[lane], second.to[lane]);
                let (sibling, how) = self.which[8 * block + lane];
                if from + 16 == to {
                    // A double push, perhaps: then there may be a reply en passant.
                    found.unsure.push(Unsure { sibling, from, to, how });
                } else {
                    found.mates[how % 3] += 1;
                }
            }
            self.first[block].changed = false;
            self.second[block].changed = false;
        }
        self.len = 0;
    }
}

/// Where a slider began that moved to `to`: the first piece on the way back.
#[inline(always)]
fn origin(to: u8, kind: usize, occupied: u64) -> u8 {
    let ray = RAYS[to as usize & 63][(kind ^ 4) & 7] & occupied;
    debug_assert_ne!(ray, 0, "a slider stands where its move began");
    let (lowest, highest) = (ray.trailing_zeros(), 63 ^ ray.leading_zeros());
    (if kind < 4 { highest } else { lowest }) as u8
}
