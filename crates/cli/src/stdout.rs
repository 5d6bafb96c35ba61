//! Standard output, and what becomes of it if there is none.
//!
//! Where a program is started with its standard output closed (`tabiya perft 5 >&-`), Rust's
//! run time puts `/dev/null` in its place before `main`, and a result that is written there is
//! lost without a word. Whether it was closed has to be asked before that.

use std::io::{self, Write};

/// Standard output; every attempt to write is an error if it was closed when the program started.
pub(crate) fn lock() -> Box<dyn Write> {
    if was_closed() { Box::new(Closed) } else { Box::new(anstream::stdout().lock()) }
}

/// Takes nothing.
struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::Error::other("standard output is closed"))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(unix)]
fn was_closed() -> bool {
    use std::sync::atomic::{AtomicBool, Ordering};

    static CLOSED: AtomicBool = AtomicBool::new(false);

    /// Runs before `main` and before the run time is there: one question to the system, no more.
    #[ctor::ctor(unsafe)]
    fn ask() {
        let is_open = rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_ok();
        CLOSED.store(!is_open, Ordering::Relaxed);
    }

    CLOSED.load(Ordering::Relaxed)
}

#[cfg(not(unix))]
fn was_closed() -> bool {
    false
}

/// Waits until nobody can read any more what is written: of a file, for ever.
#[cfg(unix)]
pub(crate) fn wait_for_end() {
    use rustix::event::{PollFd, PollFlags, poll};

    let stdout = io::stdout();
    // Errors are told without being asked for.
    let mut watched = [PollFd::new(&stdout, PollFlags::empty())];
    while matches!(poll(&mut watched, None), Err(rustix::io::Errno::INTR)) {}
}

/// Waits for ever: how this system tells that nobody reads is not known here.
#[cfg(not(unix))]
pub(crate) fn wait_for_end() {
    loop {
        std::thread::park();
    }
}
