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
    /// What was done at `begin`. `None` before the first report of a count that continues.
    at_begin: Option<Progress>,
    shown: Option<Shown>,
}

/// How far the count has come.
struct Shown {
    /// The finished share of the whole count, from 0 to 1.
    share: f64,
    /// Nodes per second, as text.
    rate: String,
    /// Not finite if nothing is known.
    seconds_left: f64,
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

    fn start(interrupt: &'a Interrupt, depth: u32, at_begin: Option<Progress>) -> Self {
        let is_seen = depth >= MIN_DEPTH && io::stderr().is_terminal();
        let state = State { depth, begin: Instant::now(), at_begin, shown: None };
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
        let Some(before) = self.at_begin else {
            (self.at_begin, self.begin) = (Some(progress), now);
            return;
        };
        let elapsed = now.duration_since(self.begin);
        let share = progress.share - before.share;
        self.shown = Some(Shown {
            share: progress.share,
            rate: rate(progress.nodes.saturating_sub(before.nodes), elapsed),
            seconds_left: elapsed.as_secs_f64() * (1.0 - progress.share) / share,
        });
    }

    /// The line, with a bar, the rate and the time left.
    fn line(&self, now: Instant) -> String {
        /// The number of steps of the bar.
        const WIDTH: usize = 30;
        let before = self.at_begin.map_or(0.0, |progress| progress.share);
        let share = self.shown.as_ref().map_or(before, |shown| shown.share);
        let full = "=".repeat((share * WIDTH as f64) as usize);
        let bar = format!("{:<WIDTH$.WIDTH$}", full + ">");
        let (depth, percent) = (self.depth, (100.0 * share) as u32);
        let time = duration(now.duration_since(self.begin).as_secs_f64(), 0);
        let text = format!("depth {depth} [{bar}] {percent:>3} %  {time}");
        match &self.shown {
            None => text,
            Some(Shown { rate, seconds_left, .. }) if seconds_left.is_finite() => {
                format!("{text}  {rate} nodes/s, about {} left", duration(*seconds_left, 0))
            }
            Some(Shown { rate, .. }) => format!("{text}  {rate} nodes/s"),
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
    fn the_rate_and_the_time_left_follow_from_the_report() {
        let begin = Instant::now();
        let at_begin = Some(Progress { nodes: 0, share: 0.0 });
        let mut state = State { depth: 9, begin, at_begin, shown: None };
        let empty = ">                             ";
        assert_eq!(line(&state, 3), format!("depth 9 [{empty}]   0 %  3 s"));
        let progress = Progress { nodes: 3_000_000, share: 0.25 };
        state.report(progress, begin + Duration::from_secs(3));
        let bar = "=======>                      ";
        assert_eq!(
            line(&state, 4),
            format!("depth 9 [{bar}]  25 %  4 s  1,000,000 nodes/s, about 9 s left")
        );
    }

    /// What an earlier run counted is not part of this run's rate.
    #[test]
    fn a_resumed_count_is_measured_from_its_first_report() {
        let begin = Instant::now();
        let mut state = State { depth: 9, begin, at_begin: None, shown: None };
        state.report(Progress { nodes: 5_000_000, share: 0.5 }, begin + Duration::from_secs(1));
        assert!(line(&state, 1).ends_with("  50 %  1 s"), "{}", line(&state, 1));
        state.report(Progress { nodes: 6_000_000, share: 0.6 }, begin + Duration::from_secs(3));
        let text = line(&state, 2);
        assert!(text.ends_with("  60 %  2 s  500,000 nodes/s, about 8 s left"), "{text}");
    }
}
