//! A count split into parts that are counted elsewhere.

use tabiya::{Move, Position};

use crate::count_leaves::NoCount;
use crate::total::{LeafCount, PerftTotal};
use crate::units::{Plan, Unit};

/// Parts are not split any further at this depth.
const MIN_PART_DEPTH: u32 = 4;
/// Limits the number of parts of a very large count: the largest part has about this share of all
/// leaf nodes.
const LARGEST_SHARE: f64 = 1.0 / 2000.0;

/// A count split into parts, for workers that share no memory, such as those of a web page.
///
/// ```
/// use tabiya::Position;
/// use tabiya_perft::{Engine, Options, Split};
///
/// let split = Split::new(&Position::START, 6, 2e6);
/// // Each part can be counted anywhere, in any order.
/// let engine = Engine::new(Options::default());
/// let counts: Vec<Option<u128>> =
///     split.parts().map(|part| engine.count(&part.position, part.depth).ok()).collect();
/// let total = split.total(&counts);
/// assert_eq!(total.nodes, 119_060_324);
/// let below: u128 = total.moves.iter().map(|root| root.nodes).sum();
/// assert_eq!((total.moves.len(), below), (20, total.nodes));
/// ```
#[derive(Clone, Debug)]
pub struct Split {
    plan: Plan,
    depth: u32,
    /// The estimated share of each unit in the whole work.
    shares: Vec<f64>,
}

/// A part of a count: the leaf nodes below one position.
#[derive(Clone, Debug)]
pub struct Part {
    /// The root move that leads here: its index in [`Split::moves`].
    pub root: usize,
    /// The position at the top of the part.
    pub position: Position,
    /// Plies from this position to the leaf nodes.
    pub depth: u32,
    /// The estimated share of the part in the whole work, from 0 to 1.
    pub share: f64,
}

impl Split {
    /// Splits `perft(depth)` of a position into parts of about this number of leaf nodes at most.
    ///
    /// The sizes are estimates, so a part may be a few times larger. A part of four plies is never
    /// split. A very large count is split into some ten thousand parts, regardless of their size. A
    /// perft of depth 0 has no parts.
    pub fn new(position: &Position, depth: u32, leaves: f64) -> Self {
        if depth == 0 {
            let plan = Plan { moves: Vec::new(), units: Vec::new() };
            return Self { plan, depth, shares: Vec::new() };
        }
        let mut plan = Plan::new(position, depth, 0, 0);
        let mut estimates: Vec<f64> = plan.units.iter().map(Unit::estimate).collect();
        let limit = (estimates.iter().sum::<f64>() * LARGEST_SHARE).max(leaves);
        loop {
            let is_large =
                |unit: &Unit, estimate: f64| unit.depth > MIN_PART_DEPTH && estimate > limit;
            let sized = || plan.units.iter().zip(&estimates);
            if !sized().any(|(unit, &estimate)| is_large(unit, estimate)) {
                break;
            }
            let (mut units, mut sizes) = (Vec::new(), Vec::new());
            for (unit, &estimate) in sized() {
                if is_large(unit, estimate) {
                    let parts = unit.split();
                    parts.for_each(|part| {
                        sizes.push(part.estimate());
                        units.push(part);
                    });
                } else {
                    sizes.push(estimate);
                    units.push(unit.clone());
                }
            }
            (plan.units, estimates) = (units, sizes);
        }
        Self { shares: crate::units::shares(estimates), plan, depth }
    }

    /// The legal moves of the root.
    pub fn moves(&self) -> &[Move] {
        &self.plan.moves
    }

    /// The parts, in the order of the root moves.
    pub fn parts(&self) -> impl ExactSizeIterator<Item = Part> {
        self.plan.units.iter().zip(&self.shares).map(|(unit, &share)| Part {
            root: unit.root,
            position: unit.position.clone(),
            depth: unit.depth,
            share,
        })
    }

    /// The result from the counts of the parts, in order. `None` stands for a part that was not
    /// counted. The [look-ups](PerftTotal::look_ups) are not known.
    pub fn total(&self, counts: &[Option<u128>]) -> PerftTotal {
        if self.depth == 0 {
            return PerftTotal::of_leaf();
        }
        let count = |number: usize| {
            let known = counts.get(number).copied().flatten();
            LeafCount::of(known.ok_or(NoCount::Cancelled), 0)
        };
        let counts: Vec<LeafCount> = (0..self.plan.units.len()).map(count).collect();
        PerftTotal::of(&self.plan, &counts, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::reference_perft;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    fn count(split: &Split) -> Vec<Option<u128>> {
        split.parts().map(|it| Some(reference_perft(&it.position, it.depth).into())).collect()
    }

    #[test]
    fn parts_add_up_to_the_divide() {
        for (fen, depth, leaves) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 1e4),
            (KIWIPETE, 4, 1e9),
            (KIWIPETE, 4, 1.0),
            (KIWIPETE, 1, 1.0),
            (KIWIPETE, 0, 1.0),
            // Checkmate, stalemate, one move.
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 5, 1.0),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 5, 1.0),
            ("7k/5K2/8/6Q1/8/8/8/8 b - - 0 1", 6, 1.0),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let split = Split::new(&position, depth, leaves);
            let expected = crate::perft(&position, depth, &crate::Options::default(), &());
            assert_eq!(split.total(&count(&split)), expected, "{fen}");
            let shares: f64 = split.parts().map(|it| it.share).sum();
            assert!(split.parts().len() == 0 || (shares - 1.0).abs() < 1e-9, "{fen} {shares}");
        }
    }

    #[test]
    fn an_unfinished_count_keeps_what_is_known() {
        let split = Split::new(&Position::START, 3, 1.0);
        let mut counts = count(&split);
        counts[0] = None;
        counts.truncate(19);
        let total = split.total(&counts);
        assert!(!total.complete && !total.overflow);
        let complete: Vec<bool> = total.moves.iter().map(|it| it.complete).collect();
        assert_eq!((complete[0], complete[1], complete[19]), (false, true, false));
        assert!(total.nodes > 7000 && total.nodes < 8902);
    }

    #[test]
    fn parts_are_as_small_as_wanted_but_not_too_many() {
        let sizes = |depth| -> Vec<u32> {
            Split::new(&Position::START, depth, 1e8).parts().map(|it| it.depth).collect()
        };
        // 3,195,901,860 leaf nodes: each of the 20 moves has more than 10^8 below it, or fewer.
        assert!(sizes(7).len() > 100 && sizes(7).len() <= 400);
        assert_eq!(sizes(6).len(), 20);
        for (depth, fewest) in [(9, 400), (20, 400), (100_000, 20)] {
            let parts = sizes(depth).len();
            assert!((fewest..100_000).contains(&parts), "depth {depth}: {parts}");
        }
    }
}
