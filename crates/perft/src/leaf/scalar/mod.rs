//! The kernel for nodes two plies above leaves, one node at a time.
//!
//! The same lemmas as for nodes side by side (`vector`), but by look-ups for each piece: its cost
//! grows with the number of pieces, and it needs no vectors. What depends on a square is a set for
//! each binary digit ([`digits`]), so what the moves of a piece change together is a few population
//! counts. The files have the names of their counterparts.

mod castlings;
mod corrections;
mod digits;
mod king_view;
mod moves;
mod need_take;
#[cfg(test)]
mod oracle;
mod pins;
mod replies;

use super::machine::{Kernel, Machine};
use super::sums::Sums;
use crate::node::Node;
use castlings::Castlings;
use king_view::KingView;
use need_take::NeedTake;
use pins::Pins;

/// Counts each node at once.
#[derive(Debug, Default)]
pub(crate) struct AtOnce {
    castlings: Castlings,
}

impl<M: Machine> Kernel<M> for AtOnce {
    #[inline(always)]
    fn add(&mut self, machine: M, sums: &mut Sums, node: &Node, slot: usize) {
        let leaves = machine.enter(
            #[inline(always)]
            || OneNode::of(machine, node, &mut self.castlings).leaves(),
        );
        sums.add(slot, leaves);
    }

    #[inline(always)]
    fn finish(&mut self, _: M, _: &mut Sums) {}
}

/// The node.
#[derive(Clone, Copy)]
struct Board<'a, M> {
    machine: M,
    node: &'a Node,
    /// The mover's pieces, the replier's, and both.
    own: u64,
    theirs: u64,
    occupied: u64,
}

/// One node, and what is found out about it.
struct OneNode<'a, M> {
    board: Board<'a, M>,
    king: KingView,
    pins: Pins,
    /// Lent, because it's large, and most nodes leave most of it alone.
    castlings: &'a mut Castlings,
    need: NeedTake,
    /// Can the king lose a step or a castling?
    may_lose: bool,
    /// Where a quiet move may end for which there is a correction that few nodes need.
    corrected: u64,
}

impl<'a, M: Machine> OneNode<'a, M> {
    #[inline(always)]
    fn of(machine: M, node: &'a Node, castlings: &'a mut Castlings) -> Self {
        let (own, theirs) = (node.mover.all(), node.replier.all());
        castlings.forget();
        let mut one = Self {
            board: Board { machine, node, own, theirs, occupied: own | theirs },
            king: KingView::default(),
            pins: Pins::default(),
            castlings,
            need: NeedTake::NOTHING,
            may_lose: false,
            corrected: 0,
        };
        one.look_at_king();
        one.may_lose = one.castlings.any | (one.king.escapes != 0);
        one.corrected = one.king.retaken | one.pins.lines;
        one.look_at_replies();
        one
    }
}

impl<M: Machine> Board<'_, M> {
    /// The squares that a rook attacks.
    #[inline(always)]
    fn rook(&self, from: u64) -> u64 {
        self.machine.rook(from, self.occupied)
    }

    /// The squares that a bishop attacks.
    #[inline(always)]
    fn bishop(&self, from: u64) -> u64 {
        self.machine.bishop(from, self.occupied)
    }
}
