//! The interior of the tree: from a position down to the nodes two plies above the leaves.

use tabiya::Position;

use super::counter::Counter;
use super::machine::Machine;
use super::moves::each_child;
use super::sums::Sums;
use crate::node::Node;
use crate::node::rules;
use crate::slices::MAX_SLICE_DEPTH;
use crate::table::Table;

/// Nodes with fewer plies below them do not ask whether to stop.
const CANCELLABLE: u32 = 5;
/// The depth at which the counts are stored in the table. Positions two plies apart hardly
/// transpose, so waiting that long costs no hits, and lanes run full.
const SETTLING: u32 = 4;

impl<M: Machine> Counter<'_, M> {
    /// The leaves `depth` plies below a position, at most [`MAX_SLICE_DEPTH`], so that their number
    /// fits into 64 bits; `None` if the watch cancelled the count.
    pub(crate) fn leaves(&mut self, position: &Position, depth: u32) -> Option<u64> {
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
        below(self, &node, depth);
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
}

/// Counts the leaves `depth` plies below `node`, two or more, into the present slot.
#[inline(always)]
fn below<M: Machine>(counter: &mut Counter<'_, M>, node: &Node, depth: u32) {
    if depth == 2 {
        return counter.add(node);
    }
    counter.machine.enter(
        #[inline(always)]
        || walk(counter, node, depth),
    );
}

/// The same, three or more.
#[inline(always)]
fn walk<M: Machine>(counter: &mut Counter<'_, M>, node: &Node, depth: u32) {
    if depth >= CANCELLABLE && (counter.cancelled || counter.watch.is_cancelled()) {
        counter.cancelled = true;
        return;
    }
    match counter.table {
        None => each_child(
            counter.machine,
            node,
            #[inline(always)]
            |child| below(counter, &child, depth - 1),
        ),
        Some(table) => walk_with(counter, table, node, depth),
    }
}

/// The same, asking the table first. All children are listed before the first is counted, so that
/// their entries are on the way when they are needed.
#[inline(always)]
fn walk_with<M: Machine>(counter: &mut Counter<'_, M>, table: &Table, node: &Node, depth: u32) {
    let mut children = counter.spare.pop().unwrap_or_default();
    each_child(
        counter.machine,
        node,
        #[inline(always)]
        |mut child| {
            rules::forget_useless_en_passant(&mut child);
            let key = table.key(&child.packed(), depth - 1);
            table.prefetch(key);
            children.push((child, key));
        },
    );
    let slot = counter.slot;
    counter.look_ups += children.len() as u64;
    for (child, key) in &children {
        match table.get(*key) {
            Some(leaves) => counter.sums.add(slot, leaves),
            None => {
                counter.slot = counter.sums.open(slot, *key);
                below(counter, child, depth - 1);
                if depth > SETTLING {
                    // Nothing waits any more, so the child's own slot is complete.
                    counter.settle(slot);
                }
            }
        }
    }
    counter.slot = slot;
    if depth == SETTLING {
        counter.settle(slot);
    }
    children.clear();
    counter.spare.push(children);
}

#[cfg(test)]
mod tests {
    use tabiya::Position;

    use super::*;
    use crate::Seed;
    use crate::leaf::Portable;
    use crate::table::HashSize;

    /// Every node down to two plies above the leaves is looked up once; what was found is found again,
    /// at its own depth only.
    #[test]
    fn subtrees_are_looked_up_and_told_to_the_table() {
        let size = HashSize::Bytes((1 << 20).try_into().unwrap());
        let table = Table::new(size, Seed::from_bytes([7; 32])).unwrap();
        let mut counter = Counter::new(Portable, Some(&table), &());
        let mut looked_up = 0;
        let mut expect = |position: &Position, depth, leaves, look_ups| {
            assert_eq!(counter.leaves(position, depth), Some(leaves), "depth {depth}");
            looked_up += look_ups;
            assert_eq!(counter.look_ups, looked_up, "depth {depth}");
        };
        // The root, 20 nodes, and 400 after them.
        expect(&Position::START, 4, 197_281, 1 + 20 + 400);
        expect(&Position::START, 4, 197_281, 1);
        expect(&Position::START, 3, 8_902, 1 + 20);
        for &mv in &Position::START.legal_moves() {
            let child = Position::START.play(mv);
            let three = crate::reference_perft(&child, 3);
            expect(&child, 3, three, 1);
        }
        assert_eq!(counter.leaves(&Position::START, 5), Some(4_865_609));
    }
}
