//! `tabiya uci`: the part of the Universal Chess Interface that tools for perft use.
//!
//! Commands are executed in order, as in engines with perft: a count ends before the next command
//! is executed, even `quit`. So a script may pipe in all commands at once. Only `stop` is executed
//! immediately: it ends the running count and all counts that were requested before it. A client
//! that closes the output has the same effect.

use std::fmt;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use tabiya::{CastlingMode, File, Position, Rank, Square};
use tabiya_perft::table::{HashSize, Table};
use tabiya_perft::{Engine, Isa, Options, Seed, Watch};

use crate::failure::{Diagnostic, Failure};
use crate::input::Lines;
use crate::outcome::Outcome;
use crate::output::printable;
use crate::{streams, values};

const EXAMPLES: &str = "\
Examples:
  tabiya uci
  printf 'position startpos\\ngo perft 5\\nquit\\n' | tabiya uci
  printf 'position startpos moves e2e4\\nd\\ngo perft 6\\n' | tabiya uci

The commands are uci, isready, ucinewgame, setoption, position, go perft, d, stop and quit. Others
are ignored. Commands are executed in order: isready and quit wait for the previous count, unless
stop ends that count. During a count, 4096 commands are read; a stop behind them waits for its end.
At the end of the input, the requested counts are still finished, unless the reader of the output is
gone. A line of more than 64 KiB is an error, which ends the session.";

/// Speak UCI, for tools that use the perft of engines
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let (sender, receiver) = mpsc::sync_channel(MAX_WAITING);
    let stops = std::sync::Arc::new(Stops::default());
    let seen = std::sync::Arc::clone(&stops);
    // This thread ends with the input. The program does not wait for it.
    let listener = move || {
        if let Err(error) = listen(&seen, |line| sender.send(Ok(line)).is_ok()) {
            // The session may have ended with `quit`.
            let _ = sender.send(Err(error));
        }
        // Dropping the sender tells the session that there are no more lines.
        drop(sender);
        streams::wait_for_end();
        seen.stop();
    };
    thread::Builder::new().spawn(listener).map_err(cannot_be_read)?;
    writeln!(out, "{NAME} by {AUTHORS}")?;
    out.flush()?;
    let mut session = Session::new(&stops);
    for line in receiver {
        if session.execute(&line.map_err(cannot_be_read)?, out)?.is_break() {
            break;
        }
    }
    Ok(Outcome::Fine)
}

fn cannot_be_read(error: io::Error) -> Diagnostic {
    Diagnostic::new(format_args!("the commands cannot be read: {error}"))
}

/// The counts that have to stop. Counts are numbered in the order of their requests.
#[derive(Debug, Default)]
struct Stops {
    asked: AtomicU64,
    stopped: AtomicU64,
}

/// One of the counts.
struct Ticket<'a> {
    number: u64,
    stops: &'a Stops,
}

impl Watch for Ticket<'_> {
    fn is_cancelled(&self) -> bool {
        self.stops.stopped.load(Ordering::Relaxed) >= self.number
    }
}

/// The most lines that wait for a count to end. Further lines are not read until then.
const MAX_WAITING: usize = 1 << 12;

/// A line of input, with the number of the count that it requests.
struct Line {
    text: String,
    count: u64,
}

impl Stops {
    /// Stops all counts that have been requested.
    fn stop(&self) {
        self.stopped.store(self.asked.load(Ordering::Relaxed), Ordering::Relaxed);
    }
}

/// Reads lines of standard input until it ends or a line is not taken.
///
/// # Errors
/// An error of the system, or one that says that a line is too long.
fn listen(stops: &Stops, mut take: impl FnMut(Line) -> bool) -> io::Result<()> {
    let mut lines = Lines::new(Box::new(io::stdin().lock()));
    while let Some(line) = lines.next()? {
        // Bytes that are not text are not a command either.
        let text = String::from_utf8_lossy(line).into_owned();
        let mut count = 0;
        match text.split_ascii_whitespace().next() {
            Some("stop") => stops.stop(),
            Some("go") => count = stops.asked.fetch_add(1, Ordering::Relaxed) + 1,
            _ => {}
        }
        if !take(Line { text, count }) {
            break;
        }
    }
    Ok(())
}

/// The state set by the previous commands.
struct Session<'a> {
    /// The position, or the reason why it was refused.
    position: Result<Position, String>,
    chess960: bool,
    threads: NonZeroUsize,
    hash_mebibytes: u64,
    /// Created on demand, and kept until the options change.
    engine: Option<Engine>,
    stops: &'a Stops,
}

/// The name and the authors, in the form that engines use.
const NAME: &str = concat!("tabiya ", env!("CARGO_PKG_VERSION"));
const AUTHORS: &str = "the tabiya authors";

/// The default size of the table in MiB, and the largest that a client may set.
const HASH: u64 = 64;
const MAX_HASH: u64 = 1 << 25;

impl<'a> Session<'a> {
    fn new(stops: &'a Stops) -> Self {
        Self {
            position: Ok(Position::START),
            chess960: false,
            threads: NonZeroUsize::MIN,
            hash_mebibytes: HASH,
            engine: None,
            stops,
        }
    }

    /// Executes a line. `quit` is the last one.
    fn execute(&mut self, line: &Line, out: &mut dyn Write) -> io::Result<ControlFlow<()>> {
        let words: Vec<&str> = line.text.split_ascii_whitespace().collect();
        match words.as_slice() {
            ["quit", ..] => return Ok(ControlFlow::Break(())),
            ["uci", ..] => identify(out)?,
            ["isready", ..] => writeln!(out, "readyok")?,
            ["ucinewgame", ..] => self.engine = None,
            ["setoption", rest @ ..] => self.set_option(rest, out)?,
            ["position", rest @ ..] => self.set_position(rest, out)?,
            ["go", rest @ ..] => self.go(rest, line.count, out)?,
            ["d", ..] => self.display(out)?,
            // `stop` was executed when it was read. Other commands are ignored.
            _ => {}
        }
        out.flush()?;
        Ok(ControlFlow::Continue(()))
    }

    fn set_option(&mut self, words: &[&str], out: &mut dyn Write) -> io::Result<()> {
        let value_at = words.iter().position(|&word| word == "value").unwrap_or(words.len());
        let name = match words.first() {
            Some(&"name") => words[1..value_at.max(1)].join(" ").to_ascii_lowercase(),
            _ => String::new(),
        };
        let value = words.get(value_at + 1).copied().unwrap_or_default();
        let is_set = match name.as_str() {
            "uci_chess960" => match value.to_ascii_lowercase().as_str() {
                "true" => set(&mut self.chess960, Some(true)),
                "false" => set(&mut self.chess960, Some(false)),
                _ => false,
            },
            "threads" => set(&mut self.threads, values::threads(value).ok()),
            "hash" => {
                let size = value.parse().ok().filter(|&size| size <= MAX_HASH);
                set(&mut self.hash_mebibytes, size)
            }
            _ => {
                return inform(out, format_args!("there is no option {name:?}"));
            }
        };
        if is_set {
            self.engine = None;
            Ok(())
        } else {
            inform(out, format_args!("{value:?} is not a valid value for the option {name}"))
        }
    }

    fn set_position(&mut self, words: &[&str], out: &mut dyn Write) -> io::Result<()> {
        self.position = read_position(words, self.chess960);
        match &self.position {
            Ok(_) => Ok(()),
            Err(error) => inform(out, error),
        }
    }

    fn go(&mut self, words: &[&str], number: u64, out: &mut dyn Write) -> io::Result<()> {
        let Some(at) = words.iter().position(|&word| word == "perft") else {
            inform(out, "tabiya does not play; use go perft N")?;
            // Clients wait for this line.
            return writeln!(out, "bestmove 0000");
        };
        let text = words.get(at + 1).copied().unwrap_or_default();
        let depth = match values::depth(text) {
            Ok(depth) => depth,
            Err(wanted) => return inform(out, format_args!("{wanted}, not {text:?}")),
        };
        let position = match &self.position {
            Ok(position) => position.clone(),
            // A count of another position would mislead the client.
            Err(error) => return inform(out, format_args!("no position to count from: {error}")),
        };
        let ticket = Ticket { number, stops: self.stops };
        let total = self.engine(out)?.perft(&position, depth, &ticket);
        for count in &total.moves {
            if count.complete {
                writeln!(out, "{}: {}", position.uci(count.mv), count.nodes)?;
            }
        }
        if total.complete {
            writeln!(out, "\nNodes searched: {}\n", total.nodes)
        } else if total.overflow {
            inform(out, "the total is 2^128 or more: counts have at most 128 bits")
        } else {
            inform(out, "stopped: the count is not complete")
        }
    }

    /// The engine with the current options.
    fn engine(&mut self, out: &mut dyn Write) -> io::Result<&Engine> {
        if self.engine.is_none() {
            let options = Options { threads: self.threads, isa: Isa::best() };
            let mut engine = Engine::new(options);
            if self.hash_mebibytes > 0 {
                let size = HashSize::mebibytes(self.hash_mebibytes);
                let table = Seed::random()
                    .map_err(|error| error.to_string())
                    .and_then(|seed| Table::new(size, seed).map_err(|error| error.to_string()));
                match table {
                    Ok(table) => engine = engine.with_table(table),
                    Err(error) => inform(out, format_args!("counting without a table: {error}"))?,
                }
            }
            self.engine = Some(engine);
        }
        Ok(self.engine.as_ref().expect("it has just been made"))
    }

    fn display(&self, out: &mut dyn Write) -> io::Result<()> {
        let position = match &self.position {
            Ok(position) => position,
            Err(error) => return inform(out, format_args!("no position: {error}")),
        };
        const LINE: &str = " +---+---+---+---+---+---+---+---+";
        writeln!(out, "\n{LINE}")?;
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                let piece = position.piece_on(Square::new(file, rank));
                write!(out, " | {}", piece.map_or(' ', tabiya::Piece::fen))?;
            }
            writeln!(out, " | {rank}\n{LINE}")?;
        }
        writeln!(out, "   a   b   c   d   e   f   g   h\n")?;
        writeln!(out, "Fen: {}", position.fen())?;
        writeln!(out, "Key: {:016X}", position.key())?;
        let checkers = position.checkers().iter().map(|square| square.to_string());
        writeln!(out, "Checkers: {}", checkers.collect::<Vec<_>>().join(" "))
    }
}

/// Writes a message for the user. It may quote a command, whose control characters are not for the
/// terminal.
fn inform(out: &mut dyn Write, message: impl fmt::Display) -> io::Result<()> {
    writeln!(out, "info string {}", printable(&message.to_string()))
}

/// Sets a value, if there is one. Returns whether there was.
fn set<T>(field: &mut T, value: Option<T>) -> bool {
    value.map(|value| *field = value).is_some()
}

fn identify(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "id name {NAME}")?;
    writeln!(out, "id author {AUTHORS}\n")?;
    writeln!(out, "option name Threads type spin default 1 min 1 max {}", values::MAX_THREADS)?;
    writeln!(out, "option name Hash type spin default {HASH} min 0 max {MAX_HASH}")?;
    writeln!(out, "option name UCI_Chess960 type check default false")?;
    writeln!(out, "uciok")
}

/// Reads `startpos` or `fen ...`, and the moves after it.
fn read_position(words: &[&str], chess960: bool) -> Result<Position, String> {
    let moves_at = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let mut position = match &words[..moves_at] {
        ["startpos"] => Position::START,
        ["startpos", word, ..] => {
            return Err(format!("expected the word moves after startpos, and not {word}"));
        }
        ["fen", fen @ ..] => {
            Position::from_fen(&fen.join(" ")).map_err(|error| error.to_string())?
        }
        _ => return Err("expected startpos, or fen and a FEN".to_owned()),
    };
    if chess960 {
        position = position
            .with_castling_mode(CastlingMode::Chess960)
            .map_err(|error| error.to_string())?;
    }
    for text in words.iter().skip(moves_at + 1) {
        let mv = position.parse_uci(text).map_err(|error| error.to_string())?;
        position = position.play(mv);
    }
    Ok(position)
}
