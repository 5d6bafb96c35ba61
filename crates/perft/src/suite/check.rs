//! Counting what a suite says, and comparing.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tabiya::Position;

use super::Case;
use crate::clock::Stopwatch;
use crate::count_leaves::CountLeaves;
use crate::engine::Engine;
use crate::options::Options;
use crate::progress::{Progress, Watch};
use crate::total::PerftTotal;

/// What to check, and how.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// Skip counts at greater depths.
    pub max_depth: Option<u32>,
    /// Skip counts that are larger.
    pub max_nodes: Option<u128>,
    /// So many counts are checked at the same time.
    pub threads: NonZeroUsize,
}

impl Default for CheckOptions {
    fn default() -> Self {
        Self { max_depth: None, max_nodes: None, threads: NonZeroUsize::MIN }
    }
}

/// What checking one position found.
#[derive(Clone, Debug, Default)]
pub struct CaseReport {
    /// How many counts are right.
    pub right: usize,
    /// How many are wrong.
    pub wrong: usize,
    /// How many were left out as too deep, too large, or because checking was stopped.
    pub skipped: usize,
    /// The wrong count at the smallest depth.
    pub mismatch: Option<Mismatch>,
    /// All leaves counted.
    pub nodes: u128,
    /// The time that all counts took together.
    pub time: Duration,
}

/// A wrong count.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// The depth.
    pub depth: u32,
    /// What the suite says.
    pub expected: u128,
    /// What was counted.
    pub found: u128,
    /// The share of each first move.
    pub divide: PerftTotal,
}

/// One count to check.
struct Job<'a> {
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
    let mut jobs = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        for &(depth, expected) in &case.counts {
            let too_deep = options.max_depth.is_some_and(|most| depth > most);
            let too_large = options.max_nodes.is_some_and(|most| expected > most);
            if too_deep || too_large {
                reports[number].skipped += 1;
            } else {
                jobs.push(Job { case: number, position: &case.position, depth, expected });
            }
        }
    }
    jobs.sort_by_key(|job| std::cmp::Reverse(job.expected));
    let engine = Engine::new(Options { threads: options.threads, ..Options::default() });
    let counts = count_all(&jobs, &engine, watch);
    for (job, count) in jobs.iter().zip(counts) {
        let report = &mut reports[job.case];
        let Some((found, time)) = count else {
            report.skipped += 1;
            continue;
        };
        report.nodes += found;
        report.time += time;
        if found == job.expected {
            report.right += 1;
            continue;
        }
        report.wrong += 1;
        if report.mismatch.as_ref().is_none_or(|first| first.depth > job.depth) {
            let no_divide =
                PerftTotal { moves: Vec::new(), nodes: found, complete: false, look_ups: 0 };
            let (depth, expected) = (job.depth, job.expected);
            report.mismatch = Some(Mismatch { depth, expected, found, divide: no_divide });
        }
    }
    for (case, report) in cases.iter().zip(&mut reports) {
        if let Some(mismatch) = &mut report.mismatch {
            mismatch.divide = engine.perft(&case.position, mismatch.depth, watch);
        }
    }
    reports
}

/// Counts all jobs; `None` for those that were not finished.
fn count_all(
    jobs: &[Job<'_>],
    engine: &Engine,
    watch: &dyn Watch,
) -> Vec<Option<(u128, Duration)>> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new((0, 0u128, vec![None; jobs.len()]));
    let work = || {
        let mut counter = engine.counter(watch);
        while let Some((number, job)) = take(jobs, &next) {
            let begin = Stopwatch::start();
            let Some(count) = count(&mut *counter, job, watch) else { return };
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done.0 += 1;
            done.1 += count;
            done.2[number] = Some((count, begin.elapsed()));
            watch.progress(Progress::of(done.0, jobs.len(), done.1));
        }
    };
    engine.pool().broadcast(work);
    done.into_inner().unwrap_or_else(PoisonError::into_inner).2
}

fn take<'a, 'b>(jobs: &'a [Job<'b>], next: &AtomicUsize) -> Option<(usize, &'a Job<'b>)> {
    let number = next.fetch_add(1, Ordering::Relaxed);
    jobs.get(number).map(|job| (number, job))
}

fn count(counter: &mut dyn CountLeaves, job: &Job<'_>, watch: &dyn Watch) -> Option<u128> {
    if watch.is_cancelled() {
        return None;
    }
    counter.count(job.position, job.depth).map(u128::from)
}
