//! Corrections that few moves need. They are functions of their own, so that the kernel stays short.

use super::Board;
use super::castlings::Castlings;
use crate::leaf::machine::Machine;
use crate::node::sets::{RANK_2, RANK_8, between, count, each, index, line};
use crate::node::tables::{KING, KNIGHT, PAWN_DOWN};

/// The castlings gained because a piece that alone forbids some moves to each of `quiet` (Lemma 7).
#[inline(always)]
pub(super) fn castlings_freed<M: Machine>(
    board: &Board<'_, M>,
    castlings: &Castlings,
    from: u64,
    quiet: u64,
) -> i64 {
    let (machine, m) = (board.machine, &board.node.mover);
    let mut gained = 0;
    for castling in &castlings.forbidden_by_one {
        if castling.by != from {
            continue;
        }
        let occupied = castling.occupied & !from;
        let mut forbidden = castling.shut;
        for at in each(castling.path) {
            let i = index(at);
            if from & m.orthogonal != 0 {
                forbidden |= machine.rook(at, occupied);
            }
            if from & m.diagonal != 0 {
                forbidden |= machine.bishop(at, occupied);
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

/// How often the king takes back a piece that takes on one of `targets`, next to it, and was the only
/// one to attack the square: it may have been in the way of another (Lemma 5).
#[inline(always)]
pub(super) fn taken_by_king<M: Machine>(board: &Board<'_, M>, from: u64, targets: u64) -> i64 {
    let (machine, m) = (board.machine, &board.node.mover);
    let left = board.occupied ^ from;
    let mut gained = 0;
    for at in each(targets) {
        let others = machine.rook(at, left) & m.orthogonal | machine.bishop(at, left) & m.diagonal;
        gained += i64::from(others & !from == 0);
    }
    gained
}

/// The corrections for moves between two squares that one pawn of the replier's uses (Lemma 8).
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

/// The corrections for moves along a line on which a slider of the replier attacks the piece
/// (Lemma 10).
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
