//! Places in a file, counted only on request.

use std::fmt;

use memchr::{memchr_iter, memrchr};

/// A place in a file.
///
/// ```
/// use tabiya_pgn::Reader;
///
/// let mut reader = Reader::from_bytes(b"1. e4 e5\n2. Nf3 {");
/// let error = reader.find_map(Result::err).unwrap();
/// let place = error.place();
/// assert_eq!((place.line, place.column, place.byte), (2, 8, 16));
/// assert_eq!(place.to_string(), "2:8");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The number of bytes before it.
    pub byte: u64,
    /// The line, from 1. Only line feeds end a line here.
    pub line: u64,
    /// The column in the line, in bytes from 1. Characters are not counted, because the encoding of
    /// a file is not known.
    pub column: u64,
}

impl Place {
    /// The start of a file.
    pub const START: Self = Self { byte: 0, line: 1, column: 1 };
}

impl Default for Place {
    fn default() -> Self {
        Self::START
    }
}

/// The line and the column, as editors show them.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Counts lines. Places are requested in order, so no byte is counted twice.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    /// The place up to which lines are counted.
    place: Place,
    /// The same place as an offset in the buffer.
    counted: usize,
    /// The column of the first byte of the buffer.
    first_column: u64,
}

impl Lines {
    pub(crate) const fn new(start: Place) -> Self {
        Self { place: start, counted: 0, first_column: start.column }
    }

    /// The place of an offset in the buffer.
    pub(crate) fn place(&mut self, buffer: &[u8], at: usize) -> Place {
        if at >= self.counted {
            self.place = forward(self.place, &buffer[self.counted..at]);
            self.counted = at;
            return self.place;
        }
        self.before(buffer, at)
    }

    /// A place before the last one that was requested.
    #[cold]
    fn before(&self, buffer: &[u8], at: usize) -> Place {
        let passed = &buffer[at..self.counted];
        let newlines = memchr_iter(b'\n', passed).count() as u64;
        let byte = self.place.byte - passed.len() as u64;
        let column = match memrchr(b'\n', &buffer[..at]) {
            Some(newline) => (at - newline) as u64,
            // The line began before the buffer. It may have begun before the counted part, too.
            None if newlines == 0 => self.place.column - passed.len() as u64,
            None => self.first_column + at as u64,
        };
        Place { byte, line: self.place.line - newlines, column }
    }

    /// The start of the buffer is dropped.
    pub(crate) fn drop(&mut self, buffer: &[u8], len: usize) {
        self.first_column = self.place(buffer, len).column;
        self.counted -= len;
    }
}

/// The place after more bytes.
fn forward(place: Place, bytes: &[u8]) -> Place {
    let newlines = memchr_iter(b'\n', bytes).count() as u64;
    let column = match memrchr(b'\n', bytes) {
        Some(last) => (bytes.len() - last) as u64,
        None => place.column + bytes.len() as u64,
    };
    Place { byte: place.byte + bytes.len() as u64, line: place.line + newlines, column }
}
