//! Comparing many positions on several threads.
//!
//! The work is divided into batches. A batch is the positions of one source for one number, so the
//! comparisons do not depend on the number of threads.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::answers::Answers;
use crate::compare::Comparer;
use crate::random::of_parts;
use crate::record::Record;
use crate::sources::Source;

/// The positions of a batch.
const BATCH: u64 = 4096;

/// A plan of comparisons.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The sources of positions. Each yields the same share.
    pub sources: Vec<Source>,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The number of positions of all sources together; `None` for no limit.
    pub positions: Option<u64>,
    /// Begin no batch after this time.
    pub time: Option<Duration>,
    /// Only this batch of each source.
    pub batch: Option<u64>,
    /// The number of threads.
    pub threads: usize,
    /// Compare every kind at every position.
    pub all: bool,
}

/// The comparisons that were made, source by source.
#[derive(Debug)]
pub struct Results {
    /// The records of the sources, in the order of the plan.
    pub sources: Vec<(Source, Record)>,
    /// The time that it took.
    pub time: Duration,
}

impl Results {
    /// Everything together.
    pub fn sum(&self) -> Record {
        let mut sum = Record::new();
        self.sources.iter().for_each(|(_, record)| sum += record.clone());
        sum
    }
}

/// The sums so far, which a caller may watch while the work goes on.
#[derive(Debug, Default)]
pub struct Watched {
    /// Set it to end the work.
    pub stop: AtomicBool,
    /// The number of positions that were compared.
    pub positions: AtomicU64,
    /// The number of differences.
    pub differences: AtomicU64,
}

/// Compares until the plan is done, or until it is stopped.
pub fn run<A: Answers>(plan: &Plan, answers: &A, watched: &Watched) -> Results {
    let begin = Instant::now();
    let results = plan.sources.iter().map(|&source| (source, Record::new())).collect();
    let results: Mutex<Vec<(Source, Record)>> = Mutex::new(results);
    let next = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..plan.threads {
            scope.spawn(|| {
                while let Some(batch) = plan.batch(next.fetch_add(1, Ordering::Relaxed)) {
                    let is_late = plan.time.is_some_and(|time| begin.elapsed() >= time);
                    if is_late || watched.stop.load(Ordering::Relaxed) {
                        break;
                    }
                    let Some(batch) = batch else { continue };
                    let record = batch.compare(plan, answers, watched);
                    let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
                    results[batch.index].1 += record;
                }
            });
        }
    });
    let sources = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    Results { sources, time: begin.elapsed() }
}

/// Some positions of one source.
struct Batch {
    /// The index of the source in the plan.
    index: usize,
    number: u64,
    positions: u64,
}

impl Plan {
    /// The batch with a number. The sources take turns, and some end before others; a number of
    /// theirs then has no batch. The outer `None` means that all have ended.
    fn batch(&self, number: u64) -> Option<Option<Batch>> {
        let sources = self.sources.len() as u64;
        let (index, number) = ((number % sources) as usize, number / sources);
        if let Some(only) = self.batch {
            let batch = Batch { index, number: only, positions: BATCH };
            return if number == 0 { Some(Some(batch)) } else { None };
        }
        let Some(positions) = self.positions else {
            return Some(Some(Batch { index, number, positions: BATCH }));
        };
        let share = |index: u64| positions / sources + u64::from(index < positions % sources);
        let begin = number * BATCH;
        if begin >= share(0) {
            return None;
        }
        let left = share(index as u64).saturating_sub(begin);
        Some((left > 0).then_some(Batch { index, number, positions: left.min(BATCH) }))
    }
}

impl Batch {
    fn compare<A: Answers>(&self, plan: &Plan, answers: &A, watched: &Watched) -> Record {
        let source = plan.sources[self.index];
        let mut random = of_parts(plan.seed, &[source as u64, self.number]);
        let mut marks = of_parts(plan.seed, &[source as u64, self.number, 1]);
        let mut left = self.positions;
        let comparer = std::cell::RefCell::new(Comparer::new(answers, plan.all));
        source.walk(
            &mut random,
            |setup| comparer.borrow_mut().setup(setup),
            |position| {
                let mut comparer = comparer.borrow_mut();
                let before = comparer.record.all_differences();
                comparer.compare(position, marks.number());
                let differences = comparer.record.all_differences() - before;
                if differences > 0 {
                    comparer.origin(|| {
                        format!(
                            "--source {} --seed {} --batch {}",
                            source.name(),
                            plan.seed,
                            self.number
                        )
                    });
                    watched.differences.fetch_add(differences, Ordering::Relaxed);
                }
                left -= 1;
                left > 0 && !watched.stop.load(Ordering::Relaxed)
            },
        );
        let record = comparer.into_inner().record;
        watched.positions.fetch_add(record.positions, Ordering::Relaxed);
        record
    }
}
