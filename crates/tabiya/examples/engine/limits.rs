//! The limits of a search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tabiya::Color;

/// Time reserved for the communication with the other program, which takes longer on a busy
/// machine.
const RESERVE: Duration = Duration::from_millis(250);

pub(crate) struct Limits {
    pub(crate) begin: Instant,
    /// No iteration begins after the first time, and the search ends at the second.
    pub(crate) time: Option<[Duration; 2]>,
    pub(crate) nodes: Option<u64>,
    pub(crate) depth: i32,
    /// Nothing but `stop` ends the search.
    pub(crate) is_infinite: bool,
    stop: Arc<AtomicBool>,
}

impl Limits {
    /// Reads the words after `go`.
    pub(crate) fn read(go: &str, turn: Color, stop: Arc<AtomicBool>) -> Self {
        let value = |name| {
            let mut words = go.split_ascii_whitespace().skip_while(|&word| word != name);
            // Some clients send a negative time when the clock has run out.
            words.nth(1)?.parse().ok().map(|value: i64| value.max(0) as u64)
        };
        let time = |name| value(name).map(Duration::from_millis);
        let [clock, increment] = match turn {
            Color::White => [time("wtime"), time("winc")],
            Color::Black => [time("btime"), time("binc")],
        };
        let moves = value("movestogo").unwrap_or(30).clamp(1, 30) as u32 + 1;
        let shares = |clock: Duration| {
            let spare = clock.saturating_sub(RESERVE);
            // Half of the increment is saved, so that a small reserve grows.
            let share = spare / moves + increment.unwrap_or_default() / 2;
            [share / 2, share * 3].map(|time| time.min(spare / 2))
        };
        let all_of = |movetime: Duration| [movetime * 9 / 10; 2];
        let (nodes, depth) = (value("nodes"), value("depth"));
        let time = time("movetime").map(all_of).or(clock.map(shares));
        let is_infinite = time.is_none() && nodes.is_none() && depth.is_none();
        let depth = depth.unwrap_or(100).clamp(1, 100) as i32;
        Self { begin: Instant::now(), time, nodes, depth, is_infinite, stop }
    }

    pub(crate) fn is_over(&self) -> bool {
        let is_late = |[_, end]: [Duration; 2]| self.begin.elapsed() >= end;
        self.stop.load(Ordering::Relaxed) || self.time.is_some_and(is_late)
    }
}
