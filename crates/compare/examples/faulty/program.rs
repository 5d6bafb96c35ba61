//! The dialogue: UCI on standard input, or one question in the arguments.

use std::io::{BufRead, Write};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::answer::{Style, lines};
use crate::board::{Board, Kind, Move, castling_targets};
use crate::faults::{Fault, Faults};
use crate::notation::uci;
use crate::oddity::Oddity;
use crate::perft::{Counter, key};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The speed of the program's answers. By default, it answers as fast as it can.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pace {
    /// The time before each answer.
    pub(crate) delay: Duration,
    /// Leaf nodes per second.
    pub(crate) speed: Option<u64>,
}

impl Pace {
    /// Waits until a program of this speed would have counted this many leaf nodes.
    fn wait(self, leaves: u64, begin: Instant) {
        let count = self.speed.map_or(Duration::ZERO, |speed| {
            Duration::from_secs_f64(leaves as f64 / speed.max(1) as f64)
        });
        sleep((self.delay + count).saturating_sub(begin.elapsed()));
    }
}

/// The program.
#[derive(Debug)]
pub(crate) struct Program {
    faults: Faults,
    oddity: Option<Oddity>,
    style: Style,
    chess960: bool,
    pace: Pace,
    counter: Counter,
    /// The number of questions that it has answered.
    answered: u32,
    /// Output that has not been written.
    pending: String,
}

impl Program {
    pub(crate) fn new(
        faults: Faults,
        oddity: Option<Oddity>,
        style: Style,
        hash: bool,
        chess960: bool,
        pace: Pace,
    ) -> Self {
        let counter = Counter::new(hash, faults);
        Self { faults, oddity, style, chess960, pace, counter, answered: 0, pending: String::new() }
    }

    /// Answers `DEPTH FEN [MOVES]`. A program that lists moves needs no depth.
    pub(crate) fn answer_arguments(mut self, arguments: &[String]) -> Result<(), String> {
        let depth = arguments.first().and_then(|text| text.parse().ok());
        let rest = if depth.is_some() { &arguments[1..] } else { arguments };
        let fen = rest.first().ok_or("the question needs DEPTH FEN [MOVES]")?;
        let depth = depth
            .or((self.style == Style::Moves).then_some(1))
            .ok_or("the question needs a depth")?;
        let moves: Vec<&str> = rest.get(1).map_or("", |text| text).split_whitespace().collect();
        let mut board = self.position(fen, &moves)?;
        self.answer(&mut board, if self.style == Style::Moves { 1 } else { depth });
        self.flush();
        Ok(())
    }

    /// Speaks UCI until `quit` or the end of the input.
    pub(crate) fn uci(mut self) -> Result<(), String> {
        let mut board = Board::from_fen(START, self.faults)?;
        let (mut waiting, mut has_waited) = (None::<String>, false);
        for line in std::io::stdin().lock().lines() {
            let line = line.map_err(|error| error.to_string())?;
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                ["uci"] => {
                    self.say("id name faulty");
                    self.say("id author the authors of tabiya");
                    self.say("option name UCI_Chess960 type check default false");
                    self.say("uciok");
                }
                ["isready"] => {
                    if self.oddity == Some(Oddity::LateReady) {
                        self.flush();
                        sleep(Duration::from_millis(450));
                    }
                    self.say("readyok");
                    if let Some(depth) = waiting.take() {
                        // The search has its own thread, and is slower the second time.
                        self.flush();
                        sleep(Duration::from_millis(if has_waited { 450 } else { 100 }));
                        has_waited = true;
                        self.perft(&mut board, &depth);
                    }
                }
                ["setoption", "name", "UCI_Chess960", "value", value] => {
                    self.chess960 = *value == "true";
                }
                ["position", rest @ ..] => match self.parse_position(rest) {
                    Ok(parsed) => board = parsed,
                    Err(error) if self.oddity == Some(Oddity::RookSpelling) => return Err(error),
                    Err(error) => self.say(&format!("info string {error}")),
                },
                ["go", "perft", depth]
                    if matches!(self.oddity, Some(Oddity::Parallel | Oddity::ParallelQuiet)) =>
                {
                    waiting = Some((*depth).to_string());
                }
                ["go", "perft", depth] if self.oddity == Some(Oddity::Echo) => {
                    self.say(&format!("Unknown command: {line}"));
                    self.say(depth);
                }
                ["go", "perft", depth] if self.oddity != Some(Oddity::PerftCommand) => {
                    self.perft(&mut board, depth);
                }
                ["perft", depth] => {
                    if self.oddity == Some(Oddity::Echo) {
                        self.say(&line);
                    }
                    self.perft(&mut board, depth);
                }
                ["quit"] => break,
                ["ucinewgame"] => self.counter.forget(),
                [] | ["setoption" | "stop" | "debug", ..] => {}
                _ => self.say(&format!("Unknown command: '{line}'")),
            }
            if self.oddity != Some(Oddity::FlushAtExit) {
                self.flush();
            }
        }
        self.flush();
        Ok(())
    }

    fn perft(&mut self, board: &mut Board, depth: &str) {
        match depth.parse() {
            Ok(depth) => self.answer(board, depth),
            Err(_) => self.say("info string no such depth"),
        }
    }

    fn parse_position(&self, words: &[&str]) -> Result<Board, String> {
        let split = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let moves = words.get(split + 1..).unwrap_or_default();
        match words[..split] {
            ["startpos"] => self.position(START, moves),
            ["fen", ref fields @ ..] => self.position(&fields.join(" "), moves),
            _ => Err("position startpos or position fen".into()),
        }
    }

    fn position(&self, fen: &str, moves: &[&str]) -> Result<Board, String> {
        let mut board = Board::from_fen(fen, self.faults)?;
        let mut seen = vec![key(&board)];
        for text in moves {
            let legal = board.legal_moves();
            let found = legal
                .iter()
                .find(|&&mv| {
                    uci(mv, self.chess960 || self.oddity == Some(Oddity::RookSpelling)) == *text
                })
                .or_else(|| {
                    let understands_both = self.oddity != Some(Oddity::RookSpelling);
                    let mut legal = legal.iter().filter(|_| understands_both);
                    legal.find(|&&mv| uci(mv, true) == *text || uci(mv, false) == *text)
                })
                .ok_or_else(|| format!("illegal move '{text}'"))?;
            if self.faults.has(Fault::LineCastlingRook) && found.kind == Kind::Castle {
                // The mistake: a second function that plays moves, and does not fully support
                // castling.
                board.make(Move { to: castling_targets(*found).0, kind: Kind::Step, ..*found });
                continue;
            }
            board.make(*found);
            if self.faults.has(Fault::LineEpLost) {
                board.ep = None;
            }
            let now = key(&board);
            board.repeated = seen.iter().filter(|before| **before == now).count() >= 2;
            seen.push(now);
        }
        Ok(board)
    }

    fn answer(&mut self, board: &mut Board, depth: u32) {
        let begin = Instant::now();
        let moves = board.legal_moves();
        self.answered += 1;
        if self.faults.has(Fault::CrashLater) {
            assert!(self.answered < 30, "called `Option::unwrap()` on a `None` value");
        }
        let promotes = moves.iter().any(|mv| mv.promotion.is_some());
        if self.faults.has(Fault::Crash) {
            let captures = moves.iter().any(|mv| mv.kind == Kind::EnPassant);
            assert!(!captures, "called `Option::unwrap()` on a `None` value");
        }
        if self.faults.has(Fault::Hang) && promotes {
            loop {
                sleep(Duration::from_secs(1));
            }
        }
        if self.faults.has(Fault::EndlessOutput) && promotes {
            let mut out = std::io::stdout().lock();
            while writeln!(out, "info string promotion").is_ok() {}
            std::process::exit(1);
        }
        let before = board.clone();
        let (counts, total) = self.counter.divide(board, depth);
        self.pace.wait(counts.iter().map(|(_, count)| count).sum(), begin);
        let mut lines = lines(&before, &counts, total, self.style, self.chess960, self.oddity);
        if self.faults.has(Fault::Garbage) && promotes {
            lines = lines.iter().map(|_| "\u{fffd}@#%! 0x7ffe3c".to_string()).collect();
        }
        if self.faults.has(Fault::EarlyExit) && promotes {
            lines.truncate(lines.len() / 2);
            lines.iter().for_each(|line| self.say(line));
            self.flush();
            std::process::exit(0);
        }
        if self.faults.has(Fault::HalfLine) && promotes {
            // This imitates a buffer that is not flushed and keeps the end of the answer.
            let text = lines.join("\n");
            self.pending.push_str(&text[..text.len() * 2 / 3]);
            self.flush();
            if self.style != Style::Uci {
                std::process::exit(0);
            }
            return;
        }
        for line in lines {
            self.say(&line);
            if self.oddity == Some(Oddity::Slow) {
                self.flush();
                sleep(Duration::from_millis(2));
            }
        }
    }

    fn say(&mut self, line: &str) {
        self.pending.push_str(line);
        self.pending.push_str(if self.oddity == Some(Oddity::WindowsLines) {
            "\r\n"
        } else {
            "\n"
        });
    }

    fn flush(&mut self) {
        let mut out = std::io::stdout().lock();
        // The reader has closed the pipe, so the program ends.
        if out.write_all(self.pending.as_bytes()).and_then(|()| out.flush()).is_err() {
            std::process::exit(0);
        }
        self.pending.clear();
    }
}
