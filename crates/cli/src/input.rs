//! Input from files and standard input, in bounded memory.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// The greatest length of a line. A longer line means that the file is the wrong one, or has no
/// end.
const MAX_LINE: usize = 1 << 16;

/// A file, or standard input for `-`.
///
/// # Errors
/// An error of the system, including one for a folder.
pub(crate) fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    Ok(if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::with_capacity(1 << 16, File::open(path)?))
    })
}

/// Reads a file, or standard input for `-`. A larger input is refused: it is the wrong file, or it
/// has no end.
pub(crate) fn read_up_to(path: &Path, mebibytes: u64) -> io::Result<Vec<u8>> {
    read_all(open(path)?, mebibytes)
}

fn read_all(input: impl Read, mebibytes: u64) -> io::Result<Vec<u8>> {
    let max = mebibytes << 20;
    let mut bytes = Vec::new();
    if input.take(max + 1).read_to_end(&mut bytes)? as u64 > max {
        return Err(io::Error::other(format!("it is larger than {mebibytes} MiB")));
    }
    Ok(bytes)
}

/// The lines of input, one at a time.
pub(crate) struct Lines {
    input: Box<dyn BufRead>,
    line: Vec<u8>,
    /// The number of lines read so far.
    number: usize,
    /// Did the last line lack a line feed?
    is_at_end: bool,
}

impl Lines {
    pub(crate) fn new(input: Box<dyn BufRead>) -> Self {
        Self { input, line: Vec::new(), number: 0, is_at_end: false }
    }

    /// The next line, without its line feed.
    ///
    /// # Errors
    /// An error of the system, or one that says that the line is too long.
    pub(crate) fn next(&mut self) -> io::Result<Option<&[u8]>> {
        if self.is_at_end {
            return Ok(None);
        }
        self.number += 1;
        self.line.clear();
        let mut line = self.input.by_ref().take(MAX_LINE as u64 + 1);
        line.read_until(b'\n', &mut self.line)?;
        if self.line.last() == Some(&b'\n') {
            self.line.pop();
        } else if self.line.len() > MAX_LINE {
            let (number, kibibytes) = (self.number, MAX_LINE >> 10);
            let text = format!("line {number} is longer than {kibibytes} KiB");
            return Err(io::Error::other(text));
        } else if self.line.is_empty() {
            return Ok(None);
        } else {
            self.is_at_end = true;
        }
        Ok(Some(&self.line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_without_end_is_refused() {
        let error = read_all(io::repeat(0), 16).unwrap_err();
        assert_eq!(error.to_string(), "it is larger than 16 MiB");
        assert_eq!(read_all(&b"abc"[..], 1).unwrap(), b"abc");
    }

    fn lines(input: impl Read + 'static) -> io::Result<Vec<Vec<u8>>> {
        let mut lines = Lines::new(Box::new(BufReader::new(input)));
        let mut all = Vec::new();
        while let Some(line) = lines.next()? {
            all.push(line.to_vec());
        }
        Ok(all)
    }

    #[test]
    fn lines_end_anywhere() {
        let expect = |text: &'static [u8], expected: &[&[u8]]| {
            assert_eq!(lines(text).unwrap(), expected, "{text:?}");
        };
        expect(b"", &[]);
        expect(b"a", &[b"a"]);
        expect(b"a\n", &[b"a"]);
        expect(b"\n\nb\r\n\0c", &[b"", b"", b"b\r", b"\0c"]);
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let error = lines((&b"short\n"[..]).chain(io::repeat(b'x'))).unwrap_err();
        assert_eq!(error.to_string(), "line 2 is longer than 64 KiB");
        let longest = vec![b'x'; MAX_LINE];
        assert_eq!(lines(io::Cursor::new(longest.clone())).unwrap(), [longest]);
    }
}
