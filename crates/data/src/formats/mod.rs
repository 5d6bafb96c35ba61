//! One file for each format: how its bytes are divided into blocks, read and written.

mod binpack;
mod bulletformat;
mod csv;
mod epd;
mod lines;
mod packed;
mod pgn;
mod pieces;
mod plain;
mod rows;
mod text;
mod viriformat;

pub use binpack::{BinpackRow, BinpackRows};
pub use bulletformat::BulletRow;
pub use viriformat::VirGame;

use tabiya::{Color, Move, Position};

use crate::bad::{Bad, Reason, Refused};
use crate::blocks::{Block, Split};
use crate::format::{Field, Format};
use crate::record::{GameResult, Record};

/// Reads the records of a block.
pub trait Decoder: Send {
    /// Reads the next record into `record`. `false` at the end of the block.
    ///
    /// # Errors
    /// [`Bad`] for a bad record. The next call goes on after it.
    fn next(&mut self, record: &mut Record) -> Result<bool, Bad>;
}

/// Writes records.
pub trait Encoder: Send {
    /// Appends a record to `out`. A format of games may keep it until the next one has come.
    ///
    /// # Errors
    /// [`Refused`] if the format can't hold the record. Nothing is written then, and the encoder goes on.
    fn push(&mut self, record: &Record, out: &mut Vec<u8>) -> Result<(), Refused>;

    /// Appends what is kept. Afterwards a new file or block may begin.
    fn finish(&mut self, out: &mut Vec<u8>);
}

/// Writes each record by itself.
struct Alone(fn(&Record, &mut Vec<u8>) -> Result<(), Refused>);

impl Encoder for Alone {
    fn push(&mut self, record: &Record, out: &mut Vec<u8>) -> Result<(), Refused> {
        (self.0)(record, out)
    }

    fn finish(&mut self, _: &mut Vec<u8>) {}
}

/// What a format is.
pub(crate) struct Capabilities {
    pub(crate) name: &'static str,
    pub(crate) extensions: &'static [&'static str],
    /// What it doesn't hold.
    pub(crate) lacks: &'static [Field],
    /// How a file begins, if it's not with a record.
    pub(crate) header: &'static str,
    pub(crate) split: Split,
}

/// The score of a mate.
pub(crate) const MOST: i16 = 32_000;

/// A score within the range: 16 bits, other than −32768, whose opposite needs more.
fn in_range(score: i64) -> Result<i16, Reason> {
    let found = i16::try_from(score).ok().filter(|&score| score != i16::MIN);
    found.ok_or(Reason::Score(score))
}

/// A result in a byte: 0 if Black wins, 1 for a draw, 2 if White wins.
fn read_result(byte: u8) -> Result<GameResult, Reason> {
    let result = GameResult::from_side(i64::from(byte) - 1, Color::White);
    result.ok_or(Reason::Result(byte.into()))
}

/// White's score from a side's point of view, or a side's score from White's.
fn white_score(score: i16, side: Color) -> i16 {
    if side == Color::White { score } else { -score }
}

/// A score that is written in decimal.
fn read_score(text: &str) -> Result<i16, Reason> {
    in_range(text.parse().map_err(|_| Reason::Value(format!("{text} isn't a score")))?)
}

/// A playable position with a legal move.
fn read_fen(fen: &str) -> Result<Position, Reason> {
    let position = Position::from_fen(fen).map_err(|error| Reason::Position(error.to_string()))?;
    if position.has_legal_move() { Ok(position) } else { Err(Reason::NoLegalMove) }
}

/// A legal move in UCI.
fn read_move(position: &Position, text: &str) -> Result<Move, Reason> {
    if let Some(mv) = text.parse().ok().and_then(|text| position.find_uci(text)) {
        return Ok(mv);
    }
    position.parse_uci(text).map_err(|error| Reason::Move(error.to_string()))
}

pub(crate) fn capabilities(format: Format) -> &'static Capabilities {
    match format {
        Format::Binpack => &binpack::CAPABILITIES,
        Format::Packed => &packed::CAPABILITIES,
        Format::Viriformat => &viriformat::CAPABILITIES,
        Format::Bulletformat => &bulletformat::CAPABILITIES,
        Format::Plain => &plain::CAPABILITIES,
        Format::Text => &text::CAPABILITIES,
        Format::Csv => &csv::CAPABILITIES,
        Format::Epd => &epd::CAPABILITIES,
        Format::Pgn => &pgn::CAPABILITIES,
    }
}

impl Format {
    /// The records of a block.
    pub fn decoder(self, block: &Block) -> Box<dyn Decoder + '_> {
        match self {
            Self::Binpack => Box::new(binpack::Decoder::new(block)),
            Self::Packed => Box::new(rows::Decoder::new(block, packed::read)),
            Self::Viriformat => Box::new(viriformat::Decoder::new(block)),
            Self::Bulletformat => Box::new(rows::Decoder::new(block, bulletformat::read)),
            Self::Plain => Box::new(plain::Decoder::new(block)),
            Self::Text => Box::new(lines::Decoder::new(block, text::read)),
            Self::Csv => Box::new(lines::Decoder::new(block, csv::read)),
            Self::Epd => Box::new(lines::Decoder::new(block, epd::read)),
            Self::Pgn => Box::new(pgn::Decoder::new(block)),
        }
    }

    /// Writes records into bytes; `None` if the format can only be read.
    ///
    /// A file begins with the [header](Self::header).
    pub fn encoder(self) -> Option<Box<dyn Encoder>> {
        Some(match self {
            Self::Binpack => Box::new(binpack::Encoder::default()),
            Self::Packed => Box::new(Alone(packed::write)),
            Self::Viriformat => Box::new(viriformat::Encoder::default()),
            Self::Bulletformat => Box::new(Alone(bulletformat::write)),
            Self::Plain => Box::new(Alone(plain::write)),
            Self::Text => Box::new(Alone(text::write)),
            Self::Csv => Box::new(Alone(csv::write)),
            Self::Epd => Box::new(Alone(epd::write)),
            Self::Pgn => return None,
        })
    }

    /// How a file begins, before the first record; mostly empty.
    pub fn header(self) -> &'static str {
        capabilities(self).header
    }
}
