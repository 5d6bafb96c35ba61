//! What one thread keeps while it counts: batches of waiting children, and sums.
//!
//! Children wait in their batches until these are full, so when the walk leaves a subtree its count
//! may still be incomplete. That does not matter to the total. With a table it does: then every
//! subtree has a *slot* for its sum, a waiting child knows the slot it belongs to, and the slots are
//! read when no child waits any more.

use std::marker::PhantomData;

use tabiya::Position;

use super::batch::{self, Row, SHELF, Shelf};
use super::machine::Machine;
use super::moves::{self, Legality, Odd};
use super::node::Node;
use super::pair::{self, Nodes, Output};
use super::star::RAYS;
use super::rules;
use super::star::Star;
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
    /// Batches for each square of the replier's king.
    shelves: Box<[Shelf]>,
    /// The king squares whose batches hold somebody.
    waiting: u64,
    /// The nodes two plies above leaves that wait.
    pairs: Option<Box<Pairs>>,
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
            shelves: vec![Shelf::default(); 64].into_boxed_slice(),
            waiting: 0,
            pairs: Some(Box::default()),
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
        if self.pairs.as_ref().is_some_and(|pairs| pairs.len != 0) {
            M::settle_pairs(self);
        }
        while self.waiting != 0 {
            let king = self.waiting.trailing_zeros() & 63;
            self.flush(king, self.shelves[king as usize].len);
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

    #[inline(always)]
    fn add(&mut self, leaves: u64) {
        let sum = &mut self.slots[self.slot].leaves;
        *sum = sum.wrapping_add(leaves);
    }

    /// Counts the replies of the children that share a king square, of whom there are so many.
    #[inline(never)]
    fn flush(&mut self, king: u32, len: usize) {
        let shelf = &mut self.shelves[(king & 63) as usize];
        shelf.len = 0;
        self.waiting &= !(1 << (king & 63));
        for (index, batch) in shelf.batches[..len.div_ceil(8)].iter().enumerate() {
            let len = (len - 8 * index).min(8);
            let counts = M::replies(batch, king);
            if self.table.is_none() {
                let leaves: u64 =
                    if len == 8 { counts.iter().sum() } else { counts[..len].iter().sum() };
                let sum = &mut self.slots[self.slot].leaves;
                *sum = sum.wrapping_add(leaves);
            } else {
                for (lane, slot) in batch.slots[..len].iter().enumerate() {
                    self.slots[*slot as usize].leaves += counts[lane];
                }
            }
        }
    }

    /// Puts a child, whose replier is to move, into a lane.
    #[inline(always)]
    pub(super) fn push(&mut self, child: &Node) {
        let king = child.replier.king.trailing_zeros() & 63;
        let mut castling = child.castling & 0xff;
        if castling != 0 && !rules::orthodox(child) {
            self.add(rules::castling_replies(child));
            castling = 0;
        }
        if child.en_passant != 0 {
            self.add(rules::en_passant_replies::<M::Star>(child));
        }
        let slot = self.slot;
        self.enter(batch::row(child), child.mover.king, castling, king, slot);
    }

    /// Puts a row into the next lane for its king square.
    #[inline(always)]
    fn enter(&mut self, row: Row, enemy_king: u64, castling: u64, king: u32, slot: usize) {
        let shelf = &mut self.shelves[(king & 63) as usize];
        let len = shelf.len;
        let batch = &mut shelf.batches[len / 8 % SHELF];
        let at = len & 7;
        batch.rows[at] = row;
        batch.enemy_king[at] = enemy_king;
        batch.castling[at] = castling;
        batch.slots[at] = slot as u32;
        shelf.len = len + 1;
        self.waiting |= 1 << (king & 63);
        if len + 1 == 8 * SHELF {
            self.flush(king, 8 * SHELF);
        }
    }

    /// Puts a node two plies above leaves into a lane.
    #[inline(always)]
    pub(super) fn push_pair(&mut self, node: &Node) {
        let Some(pairs) = &mut self.pairs else { return };
        let at = pairs.len & 7;
        let wild = node.castling & 0xff != 0 && !rules::orthodox(node);
        let replies = if wild { rules::castling_replies(node) } else { 0 };
        pair::enter(&mut pairs.lanes, at, node, if wild { 0xff } else { 0 }, replies);
        pairs.nodes[at] = *node;
        pairs.slots[at] = self.slot;
        pairs.len = at + 1;
        if at == 7 {
            M::settle_pairs(self);
        }
    }
}

/// The nodes two plies above leaves that wait.
#[derive(Debug, Default)]
struct Pairs {
    lanes: Nodes,
    nodes: [Node; 8],
    slots: [usize; 8],
    len: usize,
    out: Output,
}

/// A set of sharp moves.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    targets: u64,
    lane: u32,
    kind: u32,
}

/// How far back a piece began that came by a step.
const STEPS: [u32; 22] = {
    let mut steps = [0u32; 22];
    let knight: [i32; 8] = [17, 15, 10, 6, -17, -15, -10, -6];
    let mut i = 0;
    while i < 8 {
        steps[pair::KNIGHT + i] = knight[i].wrapping_neg() as u32;
        i += 1;
    }
    steps[pair::SINGLE] = 8;
    steps[pair::DOUBLE] = 16;
    steps[pair::WEST] = 9;
    steps[pair::EAST] = 7;
    steps
};

/// Counts the leaves two plies below the nodes that wait.
#[inline(always)]
pub(super) fn settle_pairs<M: Machine>(counter: &mut Counter<'_, M>) {
    let Some(mut pairs) = counter.pairs.take() else { return };
    let slot = counter.slot;
    let len = std::mem::take(&mut pairs.len);
    M::pairs(&pairs.lanes, &mut pairs.out);
    let out = &pairs.out;
    for lane in 0..len {
        let sum = &mut counter.slots[pairs.slots[lane & 7]].leaves;
        *sum = sum.wrapping_add(out.leaves[lane & 7]);
    }
    let used = (1u32 << len) - 1;
    let mut entries = [Entry::default(); 22 * 8 + 2];
    let mut count = 0;
    let mut moves = [0u32; 2];
    let mut kind = 0;
    while kind < 21 {
        let mut lanes = u32::from(out.present[kind]) & used;
        while lanes != 0 {
            let lane = lanes.trailing_zeros();
            lanes &= lanes - 1;
            let targets = out.sharp[kind][lane as usize & 7];
            entries[count] = Entry { targets, lane, kind: kind as u32 };
            count += 1;
            moves[usize::from(kind >= 8)] += targets.count_ones();
        }
        kind += 1;
    }
    let mut at = 0;
    let mut rest = entries[0].targets;
    for stepping in [false, true] {
        for _ in 0..moves[usize::from(stepping)] {
            let entry = &entries[at];
            let lane = entry.lane as usize & 7;
            let to = rest.trailing_zeros() & 63;
            let from = if stepping {
                if entry.kind == pair::KING as u32 {
                    pairs.nodes[lane].mover.king.trailing_zeros()
                } else {
                    to.wrapping_add(STEPS[entry.kind as usize])
                }
            } else {
                let ray = RAYS[to as usize][(entry.kind as usize ^ 4) & 7] & out.occupied[lane];
                let (first, last) = (ray.trailing_zeros(), 63 ^ ray.leading_zeros());
                std::hint::select_unpredictable(entry.kind < 4, last, first)
            };
            let (from, to) = (1u64.wrapping_shl(from), 1u64 << to);
            let node = &pairs.nodes[lane];
            let rights = node.castling & 0xff;
            let king = node.replier.king.trailing_zeros() & 63;
            if pairs.lanes.rest[lane][3] == 0 {
                let parent = M::Star::load(&pairs.lanes.pieces[lane]);
                let moved = M::Star::splat(from | to) & M::Star::load(&batch::MOVER);
                let taken = M::Star::splat(to) & M::Star::load(&batch::REPLIER);
                let row =
                    ((parent & !taken) ^ moved.if_any(parent & M::Star::splat(from))).store();
                let king_move = if node.mover.king == from { from | to } else { 0 };
                let enemy_king = node.mover.king ^ king_move;
                counter.enter(row, enemy_king, rights & !to, king, pairs.slots[lane]);
            } else {
                counter.slot = pairs.slots[lane];
                M::child(counter, &moves::play(node, from, to));
            }
            rest &= rest.wrapping_sub(1);
            let ended = rest == 0;
            at += usize::from(ended);
            rest = std::hint::select_unpredictable(ended, entries[at].targets, rest);
        }
    }
    let mut lanes = u32::from(out.present[pair::PASSING]) & used;
    while lanes != 0 {
        let lane = lanes.trailing_zeros() as usize & 7;
        lanes &= lanes - 1;
        let node = &pairs.nodes[lane];
        counter.slot = pairs.slots[lane];
        let mut rest = out.sharp[pair::PASSING][lane];
        while rest != 0 {
            let to = rest & rest.wrapping_neg();
            rest ^= to;
            let mut child = *node;
            child.mover.pawns ^= to | to << 16;
            child.en_passant = to << 8;
            M::child(counter, &child);
        }
    }
    for lane in 0..len {
        let node = &pairs.nodes[lane & 7];
        counter.slot = pairs.slots[lane & 7];
        if out.promoting >> lane & 1 != 0 {
            let [single, west, east] = &out.promotions;
            let sets = [(8, single[lane & 7]), (9, west[lane & 7]), (7, east[lane & 7])];
            moves::promotions(node, sets, counter);
        }
        if node.castling >> 56 != 0 && out.in_check >> lane & 1 == 0 {
            rules::castlings(node, out.danger[lane & 7], |child| counter.take(child));
        }
        if node.en_passant != 0 {
            rules::en_passants(node, |child| counter.take(child));
        }
    }
    counter.slot = slot;
    counter.pairs = Some(pairs);
}

impl<M: Machine> Odd for Counter<'_, M> {
    #[inline(always)]
    fn take(&mut self, child: Node) {
        M::child(self, &child);
    }
}

impl<M: Machine + Send> CountSlice for Counter<'_, M> {
    fn count(&mut self, position: &Position, depth: u32) -> Option<u64> {
        self.leaves(position, depth)
    }

    fn look_ups(&self) -> u64 {
        self.look_ups
    }
}
