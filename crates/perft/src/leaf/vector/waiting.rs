//! The nodes two plies above leaves, and their children that must be counted exactly.
//!
//! Nodes wait until there are [`NODES`] of them, so that lanes run full. Then the [`kernel`] sums up
//! the replies to their quiet moves, eight nodes at a time, and hands out the sharp moves as sets of
//! squares. Each sharp move becomes a child in three small numbers: the row of its node, where it
//! begins and where it ends. A child that isn't made by moving one piece (a promotion, a castling, a
//! capture en passant) gets a row of its own. [`replies`] counts the replies to all of them, eight
//! at a time.

use std::marker::PhantomData;

use tabiya::MoveList;

use super::kernel::{self, EightNodes};
use super::replies;
use super::rows::{Children, NODES, ROOM, ROWS, Rows, SLIDER};
use crate::lanes::Lanes;
use crate::lanes::kinds::{self, origin};
use crate::leaf::legality::passing_replies;
use crate::leaf::machine::{Kernel, Machine};
use crate::leaf::sums::Sums;
use crate::node::sets::each;
use crate::node::{Node, rules};

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
    counted: EightNodes,
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
            counted: EightNodes::default(),
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

    /// Counts the replies to the quiet moves of up to eight nodes, and lists the other children.
    #[inline(always)]
    fn count_eight<M: Machine>(&mut self, machine: M, sums: &mut Sums, first: usize, len: usize) {
        let Self { rows, counted, .. } = self;
        machine.enter(
            #[inline(always)]
            || kernel::count_eight::<L>(rows, first, counted),
        );
        if let Some(slots) = self.slots[first % NODES..].first_chunk() {
            sums.add_lanes(slots, &self.counted.leaves, len.min(8));
        }
        machine.enter(
            #[inline(always)]
            || self.list_sharp(first, len),
        );
        let mut special = u32::from(self.counted.special) & ((1 << len) - 1);
        while special != 0 {
            let lane = special.trailing_zeros() as usize & 7;
            special &= special - 1;
            self.special(machine, sums, first, lane);
        }
    }

    /// Lists the children after the sharp moves of the first `len` lanes.
    #[inline(always)]
    fn list_sharp(&mut self, first: usize, len: usize) {
        let Self { rows, children, counted, .. } = self;
        let used = ((1u64 << len) - 1) * 0x0101_0101_0101_0101;
        for group in (0..kinds::KINDS).step_by(8) {
            let mut present = counted.sharp.present(group) & used;
            while present != 0 {
                let bit = present.trailing_zeros() as usize;
                present &= present - 1;
                let (kind, lane) = (group + bit / 8, bit % 8);
                let targets = counted.sharp.present_set(kind, lane);
                let (mask, back) = match kind {
                    0..8 => (0, SLIDER + kind as u8),
                    kinds::KING => (0, rows.mover_king(first + lane).trailing_zeros() as u8),
                    _ => (63, BACK[kind % kinds::KINDS]),
                };
                children.list::<L>((first + lane) as u8, targets, mask, back);
            }
        }
    }

    /// Counts what a node has besides quiet moves and sharp ones.
    #[inline(always)]
    fn special<M: Machine>(&mut self, machine: M, sums: &mut Sums, first: usize, lane: usize) {
        let row = first + lane;
        let slot = self.slots[row % ROWS];
        let counted = &self.counted;
        if counted.passing[lane] != 0 {
            let [pawns, _, _, _, _, _, diagonal, orthogonal] = self.rows.pieces[row % ROWS];
            let replier_king = self.rows.rest[row % ROWS][1];
            let (occupied, pushes) = (counted.occupied[lane], counted.passing[lane]);
            let sliders = [diagonal, orthogonal];
            sums.add(
                slot,
                passing_replies(machine, pawns, replier_king, sliders, occupied, pushes),
            );
        }
        if counted.other >> lane & 1 != 0 {
            self.other_children(machine, sums, row, lane);
        }
    }

    /// Adds the children that are not made by moving one piece: promotions, castlings, captures en
    /// passant (Lemma 9).
    #[inline(always)]
    fn other_children<M: Machine>(&mut self, machine: M, sums: &mut Sums, row: usize, lane: usize) {
        let (node, slot) = (&self.rows.node(row), self.slots[row % ROWS]);
        let counted = &self.counted;
        let [single, west, east] = &counted.promotions;
        let [single, west, east] = [single[lane], west[lane], east[lane]];
        let (may_castle, danger) = (counted.castling >> lane & 1 != 0, counted.danger[lane]);
        if !rules::orthodox(node) {
            let promotions = [(8, single), (9, west), (7, east)];
            sums.add(slot, self.unorthodox_castlings(node, lane, promotions));
        }
        for from in each(single << 8 | west << 9 | east << 7) {
            let targets = from >> 8 & single | from >> 9 & west | from >> 7 & east;
            self.promotions(machine, sums, row, from, targets);
        }
        if may_castle {
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
    fn unorthodox_castlings(&self, node: &Node, lane: usize, promotions: [(u32, u64); 3]) -> u64 {
        let mut replies = 0;
        rules::promotions(node, promotions, |child| {
            replies += rules::castling_replies(&child);
        });
        for (kind, back) in BACK.into_iter().enumerate() {
            for to in each(self.counted.sharp.get(kind, lane)) {
                let from = match kind {
                    0..8 => {
                        1 << origin(to.trailing_zeros(), kind as u8, self.counted.occupied[lane])
                    }
                    kinds::KING => node.mover.king,
                    _ => to.rotate_left(back.into()),
                };
                replies += rules::castling_replies(&node.after(from, to));
            }
        }
        replies
    }

    /// Adds the children after the promotions of one pawn.
    ///
    /// Each piece that it becomes gets a row in which it's on the pawn's square already, and moves
    /// from there.
    #[inline(always)]
    fn promotions<M: Machine>(
        &mut self,
        machine: M,
        sums: &mut Sums,
        row: usize,
        from: u64,
        targets: u64,
    ) {
        for roles in PROMOTED {
            let own_row = self.own_row(machine, sums);
            self.rows.promote(row, own_row, from, roles);
            self.slots[own_row % ROWS] = self.slots[row % ROWS];
            self.children.list::<L>(own_row as u8, targets, 0, from.trailing_zeros() as u8);
        }
    }

    /// A row for another child, which is free now.
    #[inline(always)]
    fn own_row<M: Machine>(&mut self, machine: M, sums: &mut Sums) -> usize {
        if self.own_rows == OWN_ROWS || self.children.len() >= ROOM - 16 {
            self.count_children(machine, sums);
        }
        self.own_rows += 1;
        NODES + self.own_rows - 1
    }

    /// Adds a child that is not made by moving one piece.
    #[inline(always)]
    fn child<M: Machine>(&mut self, machine: M, sums: &mut Sums, child: &Node, slot: usize) {
        let row = self.own_row(machine, sums);
        self.put(row, child, slot);
        self.children.push_row(row as u8);
        sums.add(slot, self.rows.unorthodox_castlings(row));
    }
}

/// What a pawn may become: a knight, a bishop, a rook, or both of these at once.
const PROMOTED: [[bool; 3]; 4] =
    [[true, false, false], [false, true, false], [false, false, true], [false, true, true]];

/// How far back a move of each kind begins, modulo 256.
const BACK: [u8; kinds::KINDS] = kinds::back(8, 9, 7);
