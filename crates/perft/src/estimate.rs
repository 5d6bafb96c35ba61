//! Estimates of perft by sampling, with a confidence interval.
//!
//! # Method
//!
//! The number to estimate is `T = Σ m(p) S(p)`. The sum is over the distinct positions `p` some
//! plies below the root; `m(p)` is the number of games that lead to `p`, and `S(p)` is the perft of
//! `p` to the remaining depth. The positions and `m` are found exactly. Only `S` is sampled, as
//! follows.
//!
//! 1. *Prediction.* `g(p)`, the perft of `p` to depth 2, is counted for every `p`. The size of a
//!    subtree is nearly proportional to a power of it.
//! 2. *Stratified sampling with probability proportional to predicted size.* The positions are laid
//!    on a line in the order of `g`, each as a segment of length `w(p) = m(p) g(p)^a`. The line, of
//!    length `W`, is cut into `H` equal strata. Two points are drawn independently in each stratum.
//!    A point on the segment of `p` has the value `f = S(p) / g(p)^a`. The integral of `f` over the
//!    line is `Σ w(p) S(p) / g(p)^a = T`. Therefore the sum over the strata of `W/H` times the mean
//!    of the two values is an unbiased estimate of `T`, for any `a`.
//! 3. *Descent.* `S(p)` itself is estimated by a random walk. While more than three plies remain,
//!    one child `c` is chosen with probability `q(c)`, again proportional to a power of its perft
//!    to depth 2, and `S(c) / q(c)` stands for `S(p)`. The expected value over the choice is `Σ
//!    q(c) S(c) / q(c) = S(p)`, so this is unbiased, too (D. E. Knuth, "Estimating the Efficiency
//!    of Backtrack Programs", 1975). A child with `q(c) = 0` is never chosen, but it has no games
//!    of two plies, so `S(c) = 0`. The last three plies are counted exactly.
//!
//! The sum over the strata of `(W/H)² · (f₁ - f₂)² / 4` has as its expected value exactly the
//! variance of the estimate, including that of the descent. The interval is that of Student's
//! distribution.
//!
//! The number of points is fixed before any of them is drawn, perhaps after a trial with other
//! random numbers. It never depends on the values: stopping when the values look good would spoil
//! both the estimate and the interval. Stratified sampling goes back to W. G. Cochran, "Sampling
//! Techniques", proportional probabilities to M. H. Hansen and W. N. Hurwitz, 1943.

use std::collections::HashMap;
use std::time::Duration;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use tabiya::Position;

use crate::clock::{self, Stopwatch};
use crate::count_leaves::CountLeaves;
use crate::engine::Engine;
use crate::machine::Pool;
use crate::progress::Watch;

/// The number of plies at the end that are counted exactly.
const EXACT_PLIES: u32 = 3;

/// 2^53. All smaller integers are values of `f64`, but not all greater ones.
const EXACT_INTEGERS: f64 = (1u64 << f64::MANTISSA_DIGITS) as f64;

/// The number of positions to sample from is at most about this.
const MAX_POSITIONS: usize = 1 << 17;

/// The power of the perft to depth 2 that predicts the size of a subtree.
const EXPONENT: f64 = 1.25;

/// The size of the smallest sample. With fewer points, the error could not be estimated.
pub const MIN_SAMPLES: u64 = 32;

/// The default size of a sample.
const DEFAULT_SAMPLES: u64 = 20_000;

/// Options of an estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EstimateOptions {
    /// Determines the sample: the same seed gives the same sample.
    pub seed: u64,
    /// The size of the sample.
    pub effort: Effort,
}

impl Default for EstimateOptions {
    fn default() -> Self {
        Self { seed: 0, effort: Effort::Samples(DEFAULT_SAMPLES) }
    }
}

/// The size of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// A number of points. The same number and seed give the same estimate on every machine.
    Samples(u64),
    /// As many points as can be drawn in this time, according to a trial. Where there is no clock,
    /// as in a browser's WebAssembly, the number of points is the default.
    Time(Duration),
}

/// An estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimated number of leaf nodes.
    pub nodes: f64,
    /// The standard error, or 0 if the number was counted.
    pub standard_error: f64,
    /// The lower end of the interval that contains the true number with a probability of 95 %. It
    /// is never negative.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// The number of points drawn, or 0 if the number was counted.
    pub samples: u64,
    /// The number of plies from the root to the positions to sample from.
    pub frontier_plies: u32,
    /// The number of the positions to sample from.
    pub frontier: usize,
}

impl Estimate {
    /// Is this the exact number? A number of 2^53 or more that was counted is rounded to 53 bits.
    pub fn is_exact(&self) -> bool {
        self.samples == 0 && self.nodes < EXACT_INTEGERS
    }
}

/// Estimates perft to depth `depth`, or returns `None` if the watch stops it.
///
/// The engine counts the small subtrees, on its threads. A small perft is counted exactly.
///
/// ```
/// use tabiya::Position;
/// use tabiya_perft::{estimate, Engine, EstimateOptions, Options};
///
/// let engine = Engine::new(Options::default());
/// let options = EstimateOptions::default();
/// let estimate = estimate(&engine, &Position::START, 7, &options, &()).unwrap();
/// assert!((estimate.nodes / 3_195_901_860.0 - 1.0).abs() < 0.01);
/// ```
pub fn estimate(
    engine: &Engine,
    position: &Position,
    depth: u32,
    options: &EstimateOptions,
    watch: &dyn Watch,
) -> Option<Estimate> {
    let start = Stopwatch::start();
    let estimator = Estimator::new(engine, position, depth, watch)?;
    let samples = match options.effort {
        Effort::Samples(samples) => samples,
        Effort::Time(_) if !clock::IS_AVAILABLE => DEFAULT_SAMPLES,
        Effort::Time(time) => {
            let rest = time.saturating_sub(start.elapsed()).as_secs_f64();
            // A short trial tells how long a longer and more reliable one may be.
            let short = 64 * engine.options().threads.get() as u64;
            let one = seconds_per_point(&estimator, short, options.seed)?;
            let long = ((rest * 0.05 / one) as u64).max(short);
            let one = seconds_per_point(&estimator, long, options.seed)?;
            (rest * 0.9 / one) as u64
        }
    };
    estimator.draw(samples, options.seed, 0)
}

/// The time it takes to draw a point, measured in a trial.
fn seconds_per_point(estimator: &Estimator<'_>, samples: u64, seed: u64) -> Option<f64> {
    let start = Stopwatch::start();
    let drawn = estimator.draw(samples, seed, TRIAL)?.samples.max(1);
    Some(start.elapsed().as_secs_f64() / drawn as f64)
}

/// Draws estimates of one perft. The positions to sample from are found only once.
///
/// ```
/// use tabiya::Position;
/// use tabiya_perft::{Engine, Estimator, Options};
///
/// let engine = Engine::new(Options::default());
/// let estimator = Estimator::new(&engine, &Position::START, 7, &()).unwrap();
/// let (first, second) = (estimator.estimate(500, 1), estimator.estimate(500, 2));
/// assert_ne!(first, second);
/// ```
#[derive(Debug)]
pub struct Estimator<'a> {
    frontier_plies: u32,
    frontier: usize,
    subtrees: Subtrees<'a>,
}

#[derive(Debug)]
enum Subtrees<'a> {
    /// The subtrees were small, so they have been counted.
    Counted(u128),
    Sampled(Line<'a>),
}

impl<'a> Estimator<'a> {
    /// Finds the positions to sample from, on the engine's threads; `None` if the watch stops the
    /// search.
    pub fn new(
        engine: &'a Engine,
        position: &Position,
        depth: u32,
        watch: &'a dyn Watch,
    ) -> Option<Self> {
        let (positions, frontier_plies) = frontier_of(position, depth, engine.pool(), watch)?;
        let left = depth - frontier_plies;
        let frontier = positions.len();
        let subtrees = if left <= EXACT_PLIES && frontier <= MAX_POSITIONS / 8 {
            Subtrees::Counted(counted(&positions, left, engine, watch)?)
        } else {
            let line = Line::new(positions, left, engine, watch)?;
            // If there is no game of two plies, there is no longer game.
            if line.positions.is_empty() { Subtrees::Counted(0) } else { Subtrees::Sampled(line) }
        };
        Some(Self { frontier_plies, frontier, subtrees })
    }

    /// Estimates from this number of points, at least [`MIN_SAMPLES`]. `None` if the watch stops
    /// the estimate.
    pub fn estimate(&self, samples: u64, seed: u64) -> Option<Estimate> {
        self.draw(samples, seed, 0)
    }

    fn draw(&self, samples: u64, seed: u64, streams: u64) -> Option<Estimate> {
        let (nodes, standard_error, strata) = match &self.subtrees {
            Subtrees::Counted(nodes) => (*nodes as f64, 0.0, 0),
            Subtrees::Sampled(line) => {
                let strata = samples.max(MIN_SAMPLES).div_ceil(2).min(1 << 26);
                let (nodes, standard_error) = line.sum(&line.sample(strata, seed, streams)?);
                (nodes, standard_error, strata)
            }
        };
        let margin = match strata {
            // The next number is further away than the rounded one from the exact one.
            0 if nodes >= EXACT_INTEGERS => nodes.next_up() - nodes,
            0 => 0.0,
            _ => standard_error * student_quantile(strata as f64),
        };
        Some(Estimate {
            nodes,
            standard_error,
            // The number of leaf nodes is never negative.
            low: (nodes - margin).max(0.0),
            high: nodes + margin,
            samples: 2 * strata,
            frontier_plies: self.frontier_plies,
            frontier: self.frontier,
        })
    }
}

/// The sum of the means of pairs, and the root of the sum of their variances.
///
/// The values are divided by the largest, because the squares of large values would be infinite.
fn sums(pairs: &[[f64; 2]]) -> (f64, f64) {
    let largest = pairs.as_flattened().iter().copied().fold(0.0, f64::max);
    if largest == 0.0 || largest.is_infinite() {
        return (largest, largest);
    }
    let pairs = || pairs.iter().map(|pair| pair.map(|value| value / largest));
    let means = pairs().map(|[a, b]| (a + b) / 2.0).sum::<f64>();
    let variance = pairs().map(|[a, b]| (a - b).powi(2) / 4.0).sum::<f64>();
    (means * largest, variance.sqrt() * largest)
}

/// The exact number of leaf nodes.
fn counted(
    frontier: &[(Position, u64)],
    left: u32,
    engine: &Engine,
    watch: &dyn Watch,
) -> Option<u128> {
    let counts = engine.pool().try_map(
        frontier.len(),
        || engine.counter(watch),
        |counter, number| {
            let (position, games) = &frontier[number];
            Some(counter.count(position, left).ok()? * u128::from(*games))
        },
    )?;
    // The counts of three plies have 27 bits, the numbers of games 64 and the number of positions
    // 14, so neither a product nor the sum overflows.
    const _: () = assert!(EXACT_PLIES <= 3 && MAX_POSITIONS / 8 <= 1 << 14);
    Some(counts.into_iter().sum())
}

/// The first stream of random numbers of the trial.
const TRIAL: u64 = 1 << 63;

/// The distinct positions to sample from, each with the number of games that lead to it, and their
/// distance from the root in plies.
fn frontier_of(
    root: &Position,
    depth: u32,
    pool: &Pool,
    watch: &dyn Watch,
) -> Option<(Vec<(Position, u64)>, u32)> {
    let mut level = vec![(root.clone(), 1u64)];
    let mut plies = 0;
    while depth - plies > EXACT_PLIES {
        if watch.is_cancelled() {
            return None;
        }
        let moves = |(): &mut (), number: usize| Some(level[number].0.count_legal());
        let children: usize = pool.try_map(level.len(), || (), moves)?.into_iter().sum();
        // Roughly half of the games lead to a position that another game leads to as well.
        if children / 2 > MAX_POSITIONS {
            break;
        }
        // There may be more games than fit into 64 bits, even if they lead to only a few positions.
        let Some(next) = next_level(&level) else { break };
        level = next;
        plies += 1;
    }
    Some((level, plies))
}

fn next_level(level: &[(Position, u64)]) -> Option<Vec<(Position, u64)>> {
    let mut next = HashMap::with_capacity(level.len() * 8);
    for (position, games) in level {
        for &mv in &position.legal_moves() {
            let sum: &mut u64 = next.entry(position.play(mv)).or_default();
            *sum = sum.checked_add(*games)?;
        }
    }
    Some(next.into_iter().collect())
}

/// The positions, laid on a line.
struct Line<'a> {
    positions: Vec<Segment>,
    length: f64,
    /// Plies from the positions to the leaf nodes.
    left: u32,
    engine: &'a Engine,
    watch: &'a dyn Watch,
}

/// The part of the line that belongs to a position.
struct Segment {
    position: Position,
    /// `g(p)^a`.
    predicted: f64,
    /// The end of the segment.
    end: f64,
}

impl std::fmt::Debug for Line<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Line").field("length", &self.length).finish_non_exhaustive()
    }
}

impl<'a> Line<'a> {
    fn new(
        frontier: Vec<(Position, u64)>,
        left: u32,
        engine: &'a Engine,
        watch: &'a dyn Watch,
    ) -> Option<Self> {
        let pairs = engine.pool().try_map(
            frontier.len(),
            || engine.counter(watch),
            |counter, number| {
                // A count of two plies ends before it calls the watch.
                if watch.is_cancelled() { None } else { counter.count(&frontier[number].0, 2).ok() }
            },
        )?;
        let mut known: Vec<(u128, u64, Position)> = pairs
            .into_iter()
            .zip(frontier)
            .map(|(pairs, (position, games))| (pairs, games, position))
            .collect();
        // By size. The order of positions of the same size must be the same in every run.
        known.sort_by_cached_key(|(pairs, _, position)| (*pairs, position.key()));
        let mut end = 0.0;
        let positions = known
            .into_iter()
            .filter(|&(pairs, ..)| pairs > 0)
            .map(|(pairs, games, position)| {
                let predicted = (pairs as f64).powf(EXPONENT);
                end += games as f64 * predicted;
                Segment { position, predicted, end }
            })
            .collect();
        Some(Self { positions, length: end, left, engine, watch })
    }

    /// The values at two points of each stratum. Their order does not depend on the number of
    /// threads.
    fn sample(&self, strata: u64, seed: u64, streams: u64) -> Option<Vec<[f64; 2]>> {
        let width = self.length / strata as f64;
        self.engine.pool().try_map(
            usize::try_from(strata).unwrap_or(usize::MAX),
            || self.engine.counter(self.watch),
            |counter, stratum| {
                if self.watch.is_cancelled() {
                    return None;
                }
                let mut rng = ChaCha8Rng::seed_from_u64(seed);
                rng.set_stream(streams + stratum as u64);
                let mut draw = || {
                    let point = (stratum as f64 + uniform(&mut rng)) * width;
                    self.value_at(point, &mut rng, counter.as_mut())
                };
                Some([draw()?, draw()?])
            },
        )
    }

    /// The estimate that follows from the values at the points, and its standard error.
    fn sum(&self, points: &[[f64; 2]]) -> (f64, f64) {
        let width = self.length / points.len() as f64;
        let (means, deviation) = sums(points);
        (means * width, deviation * width)
    }

    /// The value `f` at a point of the line.
    fn value_at(
        &self,
        point: f64,
        rng: &mut ChaCha8Rng,
        counter: &mut dyn CountLeaves,
    ) -> Option<f64> {
        let after = self.positions.partition_point(|segment| segment.end <= point);
        // After rounding, the last point may be slightly past the end.
        let segment = &self.positions[after.min(self.positions.len() - 1)];
        Some(descend(&segment.position, self.left, rng, counter)? / segment.predicted)
    }
}

/// An unbiased estimate of the number of leaf nodes below a position.
fn descend(
    position: &Position,
    left: u32,
    rng: &mut ChaCha8Rng,
    counter: &mut dyn CountLeaves,
) -> Option<f64> {
    if left <= EXACT_PLIES {
        return Some(counter.count(position, left).ok()? as f64);
    }
    let mut total = 0.0;
    let mut children = Vec::new();
    for &mv in &position.legal_moves() {
        let child = position.play(mv);
        total += (counter.count(&child, 2).ok()? as f64).powf(EXPONENT);
        children.push((total, child));
    }
    if total == 0.0 {
        return Some(0.0);
    }
    let point = uniform(rng) * total;
    let chosen = children.partition_point(|&(end, _)| end <= point).min(children.len() - 1);
    let before = if chosen == 0 { 0.0 } else { children[chosen - 1].0 };
    let (end, child) = &children[chosen];
    Some(descend(child, left - 1, rng, counter)? * total / (end - before))
}

/// A random number of 53 bits, at least 0 and less than 1.
fn uniform(rng: &mut ChaCha8Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// The number of standard errors, to either side, that contain 95 % of Student's distribution: the
/// first terms of its expansion about the normal distribution (Abramowitz and Stegun, 26.7.5).
fn student_quantile(freedom: f64) -> f64 {
    let z: f64 = 1.959_963_985;
    z + (z.powi(3) + z) / (4.0 * freedom)
        + (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * freedom * freedom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_large_and_small_values_are_finite() {
        let pairs = [[1.0, 3.0], [2.0, 2.0], [5.0, 0.0]];
        let expected = (2.0 + 2.0 + 2.5, (1.0f64 + 0.0 + 6.25).sqrt());
        assert_eq!(sums(&pairs), expected);
        for scale in [2f64.powi(1000), 2f64.powi(600), 2f64.powi(-600)] {
            let scaled = pairs.map(|pair| pair.map(|value| value * scale));
            let (means, deviation) = sums(&scaled);
            assert!((means / (expected.0 * scale) - 1.0).abs() < 1e-12, "{means}");
            assert!((deviation / (expected.1 * scale) - 1.0).abs() < 1e-12, "{deviation}");
        }
        assert_eq!(sums(&[[0.0; 2]; 3]), (0.0, 0.0));
        assert_eq!(sums(&[[1.0, f64::INFINITY]]), (f64::INFINITY, f64::INFINITY));
    }

    #[test]
    fn quantiles_agree_with_a_published_table() {
        for (freedom, quantile) in [(16.0, 2.120), (20.0, 2.086), (30.0, 2.042), (1e9, 1.960)] {
            assert!((student_quantile(freedom) - quantile).abs() < 2e-3, "{freedom}");
        }
    }
}
