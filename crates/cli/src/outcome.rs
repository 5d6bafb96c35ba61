//! The outcome of a command, and the exit code for it.

use std::io::Write;

/// The outcome of a command that ran to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Everything succeeded.
    Fine,
    /// A check failed: for example, a count differs or a move is not legal.
    Failed,
    /// The call is wrong, or part of the input could not be read. The error has been printed.
    Mistaken,
    /// Stopped with Ctrl-C. The results so far have been printed.
    Interrupted,
}

impl Outcome {
    /// The exit code.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Failed => 1,
            Self::Mistaken => 2,
            // Shells report this code for a program that SIGINT ended: 128 + 2.
            Self::Interrupted => 130,
        }
    }
}

/// Says that a signal has stopped work on files, since what was read by then may look like all of it.
/// Returns the outcome of that work.
pub(crate) fn report_partial_input() -> Outcome {
    // If standard error is closed, the text isn't wanted.
    let _ = writeln!(anstream::stderr(), "stopped: only what was read by then is counted");
    Outcome::Interrupted
}
