//! What a move changes that pins a piece of the replier's, moves along a pin, or ends it.
//!
//! All that is counted for the other pieces stays true. The moves of the pinned piece alone are
//! counted before and after.

use tabiya::attacks;

use crate::leaf::machine::Machine;
use crate::leaf::node::Node;
use crate::leaf::sets::{RANK_3, RANK_7, between, count, each, index, line, square, up_attacks};
use crate::leaf::tables::KNIGHT;

/// The squares on which the moves of one piece of the replier's depend.
#[inline(always)]
fn zone(machine: impl Machine, node: &Node, at: u64, occupied: u64) -> u64 {
    let r = &node.replier;
    if at & r.pawns != 0 {
        return up_attacks(at) | at << 8 | (at << 8 & RANK_3) << 8;
    }
    let orthogonal = if at & r.orthogonal != 0 { machine.rook(at, occupied) } else { 0 };
    let diagonal = if at & r.diagonal != 0 { machine.bishop(at, occupied) } else { 0 };
    let knight = if at & r.knights != 0 { KNIGHT[index(at)] } else { 0 };
    orthogonal | diagonal | knight
}

/// The number of moves of one piece of the replier's to squares of a set if the mover's pieces are
/// those of `own`.
#[inline(always)]
pub(super) fn moves_of(machine: impl Machine, node: &Node, at: u64, own: u64, targets: u64) -> u64 {
    let r = &node.replier;
    let theirs = r.all() & !own;
    let occupied = own | theirs;
    if at & r.pawns != 0 {
        let single = at << 8 & !occupied;
        let double = (single & RANK_3) << 8 & !occupied;
        let moves = count((single | double | up_attacks(at) & own) & targets);
        return if at & RANK_7 != 0 { 4 * moves } else { moves };
    }
    count(zone(machine, node, at, occupied) & !theirs & targets)
}

/// The replies gained because a slider that pins a piece moves to each of `quiet`.
#[inline(always)]
pub(super) fn moved(machine: impl Machine, node: &Node, from: u64, quiet: u64) -> i64 {
    let king = node.replier.king;
    let path = between(king, from);
    let shield = path & node.replier.all();
    let own = node.mover.all();
    let left = own ^ from;
    let pin = line(king, from);
    let near = quiet & (pin | zone(machine, node, shield, left | node.replier.all()));
    // Anywhere else it is as if the pinner were taken off the board.
    let free = moves_of(machine, node, shield, left, !0);
    let mut after = count(quiet ^ near) * free;
    for to in each(near) {
        let leash = if pin & to == 0 { !0 } else { between(king, to) | to };
        after += moves_of(machine, node, shield, left | to, leash);
    }
    let before = moves_of(machine, node, shield, own, path | from);
    after as i64 - (count(quiet) * before) as i64
}

/// The replies gained because a piece that is not the pinner moves onto the line of a pin. `lines`
/// are the lines of all pins.
#[inline(always)]
pub(super) fn entered(
    machine: impl Machine,
    node: &Node,
    [pinned, lines]: [u64; 2],
    from: u64,
    to: u64,
) -> i64 {
    let king = node.replier.king;
    let pin = line(king, to);
    let mut shield = 0;
    for pinned in each(pinned & pin) {
        // Not on the other side of the king.
        if between(pinned, to) & king == 0 {
            shield = pinned;
        }
    }
    let own = node.mover.all();
    let before = moves_of(machine, node, shield, own, lines & pin);
    let after = if to == shield {
        0
    } else {
        let path = between(king, to);
        let straight = attacks::rook_rays(square(king)).0 & to != 0;
        let slides = if straight { node.mover.orthogonal } else { node.mover.diagonal };
        // A slider on the line pins the piece as well.
        let pins = path & shield != 0 && slides & from != 0;
        let leash = if pins { path | to } else { !0 };
        moves_of(machine, node, shield, own ^ from | to, leash)
    };
    after as i64 - before as i64
}

/// The replies gained, a number not above zero, because a slider pins a piece.
#[inline(always)]
pub(super) fn made(machine: impl Machine, node: &Node, from: u64, to: u64) -> i64 {
    let path = between(node.replier.king, to);
    let shield = path & node.replier.all();
    let own = node.mover.all() ^ from | to;
    let free = moves_of(machine, node, shield, own, !0);
    moves_of(machine, node, shield, own, path | to) as i64 - free as i64
}
