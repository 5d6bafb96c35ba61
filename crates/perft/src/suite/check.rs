//! Compares the counts of a suite with computed ones.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tabiya::Position;

use super::Case;
use crate::clock::Stopwatch;
use crate::count_leaves::{CountLeaves, NoCount};
use crate::engine::Engine;
use crate::options::Options;
use crate::progress::{Progress, Watch};
use crate::total::PerftTotal;

/// Which counts to check, and how.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// Skip counts at depths greater than this.
    pub max_depth: Option<u32>,
    /// Skip counts larger than this.
    pub max_nodes: Option<u128>,
    /// The number of counts that are checked at the same time.
    pub threads: NonZeroUsize,
}

impl Default for CheckOptions {
    fn default() -> Self {
        Self { max_depth: None, max_nodes: None, threads: NonZeroUsize::MIN }
    }
}

/// The results of one position.
#[derive(Clone, Debug, Default)]
pub struct CaseReport {
    /// The number of counts that are right.
    pub right: usize,
    /// The number of counts that are wrong.
    pub wrong: usize,
    /// The number of counts that were skipped: too deep, too large, or cancelled.
    pub skipped: usize,
    /// The wrong count at the smallest depth.
    pub mismatch: Option<Mismatch>,
    /// The total number of leaf nodes counted. The largest value also stands for larger numbers.
    pub nodes: u128,
    /// The sum of the elapsed times of all counts.
    pub time: Duration,
}

/// A wrong count.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// The depth.
    pub depth: u32,
    /// The number in the suite.
    pub expected: u128,
    /// The number that was counted, or the largest value, 2^128 - 1, if there are 2^128 leaf nodes
    /// or more.
    pub found: u128,
    /// The count of each root move.
    pub divide: PerftTotal,
}

/// A count to check.
struct CountCheck<'a> {
    case: usize,
    position: &'a Position,
    depth: u32,
    expected: u128,
}

/// Checks the counts of every position; the reports are in the order of the cases.
///
/// Several counts are checked at the same time, the largest first.
pub fn check(cases: &[Case], options: &CheckOptions, watch: &dyn Watch) -> Vec<CaseReport> {
    let mut reports = vec![CaseReport::default(); cases.len()];
    let mut checks = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        for &(depth, expected) in &case.counts {
            let too_deep = options.max_depth.is_some_and(|most| depth > most);
            let too_large = options.max_nodes.is_some_and(|most| expected > most);
            if too_deep || too_large {
                reports[number].skipped += 1;
            } else {
                checks.push(CountCheck { case: number, position: &case.position, depth, expected });
            }
        }
    }
    checks.sort_by_key(|check| std::cmp::Reverse(check.expected));
    let engine = Engine::new(Options { threads: options.threads, ..Options::default() });
    let counts = count_all(&checks, &engine, watch);
    for (check, count) in checks.iter().zip(counts) {
        let report = &mut reports[check.case];
        let Some((count, time)) = count else {
            report.skipped += 1;
            continue;
        };
        // A number of more than 128 bits is wrong, because the expected number has at most 128.
        let found = count.unwrap_or(u128::MAX);
        report.nodes = report.nodes.saturating_add(found);
        report.time += time;
        if count == Some(check.expected) {
            report.right += 1;
            continue;
        }
        report.wrong += 1;
        if report.mismatch.as_ref().is_none_or(|first| first.depth > check.depth) {
            let no_divide = PerftTotal {
                moves: Vec::new(),
                nodes: found,
                complete: false,
                overflow: count.is_none(),
                look_ups: 0,
            };
            let (depth, expected) = (check.depth, check.expected);
            report.mismatch = Some(Mismatch { depth, expected, found, divide: no_divide });
        }
    }
    for (case, report) in cases.iter().zip(&mut reports) {
        if let Some(mismatch) = &mut report.mismatch {
            mismatch.divide = engine.perft(&case.position, mismatch.depth, watch);
            // There may be many mismatches.
            mismatch.divide.moves.shrink_to_fit();
        }
    }
    reports
}

/// A count, or `None` if it has more than 128 bits, and the time it took.
type TimedCount = (Option<u128>, Duration);

/// Computes all counts. `None` stands for a count that was cancelled.
fn count_all(
    checks: &[CountCheck<'_>],
    engine: &Engine,
    watch: &dyn Watch,
) -> Vec<Option<TimedCount>> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new((0, 0u128, vec![None; checks.len()]));
    let work = || {
        let mut counter = engine.counter(watch);
        while let Some((number, check)) = take(checks, &next) {
            let begin = Stopwatch::start();
            let count = match count(&mut *counter, check, watch) {
                Ok(count) => Some(count),
                Err(NoCount::Overflow) => None,
                Err(NoCount::Cancelled) => return,
            };
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done.0 += 1;
            done.1 = done.1.saturating_add(count.unwrap_or(u128::MAX));
            done.2[number] = Some((count, begin.elapsed()));
            watch.progress(Progress::of(done.0, checks.len(), done.1));
        }
    };
    engine.pool().broadcast(work);
    done.into_inner().unwrap_or_else(PoisonError::into_inner).2
}

fn take<'a, 'b>(
    checks: &'a [CountCheck<'b>],
    next: &AtomicUsize,
) -> Option<(usize, &'a CountCheck<'b>)> {
    let number = next.fetch_add(1, Ordering::Relaxed);
    checks.get(number).map(|check| (number, check))
}

fn count(
    counter: &mut dyn CountLeaves,
    check: &CountCheck<'_>,
    watch: &dyn Watch,
) -> Result<u128, NoCount> {
    if watch.is_cancelled() {
        return Err(NoCount::Cancelled);
    }
    counter.count(check.position, check.depth)
}
