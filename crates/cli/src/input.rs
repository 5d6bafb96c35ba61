//! Input from files and standard input, in bounded memory.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::Duration;

use tabiya_perft::Watch;

use crate::interrupt::Interrupt;

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

/// A file, or standard input for `-`, for a command that listens for Ctrl-C: reading ends with an
/// error when the user asks to stop, even while a pipe gives nothing or has no writer.
///
/// # Errors
/// An error of the system. One that occurs when the file is opened may be reported by the first
/// read.
pub(crate) fn open_watched(path: &Path, watch: &Interrupt) -> io::Result<Box<dyn Read + Send>> {
    let (sender, receiver) = mpsc::sync_channel(AHEAD);
    let (name, asked) = (path.to_owned(), watch.clone());
    // A thread that waits for input ends with the program.
    thread::Builder::new().spawn(move || feed(&name, &sender, &asked))?;
    let part = io::Cursor::default();
    Ok(Box::new(Watched { parts: receiver, part, watch: watch.clone() }))
}

/// The size of the parts that are read, and the number of those that are read in advance.
const PART: usize = 1 << 18;
const AHEAD: usize = 4;
/// The interval at which it is checked whether the user asks to stop.
const TICK: Duration = Duration::from_millis(50);

fn opened(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    Ok(if path == Path::new("-") { Box::new(io::stdin()) } else { Box::new(File::open(path)?) })
}

/// Reads a file part by part, until it ends, the receiver is gone, or the user asks to stop.
fn feed(path: &Path, parts: &SyncSender<io::Result<Vec<u8>>>, watch: &Interrupt) {
    let mut input = match opened(path) {
        Ok(input) => input,
        Err(error) => return drop(parts.send(Err(error))),
    };
    let mut buffer = vec![0; PART];
    loop {
        let part = match input.read(&mut buffer) {
            Ok(0) => return,
            Ok(len) => Ok(buffer[..len].to_vec()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => Err(error),
        };
        let is_last = part.is_err() || watch.is_cancelled();
        if parts.send(part).is_err() || is_last {
            return;
        }
    }
}

/// Input that another thread reads.
struct Watched {
    parts: Receiver<io::Result<Vec<u8>>>,
    part: io::Cursor<Vec<u8>>,
    watch: Interrupt,
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let len = self.part.read(buffer)?;
            if len > 0 || buffer.is_empty() {
                return Ok(len);
            }
            // Parts that were read before the user asked to stop are not lost.
            match self.parts.recv_timeout(TICK) {
                Ok(part) => self.part = io::Cursor::new(part?),
                Err(RecvTimeoutError::Timeout) => not_stopped(&self.watch)?,
                Err(RecvTimeoutError::Disconnected) => return not_stopped(&self.watch).map(|()| 0),
            }
        }
    }
}

fn not_stopped(watch: &Interrupt) -> io::Result<()> {
    if watch.is_cancelled() { Err(io::Error::other("stopped")) } else { Ok(()) }
}

/// The bytes without a byte-order mark, with which some programs on Windows begin a file.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes)
}

/// The lines of input, one at a time, without the byte-order mark.
pub(crate) struct Lines {
    input: Box<dyn BufRead>,
    line: Vec<u8>,
    /// The number of lines read so far.
    number: usize,
}

impl Lines {
    /// The lines of a file, or of standard input for `-`, that are read as by [`open_watched`].
    pub(crate) fn watched(path: &Path, watch: &Interrupt) -> io::Result<Self> {
        let input = BufReader::with_capacity(1 << 16, open_watched(path, watch)?);
        Ok(Self::new(Box::new(input)))
    }

    /// The lines of this input.
    pub(crate) fn new(input: Box<dyn BufRead>) -> Self {
        Self { input, line: Vec::new(), number: 0 }
    }

    /// The next line, without its end: a line feed, with or without a carriage return.
    ///
    /// # Errors
    /// An error of the system, or one that says that the line is too long.
    pub(crate) fn next(&mut self) -> io::Result<Option<&[u8]>> {
        self.number += 1;
        self.line.clear();
        let mut input = self.input.by_ref().take(MAX_LINE as u64 + 2);
        if input.read_until(b'\n', &mut self.line)? == 0 {
            return Ok(None);
        }
        let line = self.line.strip_suffix(b"\n").unwrap_or(&self.line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() > MAX_LINE {
            let (number, kibibytes) = (self.number, MAX_LINE >> 10);
            let text =
                format!("line {number} is longer than {kibibytes} KiB, so the rest was not read");
            return Err(io::Error::other(text));
        }
        Ok(Some(if self.number == 1 { without_mark(line) } else { line }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: impl Read + 'static) -> io::Result<Vec<Vec<u8>>> {
        let mut lines = Lines::new(Box::new(BufReader::new(input)));
        let mut all = Vec::new();
        while let Some(line) = lines.next()? {
            all.push(line.to_vec());
        }
        Ok(all)
    }

    #[test]
    fn lines_end_with_a_line_feed() {
        let expect = |text: &'static [u8], expected: &[&[u8]]| {
            assert_eq!(lines(text).unwrap(), expected, "{text:?}");
        };
        expect(b"", &[]);
        expect(b"a", &[b"a"]);
        expect(b"a\n", &[b"a"]);
        expect(b"\xef\xbb\xbfa\n\xef\xbb\xbfb", &[b"a", b"\xef\xbb\xbfb"]);
        expect(b"\xef\xbb\xbf", &[b""]);
        expect(b"\n\nb\r\n\0c", &[b"", b"", b"b", b"\0c"]);
        expect(b"a\rb\r\n\n\r\r\n", &[b"a\rb", b"", b"\r"]);
        let parts = (&b"a\r"[..]).chain(&b"\nb"[..]);
        assert_eq!(lines(parts).unwrap(), [b"a", b"b"]);
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let error = lines((&b"short\n"[..]).chain(io::repeat(b'x'))).unwrap_err();
        assert_eq!(error.to_string(), "line 2 is longer than 64 KiB, so the rest was not read");
        let longest = vec![b'x'; MAX_LINE];
        assert_eq!(lines(io::Cursor::new(longest.clone())).unwrap(), [longest]);
    }
}
