//! An installed Stockfish, run as a process: `go perft` over a pipe.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use crate::args::Args;
use crate::clock::Clock;
use crate::engine::Engine;

pub const NAME: &str = "stockfish";

/// The engine, only if `--stockfish` is given.
pub fn build(args: &Args) -> Result<Option<Box<dyn Engine>>, String> {
    match &args.stockfish {
        Some(path) => Ok(Some(Box::new(Stockfish::start(path)?))),
        None => Ok(None),
    }
}

/// A running Stockfish. Its time is by the wall clock: it is another process.
#[derive(Debug)]
pub struct Stockfish {
    process: Child,
    commands: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Stockfish {
    /// Starts the process and waits until it is ready.
    pub fn start(path: &Path) -> Result<Self, String> {
        let mut process = Command::new(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cannot start {}: {error}", path.display()))?;
        let commands = process.stdin.take().expect("stdin is piped");
        let answers = BufReader::new(process.stdout.take().expect("stdout is piped"));
        let mut engine = Self { process, commands, answers };
        engine.say("uci")?;
        engine.hear("uciok")?;
        engine.say("isready")?;
        engine.hear("readyok")?;
        Ok(engine)
    }

    /// Sends one line.
    fn say(&mut self, line: &str) -> Result<(), String> {
        writeln!(self.commands, "{line}").map_err(|error| format!("stockfish: {error}"))
    }

    /// Reads lines until one begins with `start`, and returns the rest of that line.
    fn hear(&mut self, start: &str) -> Result<String, String> {
        let mut line = String::new();
        loop {
            line.clear();
            match self.answers.read_line(&mut line) {
                Ok(0) => return Err("stockfish: the process ended before it answered".to_owned()),
                Err(error) => return Err(format!("stockfish: {error}")),
                Ok(_) => {}
            }
            if let Some(rest) = line.trim_end().strip_prefix(start) {
                return Ok(rest.to_owned());
            }
        }
    }
}

impl Engine for Stockfish {
    fn name(&self) -> &'static str {
        NAME
    }

    fn perft(&mut self, fen: &str, depth: u32) -> Result<u64, String> {
        if depth == 0 {
            return Ok(1);
        }
        self.say(&format!("position fen {fen}"))?;
        self.say(&format!("go perft {depth}"))?;
        let total = self.hear("Nodes searched:")?;
        total.trim().parse().map_err(|_| {
            format!("stockfish: expected a number after \"Nodes searched:\", found {total:?}")
        })
    }

    fn now(&self, _: Clock) -> Duration {
        Clock::Wall.now()
    }
}

impl Drop for Stockfish {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.say("quit");
        let _ = self.process.wait();
    }
}
