//! Files in blocks that can be read independently.

use std::io::{self, Read};

use tabiya_pgn::Chunks;

use crate::format::Format;

/// A part of a file that begins and ends with records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The offset of the first byte in the file.
    pub offset: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// Where a block may end, given the bytes from its start on: the last place within the bytes, if there is one.
///
/// The bytes may end anywhere. It's called again with more if it answers `None`.
pub(crate) type Split = fn(&[u8]) -> Option<usize>;

/// The blocks of a file, in its order.
#[derive(Debug)]
pub struct Blocks<R>(Source<R>);

#[derive(Debug)]
enum Source<R> {
    Records(Records<R>),
    /// Only the reader of games knows where one ends.
    Games(Chunks<R>),
}

#[derive(Debug)]
struct Records<R> {
    input: R,
    split: Split,
    size: usize,
    /// What has been read and not yet given out.
    rest: Vec<u8>,
    offset: u64,
}

/// About the number of bytes of a block.
const SIZE: usize = 1 << 20;

/// The largest block: a game or a chunk that is longer is an error, so that memory is bounded.
const LARGEST: usize = 1 << 28;

impl<R: Read> Blocks<R> {
    /// The blocks of a file.
    pub fn new(input: R, format: Format) -> Self {
        Self::of_size(input, format, SIZE)
    }

    /// The same with blocks of about this number of bytes instead of a megabyte.
    pub fn of_size(input: R, format: Format, bytes: usize) -> Self {
        let size = bytes.clamp(1, LARGEST);
        Self(match format {
            Format::Pgn => Source::Games(Chunks::new(input, size)),
            _ => {
                let split = crate::formats::capabilities(format).split;
                Source::Records(Records { input, split, size, rest: Vec::new(), offset: 0 })
            }
        })
    }
}

impl<R: Read> Iterator for Blocks<R> {
    type Item = io::Result<Block>;

    /// The next block, or why the input can't be read, or that no block ends within 256 MiB.
    ///
    /// The last one may end within a record, and its decoder says so.
    fn next(&mut self) -> Option<io::Result<Block>> {
        match &mut self.0 {
            Source::Records(records) => records.next_block().transpose(),
            Source::Games(chunks) => {
                let chunk = chunks.next_chunk().transpose()?;
                Some(chunk.map(|chunk| Block { offset: chunk.start.byte, bytes: chunk.bytes }))
            }
        }
    }
}

impl<R: Read> Records<R> {
    fn next_block(&mut self) -> io::Result<Option<Block>> {
        let mut wanted = self.size;
        loop {
            let missing = wanted.saturating_sub(self.rest.len());
            self.rest.reserve(missing);
            let missing = missing as u64;
            let read = self.input.by_ref().take(missing).read_to_end(&mut self.rest)?;
            let is_end = (read as u64) < missing;
            let end = if is_end { Some(self.rest.len()) } else { (self.split)(&self.rest) };
            match end {
                Some(0) if is_end => return Ok(None),
                Some(end) if end > 0 => {
                    let rest = self.rest.split_off(end);
                    let bytes = std::mem::replace(&mut self.rest, rest);
                    let offset = self.offset;
                    self.offset += end as u64;
                    return Ok(Some(Block { offset, bytes }));
                }
                _ if wanted >= LARGEST => {
                    let error =
                        format!("no record ends within 256 MiB after offset {}", self.offset);
                    return Err(io::Error::new(io::ErrorKind::InvalidData, error));
                }
                _ => wanted *= 2,
            }
        }
    }
}
