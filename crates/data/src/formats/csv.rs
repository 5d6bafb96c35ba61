//! Comma-separated values: the line `fen,move,score,result,ply`, then a line for each record. The move is in UCI, the
//! score from the point of view of the side to move, the result `1-0`, `0-1` or `1/2-1/2`. Any field but the FEN may
//! be empty.

use std::io::Write;

use super::{Capabilities, lines, read_fen, read_move, read_score};
use crate::bad::{Reason, Refused};
use crate::record::{GameResult, Record};

const HEADER: &str = "fen,move,score,result,ply\n";

pub(super) const CAPABILITIES: Capabilities = Capabilities {
    name: "csv",
    extensions: &["csv"],
    lacks: &[],
    header: HEADER,
    split: lines::split,
};

pub(super) fn read(line: &str, is_first: bool, record: &mut Record) -> Result<bool, Reason> {
    let header = HEADER.trim_ascii_end();
    if is_first {
        let wrong = || Reason::Form(format!("the first line is {header}"));
        return if line == header { Ok(false) } else { Err(wrong()) };
    }
    let mut fields = line.split(',').map(str::trim_ascii);
    let [Some(fen), Some(mv), Some(score), Some(result), Some(ply), None] =
        [(); 6].map(|()| fields.next())
    else {
        return Err(Reason::Form(format!("a line has five fields, {header}")));
    };
    let position = read_fen(fen)?;
    let mv = if mv.is_empty() { None } else { Some(read_move(&position, mv)?) };
    let ply = match ply {
        "" => Record::ply_of(&position),
        ply => ply.parse().map_err(|_| Reason::Form(format!("{ply} isn't a number of plies")))?,
    };
    *record = Record { position, mv, score: None, result: None, ply };
    record.score = if score.is_empty() { None } else { Some(read_score(score)?) };
    record.result = if result.is_empty() { None } else { Some(read_result(result)?) };
    Ok(true)
}

pub(super) fn read_result(text: &str) -> Result<GameResult, Reason> {
    match text {
        "1-0" => Ok(GameResult::WhiteWins),
        "1/2-1/2" => Ok(GameResult::Draw),
        "0-1" => Ok(GameResult::BlackWins),
        other => Err(Reason::Value(format!("a result is 1-0, 1/2-1/2 or 0-1, not {other}"))),
    }
}

pub(super) const fn written(result: GameResult) -> &'static str {
    match result {
        GameResult::WhiteWins => "1-0",
        GameResult::Draw => "1/2-1/2",
        GameResult::BlackWins => "0-1",
    }
}

pub(super) fn write(record: &Record, out: &mut Vec<u8>) -> Result<(), Refused> {
    let position = &record.position;
    let mv = record.mv.map(|mv| position.uci(mv).to_string()).unwrap_or_default();
    let score = record.score.map(|score| score.to_string()).unwrap_or_default();
    let (fen, result) = (position.fen(), record.result.map_or("", written));
    writeln!(out, "{fen},{mv},{score},{result},{}", record.ply).expect("memory takes all bytes");
    Ok(())
}
