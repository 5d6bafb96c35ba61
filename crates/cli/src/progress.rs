//! The progress of a long count, on a terminal.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tabiya_perft::{Progress, Watch};

use crate::interrupt::Interrupt;
use crate::output;
use crate::output::number::{duration, rate};

/// Counts of a smaller depth end before anyone could read their progress.
const MIN_DEPTH: u32 = 6;
/// How often the line is drawn.
const DRAW_EVERY: Duration = Duration::from_millis(250);

/// Watches a count: passes Ctrl-C on, and shows a line about the progress on standard error if
/// that is a terminal.
///
/// The line is removed at the end.
pub(crate) struct ProgressLine<'a> {
    interrupt: &'a Interrupt,
    drawing: Option<Drawing>,
}

/// A thread that draws the line.
struct Drawing {
    state: Arc<Mutex<State>>,
    /// When this is dropped, the thread ends.
    end: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// What the line shows.
struct State {
    depth: u32,
    begin: Instant,
    /// What was done before this process began, or before its first report.
    first: Option<Progress>,
    last: Option<Progress>,
}

impl<'a> ProgressLine<'a> {
    /// Watches a count that starts from nothing.
    pub(crate) fn new(interrupt: &'a Interrupt, depth: u32) -> Self {
        Self::start(interrupt, depth, Some(Progress { nodes: 0, share: 0.0 }))
    }

    /// Watches a count that goes on from an earlier one: the rate and the time left are those
    /// since the first report.
    pub(crate) fn resumed(interrupt: &'a Interrupt, depth: u32) -> Self {
        Self::start(interrupt, depth, None)
    }

    fn start(interrupt: &'a Interrupt, depth: u32, first: Option<Progress>) -> Self {
        let is_seen = depth >= MIN_DEPTH && io::stderr().is_terminal();
        let state = State { depth, begin: Instant::now(), first, last: None };
        Self { interrupt, drawing: is_seen.then(|| Drawing::start(state)) }
    }
}

impl Watch for ProgressLine<'_> {
    fn is_cancelled(&self) -> bool {
        self.interrupt.is_cancelled()
    }

    fn wants_progress(&self) -> bool {
        self.drawing.is_some()
    }

    fn progress(&self, progress: Progress) {
        if let Some(drawing) = &self.drawing {
            let mut state = drawing.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.report(progress, Instant::now());
        }
    }
}

impl Drawing {
    fn start(state: State) -> Self {
        let state = Arc::new(Mutex::new(state));
        let (end, ended) = mpsc::channel();
        let seen = Arc::clone(&state);
        let thread = thread::spawn(move || {
            // If standard error is closed, counting goes on without the line.
            let mut width = 0;
            while ended.recv_timeout(DRAW_EVERY) == Err(RecvTimeoutError::Timeout) {
                let line = seen.lock().unwrap_or_else(PoisonError::into_inner).line(Instant::now());
                // A line that wraps could not be removed.
                let line: String = line.chars().take(output::width().saturating_sub(1)).collect();
                let _ = write!(io::stderr(), "\r{line:<width$}");
                width = line.len();
            }
            let _ = write!(io::stderr(), "\r{:<width$}\r", "");
        });
        Self { state, end: Some(end), thread: Some(thread) }
    }
}

impl Drop for Drawing {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl State {
    /// Takes a report in.
    fn report(&mut self, progress: Progress, now: Instant) {
        if self.first.is_none() {
            (self.first, self.begin) = (Some(progress), now);
        }
        self.last = Some(progress);
    }

    /// The line, with a bar, the rate and the time left.
    fn line(&self, now: Instant) -> String {
        /// The number of steps of the bar.
        const WIDTH: usize = 30;
        let elapsed = now.duration_since(self.begin);
        let share = self.last.map_or(0.0, |progress| progress.share);
        let full = "=".repeat((share * WIDTH as f64) as usize);
        let bar = format!("{:<WIDTH$.WIDTH$}", full + ">");
        let (depth, percent) = (self.depth, (100.0 * share) as u32);
        let time = duration(elapsed.as_secs_f64(), 0);
        let text = format!("depth {depth} [{bar}] {percent:>3} %  {time}");
        let (Some(first), Some(last)) = (self.first, self.last) else { return text };
        let rate = rate(last.nodes.saturating_sub(first.nodes), elapsed);
        let left = elapsed.as_secs_f64() * (1.0 - last.share) / (last.share - first.share);
        if left.is_finite() {
            format!("{text}  {rate} nodes/s, about {} left", duration(left, 0))
        } else {
            format!("{text}  {rate} nodes/s")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(state: &State, seconds: u64) -> String {
        state.line(state.begin + Duration::from_secs(seconds))
    }

    #[test]
    fn the_time_left_follows_from_the_share() {
        let begin = Instant::now();
        let first = Some(Progress { nodes: 0, share: 0.0 });
        let mut state = State { depth: 9, begin, first, last: None };
        let empty = ">                             ";
        assert_eq!(line(&state, 3), format!("depth 9 [{empty}]   0 %  3 s"));
        state.report(Progress { nodes: 3_000_000, share: 0.25 }, begin);
        let bar = "=======>                      ";
        assert_eq!(
            line(&state, 3),
            format!("depth 9 [{bar}]  25 %  3 s  1,000,000 nodes/s, about 9 s left")
        );
    }

    /// What an earlier run counted is not part of this run's rate.
    #[test]
    fn a_resumed_count_is_measured_from_its_first_report() {
        let begin = Instant::now();
        let mut state = State { depth: 9, begin, first: None, last: None };
        state.report(Progress { nodes: 5_000_000, share: 0.5 }, begin + Duration::from_secs(1));
        state.report(Progress { nodes: 6_000_000, share: 0.6 }, begin + Duration::from_secs(3));
        let text = line(&state, 2);
        assert!(text.ends_with("  60 %  2 s  500,000 nodes/s, about 8 s left"), "{text}");
    }
}
