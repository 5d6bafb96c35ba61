//! Cutting a count into units of work: subtrees that are counted each on its own.

use tabiya::{Move, Position};

use crate::random::SplitMix;

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

impl Unit {
    /// An estimate of the number of leaves: the mean over a few random games of the product of
    /// the numbers of moves on the way.
    ///
    /// The expected value is the true number. The same unit always gets the same estimate.
    ///
    /// Source: Donald Knuth, "Estimating the efficiency of backtrack programs", 1975.
    pub fn estimate(&self) -> f64 {
        const GAMES: u32 = 4;
        let mut random = SplitMix::new(self.position.key());
        let total: f64 = (0..GAMES).map(|_| self.sample(&mut random)).sum();
        total / f64::from(GAMES)
    }

    /// The product of the numbers of moves in one random game. Deep down the numbers hardly
    /// differ between units, so the last plies all count as the last one looked at.
    fn sample(&self, random: &mut SplitMix) -> f64 {
        const LOOKED_AT: u32 = 8;
        let mut position = self.position.clone();
        let (mut product, mut last) = (1.0, 1.0);
        for _ in 0..self.depth.min(LOOKED_AT) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                return 0.0;
            }
            last = moves.len() as f64;
            product *= last;
            position = position.play(moves[random.below(moves.len())]);
        }
        product * f64::powf(last, f64::from(self.depth.saturating_sub(LOOKED_AT)))
    }
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
