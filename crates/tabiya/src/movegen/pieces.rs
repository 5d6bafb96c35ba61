//! Moves of knights, bishops, rooks and queens.

use super::generator::Generation;
use super::kinds::Kind;
use super::sink::Sink;
use crate::attacks::{self, Sliders};
use crate::bitboard::Bitboard;
use crate::color::Side;
use crate::role::Role;
use crate::square::Square;

impl<S: Side, K: Kind, L: Sliders> Generation<'_, S, K, L> {
    /// `targets` are the squares that the kind of moves and the check mask allow.
    #[inline(always)]
    pub(super) fn pieces(&self, targets: Bitboard, sink: &mut impl Sink) {
        let (sliders, occupied) = (self.sliders, self.occupied);
        // A pinned knight never moves: none of its jumps stays on a line.
        self.each(Role::Knight, sink, |from| attacks::knight(from) & targets);
        self.each(Role::Bishop, sink, |from| sliders.bishop(from, occupied) & targets);
        self.each(Role::Rook, sink, |from| sliders.rook(from, occupied) & targets);
        self.each(Role::Queen, sink, |from| sliders.queen(from, occupied) & targets);
        // A pinned piece can neither capture a checker nor block a check: its pin line and the
        // checker's line meet only in the king's square.
        if self.facts.pinned.any() && self.facts.checkers.is_empty() && !sink.is_done() {
            self.pinned_sliders(targets, sink);
        }
    }

    /// Passes on the targets of each piece of a role that is not pinned, unless the sink is done.
    #[inline(always)]
    fn each(&self, role: Role, sink: &mut impl Sink, targets: impl Fn(Square) -> Bitboard) {
        for from in self.movers(role) - self.facts.pinned {
            if sink.is_done() {
                return;
            }
            sink.piece(role, from, self.kept(role, from, targets(from)), self.enemies);
        }
    }

    /// Sliders along their pin lines. There are few, so all roles share one loop.
    #[inline(always)]
    fn pinned_sliders(&self, targets: Bitboard, sink: &mut impl Sink) {
        let (board, facts) = (self.board, self.facts);
        let queens = board.role(Role::Queen);
        let (diagonal, orthogonal) =
            (board.role(Role::Bishop) | queens, board.role(Role::Rook) | queens);
        for from in facts.pinned & (diagonal | orthogonal) {
            let role = board.role_on_occupied(from);
            if !self.may_move(role, from) {
                continue;
            }
            let mut attacked = Bitboard::EMPTY;
            if diagonal.has(from) {
                attacked |= self.sliders.bishop(from, self.occupied);
            }
            if orthogonal.has(from) {
                attacked |= self.sliders.rook(from, self.occupied);
            }
            let targets = attacked & attacks::line(facts.king, from) & targets;
            sink.piece(role, from, self.kept(role, from, targets), self.enemies);
            if sink.is_done() {
                return;
            }
        }
    }
}
