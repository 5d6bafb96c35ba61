//! The speed of a program's answers, and the time limits for them.

use std::cell::Cell;
use std::time::Duration;

/// The time that a program has to start, unless its limit is longer.
const START: Duration = Duration::from_secs(10);

/// The assumed speed of a program that has not answered yet, in leaf nodes per second.
const ASSUMED_RATE: f64 = 100.0;

/// A question with fewer leaf nodes takes no counting, for most programs.
const FEW_LEAVES: u64 = 400;

/// An answer may take this many times the expected time.
const PATIENCE: f64 = 10.0;

/// An answer without counting may take this many times the longest time so far.
const PATIENCE_WITHOUT_COUNTING: f64 = 3.0;

/// The second try of the first hang may take this many times the time of the first try.
const SECOND_TRY: u32 = 3;

/// The least time for an answer.
const LEAST_TIME: Duration = Duration::from_millis(300);

/// The known facts about the speed of a program.
pub(crate) struct Pace {
    /// The time for an answer that takes no counting.
    limit: Duration,
    /// The longest time for a question with few leaf nodes.
    slowest: Cell<Duration>,
    /// The shortest time for any question.
    fastest: Cell<Duration>,
    speed: Cell<Option<Speed>>,
    /// Was there a question that a new process did not answer, either?
    has_hung: Cell<bool>,
}

/// A speed, and the size of the question that it was measured with. The larger the question, the
/// less the start of a process matters.
#[derive(Clone, Copy)]
struct Speed {
    leaves: u64,
    /// Leaf nodes per second.
    rate: f64,
    /// The seconds that each leaf node adds to the time of the shortest answer.
    marginal: f64,
}

impl Pace {
    pub(crate) const fn new(limit: Duration) -> Self {
        Self {
            limit,
            slowest: Cell::new(Duration::ZERO),
            fastest: Cell::new(Duration::MAX),
            speed: Cell::new(None),
            has_hung: Cell::new(false),
        }
    }

    /// The time that a program may take to start.
    pub(crate) fn start(&self) -> Duration {
        self.limit.max(START)
    }

    /// The time that an answer may take. The first one may come from a program that is still
    /// starting. After a hang, the first try of a question gets no more time than other answers
    /// suggest: a second one decides.
    pub(crate) fn limit_of(&self, leaves: u64) -> Duration {
        let most = self.most();
        let base = match self.has_hung.get() {
            true => self.slowest.get().mul_f64(PATIENCE).clamp(LEAST_TIME.min(most), most),
            false => most,
        };
        base + self.work(leaves)
    }

    /// The time that the answer may take if the first try had none.
    pub(crate) fn second_limit_of(&self, leaves: u64) -> Duration {
        let tries = if self.has_hung.get() { 1 } else { SECOND_TRY };
        (self.most() + self.work(leaves)) * tries
    }

    /// The most time for an answer without counting.
    fn most(&self) -> Duration {
        match self.speed.get() {
            Some(_) => self.limit.max(self.slowest.get().mul_f64(PATIENCE_WITHOUT_COUNTING)),
            None => self.start(),
        }
    }

    /// The most time for counting.
    fn work(&self, leaves: u64) -> Duration {
        let work = leaves as f64 / self.rate().unwrap_or(ASSUMED_RATE) * PATIENCE;
        Duration::from_secs_f64(work.min(1e6))
    }

    /// The time that an answer is expected to take.
    pub(crate) fn expected(&self, leaves: u64) -> Duration {
        let work = leaves as f64 * self.speed.get().map_or(0.0, |speed| speed.marginal);
        self.slowest.get() + Duration::from_secs_f64(work.min(1e6))
    }

    /// The speed in leaf nodes per second, measured with the largest question.
    pub(crate) fn rate(&self) -> Option<f64> {
        self.speed.get().map(|speed| speed.rate)
    }

    /// Learns from an answer.
    pub(crate) fn answered(&self, leaves: u64, took: Duration) {
        if leaves < FEW_LEAVES {
            self.slowest.set(self.slowest.get().max(took));
        }
        self.fastest.set(self.fastest.get().min(took));
        if leaves == 0 {
            return;
        }
        // A process takes longer to start on a busy machine, which says nothing about leaf nodes.
        let counting = if leaves < FEW_LEAVES { Duration::ZERO } else { took - self.fastest.get() };
        let new = Speed {
            leaves,
            rate: leaves as f64 / took.as_secs_f64().max(1e-3),
            marginal: counting.as_secs_f64() / leaves as f64,
        };
        let speed = match self.speed.get() {
            Some(old) if old.leaves >= 2 * leaves => old,
            Some(old) if leaves < 2 * old.leaves => Speed {
                leaves: old.leaves.max(leaves),
                rate: old.rate.min(new.rate),
                // A busy machine makes the price of a leaf node seem higher, and never lower.
                marginal: old.marginal.min(new.marginal),
            },
            _ => new,
        };
        self.speed.set(Some(speed));
    }

    /// Learns that a new process did not answer, either.
    pub(crate) fn hung(&self) {
        self.has_hung.set(true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(number: u64) -> Duration {
        Duration::from_secs(number)
    }

    #[test]
    fn limits_follow_the_answers() {
        let pace = Pace::new(seconds(5));
        // The program may still be starting.
        assert_eq!((pace.start(), pace.limit_of(0)), (seconds(10), seconds(10)));
        assert_eq!(Pace::new(seconds(30)).limit_of(20), seconds(32));
        // Ten times the time that the program takes.
        pace.answered(20, Duration::from_millis(1));
        pace.answered(100_000, seconds(1));
        assert_eq!(pace.limit_of(0), seconds(5));
        assert_eq!(pace.limit_of(10_000), seconds(6));
        assert_eq!(pace.second_limit_of(10_000), seconds(18));
        assert!(pace.expected(200_000).abs_diff(seconds(2)) < Duration::from_millis(10));
        // Another hang costs little.
        pace.answered(20, Duration::from_millis(50));
        pace.hung();
        assert_eq!(pace.limit_of(0), Duration::from_millis(500));
        assert_eq!(pace.second_limit_of(0), seconds(5));
    }

    #[test]
    fn a_slow_program_is_waited_for() {
        // Ten leaf nodes a second.
        let pace = Pace::new(seconds(3));
        pace.answered(20, seconds(2));
        assert!(pace.limit_of(48) > seconds(40));
        pace.answered(48, Duration::from_millis(4800));
        assert!(pace.limit_of(218) > seconds(200));
        assert!(pace.limit_of(400) > seconds(400));
        // A program that takes seconds to start is not slow at counting.
        let pace = Pace::new(seconds(3));
        pace.answered(20, seconds(2));
        pace.answered(48, seconds(2));
        assert_eq!(pace.expected(100_000), seconds(2));
        assert!(pace.limit_of(0) > seconds(5));
        // Nor is one whose process starts now faster, now slower.
        let pace = Pace::new(seconds(3));
        pace.answered(20, Duration::from_millis(300));
        pace.answered(20, Duration::from_millis(500));
        pace.answered(48, Duration::from_millis(400));
        assert_eq!(pace.expected(100_000), Duration::from_millis(500));
    }
}
