//! The nodes two plies above leaves, and those of their children that must be counted exactly.
//!
//! Nodes wait until there are [`NODES`] of them, so that lanes run full. Then the kernel [`nodes`]
//! sums up the replies to their quiet moves, eight nodes at a time, and hands out the other moves
//! as sets of squares. Such a *sharp* move is noted as three small numbers: the row of its node,
//! where it begins and where it ends. A child that is not made by moving one piece (a promotion, a
//! castling, a capture en passant) gets a row of its own. The kernel [`replies`]
//! counts the replies to all of them, eight at a time.

use std::hint;
use std::marker::PhantomData;

use tabiya::MoveList;

use super::lanes::Lanes;
use super::nodes::{self, EightNodes};
use super::replies;
use super::rows::{Children, NODES, NOWHERE, ROOM, ROWS, Rows};
use crate::leaf::legality::replier_is_seen;
use crate::leaf::machine::{Kernel, Machine};
use crate::leaf::node::Node;
use crate::leaf::rules;
use crate::leaf::sums::Sums;
use crate::leaf::tables::RAYS;

/// With more children than this they are counted before those of eight more nodes come.
const FULL: usize = 296;
// There is room for all of them, and for a block that is filled.
const _: () = assert!(FULL + 8 * MoveList::CAPACITY + 8 <= ROOM);
/// Rows for children that are not made by moving one piece. The last row stays empty.
const OWN_ROWS: usize = ROWS - NODES - 1;

/// Positions that wait.
#[derive(Debug)]
pub(crate) struct Waiting<L> {
    rows: Rows,
    /// The slot to which each row's leaves belong.
    slots: [usize; ROWS],
    nodes: usize,
    /// How many children have rows of their own.
    own_rows: usize,
    children: Children,
    sharp: EightNodes,
    /// The sets of sharp moves of sliders, and of other pieces.
    sets: [Sets; 2],
    /// The vectors with which they are counted.
    lanes: PhantomData<fn() -> L>,
}

impl<L> Default for Waiting<L> {
    fn default() -> Self {
        Self {
            rows: Rows::default(),
            slots: [0; ROWS],
            nodes: 0,
            own_rows: 0,
            children: Children::default(),
            sharp: EightNodes::default(),
            sets: [Sets::default(), Sets::default()],
            lanes: PhantomData,
        }
    }
}

impl<L: Lanes, M: Machine> Kernel<M> for Waiting<L> {
    #[inline(always)]
    fn add(&mut self, machine: M, sums: &mut Sums, node: &Node, slot: usize) {
        debug_assert!(self.nodes < NODES, "the nodes are counted as soon as there are that many");
        self.put(self.nodes, node, slot);
        self.nodes += 1;
        if self.nodes == NODES {
            self.finish(machine, sums);
        }
    }

    #[inline(always)]
    fn finish(&mut self, machine: M, sums: &mut Sums) {
        machine.enter(
            #[inline(always)]
            || self.count(machine, sums),
        );
    }
}

impl<L: Lanes> Waiting<L> {
    #[inline(always)]
    fn put(&mut self, row: usize, node: &Node, slot: usize) {
        self.rows.put(row, node);
        self.slots[row % ROWS] = slot;
    }

    /// Counts the leaves below all nodes.
    #[inline(always)]
    fn count<M: Machine>(&mut self, machine: M, sums: &mut Sums) {
        let nodes = std::mem::take(&mut self.nodes);
        for first in (0..nodes).step_by(8) {
            if self.children.len() > FULL {
                self.count_children(machine, sums);
            }
            self.count_eight(machine, sums, first, (nodes - first).min(8));
        }
        self.count_children(machine, sums);
    }

    /// Counts the replies to the children.
    #[inline(always)]
    fn count_children<M: Machine>(&mut self, machine: M, sums: &mut Sums) {
        self.children.fill();
        let Self { rows, children, slots, .. } = self;
        if sums.together {
            let all = machine.enter(
                #[inline(always)]
                || replies::of_all::<L>(rows, children),
            );
            sums.add(Sums::ROOT, all);
        } else {
            machine.enter(
                #[inline(always)]
                || replies::of_each::<L>(rows, children, sums, slots),
            );
        }
        self.children.clear();
        self.own_rows = 0;
    }

    /// Counts the replies to the quiet moves of up to eight nodes, and notes the other children.
    #[inline(always)]
    fn count_eight<M: Machine>(&mut self, machine: M, sums: &mut Sums, first: usize, len: usize) {
        let Self { rows, sharp, .. } = self;
        machine.enter(
            #[inline(always)]
            || nodes::count_eight::<L>(rows, first, sharp),
        );
        for lane in 0..len {
            sums.add(self.slots[(first + lane) % ROWS], self.sharp.leaves[lane & 7]);
        }
        self.list_sets(first, len);
        self.note_sliders();
        self.note_others();
        let mut special = u32::from(self.sharp.special) & ((1 << len) - 1);
        while special != 0 {
            let lane = special.trailing_zeros() as usize & 7;
            special &= special - 1;
            self.special(machine, sums, first, lane);
        }
    }

    /// Lists the sets of sharp moves of the first `len` lanes.
    #[inline(always)]
    fn list_sets(&mut self, first: usize, len: usize) {
        let used = ((1u64 << len) - 1) * 0x0101_0101_0101_0101;
        let [sliders, others] = &mut self.sets;
        sliders.len = 0;
        others.len = 0;
        for group in 0..nodes::KINDS / 8 {
            // A bit for each set: eight kinds of eight lanes.
            let mut bits = self.sharp.present(group) & used;
            while bits != 0 {
                let bit = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let (kind, lane) = (8 * group + bit / 8, bit % 8);
                let row = (first + lane) as u8;
                let mut set = Set {
                    targets: self.sharp.sets[kind % nodes::KINDS][lane],
                    row,
                    kind: kind as u8,
                    mask: 63,
                    back: BACK[kind % nodes::KINDS],
                };
                if kind == nodes::KING {
                    set.mask = 0;
                    set.back = self.rows.mover_king(row.into()).trailing_zeros() as u8;
                }
                if group == 0 { sliders.push(set) } else { others.push(set) }
            }
        }
    }

    /// Notes the sharp moves of sliders.
    ///
    /// One move of each set, then the next one of each that has more: so no branch depends on where
    /// a set ends, which the branch predictor cannot learn.
    #[inline(always)]
    fn note_sliders(&mut self) {
        let [sliders, _] = &mut self.sets;
        while sliders.len != 0 {
            let len = std::mem::take(&mut sliders.len);
            for at in 0..len {
                let set = sliders.sets[at % SETS];
                let to = set.targets.trailing_zeros() & 63;
                let from = origin(to, set.kind, self.sharp.occupied[set.row as usize & 7]);
                self.children.push(set.row, from as u8, to as u8);
                sliders.keep_rest(set);
            }
        }
    }

    /// Notes the sharp moves of other pieces.
    #[inline(always)]
    fn note_others(&mut self) {
        let [_, others] = &mut self.sets;
        while others.len != 0 {
            let len = std::mem::take(&mut others.len);
            for at in 0..len {
                let set = others.sets[at % SETS];
                let to = set.targets.trailing_zeros() as u8 & 63;
                let from = (to & set.mask).wrapping_add(set.back);
                self.children.push(set.row, from, to);
                others.keep_rest(set);
            }
        }
    }

    /// Counts what a node has besides quiet moves and sharp ones.
    #[inline(always)]
    fn special<M: Machine>(&mut self, machine: M, sums: &mut Sums, first: usize, lane: usize) {
        let row = first + lane;
        let slot = self.slots[row % ROWS];
        let node = self.rows.node(row);
        let sharp = &self.sharp;
        let pushes = sharp.passing[lane];
        if pushes != 0 {
            let replies = rules::passing_replies(
                &node,
                pushes,
                #[inline(always)]
                |node, occupied| replier_is_seen(machine, node, occupied),
            );
            sums.add(slot, replies);
        }
        if !rules::orthodox(&node) {
            sums.add(slot, self.unorthodox_castlings(&node, lane));
        }
        let [single, west, east] = &sharp.promotions;
        let promotions = [single[lane], west[lane], east[lane]];
        let castles = sharp.castling >> lane & 1 != 0;
        let danger = castles.then_some(sharp.danger[lane]);
        self.other_children(machine, sums, &node, slot, &promotions, danger);
    }

    /// Adds the children that are not made by moving one piece: promotions, castlings unless the
    /// squares in danger are not given, captures en passant.
    #[inline(always)]
    fn other_children<M: Machine>(
        &mut self,
        machine: M,
        sums: &mut Sums,
        node: &Node,
        slot: usize,
        promotions: &[u64; 3],
        danger: Option<u64>,
    ) {
        let [single, west, east] = *promotions;
        if single | west | east != 0 {
            rules::promotions(node, [(8, single), (9, west), (7, east)], |child| {
                self.child(machine, sums, &child, slot);
            });
        }
        if let Some(danger) = danger {
            rules::castlings(node, node.mover.all() | node.replier.all(), danger, |child| {
                self.child(machine, sums, &child, slot);
            });
        }
        if node.en_passant != 0 {
            rules::en_passants(node, |child| self.child(machine, sums, &child, slot));
        }
    }

    /// The castlings that reply to sharp moves, where king and rooks are not on the squares of the
    /// usual setup: the kernel for children does not know them.
    #[inline(never)]
    #[cold]
    fn unorthodox_castlings(&self, node: &Node, lane: usize) -> u64 {
        let mut replies = 0;
        for (kind, back) in BACK.into_iter().enumerate() {
            if self.sharp.present[kind] >> lane & 1 == 0 {
                continue;
            }
            let mut rest = self.sharp.sets[kind][lane];
            while rest != 0 {
                let to = rest.trailing_zeros();
                rest &= rest - 1;
                let from = match kind {
                    nodes::KING => node.mover.king.trailing_zeros(),
                    0..8 => origin(to, kind as u8, self.sharp.occupied[lane]),
                    _ => (to as u8).wrapping_add(back).into(),
                };
                replies += rules::castling_replies(&node.after(1 << from, 1 << to));
            }
        }
        replies
    }

    /// Adds a child that is not made by moving one piece.
    #[inline(always)]
    fn child<M: Machine>(&mut self, machine: M, sums: &mut Sums, child: &Node, slot: usize) {
        if self.own_rows == OWN_ROWS || self.children.len() >= ROOM - 8 {
            self.count_children(machine, sums);
        }
        let row = NODES + self.own_rows;
        self.own_rows += 1;
        self.put(row, child, slot);
        self.children.push(row as u8, NOWHERE, NOWHERE);
        sums.add(slot, self.rows.unorthodox_castlings(row));
    }
}

/// Where a slider began that moved to `to`: the first piece on the way back.
#[inline(always)]
pub(super) fn origin(to: u32, kind: u8, occupied: u64) -> u32 {
    let ray = RAYS[to as usize & 63][(kind as usize ^ 4) & 7] & occupied;
    debug_assert_ne!(ray, 0, "a slider stands where its move began");
    let (lowest, highest) = (ray.trailing_zeros(), 63 ^ ray.leading_zeros());
    hint::select_unpredictable(kind < 4, highest, lowest)
}

/// More sets than eight nodes have.
const SETS: usize = 128;

/// Sets of sharp moves.
#[derive(Debug)]
struct Sets {
    sets: [Set; SETS],
    len: usize,
}

/// The sharp moves of one kind in one node.
#[derive(Clone, Copy, Debug, Default)]
struct Set {
    targets: u64,
    row: u8,
    kind: u8,
    /// A move of a piece that is no slider begins on the number of its target under this mask, plus
    /// `back`.
    mask: u8,
    back: u8,
}

impl Default for Sets {
    fn default() -> Self {
        Self { sets: [Set::default(); SETS], len: 0 }
    }
}

impl Sets {
    #[inline(always)]
    fn push(&mut self, set: Set) {
        self.sets[self.len % SETS] = set;
        self.len += 1;
    }

    /// Keeps a set without its first target, if there is another.
    #[inline(always)]
    fn keep_rest(&mut self, set: Set) {
        let targets = set.targets & set.targets.wrapping_sub(1);
        self.sets[self.len % SETS] = Set { targets, ..set };
        self.len += usize::from(targets != 0);
    }
}

/// How far back a move of each kind begins, modulo 256.
const BACK: [u8; nodes::KINDS] = {
    let mut back = [0; nodes::KINDS];
    let mut step = 0;
    while step < 8 {
        back[nodes::KNIGHT + step] = nodes::KNIGHT_OFFSETS[step].wrapping_neg() as u8;
        step += 1;
    }
    back[nodes::SINGLE] = 8;
    back[nodes::DOUBLE] = 16;
    back[nodes::WEST] = 9;
    back[nodes::EAST] = 7;
    back
};
