//! Units of work: subtrees into which a count is split, each counted on its own.

use tabiya::{Move, Position};

use tabiya::SplitMix64;

/// A subtree to be counted.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    /// The index of the root move that leads here.
    pub(crate) root: usize,
    /// The position at the top of the subtree.
    pub(crate) position: Position,
    /// Plies from this position to the leaf nodes.
    pub(crate) depth: u32,
}

impl Unit {
    /// An estimate of the number of leaf nodes, from a few random games: the mean of the products
    /// of the numbers of moves along each game.
    ///
    /// The estimate is unbiased: its expected value is the true number. The same unit always gets
    /// the same estimate.
    ///
    /// Source: Donald Knuth, "Estimating the efficiency of backtrack programs", 1975.
    pub(crate) fn estimate(&self) -> f64 {
        const GAMES: u32 = 4;
        let mut random = SplitMix64::new(self.position.key());
        let total: f64 = (0..GAMES).map(|_| self.sample(&mut random)).sum();
        total / f64::from(GAMES)
    }

    /// The product of the numbers of moves in one random game. Deep down, these numbers hardly
    /// differ between units, so only the first plies are played. The last of these numbers stands
    /// for the rest.
    fn sample(&self, random: &mut SplitMix64) -> f64 {
        const PLAYED: u32 = 8;
        let mut position = self.position.clone();
        let (mut product, mut last) = (1.0, 1.0);
        for _ in 0..self.depth.min(PLAYED) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                return 0.0;
            }
            last = moves.len() as f64;
            product *= last;
            position = position.play(moves[random.below(moves.len())]);
        }
        product * f64::powf(last, f64::from(self.depth.saturating_sub(PLAYED)))
    }

    /// The subtrees one ply further down.
    pub(crate) fn split(&self) -> impl Iterator<Item = Self> {
        let (root, depth) = (self.root, self.depth - 1);
        let position = self.position.clone();
        let moves = position.legal_moves();
        moves.into_iter().map(move |mv| Self { root, position: position.play(mv), depth })
    }
}

/// A count split into units.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The legal moves of the root.
    pub(crate) moves: Vec<Move>,
    /// The subtrees. Together they have all leaf nodes of the count.
    pub(crate) units: Vec<Unit>,
}

impl Plan {
    /// Splits `perft(depth)` into `wanted` units or more. The depth must be at least 1. Units of
    /// depth `min_depth` are not split any further, so there may be fewer of them.
    ///
    /// Subtrees differ in size, so there should be far more units than threads.
    pub(crate) fn new(position: &Position, depth: u32, wanted: usize, min_depth: u32) -> Self {
        let moves = position.legal_moves().to_vec();
        let mut units: Vec<Unit> = moves
            .iter()
            .enumerate()
            .map(|(root, &mv)| Unit { root, position: position.play(mv), depth: depth - 1 })
            .collect();
        while units.len() < wanted && units.first().is_some_and(|unit| unit.depth > min_depth) {
            units = units.iter().flat_map(Unit::split).collect();
        }
        Self { moves, units }
    }
}

/// The shares of units in the whole work, from their estimated sizes.
pub(crate) fn shares(mut estimates: Vec<f64>) -> Vec<f64> {
    let whole: f64 = estimates.iter().sum();
    if whole.is_finite() && whole > 0.0 {
        estimates.iter_mut().for_each(|estimate| *estimate /= whole);
    } else {
        let equal = 1.0 / estimates.len() as f64;
        estimates.fill(equal);
    }
    estimates
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::{self, Case, ReadOptions};

    #[test]
    fn estimates_of_the_units_add_up_to_about_the_whole_count() {
        let text = tabiya_suites::STANDARD.text;
        let cases = suite::read(text.as_bytes(), &ReadOptions::default()).cases;
        assert_eq!(cases.len(), 6);
        for Case { position, counts, .. } in cases {
            let (depth, nodes) = counts[4];
            let plan = Plan::new(&position, depth, 1000, 2);
            let estimate: f64 = plan.units.iter().map(Unit::estimate).sum();
            let ratio = estimate / nodes as f64;
            assert!((0.8..1.25).contains(&ratio), "{position:?} {ratio}");
        }
    }
}
