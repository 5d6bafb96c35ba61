//! A stream that comes in pieces. The tests of the forms in the crate include this file, too.

use std::io::{self, Read};

/// Gives the bytes in pieces of this length.
pub(crate) struct Pieces<'a>(pub(crate) &'a [u8], pub(crate) usize);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.1.min(self.0.len()).min(buffer.len());
        let (now, later) = self.0.split_at(len);
        buffer[..len].copy_from_slice(now);
        self.0 = later;
        Ok(len)
    }
}
