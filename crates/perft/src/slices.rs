//! Units cut further while they are counted: pieces so small that stopping loses little.
//!
//! All pieces of a deep count would not fit into memory, so a thread finds those of its unit one
//! after the other. Above them it does what the fast counter does below: it asks the table first
//! and tells it afterwards. The pieces' counts fit into 64 bits whatever the position; the sums
//! above have 128.

use tabiya::Position;

use crate::leaf::Node;
use crate::table::Table;
use crate::{CountLeaves, Unit};

/// Subtrees of so many half-moves are counted in one go, however large they are.
const SHALLOW: u32 = 5;
/// No piece is deeper. No position has more than 16 times 27 moves, and 432^7 < 2^64: what a piece
/// counts does not overflow.
pub(crate) const MAX_SLICE_DEPTH: u32 = 7;
/// A piece has about so many leaves, or fewer, if the positions deep down are like those above:
/// a small part of a second's work, and enough that beginning and ending it costs nothing.
const LEAVES_PER_SLICE: f64 = 2e8;

/// Leaves found under a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// How many; at most 2^128 - 1, which also stands for more.
    pub(crate) nodes: u128,
    /// Are these all?
    pub(crate) complete: bool,
}

impl Found {
    pub(crate) const NOTHING: Self = Self { nodes: 0, complete: true };
    pub(crate) const STOPPED: Self = Self { nodes: 0, complete: false };

    fn all(nodes: u64) -> Self {
        Self { nodes: nodes.into(), complete: true }
    }

    /// Both together.
    pub(crate) const fn plus(self, other: Self) -> Self {
        let nodes = self.nodes.saturating_add(other.nodes);
        Self { nodes, complete: self.complete && other.complete }
    }
}

/// Half-moves from the top of a unit's pieces to the leaves.
fn slice_depth(unit: &Unit) -> u32 {
    if unit.depth <= SHALLOW {
        return unit.depth;
    }
    let top = Unit { depth: unit.depth.min(MAX_SLICE_DEPTH), ..unit.clone() };
    let growth = top.estimate().powf(1.0 / f64::from(top.depth));
    let fits = |depth: &u32| growth.powi(*depth as i32) <= LEAVES_PER_SLICE;
    (SHALLOW..=MAX_SLICE_DEPTH).rev().find(fits).unwrap_or(SHALLOW)
}

/// Hands out the subtrees of a unit that are at most so many half-moves deep, until `take` says
/// stop; returns whether it did not.
pub(crate) fn each(
    position: &Position,
    depth: u32,
    deepest: u32,
    take: &mut dyn FnMut(&Position, u32) -> bool,
) -> bool {
    if depth <= deepest {
        return take(position, depth);
    }
    let moves = position.legal_moves();
    moves.iter().all(|&mv| each(&position.play(mv), depth - 1, deepest, take))
}

/// One thread that counts units piece by piece.
pub(crate) struct WorkSlices<'a> {
    counter: Box<dyn CountLeaves + 'a>,
    table: Option<&'a Table>,
    look_ups: u64,
}

impl<'a> WorkSlices<'a> {
    pub(crate) fn new(counter: Box<dyn CountLeaves + 'a>, table: Option<&'a Table>) -> Self {
        Self { counter, table, look_ups: 0 }
    }

    /// How often the table has been asked.
    pub(crate) fn look_ups(&self) -> u64 {
        self.look_ups + self.counter.look_ups()
    }

    /// Counts a unit. Each part that is finished is handed to `finished`, with its leaves and its
    /// part of the unit as far as the numbers of moves on the way to it tell.
    pub(crate) fn count(&mut self, unit: &Unit, finished: &mut dyn FnMut(u64, f64)) -> Found {
        let pieces = slice_depth(unit);
        self.below(&unit.position, unit.depth, pieces, 1.0, finished)
    }

    fn below(
        &mut self,
        position: &Position,
        depth: u32,
        pieces: u32,
        share: f64,
        finished: &mut dyn FnMut(u64, f64),
    ) -> Found {
        if depth <= pieces {
            let Some(leaves) = self.counter.count(position, depth) else { return Found::STOPPED };
            finished(leaves, share);
            return Found::all(leaves);
        }
        let known = self.table.map(|table| (table, table.key(&Node::of(position).packed())));
        if let Some((table, key)) = known {
            self.look_ups += 1;
            if let Some(leaves) = table.get(key, depth) {
                finished(leaves, share);
                return Found::all(leaves);
            }
        }
        let moves = position.legal_moves();
        let share = share / moves.len() as f64;
        let mut found = Found::NOTHING;
        for &mv in &moves {
            let child = position.play(mv);
            found = found.plus(self.below(&child, depth - 1, pieces, share, finished));
            if !found.complete {
                return found;
            }
        }
        if let (Some((table, key)), Ok(leaves)) = (known, found.nodes.try_into()) {
            table.put(key, depth, leaves);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::HashSize;
    use crate::{Engine, Options};

    fn unit(fen: &str, depth: u32) -> Unit {
        Unit { root: 0, position: Position::from_fen(fen).unwrap(), depth }
    }

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    /// White has no move but one, and Black none at all after it.
    const OVER: &str = "7k/5K2/8/6Q1/8/8/8/8 b - - 0 1";
    const KINGS: &str = "7k/8/8/8/8/8/8/K7 w - - 0 1";

    #[test]
    fn pieces_are_as_deep_as_their_size_allows() {
        assert_eq!(slice_depth(&unit(KIWIPETE, 4)), 4);
        assert_eq!(slice_depth(&unit(KIWIPETE, 10)), SHALLOW);
        assert_eq!(slice_depth(&unit(KINGS, 10)), MAX_SLICE_DEPTH);
        assert_eq!(slice_depth(&unit(OVER, 10)), MAX_SLICE_DEPTH);
    }

    #[test]
    fn parts_add_up_with_and_without_a_table() {
        // The kings alone, as the plain walk counts them.
        let expected = u128::from(crate::reference_perft(&Position::from_fen(KINGS).unwrap(), 9));
        for size in [None, Some(HashSize::mebibytes(1))] {
            let engine = Engine::new(Options::default());
            let engine = match size {
                Some(size) => engine.with_table(Table::new(size, 0).unwrap()),
                None => engine,
            };
            let mut pieces = WorkSlices::new(engine.counter(&()), engine.table());
            let (mut leaves, mut shares) = (0, 0.0);
            let found = pieces.count(&unit(KINGS, 9), &mut |part, share| {
                leaves += u128::from(part);
                shares += share;
            });
            assert_eq!((found.nodes, found.complete, leaves), (expected, true, expected));
            assert!((shares - 1.0f64).abs() < 1e-9, "{shares}");
            assert_eq!(pieces.look_ups() > 0, size.is_some());
        }
    }

    #[test]
    fn sums_do_not_wrap() {
        let sum = Found { nodes: u128::MAX - 1, complete: true }.plus(Found::all(2));
        assert_eq!(sum.nodes, u128::MAX);
    }
}
