//! Reading.

use tabiya::Position;

use super::bits::{Window, to_signed};
use super::choices::Sums;
use super::stem::Stem;
use super::{CHAIN_START, HEADER, choices, chunk_size, next_chunk};
use crate::bad::{Bad, Reason};
use crate::blocks::Block;
use crate::formats::in_range;
use crate::record::{GameResult, Record};

/// The score that means there's none.
pub(super) const NO_SCORE: i16 = 32002;
/// The bits that are no result.
const NO_RESULT: i64 = 3;

#[derive(Debug)]
pub(in super::super) struct Decoder<'a> {
    bytes: &'a [u8],
    /// The offset of the bytes in the file.
    offset: u64,
    /// Where the next chunk or chain begins.
    at: usize,
    chunk_end: usize,
    /// Does the file end within this chunk?
    is_cut: bool,
    chain: Chain,
}

/// What follows the last record given out.
#[derive(Debug)]
struct Chain {
    /// The position of the next record, if there is one. It's made long before it's read: the CPU would wait for its
    /// own writes.
    position: Position,
    sums: Sums,
    /// The last score and ply, and the result of the game.
    score: i16,
    ply: u16,
    result: Option<GameResult>,
    /// The number of records left.
    left: u16,
    /// The place of the next one, in bits.
    place: usize,
}

impl<'a> Decoder<'a> {
    pub(in super::super) fn new(block: &'a Block) -> Self {
        let position = Position::START;
        let sums = Sums::of(&position);
        let chain = Chain { position, sums, score: 0, ply: 0, result: None, left: 0, place: 0 };
        Self {
            bytes: &block.bytes,
            offset: block.offset,
            at: 0,
            chunk_end: 0,
            is_cut: false,
            chain,
        }
    }

    /// The bytes of the chunk, and all before it.
    fn chunk(&self) -> &'a [u8] {
        &self.bytes[..self.chunk_end]
    }

    fn bad(&self, place: usize, reason: Reason) -> Bad {
        Bad { offset: self.offset + place as u64, reason, record: None }
    }

    /// Too few bytes are left in the chunk.
    fn too_short(&mut self) -> Reason {
        if std::mem::take(&mut self.is_cut) {
            Reason::Truncated
        } else {
            Reason::Form("the chunk ends within this chain".to_owned())
        }
    }

    /// Enters the next chunk.
    fn enter_chunk(&mut self) -> Result<(), Bad> {
        let (begin, rest) = (self.at, &self.bytes[self.at..]);
        if let Some(size) = chunk_size(rest) {
            self.at += HEADER;
            self.is_cut = size > self.bytes.len() - self.at;
            self.chunk_end = self.bytes.len().min(self.at + size);
            return Ok(());
        }
        if rest.len() < HEADER {
            self.at = self.bytes.len();
            self.chunk_end = self.at;
            return Err(self.bad(begin, Reason::Truncated));
        }
        self.at += next_chunk(rest).unwrap_or(rest.len());
        self.chunk_end = self.at;
        let text = "no chunk begins here, so the bytes up to the next one are lost";
        Err(self.bad(begin, Reason::Form(text.to_owned())))
    }

    /// Goes on at the next place where a stem can be read.
    fn find_stem(&mut self, from: usize) {
        let chunk = self.chunk();
        let stems = chunk.get(from..).unwrap_or_default().windows(CHAIN_START);
        let is_stem = |bytes: &[u8]| bytes.first_chunk().is_some_and(|it| Stem::read(it).is_ok());
        self.at = { stems }.position(is_stem).map_or(chunk.len(), |it| from + it);
        self.chain.left = 0;
    }

    /// Reads a stem, and returns where it begins.
    #[inline(never)]
    fn begin_chain(&mut self, record: &mut Record) -> Result<usize, Bad> {
        let begin = self.at;
        let start = self.chunk()[begin..].first_chunk::<CHAIN_START>();
        let Some((stem, left)) = start.and_then(|start| start.split_first_chunk()) else {
            self.at = self.chunk_end;
            let reason = self.too_short();
            return Err(self.bad(begin, reason));
        };
        let left = u16::from_be_bytes([left[0], left[1]]);
        match Stem::read(stem) {
            Ok(Stem { position, mv, score, result, ply }) => {
                self.at += CHAIN_START;
                let place = 8 * self.at;
                let after = position.replay(mv);
                let sums = Sums::of(&after);
                self.chain = Chain { position: after, sums, score, ply, result, left, place };
                (record.position, record.mv) = (position, Some(mv));
                Ok(begin)
            }
            Err(reason) => {
                self.find_stem(begin + 1);
                Err(self.bad(begin, lost(reason)))
            }
        }
    }

    /// Reads the next record of the chain, and returns where it begins.
    #[inline(always)]
    fn continue_chain<const CHECKED: bool>(&mut self, record: &mut Record) -> Result<usize, Bad> {
        let chunk = self.chunk();
        let Chain { position, sums, score, ply, left, place, .. } = &mut self.chain;
        let begin = *place / 8;
        let mut bits = Window::at(chunk, *place);
        record.position.clone_from(position);
        let read = choices::read::<CHECKED>(&record.position, *sums, &mut bits);
        let read = read.and_then(|mv| Some((mv, bits.take_blocks()?)));
        *place += bits.used();
        let end = place.div_ceil(8);
        if end > chunk.len() {
            (self.at, *left) = (chunk.len(), 0);
            let reason = self.too_short();
            return Err(self.bad(begin, reason));
        }
        let (Some((mv, difference)), Some(next)) = (read, ply.checked_add(1)) else {
            self.find_stem(end);
            let reason = Reason::Move("the bits aren't those of a legal move".to_owned());
            return Err(self.bad(begin, lost(reason)));
        };
        *sums = Sums::after(&record.position, mv);
        *position = record.position.replay(mv);
        debug_assert_eq!(*sums, Sums::of(position));
        *score = score.wrapping_neg().wrapping_add(to_signed(difference));
        (*ply, *left) = (next, *left - 1);
        self.at = end;
        record.mv = Some(mv);
        Ok(begin)
    }

    /// Reads the next record, with or without the check of its move.
    #[inline(always)]
    pub(super) fn read<const CHECKED: bool>(&mut self, record: &mut Record) -> Result<bool, Bad> {
        let begin = if self.chain.left > 0 {
            self.continue_chain::<CHECKED>(record)?
        } else {
            while self.at == self.chunk_end {
                if std::mem::take(&mut self.is_cut) {
                    return Err(self.bad(self.at, Reason::Truncated));
                }
                if self.at == self.bytes.len() {
                    return Ok(false);
                }
                self.enter_chunk()?;
            }
            self.begin_chain(record)?
        };
        let Chain { score, ply, result, .. } = &self.chain;
        record.ply = *ply;
        (record.score, record.result) = (None, None);
        let score = Some(*score).filter(|&score| score != NO_SCORE);
        let read = score.map(|score| in_range(score.into())).transpose().and_then(|score| {
            record.score = score;
            record.result = Some(result.ok_or(Reason::Result(NO_RESULT))?);
            Ok(true)
        });
        read.map_err(|reason| Bad::new(self.offset + begin as u64, reason, record))
    }
}

/// The same reason, and what it costs.
fn lost(reason: Reason) -> Reason {
    let add = |text| format!("{text}; the rest of its chain is lost");
    match reason {
        Reason::Position(text) => Reason::Position(add(text)),
        Reason::Move(text) => Reason::Move(add(text)),
        other => other,
    }
}

impl super::super::Decoder for Decoder<'_> {
    fn next(&mut self, record: &mut Record) -> Result<bool, Bad> {
        self.read::<true>(record)
    }
}
