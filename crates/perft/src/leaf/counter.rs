//! What one thread keeps while it counts: batches of waiting children, and sums.
//!
//! Children wait in their batches until these are full, so when the walk leaves a subtree its count
//! may still be incomplete. That does not matter to the total. With a table it does: then every
//! subtree has a *slot* for its sum, a waiting child knows the slot it belongs to, and the slots are
//! read when no child waits any more.

use std::marker::PhantomData;

use tabiya::Position;

use super::batch::{self, Row, SHELF, Shelf};
use super::delta;
use super::machine::Machine;
use super::moves::{self, Legality, Odd};
use super::node::Node;
use super::queue::{Pending, Queue};
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
    pending: Option<Box<Pending>>,
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
            pending: None,
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
            M::pair(self, &node);
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
        self.enter(batch::row(child), child.mover.king, castling, king);
    }

    /// Puts a row into the next lane for its king square.
    #[inline(always)]
    fn enter(&mut self, row: Row, enemy_king: u64, castling: u64, king: u32) {
        let shelf = &mut self.shelves[(king & 63) as usize];
        let len = shelf.len;
        let batch = &mut shelf.batches[len / 8 % SHELF];
        let at = len & 7;
        batch.rows[at] = row;
        batch.enemy_king[at] = enemy_king;
        batch.castling[at] = castling;
        batch.slots[at] = self.slot as u32;
        shelf.len = len + 1;
        self.waiting |= 1 << (king & 63);
        if len + 1 == 8 * SHELF {
            self.flush(king, 8 * SHELF);
        }
    }

    /// Puts the children of a node's noted moves into lanes.
    #[inline(always)]
    fn enter_pending(&mut self, pending: &Pending, node: &Node, row: &Row) {
        let king = node.replier.king.trailing_zeros() & 63;
        let parent = M::Star::load(row);
        let child = |from: u64, to: u64| {
            let moved = M::Star::splat(from | to) & M::Star::load(&batch::MOVER);
            let taken = M::Star::splat(to) & M::Star::load(&batch::REPLIER);
            ((parent & !taken) ^ moved.if_any(parent & M::Star::splat(from))).store()
        };
        let rights = node.castling & 0xff;
        if rights == 0 || rules::orthodox(node) {
            pending.each(|m| {
                let king_move = if node.mover.king == m.from { m.from | m.to } else { 0 };
                let enemy_king = node.mover.king ^ king_move;
                self.enter(child(m.from, m.to), enemy_king, rights & !m.to, king);
            });
        } else {
            pending.each(|m| M::child(self, &moves::play(node, m.from, m.to)));
        }
        let mut rest = pending.double_pushes();
        while rest != 0 {
            let to = rest & rest.wrapping_neg();
            rest ^= to;
            let mut child = *node;
            child.mover.pawns ^= to | to << 16;
            child.en_passant = to << 8;
            M::child(self, &child);
        }
    }
}

/// Sharp moves are noted, odd children go to their lanes at once.
struct Note<'c, 'a, M> {
    counter: &'c mut Counter<'a, M>,
    pending: Box<Pending>,
}

impl<'a, M: Machine> Queue for Note<'_, 'a, M> {
    #[inline(always)]
    fn piece(&mut self, from: u32, targets: u64) {
        self.pending.piece(from, targets);
    }

    #[inline(always)]
    fn pawns(&mut self, back: u32, targets: u64) {
        self.pending.pawns(back, targets);
    }

    #[inline(always)]
    fn passing(&mut self, targets: u64) {
        self.pending.passing(targets);
    }

    type Odd = Counter<'a, M>;
    #[inline(always)]
    fn odd(&mut self) -> &mut Counter<'a, M> {
        self.counter
    }
}

impl<M: Machine> Odd for Counter<'_, M> {
    #[inline(always)]
    fn take(&mut self, child: Node) {
        M::child(self, &child);
    }
}

/// Counts the leaves two plies below `node`.
#[inline(always)]
pub(super) fn pair<M: Machine>(counter: &mut Counter<'_, M>, node: &Node) {
    let legal = Legality::<M::Star>::of(node);
    let row = batch::row(node);
    let mut pending = counter.pending.take().unwrap_or_default();
    pending.clear();
    let mut note = Note { counter, pending };
    let mut delta = delta::Delta::new(node, &legal, &mut note);
    moves::generate(node, &legal, &mut delta);
    let total = delta.total();
    let Note { counter, pending } = note;
    counter.add(total);
    counter.enter_pending(&pending, node, &row);
    counter.pending = Some(pending);
}

impl<M: Machine + Send> CountSlice for Counter<'_, M> {
    fn count(&mut self, position: &Position, depth: u32) -> Option<u64> {
        self.leaves(position, depth)
    }

    fn look_ups(&self) -> u64 {
        self.look_ups
    }
}
