//! Slices of a unit of work, so small that stopping a count loses little.
//!
//! All slices of a deep count would not fit into memory, so a thread finds the slices of its unit
//! one after the other. Above the slices, it uses the table as the fast counter does below: it
//! looks a position up first and stores its count afterwards. The count of a slice always fits into
//! 64 bits. The sums above the slices have 128 bits, and they do not wrap.

use tabiya::Position;

use crate::count_leaves::{CountLeaves, CountSlice, MAX_SLICE_DEPTH, NoCount};
use crate::leaf::Node;
use crate::options::MAX_DEPTH;
use crate::table::Table;
use crate::units::Unit;

/// Subtrees of this depth are counted as one slice, regardless of their size.
const MIN_SLICE_DEPTH: u32 = 5;
/// The greatest number of leaf nodes of a slice, if the positions deep down are like those above. A
/// slice takes a small part of a second, but long enough to make the cost of starting it
/// negligible.
const LEAVES_PER_SLICE: f64 = 2e8;

/// The leaf nodes counted below a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LeafCount {
    /// The number of leaf nodes; the largest value, 2^128 - 1, if it overflowed.
    pub(crate) nodes: u128,
    /// Have all leaf nodes been counted?
    pub(crate) complete: bool,
    /// Are there 2^128 leaf nodes or more?
    pub(crate) overflow: bool,
}

impl LeafCount {
    pub(crate) const ZERO: Self = Self::complete(0);
    pub(crate) const STOPPED: Self = Self { complete: false, ..Self::ZERO };
    const OVERFLOW: Self = Self { nodes: u128::MAX, complete: false, overflow: true };

    pub(crate) const fn complete(nodes: u128) -> Self {
        Self { nodes, complete: true, overflow: false }
    }

    /// The sum of both.
    pub(crate) const fn plus(self, other: Self) -> Self {
        match self.nodes.checked_add(other.nodes) {
            Some(nodes) if !self.overflow && !other.overflow => {
                Self { nodes, complete: self.complete && other.complete, overflow: false }
            }
            _ => Self::OVERFLOW,
        }
    }
}

/// The depth of the slices of a unit.
fn slice_depth(unit: &Unit) -> u32 {
    if unit.depth <= MIN_SLICE_DEPTH {
        return unit.depth;
    }
    let top = Unit { depth: unit.depth.min(MAX_SLICE_DEPTH), ..unit.clone() };
    let growth = top.estimate().powf(1.0 / f64::from(top.depth));
    let fits = |depth: &u32| growth.powi(*depth as i32) <= LEAVES_PER_SLICE;
    (MIN_SLICE_DEPTH..=MAX_SLICE_DEPTH).rev().find(fits).unwrap_or(MIN_SLICE_DEPTH)
}

/// Counts units slice by slice, on one thread.
pub(crate) struct SlicedCounter<'a> {
    counter: Box<dyn CountSlice + 'a>,
    table: Option<&'a Table>,
    look_ups: u64,
}

impl<'a> SlicedCounter<'a> {
    pub(crate) fn new(counter: Box<dyn CountSlice + 'a>, table: Option<&'a Table>) -> Self {
        Self { counter, table, look_ups: 0 }
    }

    /// The number of look-ups in the table so far.
    pub(crate) fn look_ups(&self) -> u64 {
        self.look_ups + self.counter.look_ups()
    }

    /// Counts a unit. After each slice, `finished` gets the number of its leaf nodes and its part
    /// of the unit, estimated from the numbers of moves on the way to the slice.
    pub(crate) fn count_unit(
        &mut self,
        unit: &Unit,
        finished: &mut dyn FnMut(u128, f64),
    ) -> LeafCount {
        self.below(&unit.position, unit.depth, slice_depth(unit), 1.0, finished)
    }

    fn below(
        &mut self,
        position: &Position,
        depth: u32,
        slice_depth: u32,
        part: f64,
        finished: &mut dyn FnMut(u128, f64),
    ) -> LeafCount {
        if depth <= slice_depth {
            let Some(leaves) = self.counter.count(position, depth) else {
                return LeafCount::STOPPED;
            };
            finished(leaves.into(), part);
            return LeafCount::complete(leaves.into());
        }
        // Keys do not support greater depths.
        let table = self.table.filter(|_| depth <= MAX_DEPTH);
        let known = table.map(|table| (table, Node::of(position).packed()));
        if let Some((table, words)) = &known {
            self.look_ups += 1;
            if let Some(leaves) = table.get_wide(words, depth) {
                finished(leaves, part);
                return LeafCount::complete(leaves);
            }
        }
        let moves = position.legal_moves();
        let part = part / moves.len() as f64;
        let mut sum = LeafCount::ZERO;
        for &mv in &moves {
            let child = position.play(mv);
            sum = sum.plus(self.below(&child, depth - 1, slice_depth, part, finished));
            if !sum.complete {
                return sum;
            }
        }
        if let Some((table, words)) = &known {
            table.put_wide(words, depth, sum.nodes);
        }
        sum
    }
}

/// The slices are as deep as possible, because the counter itself calls the watch.
impl CountLeaves for SlicedCounter<'_> {
    fn count(&mut self, position: &Position, depth: u32) -> Result<u128, NoCount> {
        match self.below(position, depth, MAX_SLICE_DEPTH, 1.0, &mut |_, _| ()) {
            LeafCount { nodes, complete: true, .. } => Ok(nodes),
            LeafCount { overflow: true, .. } => Err(NoCount::Overflow),
            LeafCount { .. } => Err(NoCount::Cancelled),
        }
    }

    fn look_ups(&self) -> u64 {
        self.look_ups()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leaf::{Counter, Portable};
    use crate::reference::reference_perft;
    use crate::table::HashSize;

    fn unit(fen: &str, depth: u32) -> Unit {
        Unit { root: 0, position: Position::from_fen(fen).unwrap(), depth }
    }

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    /// White has only one move, and Black has none after it.
    const NEARLY_OVER: &str = "7k/5K2/8/6Q1/8/8/8/8 b - - 0 1";
    const KINGS: &str = "7k/8/8/8/8/8/8/K7 w - - 0 1";

    #[test]
    fn slices_are_as_deep_as_their_size_allows() {
        assert_eq!(slice_depth(&unit(KIWIPETE, 4)), 4);
        assert_eq!(slice_depth(&unit(KIWIPETE, 10)), MIN_SLICE_DEPTH);
        assert_eq!(slice_depth(&unit(KINGS, 10)), MAX_SLICE_DEPTH);
        assert_eq!(slice_depth(&unit(NEARLY_OVER, 10)), MAX_SLICE_DEPTH);
    }

    #[test]
    fn slices_add_up_with_and_without_a_table() {
        let expected = u128::from(reference_perft(&Position::from_fen(KINGS).unwrap(), 9));
        let table = Table::new(HashSize::mebibytes(1), 0.into()).unwrap();
        for table in [None, Some(&table)] {
            let counter = Counter::new(Portable, table, &());
            let mut slices = SlicedCounter::new(Box::new(counter), table);
            let (mut leaves, mut parts) = (0u128, 0.0);
            let count = slices.count_unit(&unit(KINGS, 9), &mut |slice, part| {
                leaves += slice;
                parts += part;
            });
            assert_eq!((count.nodes, count.complete, leaves), (expected, true, expected));
            assert!((parts - 1.0f64).abs() < 1e-9, "{parts}");
            assert_eq!(slices.look_ups() > 0, table.is_some());
        }
    }

    #[test]
    fn sums_do_not_wrap() {
        let most = LeafCount::complete(u128::MAX - 1);
        assert_eq!(most.plus(LeafCount::complete(1)), LeafCount::complete(u128::MAX));
        assert_eq!(most.plus(LeafCount::complete(2)), LeafCount::OVERFLOW);
        assert_eq!(LeafCount::OVERFLOW.plus(LeafCount::ZERO), LeafCount::OVERFLOW);
        assert_eq!(LeafCount::STOPPED.plus(LeafCount::OVERFLOW), LeafCount::OVERFLOW);
        let stopped = LeafCount { complete: false, ..most };
        assert_eq!(LeafCount::STOPPED.plus(most), stopped);
    }
}
