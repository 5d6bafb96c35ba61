//! The kernel for nodes two plies above leaves, one node at a time.
//!
//! The same lemmas as for nodes side by side (`vector`), but by look-ups for each piece: its cost
//! grows with the number of pieces, and it needs no vectors. What depends on a square is a set for
//! each binary digit ([`digits`]), so what the moves of a piece change together is a few population
//! counts. The files have the names of their counterparts.

mod castling;
mod corrections;
mod digits;
mod king;
mod mobility;
mod moves;
#[cfg(test)]
mod oracle;
mod pins;
mod replies;

use super::machine::{Kernel, Machine};
use super::node::Node;
use super::sets::{NOT_A, NOT_H, each, index};
use super::sums::Sums;
use super::tables::{KING, KNIGHT, NEAR};
use castling::Castlings;
use digits::{Digits, Few};

/// From where each kind of piece would attack squares to which the replier's king could go: how
/// many of them.
struct LostEscapes {
    orthogonal: Digits,
    diagonal: Digits,
    knight: Few,
    pawn: Few,
    king: Few,
}

/// Counts each node at once.
#[derive(Debug)]
pub(crate) struct AtOnce {
    castlings: Castlings,
}

impl Default for AtOnce {
    fn default() -> Self {
        Self { castlings: Castlings::NONE }
    }
}

impl<M: Machine> Kernel<M> for AtOnce {
    #[inline(always)]
    fn add(&mut self, machine: M, sums: &mut Sums, node: &Node, slot: usize) {
        let leaves = machine.enter(
            #[inline(always)]
            || Scalar::of(machine, node, &mut self.castlings).leaves(),
        );
        sums.add(slot, leaves);
    }

    #[inline(always)]
    fn finish(&mut self, _: M, _: &mut Sums) {}
}

/// One node, and what is found out about it.
struct Scalar<'a, M> {
    machine: M,
    node: &'a Node,
    /// The mover's pieces, the replier's, and both.
    own: u64,
    theirs: u64,
    occupied: u64,
    /// What the mover attacks near the replier's king, and what it attacks at least twice.
    once: u64,
    twice: u64,
    /// Pieces whose every move is sharp, and squares that are sharp to enter: for all, for knights,
    /// for pawns, for what moves like a rook, like a bishop.
    from: u64,
    to: u64,
    /// Those of them that close lines of two sliders, and the squares to which such lines lead.
    to_twice: u64,
    watched: u64,
    to_knight: u64,
    to_pawn: u64,
    to_orthogonal: u64,
    to_diagonal: u64,
    /// The pieces that pin one of the replier's, and the squares from which what moves like a rook,
    /// like a bishop would.
    pinners: u64,
    /// The squares of pins.
    lines: u64,
    behind: [u64; 2],
    /// Squares next to the replier's king that one piece alone guards, and the pieces that do.
    alone: u64,
    guards: u64,
    /// Squares to which the replier's king could go.
    escapes: u64,
    /// Can the king lose a step or a castling?
    may_lose: bool,
    lost: LostEscapes,
    /// The castlings that are possible, or that one piece alone forbids; it means something if there
    /// is one.
    castlings: &'a mut Castlings,
    castling: bool,
    /// The pieces that alone forbid one.
    holders: u64,
    /// Pieces of the replier's next to its king that one piece of the mover's attacks.
    bare: u64,
    /// Where a quiet move may end for which there is a correction that few nodes need.
    corrected: u64,
    /// The replier's pinned pieces.
    pinned: u64,
    /// The squares that the replier's king sees.
    seen: u64,
    /// What the replier attacks, through the mover's king.
    danger: u64,
    /// The number of replies to a null move.
    null: u64,
    /// The replies gained when a piece of the mover leaves a square, lost when one comes, are this
    /// less two for each square of `taken`: a pawn that attacks a square alone takes two less one.
    value: Digits,
    /// What the replier's pawns attack, and whether one may promote.
    taken: u64,
    promoting: bool,
    /// The squares with a value.
    touched: u64,
    /// Where a move may end that begins on a square which the same pawn uses.
    tangles: u64,
    /// The mover's pieces that a slider attacks along their file, along a rising and a falling
    /// diagonal.
    met: [u64; 3],
}

impl<'a, M: Machine> Scalar<'a, M> {
    #[inline(always)]
    fn of(machine: M, node: &'a Node, castlings: &'a mut Castlings) -> Self {
        let own = node.mover.all();
        let theirs = node.replier.all();
        let mut scalar = Scalar {
            machine,
            node,
            own,
            theirs,
            occupied: own | theirs,
            once: 0,
            twice: 0,
            from: 0,
            to: 0,
            to_twice: 0,
            watched: 0,
            to_knight: 0,
            to_pawn: 0,
            to_orthogonal: 0,
            to_diagonal: 0,
            pinners: 0,
            lines: 0,
            behind: [0; 2],
            alone: 0,
            guards: 0,
            escapes: 0,
            may_lose: false,
            lost: LostEscapes {
                orthogonal: Digits::ZERO,
                diagonal: Digits::ZERO,
                knight: Few::ZERO,
                pawn: Few::ZERO,
                king: Few::ZERO,
            },
            castlings,
            castling: false,
            holders: 0,
            bare: 0,
            corrected: 0,
            pinned: 0,
            seen: 0,
            danger: 0,
            null: 0,
            value: Digits::ZERO,
            taken: 0,
            promoting: false,
            touched: 0,
            tangles: 0,
            met: [0; 3],
        };
        scalar.look_at_king();
        scalar.may_lose = scalar.castling | (scalar.escapes != 0);
        scalar.corrected = scalar.bare | scalar.lines;
        scalar.look_at_replies();
        scalar
    }

    /// Finds what the mover attacks near the replier's king.
    #[inline(always)]
    fn attack(&mut self) {
        let m = &self.node.mover;
        let near = &NEAR[index(self.node.replier.king)];
        let mut add = |set: u64| {
            self.twice |= self.once & set;
            self.once |= set;
        };
        for from in each(m.orthogonal & near[0]) {
            add(self.machine.rook(from, self.occupied));
        }
        for from in each(m.diagonal & near[1]) {
            add(self.machine.bishop(from, self.occupied));
        }
        for from in each(m.knights & near[2]) {
            add(KNIGHT[index(from)]);
        }
        // One by one: a square may be attacked by two pawns.
        add(m.pawns >> 9 & NOT_H);
        add(m.pawns >> 7 & NOT_A);
        add(KING[index(m.king)]);
    }
}
