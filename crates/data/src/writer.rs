//! Records into a stream, on one thread.

use std::error::Error;
use std::fmt::{self, Debug, Display, Formatter};
use std::io::{self, Write};

use crate::bad::Refused;
use crate::format::Format;
use crate::formats::Encoder;
use crate::record::Record;

/// Writes records to a file. [`finish`](Self::finish) it: the last game may still be in memory.
pub struct Writer<W> {
    output: W,
    encoder: Box<dyn Encoder>,
    buffer: Vec<u8>,
}

/// Why a record can't be written.
#[derive(Debug)]
pub enum WriteError {
    /// The format can't hold it. The next record can be written.
    Refused(Refused),
    /// The output failed.
    Io(io::Error),
}

impl Display for WriteError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refused) => write!(f, "the format can't hold records {refused}"),
            Self::Io(error) => Display::fmt(error, f),
        }
    }
}

impl Error for WriteError {}

impl<W> Debug for Writer<W> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}

/// The number of bytes to write at a time.
const SIZE: usize = 1 << 16;

impl<W: Write> Writer<W> {
    /// Writes a file; `None` if the format can only be read.
    pub fn new(output: W, format: Format) -> Option<Self> {
        Some(Self { output, encoder: format.encoder()?, buffer: format.header().into() })
    }

    /// Writes a record.
    ///
    /// # Errors
    /// The format can't hold it, or the output fails.
    pub fn write(&mut self, record: &Record) -> Result<(), WriteError> {
        self.encoder.push(record, &mut self.buffer).map_err(WriteError::Refused)?;
        if self.buffer.len() >= SIZE {
            self.output.write_all(&self.buffer).map_err(WriteError::Io)?;
            self.buffer.clear();
        }
        Ok(())
    }

    /// Writes what is still in memory, and gives the output back.
    ///
    /// # Errors
    /// The output fails.
    pub fn finish(mut self) -> io::Result<W> {
        self.encoder.finish(&mut self.buffer);
        self.output.write_all(&self.buffer)?;
        self.output.flush()?;
        Ok(self.output)
    }
}
