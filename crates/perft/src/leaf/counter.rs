//! What one thread keeps while it counts: batches of waiting children, and sums.
//!
//! Children wait in their batches until these are full, so when the walk leaves a subtree its count
//! may still be incomplete. That does not matter to the total. With a table it does: then every
//! subtree has a *slot* for its sum, a waiting child knows the slot it belongs to, and the slots are
//! read when no child waits any more.

use std::marker::PhantomData;

use tabiya::Position;

use super::machine::Machine;
use super::moves::{self, Odd};
use super::node::Node;
use super::pair::{self, Output};
use super::rows::{Children, NODES, NOWHERE, ROOM, ROWS, Rows};
use super::star::RAYS;
use super::rules;
use crate::count_leaves::{CountSlice, MAX_SLICE_DEPTH};
use crate::progress::Watch;
use crate::table::{Key, Table};

/// The sum of a subtree that is being counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    /// The leaves so far.
    pub(super) leaves: u64,
    /// The slot of the subtree that this one is part of.
    pub(super) parent: usize,
    /// Under what the sum is to be remembered.
    pub(super) key: Key,
}

impl Slot {
    /// The slot of the whole count.
    const ROOT: Self = Self { leaves: 0, parent: 0, key: Key { place: 0, check: 0 } };
}

/// Counts leaves, one subtree after the other.
pub(crate) struct Counter<'a, M> {
    /// Who waits.
    waiting: Option<Box<Waiting>>,
    pub(super) slots: Vec<Slot>,
    /// The slot to which leaves are added.
    pub(super) slot: usize,
    pub(super) table: Option<&'a Table>,
    pub(super) look_ups: u64,
    /// Lists of children that are not in use.
    pub(super) spare: Vec<Vec<(Node, Key)>>,
    pub(super) watch: &'a dyn Watch,
    pub(super) cancelled: bool,
    machine: PhantomData<M>,
}

impl<'a, M: Machine> Counter<'a, M> {
    /// A counter.
    ///
    /// The caller has made sure that the CPU has what `M` needs: instances check it where they
    /// are chosen, in [`Engine::counter`](crate::Engine::counter).
    pub(crate) fn new(table: Option<&'a Table>, watch: &'a dyn Watch) -> Self {
        Self {
            waiting: Some(Box::default()),
            slots: vec![Slot::ROOT],
            slot: 0,
            table,
            look_ups: 0,
            spare: Vec::new(),
            watch,
            cancelled: false,
            machine: PhantomData,
        }
    }

    /// The leaves `depth` plies below a position, at most [`MAX_SLICE_DEPTH`], so that their number
    /// fits into 64 bits; `None` if the watch cancelled the count.
    fn leaves(&mut self, position: &Position, depth: u32) -> Option<u64> {
        debug_assert!(depth <= MAX_SLICE_DEPTH, "the count may not fit into 64 bits");
        match depth {
            0 => return Some(1),
            1 => return Some(position.count_legal() as u64),
            _ => {}
        }
        let node = Node::of(position);
        let known = self.table.map(|table| (table, table.key(&node.packed(), depth)));
        if let Some((table, key)) = known {
            self.look_ups += 1;
            if let Some(leaves) = table.get(key) {
                return Some(leaves);
            }
        }
        if depth == 2 {
            self.push_pair(&node);
        } else {
            M::walk(self, &node, depth);
        }
        self.settle(0);
        let leaves = std::mem::take(&mut self.slots[0].leaves);
        if std::mem::take(&mut self.cancelled) {
            return None;
        }
        if let Some((table, key)) = known {
            table.put(key, leaves);
        }
        Some(leaves)
    }

    /// Counts whoever waits, and adds all slots after `first` to their parents.
    pub(super) fn settle(&mut self, first: usize) {
        if self.waiting.as_ref().is_some_and(|waiting| waiting.nodes != 0) {
            M::settle_pairs(self);
        }
        // Children come after their parents.
        while self.slots.len() > first + 1 {
            if let Some(slot) = self.slots.pop() {
                self.slots[slot.parent].leaves += slot.leaves;
                if let Some(table) = self.table
                    && !self.cancelled
                {
                    table.put(slot.key, slot.leaves);
                }
            }
        }
    }

    /// Puts a node two plies above leaves among those that wait.
    #[inline(always)]
    pub(super) fn push_pair(&mut self, node: &Node) {
        let Some(waiting) = &mut self.waiting else { return };
        let at = waiting.nodes;
        waiting.put(at, node, self.slot);
        waiting.nodes = at + 1;
        if at + 1 == NODES {
            M::settle_pairs(self);
        }
    }
}

/// Children are counted when there may be no room for those of eight more nodes: no position has more
/// than 218 moves.
const FULL: usize = ROOM - 8 * 218 - 8;

/// Positions that wait.
#[derive(Debug)]
pub(crate) struct Waiting {
    rows: Rows,
    /// The slot that each row belongs to.
    slots: [usize; ROWS],
    /// How many nodes there are, two plies above leaves.
    nodes: usize,
    /// How many odd children there are.
    odd: usize,
    children: Children,
    out: Output,
    /// Sets of sharp moves: of sliders, of others.
    sets: [Sets; 2],
}

impl Default for Waiting {
    fn default() -> Self {
        Self {
            rows: Rows::default(),
            slots: [0; ROWS],
            nodes: 0,
            odd: 0,
            children: Children::default(),
            out: Output::default(),
            sets: [Sets::default(), Sets::default()],
        }
    }
}

impl Waiting {
    /// Puts a position into a row.
    #[inline(always)]
    fn put(&mut self, at: usize, node: &Node, slot: usize) {
        let (mut orthodox, mut wild, mut replies) = (node.castling & 0xff, 0, 0);
        if orthodox != 0 && !rules::orthodox(node) {
            (orthodox, wild, replies) = (0, 0xff, rules::castling_replies(node));
        }
        self.rows.put(at, node, orthodox, wild, replies);
        self.slots[at % ROWS] = slot;
    }
}

/// Sets of sharp moves.
#[derive(Debug)]
struct Sets {
    sets: [Entry; 128],
    len: usize,
}

impl Default for Sets {
    fn default() -> Self {
        Self { sets: [Entry::default(); 128], len: 0 }
    }
}

/// A set of sharp moves.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    targets: u64,
    row: u8,
    kind: u8,
    /// The move begins on the target's number under this mask, plus this.
    mask: u8,
    base: u8,
}

/// How far back a piece began that came by a step.
const STEPS: [u8; 32] = {
    let mut steps = [0; 32];
    let knight: [i8; 8] = [17, 15, 10, 6, -17, -15, -10, -6];
    let mut i = 0;
    while i < 8 {
        steps[pair::KNIGHT + i] = knight[i].wrapping_neg() as u8;
        i += 1;
    }
    steps[pair::SINGLE] = 8;
    steps[pair::DOUBLE] = 16;
    steps[pair::PASSING] = 16;
    steps[pair::WEST] = 9;
    steps[pair::EAST] = 7;
    steps
};

impl<M: Machine> Counter<'_, M> {
    /// Counts the replies to the children that wait.
    #[inline(always)]
    fn count_children(&mut self, waiting: &mut Waiting) {
        let children = &mut waiting.children;
        children.fill();
        if self.table.is_none() {
            let sum = &mut self.slots[self.slot].leaves;
            *sum = sum.wrapping_add(M::all_replies(&waiting.rows, children));
        } else {
            M::replies(&waiting.rows, children, &mut self.slots, &waiting.slots);
        }
        children.clear();
        waiting.odd = 0;
    }
}

/// Takes odd children.
struct OddChildren<'c, 'a, M> {
    counter: &'c mut Counter<'a, M>,
    waiting: &'c mut Waiting,
    slot: usize,
}

impl<M: Machine> Odd for OddChildren<'_, '_, M> {
    #[inline(always)]
    fn take(&mut self, child: Node) {
        if waiting_is_full(self.waiting) {
            self.counter.count_children(self.waiting);
        }
        let mut more = 0;
        let at = NODES + self.waiting.odd;
        self.waiting.odd += 1;
        self.waiting.put(at, &child, self.slot);
        more += self.waiting.rows.rest[at % ROWS][6];
        if child.en_passant != 0 {
            more += rules::en_passant_replies::<M::Star>(&child);
        }
        self.waiting.children.push(at as u8, NOWHERE, NOWHERE);
        let sum = &mut self.counter.slots[self.slot].leaves;
        *sum = sum.wrapping_add(more);
    }
}

fn waiting_is_full(waiting: &Waiting) -> bool {
    waiting.odd == ROWS - NODES - 1 || waiting.children.len() >= ROOM - 8
}

/// Counts the leaves two plies below the nodes that wait.
#[inline(always)]
pub(super) fn settle_pairs<M: Machine>(counter: &mut Counter<'_, M>) {
    let Some(mut waiting) = counter.waiting.take() else { return };
    let nodes = std::mem::take(&mut waiting.nodes);
    for first in (0..nodes).step_by(8) {
        if waiting.children.len() > FULL {
            counter.count_children(&mut waiting);
        }
        settle_eight(counter, &mut waiting, first, (nodes - first).min(8));
    }
    counter.count_children(&mut waiting);
    counter.waiting = Some(waiting);
}

#[inline(always)]
fn settle_eight<M: Machine>(
    counter: &mut Counter<'_, M>,
    waiting: &mut Waiting,
    first: usize,
    len: usize,
) {
    M::pairs(&waiting.rows, first, &mut waiting.out);
    let out = &waiting.out;
    for lane in 0..len {
        let sum = &mut counter.slots[waiting.slots[(first + lane) % ROWS]].leaves;
        *sum = sum.wrapping_add(out.leaves[lane & 7]);
    }
    // A bit for each set: eight lanes to a kind.
    let used = ((1u64 << len) - 1) * 0x0101_0101_0101_0101;
    let word = |i: usize| {
        let p = &out.present[8 * i..8 * i + 8];
        u64::from_le_bytes([p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]]) & used
    };
    for i in 0..3 {
        let sets = &mut waiting.sets[usize::from(i != 0)];
        if i < 2 {
            sets.len = 0;
        }
        let mut bits = word(i);
        while bits != 0 {
            let bit = bits.trailing_zeros();
            bits &= bits - 1;
            let (kind, lane) = (8 * i + bit as usize / 8, bit as usize % 8);
            let row = first + lane;
            let mut entry = Entry {
                targets: out.sharp[kind % 32][lane],
                row: row as u8,
                kind: kind as u8,
                mask: 63,
                base: STEPS[kind % 32],
            };
            if i == 2 && kind == pair::KING {
                entry.mask = 0;
                entry.base = waiting.rows.rest[row % ROWS][0].trailing_zeros() as u8;
            }
            sets.sets[sets.len % 128] = entry;
            sets.len += 1;
        }
    }
    // One move of each set, then the next of each that is left: so where a set ends does not decide a
    // branch.
    let [sliders, others] = &mut waiting.sets;
    while sliders.len != 0 {
        let mut left = 0;
        for at in 0..sliders.len {
            let entry = sliders.sets[at % 128];
            let to = entry.targets.trailing_zeros() & 63;
            let ray = RAYS[to as usize][(entry.kind as usize ^ 4) & 7]
                & out.occupied[entry.row as usize & 7];
            let (lowest, highest) = (ray.trailing_zeros(), 63 ^ ray.leading_zeros());
            let from = std::hint::select_unpredictable(entry.kind < 4, highest, lowest);
            waiting.children.push(entry.row, from as u8, to as u8);
            let targets = entry.targets & entry.targets.wrapping_sub(1);
            sliders.sets[left % 128] = Entry { targets, ..entry };
            left += usize::from(targets != 0);
        }
        sliders.len = left;
    }
    while others.len != 0 {
        let mut left = 0;
        for at in 0..others.len {
            let entry = others.sets[at % 128];
            let to = entry.targets.trailing_zeros() as u8 & 63;
            let from = (to & entry.mask).wrapping_add(entry.base);
            waiting.children.push(entry.row, from, to);
            let targets = entry.targets & entry.targets.wrapping_sub(1);
            others.sets[left % 128] = Entry { targets, ..entry };
            left += usize::from(targets != 0);
        }
        others.len = left;
    }
    let mut odd = u32::from(waiting.out.odd) & ((1 << len) - 1);
    while odd != 0 {
        let lane = odd.trailing_zeros() as usize & 7;
        odd &= odd - 1;
        let row = (first + lane) % ROWS;
        let slot = waiting.slots[row];
        let [_, _, _, en_passant, _, wild, ..] = waiting.rows.rest[row];
        let passing = waiting.out.present[pair::PASSING] >> lane & 1 != 0;
        let promoting = waiting.out.promoting >> lane & 1 != 0;
        let castles = waiting.out.castling >> lane & 1 != 0;
        let node = waiting.rows.node(row);
        if wild != 0 {
            counter.slots[slot].leaves += wild_castlings(&node, &waiting.out, lane);
        }
        if passing {
            let mut rest = waiting.out.sharp[pair::PASSING][lane & 7];
            while rest != 0 {
                let to = rest & rest.wrapping_neg();
                rest ^= to;
                let mut child = node;
                child.mover.pawns ^= to | to << 16;
                child.en_passant = to << 8;
                counter.slots[slot].leaves += rules::en_passant_replies::<M::Star>(&child);
            }
        }
        let [single, west, east] = &waiting.out.promotions;
        let (single, west, east) = (single[lane & 7], west[lane & 7], east[lane & 7]);
        let danger = waiting.out.danger[lane & 7];
        let mut odd = OddChildren { counter, waiting, slot };
        if promoting {
            moves::promotions(&node, [(8, single), (9, west), (7, east)], &mut odd);
        }
        if castles {
            rules::castlings(&node, danger, |child| odd.take(child));
        }
        if en_passant != 0 {
            rules::en_passants(&node, |child| odd.take(child));
        }
    }
}

/// The castlings that reply to sharp moves, where rooks or king are not at home.
#[inline(never)]
#[cold]
fn wild_castlings(node: &Node, out: &Output, lane: usize) -> u64 {
    let mut n = 0;
    for kind in 0..pair::KINDS {
        let mut rest = if out.present[kind] >> lane & 1 != 0 { out.sharp[kind][lane & 7] } else { 0 };
        while rest != 0 {
            let to = rest.trailing_zeros();
            rest &= rest - 1;
            let from = if kind == pair::KING {
                node.mover.king.trailing_zeros()
            } else if kind >= 8 {
                u32::from((to as u8).wrapping_add(STEPS[kind]))
            } else {
                let ray = RAYS[to as usize & 63][kind ^ 4] & out.occupied[lane & 7];
                if kind < 4 { 63 - ray.leading_zeros() } else { ray.trailing_zeros() }
            };
            n += rules::castling_replies(&moves::play(node, 1 << from, 1 << to));
        }
    }
    n
}

impl<M: Machine + Send> CountSlice for Counter<'_, M> {
    fn count(&mut self, position: &Position, depth: u32) -> Option<u64> {
        self.leaves(position, depth)
    }

    fn look_ups(&self) -> u64 {
        self.look_ups
    }
}
