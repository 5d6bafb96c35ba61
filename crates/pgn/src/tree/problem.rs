//! Errors of a game that is kept as far as it is right.

use std::error;
use std::fmt;

use super::node::NodeId;
use crate::error::ErrorKind;
use crate::place::Place;
use crate::replay::ReplayError;

/// An error of a game in its file.
///
/// It ends a line of the tree: a variation, or the main line. The error and the rest of its line are a
/// comment there, so a game that is written has it. After text that cannot be read, the rest of the
/// game is missing.
///
/// ```
/// use tabiya_pgn::{GameTree, Reader};
///
/// let pgn = b"1. e4 e5 (1... Ke7 2. Nf3) (1... c5 2. Ke3) 2. Nf3 {";
/// let tree = GameTree::read(&mut Reader::from_bytes(pgn))?.unwrap();
/// let problems: Vec<String> = tree.problems().iter().map(ToString::to_string).collect();
/// assert_eq!(tree.len(), 1 + 4);
/// assert!(problems[0].starts_with("1:16: ply 2 (1... Ke7): Ke7 is not legal"), "{problems:?}");
/// assert!(problems[1].starts_with("1:40: ply 3 (2. Ke3): Ke3 is not legal"));
/// assert_eq!(problems[2], "1:52: the comment has no closing brace within 65536 bytes");
/// # Ok::<(), tabiya_pgn::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameProblem {
    /// The place in the file.
    pub place: Place,
    /// The node after which the game, or a variation of it, breaks off.
    pub node: NodeId,
    /// The cause of the error.
    pub cause: ProblemCause,
}

/// The cause of an error in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProblemCause {
    /// The text cannot be read.
    Text(ErrorKind),
    /// The move, or the start position, is not valid.
    Replay(ReplayError),
    /// The game has too much text, or too many moves, for a tree.
    Full,
}

impl fmt::Display for ProblemCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(kind) => kind.fmt(f),
            Self::Replay(error) => error.fmt(f),
            Self::Full => f.write_str("the game does not fit into a tree"),
        }
    }
}

impl fmt::Display for GameProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.cause)
    }
}

impl error::Error for GameProblem {}
