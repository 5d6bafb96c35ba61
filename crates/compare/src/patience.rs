//! How long to listen to a program that prints, but not what is expected.

use std::time::{Duration, Instant};

use crate::process::MAX_ANSWER;

/// The end of waiting for the expected line of a program that prints others. One that always prints is
/// never silent, so a time limit alone is not enough.
pub(crate) struct Patience {
    until: Instant,
    /// The first moment after the limit at which a line came, and what had been heard by then.
    late: Option<(Instant, usize)>,
}

impl Patience {
    /// More than what may have waited in a pipe, if this program was suspended.
    const MOST_LATE: usize = 1 << 17;
    const LATEST: Duration = Duration::from_secs(60);

    pub(crate) const fn new(until: Instant) -> Self {
        Self { until, late: None }
    }

    /// Has the program printed too much, or for too long? It has just printed a line, with which it
    /// has printed this number of bytes.
    pub(crate) fn ends(&mut self, heard: usize) -> bool {
        let now = Instant::now();
        if now <= self.until {
            return heard > MAX_ANSWER;
        }
        let (since, before) = *self.late.get_or_insert((now, heard));
        heard > MAX_ANSWER || heard - before > Self::MOST_LATE || now - since > Self::LATEST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_lines_are_not_endless_output() {
        let now = Instant::now();
        let mut early = Patience::new(now + Duration::from_secs(3600));
        assert!(!early.ends(MAX_ANSWER));
        assert!(early.ends(MAX_ANSWER + 1));
        std::thread::sleep(Duration::from_millis(5));
        // All of this may have waited while this program was suspended, for an hour or longer.
        let mut late = Patience::new(now);
        assert!(!late.ends(100_000));
        assert!(!late.ends(100_000 + Patience::MOST_LATE));
        assert!(late.ends(100_001 + Patience::MOST_LATE));
        // On a machine that has just started, an earlier point in time may not exist.
        if let Some(before) = now.checked_sub(Duration::from_secs(61)) {
            assert!(!Patience::new(before).ends(20));
            assert!(Patience { until: before, late: Some((before, 0)) }.ends(20));
        }
    }
}
