//! Standard output whose reader may go away.

use std::io::{self, Write};

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
