//! Pins of the replier's pieces, and Lemma 16: what a move changes that makes, moves along or ends one.
//!
//! All that is counted for the other pieces stays true. The moves of the pinned piece alone are
//! counted before and after.

use tabiya::attacks;

use super::{Board, OneNode};
use crate::leaf::machine::Machine;
use crate::node::Node;
use crate::node::sets::{RANK_3, RANK_7, between, count, each, index, line, square, up_attacks};
use crate::node::tables::KNIGHT;

/// The pins that there are, and those that a move would make.
#[derive(Clone, Copy, Default)]
pub(super) struct Pins {
    /// The replier's pinned pieces, the pieces that pin them, and the squares between the king and
    /// these, with them.
    pub pinned: u64,
    pub pinners: u64,
    pub lines: u64,
    /// The squares from which what moves like a rook, like a bishop would pin a piece.
    pub from_orthogonal: u64,
    pub from_diagonal: u64,
}

impl<M: Machine> OneNode<'_, M> {
    /// Finds checks and pins on the king's lines, and what would become one
    /// (Lemma 1, Lemma 2, Lemma 3).
    #[inline(always)]
    pub(super) fn look_along_lines(&mut self) {
        let Board { machine, node, own, theirs, occupied } = self.board;
        let (m, r) = (&node.mover, &node.replier);
        let (orthogonal, diagonal) = (self.board.rook(r.king), self.board.bishop(r.king));
        self.king.seen = orthogonal | diagonal;
        self.king.sharp.to_orthogonal = orthogonal;
        self.king.sharp.to_diagonal = diagonal;
        let without_shields = occupied & !(self.king.seen & theirs);
        self.pins.from_orthogonal = machine.rook(r.king, without_shields) & !orthogonal;
        self.pins.from_diagonal = machine.bishop(r.king, without_shields) & !diagonal;
        let rook_rays = attacks::rook_rays(square(r.king)).0;
        let aligned =
            m.orthogonal & rook_rays | m.diagonal & attacks::bishop_rays(square(r.king)).0;
        for slider in each(aligned) {
            let path = between(r.king, slider);
            let shields = path & occupied;
            let after_one = shields & shields.wrapping_sub(1);
            if after_one == 0 {
                if shields & theirs != 0 {
                    self.pins.pinners |= slider;
                    self.pins.pinned |= shields;
                    self.pins.lines |= path | slider;
                    let movable = if rook_rays & slider != 0 { r.orthogonal } else { r.diagonal };
                    if shields & movable != 0 {
                        self.need.null += count((path | slider) & !shields);
                    }
                } else {
                    // A check, if the piece between leaves.
                    self.king.sharp.from |= shields;
                }
            } else if after_one & after_one.wrapping_sub(1) == 0 && shields & theirs != 0 {
                // One piece of each side: the replier's would be pinned if the mover's left.
                self.king.sharp.from |= shields & own;
            }
        }
    }
}

/// The squares on which the moves of one piece of the replier's depend.
#[inline(always)]
fn depends_on(machine: impl Machine, node: &Node, at: u64, occupied: u64) -> u64 {
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
    count(depends_on(machine, node, at, occupied) & !theirs & targets)
}

/// The replies gained because a slider that pins a piece moves to each of `quiet` (Lemma 16).
#[inline(always)]
pub(super) fn moved(machine: impl Machine, node: &Node, from: u64, quiet: u64) -> i64 {
    let king = node.replier.king;
    let path = between(king, from);
    let shield = path & node.replier.all();
    let own = node.mover.all();
    let left = own ^ from;
    let pin = line(king, from);
    let near = quiet & (pin | depends_on(machine, node, shield, left | node.replier.all()));
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
/// are the lines of all pins (Lemma 16).
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

/// The replies gained, a number not above zero, because a slider pins a piece (Lemma 16).
#[inline(always)]
pub(super) fn made(machine: impl Machine, node: &Node, from: u64, to: u64) -> i64 {
    let path = between(node.replier.king, to);
    let shield = path & node.replier.all();
    let own = node.mover.all() ^ from | to;
    let free = moves_of(machine, node, shield, own, !0);
    moves_of(machine, node, shield, own, path | to) as i64 - free as i64
}
