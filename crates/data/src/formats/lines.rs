//! Formats with a record on each line.

use std::str;

use crate::bad::{Bad, Reason};
use crate::blocks::Block;
use crate::record::Record;

/// The end of the last line.
pub(super) fn split(bytes: &[u8]) -> Option<usize> {
    bytes.iter().rposition(|&byte| byte == b'\n').map(|at| at + 1)
}

/// Reads a line into a record. `false` for a line without one.
pub(super) type ReadLine =
    fn(line: &str, is_first: bool, record: &mut Record) -> Result<bool, Reason>;

/// The lines of a block.
pub(super) struct Lines<'a> {
    rest: &'a [u8],
    /// The offset of the next line.
    pub(super) offset: u64,
}

impl<'a> Lines<'a> {
    pub(super) fn new(block: &'a Block) -> Self {
        Self { rest: &block.bytes, offset: block.offset }
    }

    /// The next line, with its end unless the block ends; empty after the last one.
    pub(super) fn next(&mut self) -> &'a [u8] {
        let line_feed = self.rest.iter().position(|&byte| byte == b'\n');
        let (line, rest) = self.rest.split_at(line_feed.map_or(self.rest.len(), |at| at + 1));
        (self.rest, self.offset) = (rest, self.offset + line.len() as u64);
        line
    }
}

/// Reads a record on each line. Lines without text are passed over.
pub(super) struct Decoder<'a> {
    lines: Lines<'a>,
    read: ReadLine,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(block: &'a Block, read: ReadLine) -> Self {
        Self { lines: Lines::new(block), read }
    }
}

impl super::Decoder for Decoder<'_> {
    fn next(&mut self, record: &mut Record) -> Result<bool, Bad> {
        loop {
            let offset = self.lines.offset;
            let line = self.lines.next();
            if line.is_empty() {
                return Ok(false);
            }
            let line =
                str::from_utf8(line).map_err(|_| Reason::Form("the line isn't UTF-8".to_owned()));
            let read = line.map(str::trim_ascii).and_then(|line| match line {
                "" => Ok(false),
                line => (self.read)(line, offset == 0, record),
            });
            if read.map_err(|reason| Bad::new(offset, reason, record))? {
                return Ok(true);
            }
        }
    }
}
