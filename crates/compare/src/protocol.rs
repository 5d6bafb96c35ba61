//! Protocols: UCI, and scripts that get depth, FEN and moves as arguments.

use std::fmt;
use std::str::FromStr;

/// The protocol that a program speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// UCI with a perft command.
    Uci,
    /// `CMD DEPTH FEN "MOVES"` prints a count for each move, an empty line and the total.
    Perftree,
    /// `CMD DEPTH FEN "MOVES"` prints the total.
    Total,
    /// `CMD DEPTH FEN "MOVES"` lists the legal moves.
    Moves,
}

impl Protocol {
    /// All protocols.
    pub const ALL: [Self; 4] = [Self::Uci, Self::Perftree, Self::Total, Self::Moves];

    /// The name on the command line and in reports.
    ///
    /// ```
    /// use tabiya_compare::Protocol;
    /// assert_eq!(Protocol::Uci.name(), "uci");
    /// assert_eq!("perftree".parse(), Ok(Protocol::Perftree));
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uci => "uci",
            Self::Perftree => "perftree",
            Self::Total => "total",
            Self::Moves => "moves",
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

/// A text is not the name of a [`Protocol`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the protocols are uci, perftree, total and moves")]
pub struct ProtocolNameError;

impl FromStr for Protocol {
    type Err = ProtocolNameError;

    fn from_str(name: &str) -> Result<Self, ProtocolNameError> {
        Self::ALL.into_iter().find(|it| it.name() == name).ok_or(ProtocolNameError)
    }
}
