//! The progress of the work, shown in a line on a terminal.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::input::{self, Passed};
use crate::output;
use crate::output::number::{duration, per_second, thousands};

/// The progress line.
pub(super) struct ProgressLine {
    is_seen: bool,
    begin: Instant,
    drawn: Option<Instant>,
    width: usize,
    /// The bytes of all files, if they are known.
    total: Option<u64>,
    /// The bytes read so far.
    pub(super) passed: Passed,
}

impl ProgressLine {
    /// `is_printing` says whether lines are written to standard output all the time.
    pub(super) fn new(files: &[PathBuf], is_printing: bool) -> Self {
        let is_seen = io::stderr().is_terminal() && !(is_printing && io::stdout().is_terminal());
        Self {
            is_seen,
            begin: Instant::now(),
            drawn: None,
            width: 0,
            total: files.iter().map(|path| input::length(path)).sum(),
            passed: Passed::default(),
        }
    }

    /// Draws the line if enough time has passed.
    pub(super) fn draw(&mut self, games: u64) {
        const EVERY: Duration = Duration::from_millis(250);
        let last = self.drawn.unwrap_or(self.begin);
        if !self.is_seen || last.elapsed() < EVERY {
            return;
        }
        self.drawn = Some(Instant::now());
        let passed = self.passed.load(Ordering::Relaxed);
        let line = line(games, passed, self.total, self.begin.elapsed());
        // If the line wrapped, it could not be removed.
        let line: String = line.chars().take(output::width().saturating_sub(1)).collect();
        let _ = write!(io::stderr(), "\r{line:<width$}", width = self.width);
        self.width = line.chars().count();
    }

    /// Removes the line, so that other text can be printed.
    pub(super) fn clear(&mut self) {
        if std::mem::take(&mut self.width) > 0 {
            let _ = write!(io::stderr(), "\r{:<width$}\r", "", width = output::width() - 1);
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.clear();
    }
}

fn line(games: u64, passed: u64, total: Option<u64>, elapsed: Duration) -> String {
    let rate = per_second(games.into(), elapsed).map_or("-".to_owned(), thousands);
    let mut text = format!(
        "{} games  {}  {rate} games/s",
        thousands(games.into()),
        duration(elapsed.as_secs_f64(), 0)
    );
    if let Some(total) = total.filter(|&total| total > 0 && passed > 0) {
        let share = (passed as f64 / total as f64).min(1.0);
        let left = elapsed.as_secs_f64() * (1.0 - share) / share;
        let percent = (100.0 * share) as u32;
        text = format!("{percent:>3} %  {text}, about {} left", duration(left, 0));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_from_the_bytes() {
        let time = Duration::from_secs(10);
        assert_eq!(line(2000, 5, None, time), "2,000 games  10 s  200 games/s");
        assert_eq!(
            line(2000, 25, Some(100), time),
            " 25 %  2,000 games  10 s  200 games/s, about 30 s left"
        );
    }
}
