//! Records from a stream, on one thread.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::io::{self, Read};

use crate::bad::Bad;
use crate::blocks::Blocks;
use crate::format::Format;
use crate::record::Record;

/// Reads the records of a file, block by block.
#[derive(Debug)]
pub struct Reader<R> {
    blocks: Blocks<R>,
    format: Format,
}

/// Why a file can't be read on.
#[derive(Debug)]
pub enum ReadError {
    /// A bad record, which the caller didn't pass over.
    Bad(Bad),
    /// The input failed.
    Io(io::Error),
}

impl Display for ReadError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bad(error) => error.fmt(f),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl Error for ReadError {}

impl<R: Read> Reader<R> {
    /// Reads a file.
    pub fn new(input: R, format: Format) -> Self {
        Self { blocks: Blocks::new(input, format), format }
    }

    /// Visits every record, in the file's order. `bad` sees each bad record, and ends the reading if it returns it.
    ///
    /// ```
    /// use tabiya_data::{Format, Reader, Record, Writer};
    /// let mut file = Vec::new();
    /// let mut writer = Writer::new(&mut file, Format::Packed).unwrap();
    /// writer.write(&Record { score: Some(25), ..Record::default() })?;
    /// writer.finish()?;
    ///
    /// let mut scores = Vec::new();
    /// Reader::new(&file[..], Format::Packed).for_each(|record| scores.push(record.score), Err)?;
    /// assert_eq!(scores, [Some(25)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The input can't be read, or `bad` returns an error.
    pub fn for_each(
        self,
        mut visit: impl FnMut(&Record),
        mut bad: impl FnMut(Bad) -> Result<(), Bad>,
    ) -> Result<(), ReadError> {
        let mut record = Record::default();
        for block in self.blocks {
            let block = block.map_err(ReadError::Io)?;
            let mut decoder = self.format.decoder(&block);
            loop {
                match decoder.next(&mut record) {
                    Ok(true) => visit(&record),
                    Ok(false) => break,
                    Err(error) => bad(error).map_err(ReadError::Bad)?,
                }
            }
        }
        Ok(())
    }
}
