//! The speed of a program's answers, and the time limits for them.

use std::cell::Cell;
use std::time::Duration;

/// The assumed speed of an unknown program, in leaf nodes per second.
const ASSUMED_RATE: f64 = 10_000.0;

/// A question with fewer leaf nodes says nothing about the speed.
const LEAST_LEAVES: u64 = 400;

/// An answer may take this many times the expected time.
const PATIENCE: f64 = 10.0;

/// The least time for an answer.
const LEAST_TIME: Duration = Duration::from_millis(300);

/// The known facts about the speed of a program.
pub(crate) struct Pace {
    /// The time for an answer that takes no counting.
    limit: Duration,
    /// The longest time for a question with few leaf nodes.
    slowest: Cell<Duration>,
    /// The leaf nodes per second, and the size of the question that they were measured with. The
    /// larger the question, the less the start of a process matters.
    rate: Cell<Option<(u64, f64)>>,
    /// Was a question not answered in time?
    has_hung: Cell<bool>,
}

impl Pace {
    pub(crate) const fn new(limit: Duration) -> Self {
        Self {
            limit,
            slowest: Cell::new(Duration::ZERO),
            rate: Cell::new(None),
            has_hung: Cell::new(false),
        }
    }

    /// The time that an answer without counting may take.
    pub(crate) const fn limit(&self) -> Duration {
        self.limit
    }

    /// The time that an answer may take. A program that has hung once gets no more time than its
    /// other answers suggest.
    pub(crate) fn limit_of(&self, leaves: u64) -> Duration {
        let work = leaves as f64 / self.rate().unwrap_or(ASSUMED_RATE) * PATIENCE;
        let base = if self.has_hung.get() {
            self.slowest.get().mul_f64(PATIENCE).clamp(LEAST_TIME.min(self.limit), self.limit)
        } else {
            self.limit
        };
        base + Duration::from_secs_f64(work.min(1e6))
    }

    /// The time that an answer is expected to take.
    pub(crate) fn expected(&self, leaves: u64) -> Duration {
        let work = leaves as f64 / self.rate().unwrap_or(f64::INFINITY);
        self.slowest.get() + Duration::from_secs_f64(work.min(1e6))
    }

    fn rate(&self) -> Option<f64> {
        self.rate.get().map(|(_, rate)| rate)
    }

    /// Learns from an answer.
    pub(crate) fn answered(&self, leaves: u64, took: Duration) {
        if leaves < LEAST_LEAVES {
            self.slowest.set(self.slowest.get().max(took));
        } else {
            let rate = leaves as f64 / took.as_secs_f64().max(1e-3);
            let known = self.rate.get();
            let (size, rate) = match known {
                Some((size, known)) if size >= 2 * leaves => (size, known),
                Some((size, known)) if leaves < 2 * size => (size.max(leaves), known.min(rate)),
                _ => (leaves, rate),
            };
            self.rate.set(Some((size, rate)));
        }
    }

    /// Was a question not answered in time?
    pub(crate) const fn has_hung(&self) -> bool {
        self.has_hung.get()
    }

    /// Learns that there was no answer in time.
    pub(crate) fn hung(&self) {
        self.has_hung.set(true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_follow_the_answers() {
        let seconds = Duration::from_secs;
        let pace = Pace::new(seconds(5));
        // Ten times the time that a slow program takes.
        assert_eq!(pace.limit_of(0), seconds(5));
        assert_eq!(pace.limit_of(10_000), seconds(15));
        pace.answered(100_000, seconds(1));
        assert_eq!(pace.limit_of(10_000), seconds(6));
        assert_eq!(pace.expected(200_000), seconds(2));
        // A second hang costs little.
        pace.answered(20, Duration::from_millis(50));
        pace.hung();
        assert_eq!(pace.limit_of(0), Duration::from_millis(500));
    }
}
