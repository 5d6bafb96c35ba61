//! binpack, the format of Stockfish's and Leela's public sets.
//!
//! A file is a sequence of chunks, and a chunk is a sequence of chains: a whole first record, the *stem*, then the
//! moves and scores after it.
//!
//! | bytes of a chunk | contents |
//! | --- | --- |
//! | 0 to 3 | `BINP` |
//! | 4 to 7 | the number of bytes after these eight, little-endian; at most 100 MiB |
//! | 8 to the end | chains |
//!
//! | bytes of a chain | contents, numbers big-endian |
//! | --- | --- |
//! | 0 to 31 | the stem, see `stem.rs` |
//! | 32 and 33 | the number of records after the stem |
//! | 34 to the end | the *movetext*: for each of these records, the bits of its move and score; zeros to the last byte's end |
//!
//! A move is a number among those that could be there, in as few bits as the largest of them needs, see `choices.rs`.
//! A score follows in blocks of five bits, see `bits.rs`: by how much it differs from the last one, negated.
//!
//! A chain lost its place if its position or a move is bad. What follows can't be told from other bits; reading goes
//! on where the next stem is, in the same chunk or a later one.
//!
//! We learned the format from two headers of nnue-pytorch's loader, `binpack.h` and `chess.h` (Tomasz Sobczyk, 2020,
//! MIT), and the stem's numbers from files.

mod bits;
mod choices;
mod decoder;
mod encoder;
mod rows;
mod stem;

pub(super) use decoder::Decoder;
pub(super) use encoder::Encoder;
pub use rows::{BinpackRow, BinpackRows};

use super::Capabilities;
use crate::format::Field;

pub(super) const CAPABILITIES: Capabilities = Capabilities {
    name: "binpack",
    extensions: &["binpack"],
    lacks: &[Field::FullmoveNumber, Field::Chess960],
    header: "",
    split,
};

const MAGIC: &[u8; 4] = b"BINP";
const HEADER: usize = 8;
/// A larger chunk is damage: the reference reader refuses it.
const LARGEST_CHUNK: usize = 100 << 20;
/// The stem, and the number of records after it.
const CHAIN_START: usize = stem::BYTES + 2;

/// The size of the chunk that begins here, without its header.
fn chunk_size(bytes: &[u8]) -> Option<usize> {
    let (magic, rest) = bytes.split_first_chunk()?;
    let size = u32::from_le_bytes(*rest.first_chunk()?) as usize;
    (magic == MAGIC && size <= LARGEST_CHUNK).then_some(size)
}

/// Where a chunk may begin after the first byte.
fn next_chunk(bytes: &[u8]) -> Option<usize> {
    Some(1 + bytes.get(1..)?.windows(MAGIC.len()).position(|it| it == MAGIC)?)
}

/// After the last whole chunk. What isn't one is read together with the chunk after it.
fn split(bytes: &[u8]) -> Option<usize> {
    let (mut at, mut last) = (0, None);
    while let Some(rest) = bytes.get(at..).filter(|rest| rest.len() >= HEADER) {
        if let Some(size) = chunk_size(rest) {
            at += HEADER + size;
            last = Some(at).filter(|&at| at <= bytes.len()).or(last);
        } else {
            at += next_chunk(rest).unwrap_or(rest.len());
        }
    }
    last
}
