//! Moves of knights, bishops, rooks and queens.

use super::Node;
use super::filter::MoveFilter;
use super::sink::Sink;
use crate::attacks::{self, Sliders};
use crate::bitboard::Bitboard;
use crate::role::Role;
use crate::square::Square;

/// `targets` are the squares that the kind of moves and the check mask allow.
#[inline(always)]
pub(super) fn generate<L: Sliders, F: MoveFilter, T: Sink>(
    node: &Node<'_, L, F>,
    targets: Bitboard,
    sink: &mut T,
) {
    let sliders = node.sliders;
    let occupied = node.occupied;
    let free = !node.facts.pinned;
    // A pinned knight never moves: none of its jumps stays on a line.
    each(node, Role::Knight, free, sink, |from| attacks::knight(from) & targets);
    each(node, Role::Bishop, free, sink, |from| sliders.bishop(from, occupied) & targets);
    each(node, Role::Rook, free, sink, |from| sliders.rook(from, occupied) & targets);
    each(node, Role::Queen, free, sink, |from| sliders.queen(from, occupied) & targets);
    // A pinned piece can neither capture a checker nor block a check: its pin line and the
    // checker's line meet only in the king's square.
    if node.facts.pinned.any() && node.facts.checkers.is_empty() && !sink.is_done() {
        pinned_sliders(node, targets, sink);
    }
}

/// Sliders along their pin lines. There are few, so all roles share one loop.
#[inline(always)]
fn pinned_sliders<L: Sliders, F: MoveFilter, T: Sink>(
    node: &Node<'_, L, F>,
    targets: Bitboard,
    sink: &mut T,
) {
    let (board, facts) = (node.board, node.facts);
    let queens = board.role(Role::Queen);
    let (diagonal, orthogonal) =
        (board.role(Role::Bishop) | queens, board.role(Role::Rook) | queens);
    // The facts may be those of another position. The bound of the number of moves, on which the list
    // relies, holds for one side's pieces.
    for from in node.own & facts.pinned & (diagonal | orthogonal) {
        let role = board.role_on_occupied(from);
        if !node.filter.sources(role).has(from) {
            continue;
        }
        let mut attacked = Bitboard::EMPTY;
        if diagonal.has(from) {
            attacked |= node.sliders.bishop(from, node.occupied);
        }
        if orthogonal.has(from) {
            attacked |= node.sliders.rook(from, node.occupied);
        }
        let targets = attacked & attacks::line(facts.king, from) & targets;
        sink.piece(role, from, node.filter.targets(role, from, targets), node.enemies);
        if sink.is_done() {
            return;
        }
    }
}

/// Passes on the targets of each piece of a role among `able`, unless the sink is done.
#[inline(always)]
fn each<L: Sliders, F: MoveFilter, T: Sink>(
    node: &Node<'_, L, F>,
    role: Role,
    able: Bitboard,
    sink: &mut T,
    targets: impl Fn(Square) -> Bitboard,
) {
    for from in node.own & node.board.role(role) & able & node.filter.sources(role) {
        if sink.is_done() {
            return;
        }
        sink.piece(role, from, node.filter.targets(role, from, targets(from)), node.enemies);
    }
}
