//! Corrections that few moves need. They are functions of their own, so that the kernel stays short.

use super::castling::Castlings;
use super::pins;
use crate::leaf::machine::Machine;
use crate::leaf::node::Node;
use crate::leaf::sets::{RANK_2, RANK_8, between, count, each, index, line};
use crate::leaf::tables::{KING, KNIGHT, PAWN_DOWN};

/// What the corrections for castlings, for captures next to the king and for pins depend on.
pub(super) struct Rare<'a, M> {
    pub machine: M,
    pub node: &'a Node,
    pub castlings: &'a Castlings,
    pub occupied: u64,
    pub pinned: u64,
    pub lines: u64,
    pub bare: u64,
    pub holders: u64,
}

impl<M: Machine> Rare<'_, M> {
    /// The replies gained because a piece moves to each of `quiet`, of which `lines` concern pins.
    #[inline(always)]
    pub(super) fn corrections(&self, from: u64, quiet: u64, lines: u64) -> i64 {
        let mut gained = 0;
        if from & self.holders != 0 {
            gained += self.released(from, quiet);
        }
        for at in each(quiet & self.bare) {
            gained += self.taken_by_king(from, at);
        }
        for to in each(quiet & lines) {
            gained += pins::entered(self.machine, self.node, [self.pinned, self.lines], from, to);
        }
        gained
    }

    /// How often the king takes back a piece that takes next to it, and was the only one to attack the
    /// square: it may have been in the way of another.
    #[inline(always)]
    fn taken_by_king(&self, from: u64, at: u64) -> i64 {
        let m = &self.node.mover;
        let left = self.occupied ^ from;
        let others =
            self.machine.rook(at, left) & m.orthogonal | self.machine.bishop(at, left) & m.diagonal;
        i64::from(others & !from == 0)
    }

    /// The castlings gained because a piece that alone forbids some moves to each of `quiet`.
    #[inline(always)]
    fn released(&self, from: u64, quiet: u64) -> i64 {
        let m = &self.node.mover;
        let mut gained = 0;
        for held in &self.castlings.held {
            if held.by != from {
                continue;
            }
            let occupied = held.occupied & !from;
            let mut forbidden = held.shut;
            for at in each(held.path) {
                let i = index(at);
                if from & m.orthogonal != 0 {
                    forbidden |= self.machine.rook(at, occupied);
                }
                if from & m.diagonal != 0 {
                    forbidden |= self.machine.bishop(at, occupied);
                }
                if from & m.knights != 0 {
                    forbidden |= KNIGHT[i];
                }
                if from & m.king != 0 {
                    forbidden |= KING[i];
                }
            }
            gained += count(quiet & !forbidden) as i64;
        }
        gained
    }
}

/// The corrections for moves between two squares that one pawn of the replier's uses.
#[inline(always)]
pub(super) fn tangled([pawns, theirs, own]: [u64; 3], from: u64, quiet: u64) -> i64 {
    let unmoved = pawns & RANK_2;
    // From one square in front of it to the other.
    let up = (from & unmoved << 8) << 8 | (from & unmoved << 16) >> 8;
    let mut gained = -i64::from(up & quiet & !theirs != 0);
    let taken = quiet & pawns;
    if taken != 0 {
        let kinds = if from & RANK_8 != 0 { 4 } else { 1 };
        gained += kinds * count(taken & PAWN_DOWN[index(from)]) as i64;
        if taken & from >> 8 != 0 {
            gained -= kinds + count(unmoved & from >> 8 & !(theirs | own) >> 16) as i64;
        }
        gained -= count(taken & unmoved & from >> 16) as i64;
    }
    gained
}

/// The corrections for moves along a line on which a slider of the replier attacks the piece.
#[inline(always)]
pub(super) fn along(theirs: u64, from: u64, attacker: u64, reach: u64, quiet: u64) -> i64 {
    let toward = between(from, attacker) | attacker;
    let away = reach & line(from, attacker) & !toward;
    let run = away & !theirs;
    // The attacker does not pass the piece that comes nearer.
    let mut gained = -((count(quiet & toward) * count(run)) as i64);
    // It follows up to the piece that moves away, no further, and may take it there.
    for at in each(quiet & away) {
        if at & theirs != 0 {
            gained += 1;
        } else {
            gained -= count(run & !between(from, at) & !at) as i64;
        }
    }
    gained
}
