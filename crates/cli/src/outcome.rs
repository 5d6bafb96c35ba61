//! The outcome of a command, and the exit code for it.

/// The outcome of a command that ran to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// All is well.
    Fine,
    /// A check failed: a count differs, a move is not legal.
    Failed,
    /// The call is wrong, or part of the input could not be read. The error is already printed.
    Mistaken,
    /// Stopped with Ctrl-C; what was found until then is printed.
    Interrupted,
}

impl Outcome {
    /// The exit code.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Failed => 1,
            Self::Mistaken => 2,
            // Shells report this for a program that SIGINT ended: 128 + 2.
            Self::Interrupted => 130,
        }
    }
}
