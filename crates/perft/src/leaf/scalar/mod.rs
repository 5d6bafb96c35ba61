//! The kernel for nodes two plies above leaves, one node at a time, and the instance that uses it.
//!
//! The same lemmas as for nodes side by side (`vector`), but by look-ups for each piece: its price follows the number
//! of pieces, and it needs no vectors. What depends on a square is kept as a number for each square
//! instead of a set for each digit. The files have the names of their counterparts.

mod king;
mod legality;
mod mobility;
mod moves;
#[cfg(test)]
mod oracle;
mod replies;
mod words;

use super::counter::Counter;
use super::machine::Machine;
use super::node::{Node, Side};
use super::sets::{NOT_A, NOT_H, bishop, each, index, rook};
use super::sums::Sums;
use super::tables::{KING, KNIGHT};
use super::walk;
use words::Words;

/// The instance that needs no vectors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Machine for Portable {
    type Star = Words;
    /// No node waits.
    type Waiting = ();

    fn walk(self, counter: &mut Counter<'_, Self>, node: &Node, depth: u32) {
        walk::walk(counter, node, depth);
    }

    fn take(self, (): &mut (), sums: &mut Sums, node: &Node, slot: usize) {
        sums.add(slot, leaves(node));
    }

    fn count_waiting(self, (): &mut (), _: &mut Sums) {}
}

/// A slider of the mover.
#[derive(Clone, Copy, Default)]
struct Slider {
    from: u64,
    /// What it reaches as a rook and as a bishop.
    orthogonal: u64,
    diagonal: u64,
}

/// A square to which the replier's king could go, seen backwards: from where each piece would attack it.
#[derive(Clone, Copy, Default)]
struct Escape {
    orthogonal: u64,
    diagonal: u64,
    knight: u64,
    pawn: u64,
}

/// One node, and what is found out about it.
struct Scalar<'a> {
    node: &'a Node,
    /// The mover's pieces, the replier's, and both.
    own: u64,
    theirs: u64,
    occupied: u64,
    /// The mover's sliders.
    sliders: [Slider; 16],
    slider_count: usize,
    /// What the mover attacks, and what it attacks at least twice.
    once: u64,
    twice: u64,
    /// Pieces whose every move is sharp, and squares that are sharp to enter: for all, for knights, for pawns, for
    /// the king, for what moves like a rook, like a bishop.
    from: u64,
    to: u64,
    to_knight: u64,
    to_pawn: u64,
    to_king: u64,
    to_orthogonal: u64,
    to_diagonal: u64,
    /// Squares that one piece alone guards.
    sole: u64,
    /// Squares to which the replier's king could go, beside castling paths.
    escapes: [Escape; 8],
    escape_count: usize,
    /// The replier's pinned pieces.
    pinned: u64,
    /// The squares that the replier's king sees.
    near: u64,
    /// The number of replies to a null move.
    null: u64,
    /// The replies gained when a piece of the mover leaves a square, lost when one comes.
    value: [i8; 64],
    /// The squares with a value.
    touched: u64,
    /// The mover's pieces that a slider attacks, by the direction in which it looks.
    met: [u64; 8],
}

/// The replies to all moves of a node.
#[inline(never)]
fn leaves(node: &Node) -> u64 {
    Scalar::of(node).leaves()
}

impl<'a> Scalar<'a> {
    #[inline(always)]
    fn of(node: &'a Node) -> Self {
        let own = node.mover.all();
        let theirs = node.replier.all();
        let mut scalar = Scalar {
            node,
            own,
            theirs,
            occupied: own | theirs,
            sliders: [Slider::default(); 16],
            slider_count: 0,
            once: 0,
            twice: 0,
            from: 0,
            to: 0,
            to_knight: 0,
            to_pawn: 0,
            to_king: 0,
            to_orthogonal: 0,
            to_diagonal: 0,
            sole: 0,
            escapes: [Escape::default(); 8],
            escape_count: 0,
            pinned: 0,
            near: 0,
            null: 0,
            value: [0; 64],
            touched: 0,
            met: [0; 8],
        };
        scalar.attack();
        scalar.look_at_king();
        scalar.look_at_replies();
        scalar
    }

    /// Finds what the mover attacks.
    fn attack(&mut self) {
        let m = &self.node.mover;
        let mut add = |set: u64| {
            self.twice |= self.once & set;
            self.once |= set;
        };
        for from in each(m.orthogonal | m.diagonal) {
            let (orthogonal, diagonal) = reach(m, from, self.occupied);
            self.sliders[self.slider_count & 15] = Slider { from, orthogonal, diagonal };
            self.slider_count += 1;
            add(orthogonal | diagonal);
        }
        for from in each(m.knights) {
            add(KNIGHT[index(from)]);
        }
        // One by one: a square may be attacked by two pawns.
        add(m.pawns >> 9 & NOT_H);
        add(m.pawns >> 7 & NOT_A);
        add(KING[index(m.king)]);
    }
}

/// What a slider reaches, as a rook and as a bishop.
fn reach(side: &Side, slider: u64, occupied: u64) -> (u64, u64) {
    let orthogonal = if side.orthogonal & slider != 0 { rook(slider, occupied) } else { 0 };
    let diagonal = if side.diagonal & slider != 0 { bishop(slider, occupied) } else { 0 };
    (orthogonal, diagonal)
}
