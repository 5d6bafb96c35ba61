//! H.G. Muller's qperft, a program that is built from his source and isn't distributed here.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::clock::Clock;
use crate::engine::Engine;

/// The program, and the processor time that it says it has spent.
#[derive(Debug)]
pub struct Qperft {
    program: PathBuf,
    spent: Duration,
}

impl Qperft {
    /// The program at a path.
    pub fn new(path: &Path) -> Result<Self, String> {
        let program =
            path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self { program, spent: Duration::ZERO })
    }
}

impl Engine for Qperft {
    fn name(&self) -> &'static str {
        "qperft"
    }

    fn perft(&mut self, fen: &str, depth: u32) -> Result<u64, String> {
        // It writes `log.txt` where it runs.
        let output = Command::new(&self.program)
            .args([&depth.to_string(), fen])
            .current_dir(std::env::temp_dir())
            .output()
            .map_err(|error| format!("cannot run {}: {error}", self.program.display()))?;
        // It counts every depth up to the last, and says for each how long that took.
        let text = String::from_utf8_lossy(&output.stdout);
        let answer = text.lines().find_map(|line| {
            let (found, rest) = line.strip_prefix("perft(")?.split_once(")=")?;
            let (nodes, rest) = rest.split_once('(')?;
            let seconds = rest.split_once(" sec)")?.0.trim().parse().ok()?;
            let found = found.trim().parse::<u32>().ok()?;
            (found == depth).then_some((nodes.trim().parse().ok()?, seconds))
        });
        let (nodes, seconds) =
            answer.ok_or_else(|| format!("qperft: no line for depth {depth} in {text:?}"))?;
        self.spent += Duration::from_secs_f64(seconds);
        Ok(nodes)
    }

    fn now(&self, _: Clock) -> Duration {
        self.spent
    }
}
