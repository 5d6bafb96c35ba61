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

/// Reads the lines of a block. Those without text are passed over.
pub(super) struct Decoder<'a> {
    rest: &'a [u8],
    offset: u64,
    read: ReadLine,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(block: &'a Block, read: ReadLine) -> Self {
        Self { rest: &block.bytes, offset: block.offset, read }
    }
}

impl super::Decoder for Decoder<'_> {
    fn next(&mut self, record: &mut Record) -> Result<bool, Bad> {
        while !self.rest.is_empty() {
            let end = self
                .rest
                .iter()
                .position(|&byte| byte == b'\n')
                .map_or(self.rest.len(), |at| at + 1);
            let (line, rest) = self.rest.split_at(end);
            let offset = self.offset;
            (self.rest, self.offset) = (rest, offset + end as u64);
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
        Ok(false)
    }
}
