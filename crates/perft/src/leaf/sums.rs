//! The sums of the subtrees that are being counted.
//!
//! Nodes and children wait, so when the walk leaves a subtree its count may still be incomplete.
//! That does not matter to the total. With a table it does: then every subtree has a *slot* for its
//! sum, each waiting node or child stores its slot, and the slots are read when nothing waits any
//! more.

use crate::table::{Key, Table};

/// The sum of a subtree.
#[derive(Clone, Copy, Debug)]
struct Slot {
    leaves: u64,
    /// The slot of the subtree that this one is part of.
    parent: usize,
    /// Under what the sum is to be remembered.
    key: Key,
}

/// The sums of subtrees. A child's slot comes after its parent's.
#[derive(Debug)]
pub(crate) struct Sums {
    slots: Vec<Slot>,
    /// Is there no slot but the root's?
    pub(super) together: bool,
}

impl Sums {
    /// The slot of the whole count.
    pub(super) const ROOT: usize = 0;

    /// With `together`, there is no slot but the root's.
    pub(super) fn new(together: bool) -> Self {
        let root = Slot { leaves: 0, parent: Self::ROOT, key: Key { place: 0, check: 0 } };
        Self { slots: vec![root], together }
    }

    /// Adds leaves, modulo 2^64: the sum of all is right, though it may be reached from above.
    #[inline(always)]
    pub(super) fn add(&mut self, slot: usize, leaves: u64) {
        let sum = &mut self.slots[slot].leaves;
        *sum = sum.wrapping_add(leaves);
    }

    /// Adds the leaves of the first `len` lanes, each to its slot.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn add_lanes(&mut self, slots: &[usize; 8], leaves: &[u64; 8], len: usize) {
        if self.together {
            let mut all = 0u64;
            for leaves in &leaves[..len] {
                all = all.wrapping_add(*leaves);
            }
            self.add(Self::ROOT, all);
        } else {
            for lane in 0..len {
                self.add(slots[lane], leaves[lane]);
            }
        }
    }

    /// Makes a slot for a part of another.
    #[inline(always)]
    pub(super) fn open(&mut self, parent: usize, key: Key) -> usize {
        debug_assert!(!self.together, "a single sum has no parts");
        self.slots.push(Slot { leaves: 0, parent, key });
        self.slots.len() - 1
    }

    /// Adds all slots after one to their parents, and tells them to the table.
    pub(super) fn close_after(&mut self, first: usize, table: Option<&Table>) {
        // Children come after their parents.
        while self.slots.len() > first + 1 {
            if let Some(slot) = self.slots.pop() {
                self.add(slot.parent, slot.leaves);
                if let Some(table) = table {
                    table.put(slot.key, slot.leaves);
                }
            }
        }
    }

    /// Takes the sum of the whole count.
    pub(super) fn take(&mut self) -> u64 {
        std::mem::take(&mut self.slots[Self::ROOT].leaves)
    }
}
