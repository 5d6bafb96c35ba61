//! Writing.

use tabiya::CastlingMode;

use super::bits::{Bits, to_unsigned};
use super::decoder::NO_SCORE;
use super::stem::{PLIES, Stem};
use super::{MAGIC, choices};
use crate::bad::Refused;
use crate::record::Record;

/// A chunk ends with the chain that makes it this long.
const CHUNK: usize = 1 << 20;

#[derive(Default)]
pub(in super::super) struct Encoder {
    /// The chains of the chunk that is being written.
    chunk: Vec<u8>,
    chain: Option<Chain>,
}

/// A chain that may go on.
struct Chain {
    /// The last record, with the position after its move.
    last: Stem,
    /// The place of the number of records.
    count_at: usize,
    count: u16,
    bits: Bits,
}

impl Encoder {
    fn end_chain(&mut self) {
        if let Some(mut chain) = self.chain.take() {
            chain.bits.finish(&mut self.chunk);
            self.chunk[chain.count_at..][..2].copy_from_slice(&chain.count.to_be_bytes());
        }
    }

    fn end_chunk(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&(self.chunk.len() as u32).to_le_bytes());
        out.append(&mut self.chunk);
    }
}

impl Chain {
    /// Is this the next record of the game? A reader finds the halfmove clock by playing, so it must be that, too.
    fn continues_with(&self, next: &Stem) -> bool {
        let last = &self.last;
        last.result == next.result
            && last.ply + 1 == next.ply
            && last.position == next.position
            && last.position.halfmove_clock() == next.position.halfmove_clock()
    }
}

impl super::super::Encoder for Encoder {
    fn push(&mut self, record: &Record, out: &mut Vec<u8>) -> Result<(), Refused> {
        let mv = record.mv.ok_or(Refused::NoMove)?;
        record.result.ok_or(Refused::NoResult)?;
        if record.position.castling_mode() == CastlingMode::Chess960 {
            return Err(Refused::Chess960);
        }
        if record.ply >= PLIES || record.score == Some(NO_SCORE) {
            return Err(Refused::TooLarge);
        }
        let stem = Stem {
            position: record.position.clone(),
            mv,
            score: record.score.unwrap_or(NO_SCORE),
            result: record.result,
            ply: record.ply,
        };
        let after = stem.position.play(mv);
        if let Some(chain) = self.chain.as_mut().filter(|chain| chain.continues_with(&stem)) {
            choices::write(&stem.position, mv, &mut chain.bits);
            let difference = stem.score.wrapping_add(chain.last.score);
            chain.bits.put_blocks(to_unsigned(difference));
            chain.bits.flush(&mut self.chunk);
            chain.count += 1;
            chain.last = Stem { position: after, ..stem };
            return Ok(());
        }
        self.end_chain();
        if self.chunk.len() >= CHUNK {
            self.end_chunk(out);
        }
        self.chunk.extend_from_slice(&stem.write());
        let count_at = self.chunk.len();
        self.chunk.extend_from_slice(&[0; 2]);
        let last = Stem { position: after, ..stem };
        self.chain = Some(Chain { last, count_at, count: 0, bits: Bits::default() });
        Ok(())
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        self.end_chain();
        if !self.chunk.is_empty() {
            self.end_chunk(out);
        }
    }
}
