//! The progress of a long count, on a terminal.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tabiya_perft::{Progress, Watch};
use tabiya_runs::checkpoint::Status;

use crate::interrupt::Interrupt;
use crate::output;
use crate::output::number::{duration, per_second, thousands};

/// Shallower counts end too soon for their progress to be read.
const MIN_DEPTH: u32 = 6;
/// The interval at which the line is drawn.
const DRAW_EVERY: Duration = Duration::from_millis(250);

/// Watches a count: passes Ctrl-C on, and shows a progress line if standard error is a terminal.
///
/// The line is removed at the end.
pub(crate) struct ProgressLine<'a> {
    interrupt: &'a Interrupt,
    drawing: Option<Drawing>,
}

/// A thread that draws the line.
struct Drawing {
    state: Arc<Mutex<State>>,
    /// Dropping the sender ends the thread.
    end: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// The data that the line shows.
struct State {
    depth: u32,
    begin: Instant,
    shown: Option<Shown>,
}

/// The progress of the count, as of the last report.
struct Shown {
    /// The finished share of the whole count, from 0 to 1.
    share: f64,
    /// Leaf nodes per second.
    rate: Option<u128>,
    seconds_left: Option<f64>,
}

impl<'a> ProgressLine<'a> {
    /// Creates a watch for a count to a depth.
    pub(crate) fn new(interrupt: &'a Interrupt, depth: u32) -> Self {
        let is_seen = depth >= MIN_DEPTH && io::stderr().is_terminal();
        let state = State { depth, begin: Instant::now(), shown: None };
        Self { interrupt, drawing: is_seen.then(|| Drawing::start(state)) }
    }

    /// Shows the progress of a long run, with the numbers that `tabiya status` prints.
    pub(crate) fn show_status(&self, status: &Status) {
        self.show(|_| Shown {
            share: status.done as f64 / status.units as f64,
            rate: status.nodes_per_second().map(|rate| rate as u128),
            seconds_left: status.seconds_left(),
        });
    }

    fn show(&self, shown: impl FnOnce(&State) -> Shown) {
        if let Some(drawing) = &self.drawing {
            let mut state = drawing.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.shown = Some(shown(&state));
        }
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
        self.show(|state| Shown::of(progress, state.begin.elapsed()));
    }
}

impl Drawing {
    fn start(state: State) -> Self {
        let state = Arc::new(Mutex::new(state));
        let (end, ended) = mpsc::channel();
        let seen = Arc::clone(&state);
        let thread = thread::Builder::new().spawn(move || {
            // If standard error is closed, counting continues without the line.
            let mut width = 0;
            while ended.recv_timeout(DRAW_EVERY) == Err(RecvTimeoutError::Timeout) {
                let line = seen.lock().unwrap_or_else(PoisonError::into_inner).line(Instant::now());
                // If the line wrapped, it could not be removed.
                let line: String = line.chars().take(output::width().saturating_sub(1)).collect();
                let _ = write!(io::stderr(), "\r{line:<width$}");
                width = line.len();
            }
            let _ = write!(io::stderr(), "\r{:<width$}\r", "");
        });
        // If the system gives no thread, there is no line.
        Self { state, end: Some(end), thread: thread.ok() }
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

impl Shown {
    /// The rate and the time left of a count that began this long ago.
    fn of(Progress { nodes, share }: Progress, elapsed: Duration) -> Self {
        let seconds_left = elapsed.as_secs_f64() * (1.0 - share) / share;
        Self { share, rate: per_second(nodes, elapsed), seconds_left: Some(seconds_left) }
    }
}

impl State {
    /// The line, with a bar, the rate and the time left.
    fn line(&self, now: Instant) -> String {
        /// The number of steps of the bar, so that the line fits into 80 columns.
        const WIDTH: usize = 12;
        let share = self.shown.as_ref().map_or(0.0, |shown| shown.share);
        let full = "=".repeat((share * WIDTH as f64) as usize);
        let bar = format!("{:<WIDTH$.WIDTH$}", full + ">");
        let (depth, percent) = (self.depth, (100.0 * share) as u32);
        let time = duration(now.duration_since(self.begin).as_secs_f64(), 0);
        let mut text = format!("depth {depth} [{bar}] {percent:>3} %  {time}");
        if let Some(Shown { rate, seconds_left, .. }) = self.shown {
            text += &format!("  {} nodes/s", rate.map_or("-".to_owned(), thousands));
            if let Some(left) = seconds_left.filter(|left| left.is_finite()) {
                text += &format!(", about {} left", duration(left, 0));
            }
        }
        text
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
        let mut state = State { depth: 9, begin, shown: None };
        let empty = ">           ";
        assert_eq!(line(&state, 3), format!("depth 9 [{empty}]   0 %  3 s"));
        let progress = Progress { nodes: 3_000_000, share: 0.25 };
        state.shown = Some(Shown::of(progress, Duration::from_secs(3)));
        let bar = "===>        ";
        assert_eq!(
            line(&state, 4),
            format!("depth 9 [{bar}]  25 %  4 s  1,000,000 nodes/s, about 9 s left")
        );
    }

    /// The numbers come from the status, not from this process's clock.
    #[test]
    fn a_long_run_shows_the_rate_of_its_status() {
        let shown = Shown { share: 0.6, rate: Some(500_000_000), seconds_left: Some(8.0) };
        let state = State { depth: 9, begin: Instant::now(), shown: Some(shown) };
        let text = line(&state, 2);
        assert!(text.ends_with("  60 %  2 s  500,000,000 nodes/s, about 8 s left"), "{text}");
    }
}
