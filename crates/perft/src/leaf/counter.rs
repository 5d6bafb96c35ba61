//! What one thread keeps while it counts.

use super::machine::{Kernel, Machine};
use super::sums::Sums;
use crate::node::Node;
use crate::progress::Watch;
use crate::table::{Key, Table};

/// Counts leaves, one subtree after the other.
pub(crate) struct Counter<'a, M: Machine> {
    pub(super) machine: M,
    kernel: Box<M::Kernel>,
    pub(super) sums: Sums,
    /// The slot to which leaves are added.
    pub(super) slot: usize,
    pub(crate) table: Option<&'a Table>,
    pub(crate) look_ups: u64,
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
