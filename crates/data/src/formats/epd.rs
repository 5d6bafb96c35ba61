//! EPD: the score is the operation `ce`, the move `sm` in SAN, the result the comment `c9` as in PGN, and the counters
//! are `hmvc` and `fmvn`. Other operations are passed over.

use std::fmt::{self, Write};

use tabiya::epd::{Epd, EpdWriter, Operation, Text};

use super::csv::{read_result, written};
use super::{Capabilities, in_range, lines};
use crate::bad::{Reason, Refused};
use crate::format::Field;
use crate::record::Record;

pub(super) const CAPABILITIES: Capabilities = Capabilities {
    name: "epd",
    extensions: &["epd"],
    lacks: &[Field::Ply],
    header: "",
    split: lines::split,
};

/// The digit of the comment that has the result.
const RESULT: u8 = 9;

pub(super) fn read(line: &str, _: bool, record: &mut Record) -> Result<bool, Reason> {
    let epd = Epd::read(line).map_err(|error| Reason::Position(error.to_string()))?;
    let position = epd.position();
    if !position.has_legal_move() {
        return Err(Reason::NoLegalMove);
    }
    *record =
        Record { ply: Record::ply_of(position), position: position.clone(), ..Record::default() };
    let (mut score, mut result) = (None, None);
    for operation in epd.operations() {
        match operation {
            Operation::Evaluation(value) => score = Some(value),
            Operation::Comment { number: RESULT, text } => result = Some(text.to_string()),
            Operation::Other { opcode: "sm", operands } => {
                let text = operands.to_string();
                let mv = position.parse_san(text.trim_ascii());
                record.mv = Some(mv.map_err(|error| Reason::Move(error.to_string()))?);
            }
            _ => {}
        }
    }
    record.score = score.map(|score| in_range(score.into())).transpose()?;
    record.result = result.map(|text| read_result(&text)).transpose()?;
    Ok(true)
}

pub(super) fn write(record: &Record, out: &mut Vec<u8>) -> Result<(), Refused> {
    let line = line(record).expect("memory takes all text");
    out.extend_from_slice(line.as_bytes());
    Ok(())
}

fn line(record: &Record) -> Result<String, fmt::Error> {
    let (position, mut line) = (&record.position, String::new());
    let mut writer = EpdWriter::new(&mut line, position)?;
    if let Some(mv) = record.mv {
        writer.moves("sm", &[mv])?;
    }
    if let Some(score) = record.score {
        writer.operation(&Operation::Evaluation(score.into()))?;
    }
    if let Some(result) = record.result {
        let text = Text::new(written(result));
        writer.operation(&Operation::Comment { number: RESULT, text })?;
    }
    writer.operation(&Operation::HalfmoveClock(position.halfmove_clock()))?;
    writer.operation(&Operation::FullmoveNumber(position.fullmove_number()))?;
    line.write_char('\n')?;
    Ok(line)
}
