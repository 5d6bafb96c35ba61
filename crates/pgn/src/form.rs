//! Readers that process text in blocks of another form than this machine's. Tests compare them;
//! nothing else needs them.

use std::io;
use std::marker::PhantomData;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub use crate::lexer::Sse2;
pub use crate::lexer::{Block, ByteByByte, Native, Places, Swar};
use crate::reader::sealed::Sealed;
use crate::{Input, Reader};

#[cfg(test)]
mod tests;

/// An input whose bytes are processed in blocks of this form.
#[derive(Clone, Debug)]
pub struct InForm<I, B> {
    input: I,
    form: PhantomData<B>,
}

impl<I: Input, B: Block> Input for InForm<I, B> {}

impl<I: Input, B: Block> Sealed for InForm<I, B> {
    type Block = B;

    fn buffer(&self) -> &[u8] {
        self.input.buffer()
    }

    fn is_end(&self) -> bool {
        self.input.is_end()
    }

    fn refill(&mut self, from: usize) -> io::Result<()> {
        self.input.refill(from)
    }

    fn put_back(&mut self, failure: io::Error) {
        self.input.put_back(failure);
    }
}

/// The reader, with the rest of its input processed in this form.
pub fn in_form<B: Block, I: Input>(reader: Reader<I>) -> Reader<InForm<I, B>> {
    reader.map_input(|input| InForm { input, form: PhantomData })
}
