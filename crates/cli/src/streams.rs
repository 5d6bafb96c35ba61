//! Standard input and output, even if they are closed or open the wrong way.
//!
//! If a program starts with its standard output closed (`tabiya perft 5 >&-`), Rust's runtime opens
//! `/dev/null` in its place before `main`. A result written there would be lost without an error, and
//! a closed standard input would be an empty file. So the program must check for this before the
//! runtime starts. The runtime also hides the errors of a stream that is open the wrong way, such as the
//! input that `nohup` takes from a terminal.

use std::fs::{self, FileType};
#[cfg(unix)]
use std::fs::{File, Metadata};
use std::io::{self, BufRead, Read, Write};
#[cfg(unix)]
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

/// Standard input. If it cannot be read, this is an error.
pub(crate) fn input() -> io::Result<impl Read + Send> {
    input_is_open().map(|()| io::stdin())
}

/// Standard input, locked. If it cannot be read, this is an error.
pub(crate) fn lock_input() -> io::Result<impl BufRead> {
    input_is_open().map(|()| io::stdin().lock())
}

fn input_is_open() -> io::Result<()> {
    match at_start()[0] {
        State::Good => Ok(()),
        State::Closed => Err(io::Error::other("standard input is closed")),
        State::WrongWay => Err(io::Error::other("standard input is not open for reading")),
    }
}

/// Standard output. If it cannot be written, every write is an error.
pub(crate) fn lock() -> Box<dyn Write> {
    lost_output().unwrap_or_else(|| Box::new(anstream::stdout().lock()))
}

/// Standard output for bytes that are not text, without the filter that removes colours.
pub(crate) fn lock_for_bytes() -> Box<dyn Write> {
    lost_output().unwrap_or_else(|| Box::new(io::stdout().lock()))
}

fn lost_output() -> Option<Box<dyn Write>> {
    match at_start()[1] {
        State::Good => None,
        State::Closed => Some(Box::new(Lost("standard output is closed"))),
        State::WrongWay => Some(Box::new(Lost("standard output is not open for writing"))),
    }
}

/// A standard output that cannot be written, and why.
struct Lost(&'static str);

impl Write for Lost {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::Error::other(self.0))
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

/// Does standard error go to the regular file at this path?
#[cfg(unix)]
pub(crate) fn is_error_file(path: &Path) -> bool {
    let both = of_stream(&io::stderr()).zip(found(path));
    both.is_some_and(|(stream, file)| file.is_file() && is_same(&stream, &file))
}

/// This system does not report whether two files are the same.
#[cfg(not(unix))]
pub(crate) fn is_error_file(_: &Path) -> bool {
    false
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

/// What a stream was when the program started.
#[derive(Clone, Copy)]
#[cfg_attr(not(unix), expect(dead_code))]
enum State {
    Good,
    Closed,
    /// Input that is open for writing only, or output that is open for reading only.
    WrongWay,
}

/// What standard input and output were when the program started.
#[cfg(unix)]
fn at_start() -> [State; 2] {
    use std::sync::atomic::{AtomicBool, Ordering};

    use rustix::fs::{OFlags, fcntl_getfl};

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

    let state = |closed: &AtomicBool, stream: std::os::fd::BorrowedFd<'_>, wrong: OFlags| {
        if closed.load(Ordering::Relaxed) {
            State::Closed
        } else if fcntl_getfl(stream).is_ok_and(|flags| flags & OFlags::ACCMODE == wrong) {
            State::WrongWay
        } else {
            State::Good
        }
    };
    let [input, output] = &CLOSED;
    [
        state(input, io::stdin().as_fd(), OFlags::WRONLY),
        state(output, io::stdout().as_fd(), OFlags::RDONLY),
    ]
}

#[cfg(not(unix))]
fn at_start() -> [State; 2] {
    [State::Good; 2]
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
