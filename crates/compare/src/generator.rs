//! A program under test, independent of its protocol.

use crate::divide::Divide;
use crate::reading::ReadError;

/// A position and a depth that a program is asked about.
///
/// ```
/// use tabiya_compare::Query;
/// let query = Query::of_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1", 2);
/// assert!(query.moves.is_empty());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Query {
    /// The position before the moves, in FEN.
    pub fen: String,
    /// Moves to play from the position, in UCI.
    pub moves: Vec<String>,
    /// The number of plies to count.
    pub depth: u32,
    /// Is castling written as the king taking its own rook?
    pub chess960: bool,
    /// The right number of leaf nodes, or 0 if it is not known. The time limit for the answer
    /// depends on it.
    pub leaves: u64,
}

impl Query {
    /// Creates a question about a position without moves.
    pub fn of_fen(fen: impl Into<String>, depth: u32) -> Self {
        Self { fen: fen.into(), moves: Vec::new(), depth, chess960: false, leaves: 0 }
    }
}

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// The program cannot answer questions of this kind.
    #[error("the program does not answer questions of this kind")]
    Unsupported,
    /// The program ended by a signal or with an error.
    #[error("the program crashed: {0}")]
    Crash(String),
    /// The program did not answer in time, and a new process did not, either.
    #[error("the program did not answer in time")]
    Hang,
    /// The answer has neither a move nor a number, or is endless.
    #[error("the answer cannot be read: {0}")]
    Garbage(String),
    /// A line of the answer has a move and a number, but not in a form that we read. The program
    /// can't be tested: without this line, its answer would be another one.
    #[error("{0}")]
    Unreadable(ReadError),
    /// The program speaks another protocol than ours.
    #[error("the program {0}")]
    Foreign(Foreign),
    /// The program ended before it had answered.
    #[error("the program ended before it had answered")]
    EarlyExit,
    /// The program cannot be started.
    #[error("the program cannot be started: {0}")]
    Start(String),
    /// The hunt was stopped.
    #[error("it had not answered when the hunt ended")]
    Stopped,
}

impl Trouble {
    /// What makes a program testable that is not, if we know it.
    pub const fn advice(&self) -> Option<&'static str> {
        match self {
            Self::Unreadable(_) => Some(
                "print each move with its count in a line of its own, then the total, in Python for \
                 instance:\n    \
                 for move, count in divide: print(move, count)\n    \
                 print(\"total\", total)",
            ),
            Self::Foreign(Foreign::WithoutPerft) => Some(
                "add a command `go perft N`, which prints MOVE: COUNT for each legal move, then \
                 Nodes searched: TOTAL; docs/compare.md has the six commands that we need, with \
                 adapters",
            ),
            Self::Foreign(Foreign::WithoutIsready) => {
                Some("answer `isready` with `readyok`, and flush the output after it")
            }
            Self::Foreign(Foreign::XBoard) => Some(
                "if it has a command `perft N`, a line of shell asks it; its last two commands must \
                 leave the number of leaf nodes:\n    \
                 tabiya compare --protocol total -- sh -c 'printf \"%s\\n\" xboard force \
                 \"setboard {fen}\" \"perft {depth}\" quit | ENGINE | grep -i nodes | \
                 grep -o \"[0-9]*$\"'\n\
                 otherwise, write a script that answers the six commands of docs/compare.md",
            ),
            _ => None,
        }
    }
}

/// The protocol of a program that can't be asked in ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Foreign {
    /// It answers `uci`, but no perft command.
    #[error(
        "speaks UCI without perft: `go perft 1` and `perft 1` print neither a move nor a number"
    )]
    WithoutPerft,
    /// It answers `uci`, but not `isready`.
    #[error("answers `uci`, but not `isready`")]
    WithoutIsready,
    /// It answers `protover 2`.
    #[error("speaks XBoard, and can be asked only in UCI, or as a script")]
    XBoard,
}

/// A move generator under test.
///
/// Each method is optional: its default returns [`Trouble::Unsupported`]. The more methods there
/// are, the more precise the findings. Implement it for your own generator and call
/// [`assert_agrees`](crate::assert_agrees) in a test.
///
/// ```
/// use tabiya::Position;
/// use tabiya_compare::{Generator, Query, Trouble, assert_agrees};
///
/// struct Mine;
///
/// impl Generator for Mine {
///     fn moves(&self, query: &Query) -> Result<Vec<String>, Trouble> {
///         // Your own generator goes here.
///         let mut position = Position::from_fen(&query.fen).unwrap();
///         for text in &query.moves {
///             position = position.play(position.parse_uci(text).unwrap());
///         }
///         Ok(position.legal_moves().into_iter().map(|mv| position.uci(mv).to_string()).collect())
///     }
/// }
///
/// assert_agrees(&Mine);
/// ```
pub trait Generator {
    /// The number of leaf nodes.
    ///
    /// # Errors
    /// [`Trouble`] if there is no answer.
    fn perft(&self, query: &Query) -> Result<u128, Trouble> {
        let _ = query;
        Err(Trouble::Unsupported)
    }

    /// The number of leaf nodes below each move.
    ///
    /// # Errors
    /// [`Trouble`] if there is no answer.
    fn divide(&self, query: &Query) -> Result<Divide, Trouble> {
        let _ = query;
        Err(Trouble::Unsupported)
    }

    /// The legal moves. The depth is ignored.
    ///
    /// # Errors
    /// [`Trouble`] if there is no answer.
    fn moves(&self, query: &Query) -> Result<Vec<String>, Trouble> {
        let _ = query;
        Err(Trouble::Unsupported)
    }

    /// Can the question include moves to play from the FEN?
    fn takes_moves(&self) -> bool {
        true
    }

    /// Forgets everything, like a new process.
    fn restart(&self) {}

    /// A command that asks this question, ready to paste into a shell.
    fn command(&self, query: &Query) -> String {
        let moves = query.moves.join(" ");
        format!("perft {} of '{}' {moves}", query.depth, query.fen).trim_end().to_owned()
    }
}
