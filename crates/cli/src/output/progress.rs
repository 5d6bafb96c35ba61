//! How far a long count is, on a terminal.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use tabiya_perft::checkpoint::Status;
use tabiya_perft::{Progress, Watch};

use super::number::{per_second, thousands};
use crate::interrupt::Interrupt;

/// Counts of fewer half-moves are over before anybody could read.
const SHALLOW: u32 = 6;
/// The length of the bar is so many steps of work.
const STEPS: f64 = 10_000.0;

/// Watches a count: listens for Ctrl-C, and draws a bar on standard error if that is a terminal.
///
/// The bar is taken away at the end.
pub(crate) struct Watcher<'a> {
    interrupt: &'a Interrupt,
    bar: Option<ProgressBar>,
    begin: Instant,
}

impl<'a> Watcher<'a> {
    pub(crate) fn new(interrupt: &'a Interrupt, depth: u32) -> Self {
        let seen = depth >= SHALLOW && io::stderr().is_terminal();
        Self { interrupt, bar: seen.then(|| bar(depth)), begin: Instant::now() }
    }
}

impl Watcher<'_> {
    /// Draws how far a long run has come, with the numbers that `tabiya status` prints.
    pub(crate) fn long_run(&self, status: &Status) {
        if let Some(bar) = &self.bar {
            bar.set_position((status.done as f64 / status.units as f64 * STEPS) as u64);
            let rate = status.nodes_per_second().map(|rate| rate as u128);
            bar.set_message(rate_and_time_left(rate, status.seconds_left()));
        }
    }
}

impl Drop for Watcher<'_> {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Watch for Watcher<'_> {
    fn is_cancelled(&self) -> bool {
        self.interrupt.is_cancelled()
    }

    fn wants_progress(&self) -> bool {
        self.bar.is_some()
    }

    fn progress(&self, progress: Progress) {
        if let Some(bar) = &self.bar {
            bar.set_position((progress.share * STEPS) as u64);
            bar.set_message(message(progress, self.begin.elapsed()));
        }
    }
}

fn bar(depth: u32) -> ProgressBar {
    // The template is a constant, and one of the tests reads it.
    let style = ProgressStyle::with_template(TEMPLATE)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ");
    let bar = ProgressBar::with_draw_target(Some(STEPS as u64), ProgressDrawTarget::stderr());
    bar.set_style(style);
    bar.set_prefix(format!("depth {depth}"));
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}

const TEMPLATE: &str = "{prefix} [{bar:30}] {percent:>3} %  {elapsed}  {msg}";

/// The speed and the time left, as far as the share of the work tells.
fn message(progress: Progress, elapsed: Duration) -> String {
    let left = elapsed.as_secs_f64() * (1.0 - progress.share) / progress.share;
    rate_and_time_left(per_second(progress.nodes, elapsed), Some(left))
}

fn rate_and_time_left(rate: Option<u128>, seconds_left: Option<f64>) -> String {
    let rate = rate.map_or("-".to_owned(), thousands);
    match seconds_left.map(Duration::try_from_secs_f64) {
        Some(Ok(left)) => format!("{rate} nodes/s, about {} left", HumanDuration(left)),
        _ => format!("{rate} nodes/s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_is_right() {
        assert!(ProgressStyle::with_template(TEMPLATE).is_ok());
    }

    #[test]
    fn the_time_left_follows_from_the_share() {
        let text = message(Progress { nodes: 3_000_000, share: 0.25 }, Duration::from_secs(3));
        assert_eq!(text, "1,000,000 nodes/s, about 9 seconds left");
        let text = message(Progress { nodes: 3, share: 0.0 }, Duration::from_secs(3));
        assert_eq!(text, "1 nodes/s");
    }
}
