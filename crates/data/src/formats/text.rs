//! Lines `FEN | score | result`, the text that bullet's tools read: the score in hundredths of a pawn and the result,
//! `1.0`, `0.5` or `0.0`, both from White's point of view.

use std::io::Write;

use super::{Capabilities, lines, read_fen, read_score, white_score};
use crate::bad::{Reason, Refused};
use crate::format::Field;
use crate::record::{GameResult, Record};

pub(super) const CAPABILITIES: Capabilities = Capabilities {
    name: "text",
    extensions: &["txt"],
    lacks: &[Field::Move, Field::Ply],
    header: "",
    split: lines::split,
};

pub(super) fn read(line: &str, _: bool, record: &mut Record) -> Result<bool, Reason> {
    let mut fields = line.split('|').map(str::trim_ascii);
    let [Some(fen), Some(score), Some(result), None] = [(); 4].map(|()| fields.next()) else {
        return Err(Reason::Form("a line is FEN | score | result".to_owned()));
    };
    let position = read_fen(fen)?;
    let turn = position.turn();
    *record = Record { ply: Record::ply_of(&position), position, ..Record::default() };
    record.score = Some(white_score(read_score(score)?, turn));
    record.result = Some(match result {
        "1.0" => GameResult::WhiteWins,
        "0.5" => GameResult::Draw,
        "0.0" => GameResult::BlackWins,
        other => return Err(Reason::Value(format!("a result is 1.0, 0.5 or 0.0, not {other}"))),
    });
    Ok(true)
}

pub(super) fn write(record: &Record, out: &mut Vec<u8>) -> Result<(), Refused> {
    let position = &record.position;
    let score = white_score(record.score.ok_or(Refused::NoScore)?, position.turn());
    let result = match record.result.ok_or(Refused::NoResult)? {
        GameResult::WhiteWins => "1.0",
        GameResult::Draw => "0.5",
        GameResult::BlackWins => "0.0",
    };
    writeln!(out, "{} | {score} | {result}", position.fen()).expect("memory takes all bytes");
    Ok(())
}
