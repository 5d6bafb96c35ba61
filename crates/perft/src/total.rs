//! The result of a count.

use tabiya::Move;

use crate::count_leaves::NoCount;
use crate::units::Plan;

/// The leaf nodes below one root move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootCount {
    /// The root move.
    pub mv: Move,
    /// The leaf nodes counted below it, or the largest value, 2^128 - 1, if there are 2^128 or
    /// more.
    pub nodes: u128,
    /// Have all leaf nodes below it been counted? If not, counting was stopped early, or the number
    /// has more than 128 bits.
    pub complete: bool,
}

/// The result of a count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerftTotal {
    /// The root moves in the order of the generator, each with its count. Empty at depth 0.
    pub moves: Vec<RootCount>,
    /// All leaf nodes counted, or the largest value, 2^128 - 1, if there are 2^128 or more.
    pub nodes: u128,
    /// Have all leaf nodes been counted? If not, counting was stopped early, or it ended with an
    /// [`overflow`](Self::overflow).
    pub complete: bool,
    /// Are there 2^128 leaf nodes or more? Then their number is not known.
    pub overflow: bool,
    /// The number of look-ups in the table.
    pub look_ups: u64,
}

impl PerftTotal {
    /// The total at depth 0: the position itself is the leaf.
    pub(crate) const fn of_leaf() -> Self {
        Self { moves: Vec::new(), nodes: 1, complete: true, overflow: false, look_ups: 0 }
    }

    /// Adds up the counts of the units, for each root move and for all of them.
    pub(crate) fn of(plan: &Plan, counts: &[LeafCount], look_ups: u64) -> Self {
        let (mut shares, mut all) = (vec![LeafCount::ZERO; plan.moves.len()], LeafCount::ZERO);
        for (unit, &count) in plan.units.iter().zip(counts) {
            shares[unit.root] = shares[unit.root].plus(count);
            all = all.plus(count);
        }
        let moves = plan.moves.iter().zip(shares);
        let root_count =
            |(&mv, LeafCount { nodes, complete, .. })| RootCount { mv, nodes, complete };
        let LeafCount { nodes, complete, overflow } = all;
        Self { moves: moves.map(root_count).collect(), nodes, complete, overflow, look_ups }
    }
}

/// The leaf nodes counted below a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LeafCount {
    /// The number of leaf nodes; the largest value, 2^128 - 1, if it overflowed.
    nodes: u128,
    /// Have all leaf nodes been counted?
    complete: bool,
    /// Are there 2^128 leaf nodes or more?
    overflow: bool,
}

impl LeafCount {
    const ZERO: Self = Self { nodes: 0, complete: true, overflow: false };
    const OVERFLOW: Self = Self { nodes: u128::MAX, complete: false, overflow: true };

    /// The result of a count; `until_now` are the leaf nodes counted if it was stopped.
    pub(crate) fn of(counted: Result<u128, NoCount>, until_now: u128) -> Self {
        match counted {
            Ok(nodes) => Self { nodes, ..Self::ZERO },
            Err(NoCount::Cancelled) => Self { nodes: until_now, complete: false, overflow: false },
            Err(NoCount::Overflow) => Self::OVERFLOW,
        }
    }

    /// The sum of both.
    const fn plus(self, other: Self) -> Self {
        match self.nodes.checked_add(other.nodes) {
            Some(nodes) if !self.overflow && !other.overflow => {
                Self { nodes, complete: self.complete && other.complete, overflow: false }
            }
            _ => Self::OVERFLOW,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_do_not_wrap() {
        let complete = |nodes| LeafCount::of(Ok(nodes), 0);
        let stopped = LeafCount::of(Err(NoCount::Cancelled), 0);
        let most = LeafCount::of(Ok(u128::MAX - 1), 0);
        assert_eq!(most.plus(complete(1)), complete(u128::MAX));
        assert_eq!(most.plus(complete(2)), LeafCount::OVERFLOW);
        assert_eq!(LeafCount::OVERFLOW.plus(LeafCount::ZERO), LeafCount::OVERFLOW);
        assert_eq!(stopped.plus(LeafCount::OVERFLOW), LeafCount::OVERFLOW);
        let most_stopped = LeafCount { complete: false, ..most };
        assert_eq!(stopped.plus(most), most_stopped);
    }
}
