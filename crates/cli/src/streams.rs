//! Standard input and output, even if they are closed.
//!
//! If a program starts with its standard output closed (`tabiya perft 5 >&-`), Rust's runtime opens
//! `/dev/null` in its place before `main`. A result written there would be lost without an error, and
//! a closed standard input would be an empty file. So the program must check for this before the
//! runtime starts.

use std::fs::{self, FileType};
#[cfg(unix)]
use std::fs::{File, Metadata};
use std::io::{self, BufRead, Read, Write};
#[cfg(unix)]
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

/// Standard input. If it was closed when the program started, this is an error.
pub(crate) fn input() -> io::Result<impl Read + Send> {
    input_is_open().map(|()| io::stdin())
}

/// Standard input, locked. If it was closed when the program started, this is an error.
pub(crate) fn lock_input() -> io::Result<impl BufRead> {
    input_is_open().map(|()| io::stdin().lock())
}

fn input_is_open() -> io::Result<()> {
    let [input, _] = were_closed();
    if input { Err(io::Error::other("standard input is closed")) } else { Ok(()) }
}

/// Standard output. If it was closed when the program started, every write is an error.
pub(crate) fn lock() -> Box<dyn Write> {
    let [_, output] = were_closed();
    if output { Box::new(Closed) } else { Box::new(anstream::stdout().lock()) }
}

/// Standard output for bytes that are not text, without the filter that removes colours.
pub(crate) fn lock_for_bytes() -> Box<dyn Write> {
    let [_, output] = were_closed();
    if output { Box::new(Closed) } else { Box::new(io::stdout().lock()) }
}

/// A closed standard output.
struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::Error::other("standard output is closed"))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Output whose reader may go away: later writes are then lost without an error.
pub(crate) struct Abandonable<W>(pub(crate) W);

impl<W: Write> Write for Abandonable<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        unless_abandoned(self.0.write(bytes), bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        unless_abandoned(self.0.flush(), ())
    }
}

fn unless_abandoned<T>(result: io::Result<T>, all: T) -> io::Result<T> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(all),
        result => result,
    }
}

/// The kind of file that is at this path, if standard output goes to the same file. `-` is standard
/// input.
#[cfg(unix)]
pub(crate) fn same_as_output(path: &Path) -> Option<FileType> {
    let (output, file) = (of_stream(&io::stdout())?, found(path)?);
    is_same(&output, &file).then(|| file.file_type())
}

/// This system does not report whether two files are the same.
#[cfg(not(unix))]
pub(crate) fn same_as_output(_: &Path) -> Option<FileType> {
    None
}

/// Does standard output go to the regular file at this path? `-` is standard input.
pub(crate) fn is_output_file(path: &Path) -> bool {
    same_as_output(path).is_some_and(|kind| kind.is_file())
}

/// Do both paths lead to one regular file, even if it has several names? `-` is standard input.
#[cfg(unix)]
pub(crate) fn is_same_file(one: &Path, other: &Path) -> bool {
    let both = found(one).zip(found(other));
    both.is_some_and(|(one, other)| one.is_file() && is_same(&one, &other))
}

/// Do both paths lead to one regular file? This system does not tell all of its names.
#[cfg(not(unix))]
pub(crate) fn is_same_file(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| fs::canonicalize(path).ok();
    one.is_file() && real(one).is_some_and(|path| real(other) == Some(path))
}

/// Do both paths lead to one regular file, or would they if one of them were created?
pub(crate) fn would_be_same_file(one: &Path, other: &Path) -> bool {
    is_same_file(one, other) || new_file(one).is_some_and(|path| new_file(other) == Some(path))
}

/// The real path of a file that can be created. `-` is none.
fn new_file(path: &Path) -> Option<PathBuf> {
    let is_missing = |error: io::Error| error.kind() == io::ErrorKind::NotFound;
    if path == Path::new("-") || !fs::metadata(path).is_err_and(is_missing) {
        return None;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
    match fs::read_link(path) {
        // A link to nothing. The system has followed all of its links, so they form no circle.
        Ok(target) => new_file(&folder.join(target)),
        Err(_) => Some(folder.join(path.file_name()?)),
    }
}

/// The file at this path. `-` is standard input.
#[cfg(unix)]
fn found(path: &Path) -> Option<Metadata> {
    if path == Path::new("-") { of_stream(&io::stdin()) } else { fs::metadata(path).ok() }
}

/// The file that a stream is connected to.
#[cfg(unix)]
fn of_stream(stream: &impl AsFd) -> Option<Metadata> {
    File::from(stream.as_fd().try_clone_to_owned().ok()?).metadata().ok()
}

#[cfg(unix)]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;

    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Were standard input and output closed when the program started?
#[cfg(unix)]
fn were_closed() -> [bool; 2] {
    use std::sync::atomic::{AtomicBool, Ordering};

    static CLOSED: [AtomicBool; 2] = [const { AtomicBool::new(false) }; 2];

    /// Runs before the runtime starts. It makes two system calls and does not use the runtime.
    extern "C" fn ask() {
        for (closed, stream) in CLOSED.iter().zip([rustix::stdio::stdin(), rustix::stdio::stdout()])
        {
            closed.store(rustix::io::fcntl_getfd(stream).is_err(), Ordering::Relaxed);
        }
    }

    // The system calls the functions in this section before `main`.
    //
    // SAFETY: the section holds pointers to functions that take no arguments and return nothing,
    // and `ask` is such a function. It may run before the runtime because it does not use it.
    #[used]
    #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
    #[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
    static ASK: extern "C" fn() = ask;

    CLOSED.each_ref().map(|closed| closed.load(Ordering::Relaxed))
}

#[cfg(not(unix))]
fn were_closed() -> [bool; 2] {
    [false; 2]
}

/// Waits until the reader of standard output is gone. If the output is a file, it waits forever.
#[cfg(unix)]
pub(crate) fn wait_for_end() {
    use rustix::event::{PollFd, PollFlags, poll};

    let stdout = io::stdout();
    // `poll` reports errors even if no event is requested.
    let mut watched = [PollFd::new(&stdout, PollFlags::empty())];
    while matches!(poll(&mut watched, None), Err(rustix::io::Errno::INTR)) {}
}

/// Waits forever, because this system does not report when the reader is gone.
#[cfg(not(unix))]
pub(crate) fn wait_for_end() {
    loop {
        std::thread::park();
    }
}
