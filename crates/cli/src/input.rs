//! Input from files and standard input, in bounded memory.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::Duration;

use tabiya_perft::Watch;

use crate::failure::{Diagnostic, Failure};
use crate::interrupt::Interrupt;
use crate::streams;

/// The greatest length of a line. A longer line means that the file is the wrong one, or has no
/// end.
const MAX_LINE: usize = 1 << 16;

/// Refuses files that the output goes to: it would be read again, perhaps for ever, and stay in the
/// file.
pub(crate) fn expect_no_output<'a>(
    files: impl IntoIterator<Item = &'a PathBuf>,
) -> Result<(), Failure> {
    match files.into_iter().find(|path| streams::is_output_file(path)) {
        Some(path) => {
            let message = format!("{}: it is also the output", path.display());
            Err(Diagnostic::new(message).into())
        }
        None => Ok(()),
    }
}

/// A file, or standard input for `-`.
///
/// # Errors
/// An error of the system, including one for a folder.
pub(crate) fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    Ok(if path == Path::new("-") {
        Box::new(streams::lock_input()?)
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
    match thread::Builder::new().spawn(move || feed(&name, &sender, &asked)) {
        Ok(_) => Ok(Box::new(Watched {
            parts: receiver,
            part: io::Cursor::default(),
            watch: watch.clone(),
        })),
        // The system gives no thread. Then Ctrl-C has to wait for a pipe.
        Err(_) => Ok(Box::new(Unwatched { input: opened(path)?, watch: watch.clone() })),
    }
}

/// The sign for the end of a file in DOS, which old editors write.
pub(crate) const END_IN_DOS: u8 = 0x1a;

/// The size of the parts that are read, and the number of those that are read in advance.
const PART: usize = 1 << 18;
const AHEAD: usize = 4;
/// The interval at which it is checked whether the user asks to stop.
const TICK: Duration = Duration::from_millis(50);

fn opened(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    Ok(if path == Path::new("-") {
        Box::new(streams::input()?)
    } else {
        Box::new(File::open(path)?)
    })
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

/// Input that the reader itself waits for.
struct Unwatched {
    input: Box<dyn Read + Send>,
    watch: Interrupt,
}

impl Read for Unwatched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        not_stopped(&self.watch)?;
        self.input.read(buffer)
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
    /// Did the last line end with a carriage return? Then a line feed after it is a part of its end.
    after_return: bool,
    /// Did the last line have no end?
    is_at_end: bool,
}

impl Lines {
    /// The lines of a file, or of standard input for `-`, that are read as by [`open_watched`].
    pub(crate) fn watched(path: &Path, watch: &Interrupt) -> io::Result<Self> {
        let input = BufReader::with_capacity(1 << 16, open_watched(path, watch)?);
        Ok(Self::new(Box::new(input)))
    }

    /// The lines of this input.
    pub(crate) fn new(input: Box<dyn BufRead>) -> Self {
        Self { input, line: Vec::new(), number: 0, after_return: false, is_at_end: false }
    }

    /// The next line, without its end: a line feed, a carriage return, or both.
    ///
    /// # Errors
    /// An error of the system, or one that says that the line is too long.
    pub(crate) fn next(&mut self) -> io::Result<Option<&[u8]>> {
        if self.is_at_end {
            return Ok(None);
        }
        self.number += 1;
        self.line.clear();
        loop {
            let part = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                part => part?,
            };
            if mem::take(&mut self.after_return) && part.first() == Some(&b'\n') {
                self.input.consume(1);
                continue;
            }
            let end = part.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let len = end.unwrap_or(part.len());
            if self.line.len() + len > MAX_LINE {
                let (number, kibibytes) = (self.number, MAX_LINE >> 10);
                let text = format!(
                    "line {number} is longer than {kibibytes} KiB, so the rest was not read"
                );
                return Err(io::Error::other(text));
            }
            self.line.extend_from_slice(&part[..len]);
            if let Some(end) = end {
                self.after_return = part[end] == b'\r';
                self.input.consume(end + 1);
                break;
            }
            if part.is_empty() {
                self.is_at_end = true;
                break;
            }
            self.input.consume(len);
        }
        if self.is_at_end {
            while self.line.last() == Some(&END_IN_DOS) {
                self.line.pop();
            }
            if self.line.is_empty() {
                return Ok(None);
            }
        }
        let line = &self.line[..];
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
    fn lines_end_anywhere() {
        let expect = |text: &'static [u8], expected: &[&[u8]]| {
            assert_eq!(lines(text).unwrap(), expected, "{text:?}");
        };
        expect(b"", &[]);
        expect(b"a", &[b"a"]);
        expect(b"a\n", &[b"a"]);
        expect(b"\xef\xbb\xbfa\n\xef\xbb\xbfb", &[b"a", b"\xef\xbb\xbfb"]);
        expect(b"\xef\xbb\xbf", &[b""]);
        expect(b"a\n\x1a", &[b"a"]);
        expect(b"\x1ab\n\x1a\nc\x1a\x1a", &[b"\x1ab", b"\x1a", b"c"]);
        expect(b"\n\nb\r\n\0c", &[b"", b"", b"b", b"\0c"]);
        expect(b"a\rb\r\rc\r\n\nd\n\re\r", &[b"a", b"b", b"", b"c", b"", b"d", b"", b"e"]);
    }

    #[test]
    fn the_end_of_a_line_may_come_in_two_parts() {
        let parts = (&b"a\r"[..]).chain(&b"\nb\r"[..]).chain(&b"c"[..]);
        assert_eq!(lines(parts).unwrap(), [b"a", b"b", b"c"]);
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let error = lines((&b"short\n"[..]).chain(io::repeat(b'x'))).unwrap_err();
        assert_eq!(error.to_string(), "line 2 is longer than 64 KiB, so the rest was not read");
        let longest = vec![b'x'; MAX_LINE];
        assert_eq!(lines(io::Cursor::new(longest.clone())).unwrap(), [longest]);
    }
}
