//! What one thread keeps while it counts.

use tabiya::Position;

use super::machine::{Kernel, Machine};
use super::node::Node;
use super::sums::Sums;
use super::walk;
use crate::count_leaves::{CountSlice, MAX_SLICE_DEPTH};
use crate::progress::Watch;
use crate::table::{Key, Table};

/// Counts leaves, one subtree after the other.
pub(crate) struct Counter<'a, M: Machine> {
    pub(super) machine: M,
    kernel: Box<M::Kernel>,
    pub(super) sums: Sums,
    /// The slot to which leaves are added.
    pub(super) slot: usize,
    pub(super) table: Option<&'a Table>,
    pub(super) look_ups: u64,
    /// Lists of children that are not in use.
    pub(super) spare: Vec<Vec<(Node, Key)>>,
    pub(super) watch: &'a dyn Watch,
    pub(super) cancelled: bool,
}

impl<'a, M: Machine> Counter<'a, M> {
    /// A counter. The machine is the proof that the CPU can run it.
    pub(crate) fn new(machine: M, table: Option<&'a Table>, watch: &'a dyn Watch) -> Self {
        Self {
            machine,
            kernel: Box::default(),
            sums: Sums::new(table.is_none()),
            slot: Sums::ROOT,
            table,
            look_ups: 0,
            spare: Vec::new(),
            watch,
            cancelled: false,
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
        walk::below(self, &node, depth);
        self.settle(Sums::ROOT);
        let leaves = self.sums.take();
        if std::mem::take(&mut self.cancelled) {
            return None;
        }
        if let Some((table, key)) = known {
            table.put(key, leaves);
        }
        Some(leaves)
    }

    /// Counts a node two plies above leaves, now or when enough are together.
    #[inline(always)]
    pub(super) fn add(&mut self, node: &Node) {
        self.kernel.add(self.machine, &mut self.sums, node, self.slot);
    }

    /// Counts all that wait, and adds all slots after `first` to their parents.
    #[inline(never)]
    pub(super) fn settle(&mut self, first: usize) {
        self.kernel.finish(self.machine, &mut self.sums);
        let table = if self.cancelled { None } else { self.table };
        self.sums.close_after(first, table);
    }
}

impl<M: Machine> CountSlice for Counter<'_, M> {
    fn count(&mut self, position: &Position, depth: u32) -> Option<u64> {
        self.leaves(position, depth)
    }

    fn look_ups(&self) -> u64 {
        self.look_ups
    }
}
