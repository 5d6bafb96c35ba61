//! Cutting a count into units of work: subtrees that are counted each on its own.

use tabiya::{Move, Position};

/// A subtree to be counted.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The number of the root move that leads here.
    pub root: usize,
    /// The position at the top of the subtree.
    pub position: Position,
    /// Half-moves to the leaves.
    pub depth: u32,
}

/// A count cut into units.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The legal moves of the root.
    pub moves: Vec<Move>,
    /// The subtrees; together they have the leaves of the whole count.
    pub units: Vec<Unit>,
}

impl Plan {
    /// Cuts `perft(depth)`, at least 1, into `wanted` units or more, but never closer than
    /// `keep` half-moves to the leaves.
    ///
    /// Subtrees differ in size, so there should be far more units than threads.
    pub fn new(position: &Position, depth: u32, wanted: usize, keep: u32) -> Self {
        let moves = position.legal_moves().to_vec();
        let mut units: Vec<Unit> = moves
            .iter()
            .enumerate()
            .map(|(root, &mv)| Unit { root, position: position.play(mv), depth: depth - 1 })
            .collect();
        while units.len() < wanted && units.first().is_some_and(|unit| unit.depth > keep) {
            units = units.iter().flat_map(split).collect();
        }
        Self { moves, units }
    }
}

/// The subtrees one half-move further down.
fn split(unit: &Unit) -> impl Iterator<Item = Unit> {
    let (root, depth) = (unit.root, unit.depth - 1);
    let position = unit.position.clone();
    let moves = position.legal_moves();
    moves.into_iter().map(move |mv| Unit { root, position: position.play(mv), depth })
}
