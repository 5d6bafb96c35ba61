//! Formats whose records are rows of one size.

use crate::bad::{Bad, Reason};
use crate::blocks::Block;
use crate::record::Record;

/// The end of the last whole row of `N` bytes.
pub(super) fn split<const N: usize>(bytes: &[u8]) -> Option<usize> {
    Some(bytes.len() / N * N)
}

/// Reads a row into a record.
pub(super) type ReadRow<const N: usize> =
    fn(row: &[u8; N], record: &mut Record) -> Result<(), Reason>;

/// Reads the rows of a block.
pub(super) struct Decoder<'a, const N: usize> {
    rows: &'a [u8],
    offset: u64,
    read: ReadRow<N>,
}

impl<'a, const N: usize> Decoder<'a, N> {
    pub(super) fn new(block: &'a Block, read: ReadRow<N>) -> Self {
        Self { rows: &block.bytes, offset: block.offset, read }
    }
}

impl<const N: usize> super::Decoder for Decoder<'_, N> {
    fn next(&mut self, record: &mut Record) -> Result<bool, Bad> {
        let offset = self.offset;
        let Some((row, rest)) = self.rows.split_first_chunk() else {
            let is_end = self.rows.is_empty();
            self.rows = &[];
            let bad = Bad { offset, reason: Reason::Truncated, record: None };
            return if is_end { Ok(false) } else { Err(bad) };
        };
        (self.rows, self.offset) = (rest, offset + N as u64);
        (self.read)(row, record).map(|()| true).map_err(|reason| Bad::new(offset, reason, record))
    }
}
