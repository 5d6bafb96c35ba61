//! The children of an interior node, made one by one.

use super::legality::{Legality, danger};
use super::machine::Machine;
use crate::node::rules;
use crate::node::sets::{RANK_1, down_attacks, each, index};
use crate::node::tables::{KING, KNIGHT};
use crate::node::{Node, Side};

/// Makes every child of a node and hands it out, turned so that the side to move is the mover.
#[inline(always)]
pub(super) fn each_child(machine: impl Machine, node: &Node, found: impl FnMut(Node)) {
    let own = node.mover.all();
    let occupied = own | node.replier.all();
    let legal = Legality::of(node, own, occupied);
    let danger = danger(machine, node, occupied);
    let mut children = EachChild { node, found };
    let Side { knights, diagonal, orthogonal, king, .. } = node.mover;
    children.piece(king, KING[index(king)] & !own & !danger);
    if legal.double_check {
        return;
    }
    if node.castling >> 56 != 0 && !legal.in_check {
        rules::castlings(node, occupied, danger, |child| children.other(child));
    }

    for from in each(knights & !legal.pinned) {
        children.piece(from, KNIGHT[index(from)] & legal.targets);
    }
    for from in each(orthogonal) {
        let reach = machine.rook(from, occupied);
        children.piece(from, reach & legal.targets & legal.leash(king, from));
    }
    for from in each(diagonal) {
        let reach = machine.bishop(from, occupied);
        children.piece(from, reach & legal.targets & legal.leash(king, from));
    }

    let [single, double, west, east] = legal.pawn_targets(node, occupied);
    children.pawns(single & !RANK_1, double, west & !RANK_1, east & !RANK_1);
    if (single | west | east) & RANK_1 != 0 {
        rules::promotions(node, [(8, single), (9, west), (7, east)], |child| {
            children.other(child);
        });
    }
    if node.en_passant != 0 {
        rules::en_passants(node, |child| children.other(child));
    }
}

/// Makes the children of a node.
struct EachChild<'a, F> {
    node: &'a Node,
    found: F,
}

impl<F: FnMut(Node)> EachChild<'_, F> {
    /// Those of the moves of one piece to each of `targets`.
    #[inline(always)]
    fn piece(&mut self, from: u64, targets: u64) {
        for to in each(targets) {
            (self.found)(self.node.after(from, to).turned());
        }
    }

    /// Those of pawns, by where they go: single and double pushes, captures to the west and to the
    /// east.
    #[inline(always)]
    fn pawns(&mut self, single: u64, double: u64, west: u64, east: u64) {
        for (back, targets) in [(8, single), (16, double), (9, west), (7, east)] {
            for to in each(targets) {
                let mut child = self.node.after(to << back, to);
                if back == 16 && down_attacks(to << 8) & self.node.replier.pawns != 0 {
                    child.en_passant = to << 8;
                }
                (self.found)(child.turned());
            }
        }
    }

    /// One that is not made by moving one piece.
    #[inline(always)]
    fn other(&mut self, child: Node) {
        (self.found)(child.turned());
    }
}
