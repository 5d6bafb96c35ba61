//! The progress of work on files, shown in a line on a terminal.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::output;
use crate::output::number::{duration, per_second, thousands};
use crate::unpacked::{self, Passed};

/// The progress line.
pub(crate) struct ProgressLine {
    is_seen: bool,
    /// What's counted, such as `games`.
    unit: &'static str,
    begin: Instant,
    drawn: Option<Instant>,
    width: usize,
    /// The bytes of all files, if they are known.
    total: Option<u64>,
    /// The bytes read so far.
    pub(crate) passed: Passed,
}

impl ProgressLine {
    /// `is_printing` says whether lines are written to standard output all the time.
    pub(crate) fn new(unit: &'static str, files: &[PathBuf], is_printing: bool) -> Self {
        let is_seen = io::stderr().is_terminal() && !(is_printing && io::stdout().is_terminal());
        Self {
            is_seen,
            unit,
            begin: Instant::now(),
            drawn: None,
            width: 0,
            total: files.iter().map(|path| unpacked::length(path)).sum(),
            passed: Passed::default(),
        }
    }

    /// Draws the line if enough time has passed.
    pub(crate) fn draw(&mut self, count: u64) {
        const EVERY: Duration = Duration::from_millis(250);
        let last = self.drawn.unwrap_or(self.begin);
        if !self.is_seen || last.elapsed() < EVERY {
            return;
        }
        self.drawn = Some(Instant::now());
        let passed = self.passed.load(Ordering::Relaxed);
        let line = line(count, self.unit, passed, self.total, self.begin.elapsed());
        // If the line wrapped, it could not be removed.
        let line: String = line.chars().take(output::width().saturating_sub(1)).collect();
        let _ = write!(io::stderr(), "\r{line:<width$}", width = self.width);
        self.width = line.chars().count();
    }

    /// Removes the line, so that other text can be printed.
    pub(crate) fn clear(&mut self) {
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

fn line(count: u64, unit: &str, passed: u64, total: Option<u64>, elapsed: Duration) -> String {
    let rate = per_second(count.into(), elapsed).map_or("-".to_owned(), thousands);
    let mut text = format!(
        "{} {unit}  {}  {rate} {unit}/s",
        thousands(count.into()),
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
        assert_eq!(line(2000, "games", 5, None, time), "2,000 games  10 s  200 games/s");
        assert_eq!(
            line(2000, "games", 25, Some(100), time),
            " 25 %  2,000 games  10 s  200 games/s, about 30 s left"
        );
    }
}
