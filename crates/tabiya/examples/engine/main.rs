//! A complete small chess engine that speaks UCI: alpha-beta with a transposition table, on the
//! clock.
//!
//! ```sh
//! (echo go movetime 500; sleep 1) | cargo run --release --example engine
//! ```

mod evaluate;
mod limits;
mod search;
mod table;

use std::error::Error;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use limits::Limits;
use search::{KEYS, Search};
use tabiya::{CastlingMode, History, Position};
use table::Table;

const INTRODUCTION: &str = "\
id name tabiya example
id author the tabiya authors
option name Hash type spin default 16 min 1 max 4096
option name UCI_Chess960 type check default false
uciok";

fn main() {
    let mut engine = Engine {
        position: Position::START,
        history: History::new(&Position::START),
        chess960: false,
        stop: Arc::default(),
        search: None,
        table: Table::new(16),
    };
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let (command, words) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        match command {
            "uci" => say(INTRODUCTION),
            "isready" => say("readyok"),
            "setoption" => engine.set_option(words).unwrap_or_else(complain),
            "ucinewgame" => engine.stop().0.fill(None),
            "position" => engine.set_position(words).unwrap_or_else(complain),
            "go" => engine.go(words),
            "stop" => _ = engine.stop(),
            "quit" => break,
            _ => {}
        }
    }
    engine.stop();
}

/// Prints a line. The client may be gone, so errors are ignored.
fn say(text: &str) {
    let _ = writeln!(io::stdout(), "{text}");
}

fn complain(error: Box<dyn Error>) {
    say(&format!("info string {error}"));
}

/// The state set by the commands so far, and the running search.
struct Engine {
    position: Position,
    history: History<KEYS>,
    chess960: bool,
    stop: Arc<AtomicBool>,
    search: Option<JoinHandle<Table>>,
    table: Table,
}

impl Engine {
    /// Ends the running search, if any. Then the table is free.
    fn stop(&mut self) -> &mut Table {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(search) = self.search.take() {
            self.table = search.join().expect("the search does not panic");
        }
        &mut self.table
    }

    /// `setoption name NAME value VALUE`
    fn set_option(&mut self, words: &str) -> Result<(), Box<dyn Error>> {
        let words: Vec<_> = words.split_ascii_whitespace().collect();
        match words[..] {
            ["name", "Hash", "value", size] => {
                *self.stop() = Table::new(size.parse::<usize>()?.clamp(1, 4096));
            }
            ["name", "UCI_Chess960", "value", value] => self.chess960 = value == "true",
            _ => return Err("the options are Hash and UCI_Chess960".into()),
        }
        Ok(())
    }

    /// `position startpos|fen FEN [moves MOVES]`
    fn set_position(&mut self, words: &str) -> Result<(), Box<dyn Error>> {
        let (start, moves) = words.split_once("moves").unwrap_or((words, ""));
        let mut position = match start.trim().strip_prefix("fen ") {
            Some(fen) => Position::from_fen(fen.trim())?,
            None => Position::START,
        };
        if self.chess960 {
            position = position.with_castling_mode(CastlingMode::Chess960)?;
        }
        let mut history = History::new(&position);
        for text in moves.split_ascii_whitespace() {
            let mv = position.parse_uci(text)?;
            position = position.play(mv);
            history.advance(&position);
        }
        (self.position, self.history) = (position, history);
        Ok(())
    }

    /// Searches in a thread, so that `stop` and `isready` are answered.
    fn go(&mut self, words: &str) {
        self.stop();
        self.stop.store(false, Ordering::Relaxed);
        let (root, stop) = (self.position.clone(), Arc::clone(&self.stop));
        let limits = Limits::read(words, root.turn(), stop);
        let table = std::mem::replace(&mut self.table, Table::new(0));
        let mut search = Search::new(table, self.history.clone(), limits);
        let think = move || {
            // 0000 is the null move, for a position without a legal move.
            let best = search.run(&root, say).map(|mv| root.uci(mv).to_string());
            say(&format!("bestmove {}", best.as_deref().unwrap_or("0000")));
            search.table
        };
        // A line of 256 plies needs more than the usual stack.
        let thread = thread::Builder::new().stack_size(32 << 20).spawn(think);
        self.search = Some(thread.expect("a thread can be started"));
    }
}
