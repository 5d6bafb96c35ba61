//! The number of legal replies to one move.

use tabiya::attacks;

use super::pins::moves_of;
use crate::leaf::machine::Machine;
use crate::node::rules;
use crate::node::sets::{
    NOT_A, NOT_H, RANK_1, RANK_3, RANK_8, between, count, down_attacks, each, index, line, square,
};
use crate::node::tables::{KING, KNIGHT, NEAR, PAWN_UP};
use crate::node::{Node, Side};

/// The replies in a child, except captures en passant.
#[inline(always)]
pub(super) fn of_child(machine: impl Machine, child: &Node) -> u64 {
    machine.enter(
        #[inline(always)]
        || replies(machine, child, child.replier.all(), child.mover.all()),
    )
}

/// The replies to each of a piece's moves on which it keeps its role, except captures en passant.
#[inline(always)]
pub(super) fn to_moves(machine: impl Machine, node: &Node, from: u64, targets: u64) -> u64 {
    if targets == 0 {
        return 0;
    }
    machine.enter(
        #[inline(always)]
        || {
            let (own, enemy) = (node.replier.all(), node.mover.all() ^ from);
            let piece = node.lift(from);
            let mut moves = 0;
            for to in each(targets) {
                moves += replies(machine, &piece.put(to), own & !to, enemy | to);
            }
            moves
        },
    )
}

/// Counts the replier's moves after a move of the mover, except captures en passant.
///
/// Siblings differ in one piece, so the loops over pieces run equally often for all of them, and
/// branches predict well.
#[inline(always)]
fn replies(machine: impl Machine, child: &Node, own: u64, enemy: u64) -> u64 {
    let (m, r) = (&child.mover, &child.replier);
    let occupied = own | enemy;
    let king = r.king;

    // What the mover attacks near the king, and through it: there is no escape behind it.
    let may_castle = child.castling & RANK_1 != 0 && rules::may_castle(child, occupied);
    let near = if may_castle { &[!0; 4] } else { &NEAR[index(king)] };
    let mut danger = down_attacks(m.pawns) | KING[index(m.king)];
    for from in each(m.orthogonal & near[0]) {
        danger |= machine.rook(from, occupied ^ king);
    }
    for from in each(m.diagonal & near[1]) {
        danger |= machine.bishop(from, occupied ^ king);
    }
    for from in each(m.knights & near[2]) {
        danger |= KNIGHT[index(from)];
    }

    // Checks and pins.
    let mut checkers = KNIGHT[index(king)] & m.knights | PAWN_UP[index(king)] & m.pawns;
    let mut block = 0;
    let mut pinned = 0;
    let aligned = m.orthogonal & attacks::rook_rays(square(king)).0
        | m.diagonal & attacks::bishop_rays(square(king)).0;
    for from in each(aligned) {
        let path = between(king, from);
        let shields = path & occupied;
        if shields == 0 {
            checkers |= from;
            block |= path;
        } else if shields & (shields - 1) == 0 {
            pinned |= shields & own;
        }
    }

    let mut moves = count(KING[index(king)] & !own & !danger);
    let mut targets = !own;
    if checkers != 0 {
        if checkers & (checkers - 1) != 0 {
            return moves;
        }
        // No pinned piece helps.
        targets = block | checkers;
    } else {
        if may_castle {
            moves += castlings(child, occupied, danger);
        }
        for at in each(pinned) {
            moves += moves_of(machine, child, at, enemy, line(king, at));
        }
    }
    moves + of_unpinned(machine, &r.without(pinned), occupied, enemy, targets)
}

/// The moves of unpinned pieces but the king to squares of a set.
#[inline(always)]
fn of_unpinned(machine: impl Machine, r: &Side, occupied: u64, enemy: u64, targets: u64) -> u64 {
    let mut moves = 0;
    for from in each(r.knights) {
        moves += count(KNIGHT[index(from)] & targets);
    }
    for from in each(r.orthogonal) {
        moves += count(machine.rook(from, occupied) & targets);
    }
    for from in each(r.diagonal) {
        moves += count(machine.bishop(from, occupied) & targets);
    }
    // Pushes end on empty squares, captures on the mover's: one set holds both.
    let single = r.pawns << 8 & !occupied;
    let double = (single & RANK_3) << 8 & !occupied;
    let first = (single | double | r.pawns << 9 & NOT_A & enemy) & targets;
    let second = r.pawns << 7 & NOT_H & enemy & targets;
    moves += count(first) + count(second);
    if (first | second) & RANK_8 != 0 {
        moves += 3 * (count(first & RANK_8) + count(second & RANK_8));
    }
    moves
}

/// The number of the replier's castlings; it is not in check.
#[inline(always)]
fn castlings(child: &Node, occupied: u64, danger: u64) -> u64 {
    if !rules::orthodox(child) {
        return rules::castling_replies(child);
    }
    let possible = |[rook, between, path]: [u64; 3]| {
        u64::from(rook & !child.castling | between & occupied | path & danger == 0)
    };
    rules::CASTLINGS.into_iter().map(possible).sum()
}
