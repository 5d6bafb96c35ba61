//! Estimating perft by sampling: how many games there are, more or less, and how sure that is.
//!
//! # Method
//!
//! The wanted number is `T = Σ m(p) S(p)` over the distinct positions `p` some plies below the
//! root: `m` says how many games lead there, `S` is the perft of what remains. The positions and
//! `m` are found exactly; only `S` is sampled, as follows.
//!
//! 1. *Prediction.* `g(p)`, the perft of two plies, is known for every `p`. A subtree's size is
//!    nearly proportional to a power of it.
//! 2. *Stratified sampling with probability proportional to predicted size.* The positions are
//!    laid on a line in the order of `g`, each as an interval of length `w(p) = m(p) g(p)^a`. The
//!    line, of length `W`, is cut into `H` equal strata; in each, two points are drawn
//!    independently. A point that falls on `p` gives `f = S(p) / g(p)^a`. Since the integral of
//!    `f` over the line is `Σ w(p) S(p) / g(p)^a = T`, the sum over the strata of `W/H` times the
//!    mean of the two values is an unbiased estimate of `T`, whatever `a` is.
//! 3. *Descent.* `S(p)` itself is estimated by a random walk: as long as more than three plies
//!    remain, one child `c` is chosen with probability `q(c)`, again proportional to a power of
//!    its perft of two plies, and `S(c) / q(c)` stands for `S(p)`. The expectation over the choice
//!    is `Σ q(c) S(c) / q(c) = S(p)`: unbiased (D. E. Knuth, "Estimating the Efficiency of
//!    Backtrack Programs", 1975). A child that is never chosen, `q(c) = 0`, has no games of two
//!    plies, so that `S(c) = 0`. At the end the subtree of three plies is counted exactly.
//!
//! The variance is the sum over strata of `(W/H)² · (f₁ - f₂)² / 4`, in expectation exactly that
//! of the estimate, descent included. The interval is that of Student's distribution.
//!
//! How many points are drawn is settled before any of them, perhaps from a trial with other
//! random numbers, never by looking at the values: stopping when they please would spoil both
//! the estimate and the interval. The sampling with stratification goes back to W. G. Cochran's
//! "Sampling Techniques", the proportional probabilities to M. H. Hansen and W. N. Hurwitz, 1943.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use tabiya::Position;

use crate::count_leaves::CountLeaves;
use crate::engine::Engine;
use crate::pool::Pool;
use crate::progress::Watch;

/// Plies at the end that are counted exactly.
const EXACT_PLIES: u32 = 3;

/// The frontier of the sample has at most about so many positions.
const MOST_POSITIONS: usize = 1 << 17;

/// How much faster than its perft of two plies a subtree's size grows.
const EXPONENT: f64 = 1.25;

/// No sample is smaller: from a few points the error cannot be told.
pub const MIN_SAMPLES: u64 = 32;

/// How to estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EstimateOptions {
    /// The same seed gives the same sample.
    pub seed: u64,
    /// How large the sample is.
    pub effort: Effort,
}

impl Default for EstimateOptions {
    fn default() -> Self {
        Self { seed: 0, effort: Effort::Samples(20_000) }
    }
}

/// How large a sample to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// So many points. The same number and seed give the same estimate on every machine.
    Samples(u64),
    /// As many points as a trial says can be had in this time.
    Time(Duration),
}

/// An estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimated number of games.
    pub nodes: f64,
    /// The standard error; 0 if the number was counted exactly.
    pub standard_error: f64,
    /// The interval that holds the true number with a probability of 95 %.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// How many points were drawn; 0 if the number was counted exactly.
    pub samples: u64,
    /// Plies to the positions that were sampled.
    pub frontier_plies: u32,
    /// How many they were.
    pub frontier: usize,
}

impl Estimate {
    /// Was everything counted?
    pub fn is_exact(&self) -> bool {
        self.samples == 0
    }
}

/// Estimates the number of games of `depth` half-moves; `None` if the watch says stop.
///
/// The engine counts what is small, with its threads.
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
    let start = Instant::now();
    let estimator = Estimator::new(engine, position, depth, watch)?;
    let samples = match options.effort {
        Effort::Samples(samples) => samples,
        Effort::Time(time) => {
            let rest = time.saturating_sub(start.elapsed()).as_secs_f64();
            // A short trial says how long a longer one may be, which is more to be relied on.
            let few = 64 * engine.options().threads.get() as u64;
            let one = seconds_for_one(&estimator, few, options.seed)?;
            let more = ((rest * 0.05 / one) as u64).max(few);
            let one = seconds_for_one(&estimator, more, options.seed)?;
            (rest * 0.9 / one) as u64
        }
    };
    estimator.draw(samples, options.seed, 0)
}

/// How long it takes to draw a point, from a trial.
fn seconds_for_one(estimator: &Estimator<'_>, samples: u64, seed: u64) -> Option<f64> {
    let begin = Instant::now();
    let drawn = estimator.draw(samples, seed, TRIAL)?.samples.max(1);
    Some(begin.elapsed().as_secs_f64() / drawn as f64)
}

/// What all estimates of one count have in common: the positions to sample from.
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
    what: What<'a>,
}

#[derive(Debug)]
enum What<'a> {
    /// There was so little that it has been counted.
    Counted(u128),
    Sampled(Line<'a>),
}

impl<'a> Estimator<'a> {
    /// Finds the positions, on the engine's threads; `None` if the watch stops it.
    pub fn new(
        engine: &'a Engine,
        position: &Position,
        depth: u32,
        watch: &'a dyn Watch,
    ) -> Option<Self> {
        let (positions, frontier_plies) = frontier_of(position, depth, engine.pool(), watch)?;
        let left = depth - frontier_plies;
        let frontier = positions.len();
        let what = if left <= EXACT_PLIES && frontier <= MOST_POSITIONS / 8 {
            What::Counted(counted(&positions, left, engine, watch)?)
        } else {
            let line = Line::new(positions, left, engine, watch)?;
            // Without any game of two plies there is none of more.
            if line.positions.is_empty() { What::Counted(0) } else { What::Sampled(line) }
        };
        Some(Self { frontier_plies, frontier, what })
    }

    /// Draws so many points, at least [`MIN_SAMPLES`]; `None` if the watch says stop.
    pub fn estimate(&self, samples: u64, seed: u64) -> Option<Estimate> {
        self.draw(samples, seed, 0)
    }

    fn draw(&self, samples: u64, seed: u64, streams: u64) -> Option<Estimate> {
        let (nodes, standard_error, strata) = match &self.what {
            What::Counted(nodes) => (*nodes as f64, 0.0, 0),
            What::Sampled(line) => {
                let strata = samples.max(MIN_SAMPLES).div_ceil(2).min(1 << 26);
                let (nodes, standard_error) = line.sum(&line.sample(strata, seed, streams)?);
                (nodes, standard_error, strata)
            }
        };
        let reach = if strata > 0 { standard_error * student(strata as f64) } else { 0.0 };
        Some(Estimate {
            nodes,
            standard_error,
            low: nodes - reach,
            high: nodes + reach,
            samples: 2 * strata,
            frontier_plies: self.frontier_plies,
            frontier: self.frontier,
        })
    }
}

/// The exact number of games.
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
            Some(u128::from(counter.count(position, left)?) * u128::from(*games))
        },
    )?;
    Some(counts.into_iter().sum())
}

/// Random numbers of the trial come from streams that begin here.
const TRIAL: u64 = 1 << 63;

/// The distinct positions to sample from, with the number of games that lead to each, and how
/// many plies they are from the root.
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
        // Half of the games lead to positions that others lead to as well, roughly.
        if children / 2 > MOST_POSITIONS {
            break;
        }
        // Few positions may still be the ends of more games than a number can hold.
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

/// The positions laid on a line.
struct Line<'a> {
    positions: Vec<Stretch>,
    length: f64,
    /// Plies from the positions to the leaves.
    left: u32,
    engine: &'a Engine,
    watch: &'a dyn Watch,
}

/// A position's part of the line.
struct Stretch {
    position: Position,
    /// `g(p)^a`.
    predicted: f64,
    /// Where it ends.
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
                // A count of two plies ends before it asks the watch.
                if watch.is_cancelled() { None } else { counter.count(&frontier[number].0, 2) }
            },
        )?;
        let mut known: Vec<(u64, u64, Position)> = pairs
            .into_iter()
            .zip(frontier)
            .map(|(pairs, (position, games))| (pairs, games, position))
            .collect();
        // By size; those of the same size in an order that is the same in every run.
        known.sort_by_cached_key(|(pairs, _, position)| (*pairs, position.key()));
        let mut end = 0.0;
        let positions = known
            .into_iter()
            .filter(|&(pairs, ..)| pairs > 0)
            .map(|(pairs, games, position)| {
                let predicted = (pairs as f64).powf(EXPONENT);
                end += games as f64 * predicted;
                Stretch { position, predicted, end }
            })
            .collect();
        Some(Self { positions, length: end, left, engine, watch })
    }

    /// Draws two points in each stratum; the order of the result does not depend on threads.
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
                    let point = (stratum as f64 + unit(&mut rng)) * width;
                    self.value_at(point, &mut rng, counter.as_mut())
                };
                Some([draw()?, draw()?])
            },
        )
    }

    /// The sum that the values at the points of the strata give, and its standard error.
    fn sum(&self, points: &[[f64; 2]]) -> (f64, f64) {
        let width = self.length / points.len() as f64;
        let means = points.iter().map(|[a, b]| (a + b) / 2.0).sum::<f64>();
        let variance = points.iter().map(|[a, b]| (a - b).powi(2) / 4.0).sum::<f64>();
        (means * width, variance.sqrt() * width)
    }

    /// The value `f` at a point of the line.
    fn value_at(
        &self,
        point: f64,
        rng: &mut ChaCha8Rng,
        counter: &mut dyn CountLeaves,
    ) -> Option<f64> {
        let after = self.positions.partition_point(|stretch| stretch.end <= point);
        // Rounding may put the last point a little beyond the end.
        let stretch = &self.positions[after.min(self.positions.len() - 1)];
        Some(descend(&stretch.position, self.left, rng, counter)? / stretch.predicted)
    }
}

/// An unbiased estimate of the leaves below a position.
fn descend(
    position: &Position,
    left: u32,
    rng: &mut ChaCha8Rng,
    counter: &mut dyn CountLeaves,
) -> Option<f64> {
    if left <= EXACT_PLIES {
        return Some(counter.count(position, left)? as f64);
    }
    let mut total = 0.0;
    let mut children = Vec::new();
    for &mv in &position.legal_moves() {
        let child = position.play(mv);
        total += (counter.count(&child, 2)? as f64).powf(EXPONENT);
        children.push((total, child));
    }
    if total == 0.0 {
        return Some(0.0);
    }
    let point = unit(rng) * total;
    let chosen = children.partition_point(|&(end, _)| end <= point).min(children.len() - 1);
    let before = if chosen == 0 { 0.0 } else { children[chosen - 1].0 };
    let (end, child) = &children[chosen];
    Some(descend(child, left - 1, rng, counter)? * total / (end - before))
}

/// A number from 0 up to, but not, 1, of 53 random bits.
fn unit(rng: &mut ChaCha8Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// The number of standard errors to either side that holds 95 % of Student's distribution, by
/// the first terms of its expansion about the normal one (Abramowitz and Stegun, 26.7.5).
fn student(freedom: f64) -> f64 {
    let z: f64 = 1.959_963_985;
    z + (z.powi(3) + z) / (4.0 * freedom)
        + (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * freedom * freedom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn students_quantiles() {
        // From a table of the distribution.
        for (freedom, quantile) in [(16.0, 2.120), (20.0, 2.086), (30.0, 2.042), (1e9, 1.960)] {
            assert!((student(freedom) - quantile).abs() < 2e-3, "{freedom}");
        }
    }
}
