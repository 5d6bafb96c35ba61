//! A player that is another program and speaks UCI.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use tabiya::fen::CastlingNotation;
use tabiya::{CastlingMode, Game};

use crate::game::{Control, Offence, Player, Situation};

/// The time that the referee waits after the clock has run out, and the time without a clock.
const PATIENCE: Duration = Duration::from_secs(2);
const NO_CLOCK: Duration = Duration::from_secs(300);

pub(crate) struct Process {
    child: Child,
    input: ChildStdin,
    /// The lines, each with the time of its arrival.
    lines: Receiver<(Instant, String)>,
}

impl Process {
    pub(crate) fn start(program: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new(program);
        let started = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = started.unwrap_or_else(|error| {
            panic!("{} cannot be started: {error}; build the examples first", program.display())
        });
        let input = child.stdin.take().expect("there is a pipe");
        let output = child.stdout.take().expect("there is a pipe");
        let (sender, lines) = mpsc::channel();
        // The thread ends with the program, or with this player.
        thread::spawn(move || {
            let texts = BufReader::new(output).lines().map_while(Result::ok);
            texts.map_while(|line| sender.send((Instant::now(), line)).ok()).for_each(drop);
        });
        Self { child, input, lines }
    }

    fn say(&mut self, text: &str) -> Result<(), Offence> {
        writeln!(self.input, "{text}").map_err(|_| Offence::Crash)
    }

    /// Waits for a line that begins with this word, and returns the next word with the time of the
    /// line.
    fn wait_for(&mut self, first: &str, patience: Duration) -> Result<(String, Instant), Offence> {
        let begin = Instant::now();
        loop {
            let left = patience.saturating_sub(begin.elapsed());
            match self.lines.recv_timeout(left) {
                Ok((time, line)) => {
                    let mut words = line.split_ascii_whitespace();
                    if words.next() == Some(first) {
                        return Ok((words.next().unwrap_or_default().to_owned(), time));
                    }
                }
                Err(RecvTimeoutError::Timeout) => return Err(Offence::Time(None)),
                Err(RecvTimeoutError::Disconnected) => return Err(Offence::Crash),
            }
        }
    }
}

impl Player for Process {
    fn prepare(&mut self, game: &Game) -> Result<(), Offence> {
        let chess960 = game.start().castling_mode() == CastlingMode::Chess960;
        self.say("uci")?;
        self.wait_for("uciok", NO_CLOCK)?;
        self.say(&format!("setoption name UCI_Chess960 value {chess960}"))?;
        self.say("ucinewgame\nisready")?;
        self.wait_for("readyok", NO_CLOCK).map(drop)
    }

    fn choose(&mut self, situation: &Situation<'_>) -> Result<(String, Instant), Offence> {
        let &Situation { game, control, clocks: [white, black] } = situation;
        let notation = match game.start().castling_mode() {
            CastlingMode::Standard => CastlingNotation::XFen,
            CastlingMode::Chess960 => CastlingNotation::Shredder,
        };
        let mut text = format!("position fen {} moves", game.start().fen().castling(notation));
        for (position, &mv) in game.positions().iter().zip(game.moves()) {
            write!(text, " {}", position.uci(mv)).expect("a string can be written to");
        }
        self.say(&text)?;
        let (go, patience) = match control {
            Control::Nodes(nodes) => (format!("go nodes {nodes}"), NO_CLOCK),
            Control::Clock { increment, .. } => {
                let [white, black, increment] =
                    [white, black, increment].map(|time| time.as_millis());
                let clocks = format!("wtime {white} btime {black}");
                let turn = situation.clocks[game.position().turn() as usize];
                (format!("go {clocks} winc {increment} binc {increment}"), turn + PATIENCE)
            }
        };
        self.say(&go)?;
        self.wait_for("bestmove", patience)
    }
}

impl Drop for Process {
    /// Ends the program, which may no longer respond.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
