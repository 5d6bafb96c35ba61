//! Stockfish's text: six lines for each record, in this order and with one space after the word.
//!
//! ```text
//! fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
//! move e2e4
//! score 25
//! ply 0
//! result 1
//! e
//! ```
//!
//! The move is in UCI. The score and the result, 1 for a win and −1 for a loss, are from the point of view of the
//! side to move. The score 32002, Stockfish's `VALUE_NONE`, is none. Lines may end as on Windows.

use std::io::Write;

use tabiya::Position;

use super::lines::Lines;
use super::{Capabilities, read_move, read_score};
use crate::bad::{Bad, Reason, Refused};
use crate::blocks::Block;
use crate::record::{GameResult, Record};

const NO_SCORE: i16 = 32_002;

pub(super) const CAPABILITIES: Capabilities =
    Capabilities { name: "plain", extensions: &["plain"], lacks: &[], header: "", split };

/// The end of the last line `e`.
fn split(bytes: &[u8]) -> Option<usize> {
    let line_feed = |bytes: &[u8]| bytes.iter().rposition(|&byte| byte == b'\n');
    let mut end = line_feed(bytes)?;
    loop {
        let before = line_feed(&bytes[..end]);
        if is_last(&bytes[before.map_or(0, |at| at + 1)..end]) {
            return Some(end + 1);
        }
        end = before?;
    }
}

/// Is this the last line of a record?
fn is_last(line: &[u8]) -> bool {
    matches!(line, b"e" | b"e\r")
}

pub(super) struct Decoder<'a>(Lines<'a>);

impl<'a> Decoder<'a> {
    pub(super) fn new(block: &'a Block) -> Self {
        Self(Lines::new(block))
    }
}

impl super::Decoder for Decoder<'_> {
    fn next(&mut self, record: &mut Record) -> Result<bool, Bad> {
        let mut offset = self.0.offset;
        let mut lines = [&b""[..]; 5];
        let mut found = 0;
        loop {
            let line = self.0.next();
            let text = line.trim_ascii_end();
            match (line, found) {
                (b"", 0) => return Ok(false),
                (b"", _) => return Err(Bad { offset, reason: Reason::Truncated, record: None }),
                _ if is_last(line.strip_suffix(b"\n").unwrap_or(line)) => break,
                // Lines between records, such as a last empty one.
                (_, 0) if text.is_empty() => offset = self.0.offset,
                _ => {
                    lines.get_mut(found).into_iter().for_each(|it| *it = text);
                    found += 1;
                }
            }
        }
        let read = if found == lines.len() { read(lines, record) } else { Err(wrong_lines()) };
        read.map(|()| true).map_err(|reason| Bad::new(offset, reason, record))
    }
}

#[cold]
fn wrong_lines() -> Reason {
    Reason::Form("a record has the lines fen, move, score, ply, result and e".to_owned())
}

/// Reads the lines of a record.
fn read(lines: [&[u8]; 5], record: &mut Record) -> Result<(), Reason> {
    let value = |line: usize, word: &str| {
        let value = lines[line].strip_prefix(word.as_bytes()).ok_or_else(wrong_lines)?;
        str::from_utf8(value).map_err(|_| Reason::Form("a line isn't UTF-8".to_owned()))
    };
    let position = Position::from_fen(value(0, "fen ")?);
    let position = position.map_err(|error| Reason::Position(error.to_string()))?;
    let mv = read_move(&position, value(1, "move ")?)?;
    let (score, ply, result) = (value(2, "score ")?, value(3, "ply ")?, value(4, "result ")?);
    let ply = ply.parse().map_err(|_| Reason::Form(format!("{ply} isn't a number of plies")))?;
    let turn = position.turn();
    *record = Record { position, mv: Some(mv), ply, score: None, result: None };
    let points = result.parse().map_err(|_| Reason::Value(format!("{result} isn't a result")))?;
    record.result = Some(GameResult::from_side(points, turn).ok_or(Reason::Result(points))?);
    record.score = Some(read_score(score)?).filter(|&score| score != NO_SCORE);
    Ok(())
}

pub(super) fn write(record: &Record, out: &mut Vec<u8>) -> Result<(), Refused> {
    let Record { position, ply, .. } = record;
    let mv = position.uci(record.mv.ok_or(Refused::NoMove)?);
    let result = record.result.ok_or(Refused::NoResult)?.for_side(position.turn());
    let score = match record.score {
        Some(NO_SCORE) => return Err(Refused::TooLarge),
        score => score.unwrap_or(NO_SCORE),
    };
    out.extend_from_slice(b"fen ");
    out.extend_from_slice(position.fen().text().as_bytes());
    writeln!(out, "\nmove {mv}\nscore {score}\nply {ply}\nresult {result}\ne")
        .expect("memory takes all bytes");
    Ok(())
}
