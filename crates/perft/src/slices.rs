//! Slices of a unit of work, so small that stopping a count loses little.
//!
//! All slices of a deep count would not fit into memory, so a thread finds the slices of its unit
//! one after the other. Above the slices, it uses the table as the fast counter does below: it
//! looks a position up first and stores its count afterwards. The count of a slice always fits into
//! 64 bits. The sums above the slices have 128 bits, and they do not wrap.

use tabiya::Position;

use crate::count_leaves::{CountLeaves, NoCount};
use crate::leaf::{Counter, Machine};
use crate::node::Node;
use crate::options::MAX_DEPTH;
use crate::units::Unit;

/// Subtrees of this depth are counted as one slice, regardless of their size.
const MIN_SLICE_DEPTH: u32 = 5;
/// The greatest depth of a slice. No position has more than 16 times 27 moves, and 432^7 < 2^64, so
/// the count of a slice does not overflow.
pub(crate) const MAX_SLICE_DEPTH: u32 = 7;
/// The greatest number of leaf nodes of a slice, if the positions deep down are like those above. A
/// slice takes a small part of a second, but long enough to make the cost of starting it
/// negligible.
const LEAVES_PER_SLICE: f64 = 2e8;

const _: () = assert!(432u64.checked_pow(MAX_SLICE_DEPTH).is_some());

/// The depth of the slices of a count.
fn slice_depth(position: &Position, depth: u32) -> u32 {
    if depth <= MIN_SLICE_DEPTH {
        return depth;
    }
    let depth = depth.min(MAX_SLICE_DEPTH);
    let top = Unit { root: 0, position: position.clone(), depth };
    let growth = top.estimate().powf(1.0 / f64::from(depth));
    let fits = |depth: &u32| growth.powi(*depth as i32) <= LEAVES_PER_SLICE;
    (MIN_SLICE_DEPTH..=MAX_SLICE_DEPTH).rev().find(fits).unwrap_or(MIN_SLICE_DEPTH)
}

impl<M: Machine> CountLeaves for Counter<'_, M> {
    /// The slices are as deep as possible, because the counter itself calls the watch.
    fn count(&mut self, position: &Position, depth: u32) -> Result<u128, NoCount> {
        slices(self, position, depth, MAX_SLICE_DEPTH, 1.0, &mut |_, _| ())
    }

    /// The parts are estimated from the numbers of moves on the way to the slices.
    fn count_in_slices(
        &mut self,
        position: &Position,
        depth: u32,
        finished: &mut dyn FnMut(u128, f64),
    ) -> Result<u128, NoCount> {
        slices(self, position, depth, slice_depth(position, depth), 1.0, finished)
    }

    fn look_ups(&self) -> u64 {
        self.look_ups
    }
}

/// Counts a subtree that is a `part` of the whole.
fn slices<M: Machine>(
    counter: &mut Counter<'_, M>,
    position: &Position,
    depth: u32,
    slice_depth: u32,
    part: f64,
    finished: &mut dyn FnMut(u128, f64),
) -> Result<u128, NoCount> {
    if depth <= slice_depth {
        let leaves = counter.leaves(position, depth).ok_or(NoCount::Cancelled)?.into();
        finished(leaves, part);
        return Ok(leaves);
    }
    // Keys do not support greater depths.
    let table = counter.table.filter(|_| depth <= MAX_DEPTH);
    let known = table.map(|table| (table, Node::of(position).packed()));
    if let Some((table, words)) = &known {
        counter.look_ups += 1;
        if let Some(leaves) = table.get_wide(words, depth) {
            finished(leaves, part);
            return Ok(leaves);
        }
    }
    let moves = position.legal_moves();
    let part = part / moves.len() as f64;
    let mut sum = 0u128;
    for &mv in &moves {
        let child = position.play(mv);
        let leaves = slices(counter, &child, depth - 1, slice_depth, part, finished)?;
        sum = sum.checked_add(leaves).ok_or(NoCount::Overflow)?;
    }
    if let Some((table, words)) = &known {
        table.put_wide(words, depth, sum);
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leaf::Portable;
    use crate::reference::reference_perft;
    use crate::table::{HashSize, Table};

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    /// White has only one move, and Black has none after it.
    const NEARLY_OVER: &str = "7k/5K2/8/6Q1/8/8/8/8 b - - 0 1";
    const KINGS: &str = "7k/8/8/8/8/8/8/K7 w - - 0 1";

    #[test]
    fn slices_are_as_deep_as_their_size_allows() {
        let depth_of = |fen, depth| slice_depth(&Position::from_fen(fen).unwrap(), depth);
        assert_eq!(depth_of(KIWIPETE, 4), 4);
        assert_eq!(depth_of(KIWIPETE, 10), MIN_SLICE_DEPTH);
        assert_eq!(depth_of(KINGS, 10), MAX_SLICE_DEPTH);
        assert_eq!(depth_of(NEARLY_OVER, 10), MAX_SLICE_DEPTH);
    }

    #[test]
    fn slices_add_up_with_and_without_a_table() {
        let kings = Position::from_fen(KINGS).unwrap();
        let expected = u128::from(reference_perft(&kings, 9));
        let table = Table::new(HashSize::mebibytes(1), 0.into()).unwrap();
        for table in [None, Some(&table)] {
            let mut counter = Counter::new(Portable, table, &());
            let (mut leaves, mut parts) = (0u128, 0.0);
            let count = counter.count_in_slices(&kings, 9, &mut |slice, part| {
                leaves += slice;
                parts += part;
            });
            assert_eq!((count, leaves), (Ok(expected), expected));
            assert!((parts - 1.0f64).abs() < 1e-9, "{parts}");
            assert_eq!(counter.look_ups() > 0, table.is_some());
        }
    }
}
