//! An error in a file, and its place.

use std::error;
use std::fmt;
use std::io;

use crate::place::Place;
use crate::{MAX_DEPTH, MAX_GAME, MAX_TAGS, MAX_TOKEN};

/// The reason why a game, or a whole file, cannot be read.
///
/// After an error in a game the reader ends that game and continues with the next one. After an error
/// of the input itself ([`is_final`](Error::is_final)) there is nothing more to read.
///
/// ```
/// use tabiya_pgn::{ErrorKind, Reader, Token};
///
/// let text = b"[Event \"broken\"]\n\n1. e4 {no end\n\n[Event \"fine\"]\n\n1. d4 *\n";
/// let mut reader = Reader::from_bytes(text);
/// let mut events = Vec::new();
/// let mut errors = Vec::new();
/// for token in reader {
///     match token {
///         Ok(Token::Tag(tag)) => events.push(tag.value().into_owned()),
///         Ok(_) => {}
///         Err(error) => errors.push(error),
///     }
/// }
/// assert_eq!(events, ["broken", "fine"]);
/// assert_eq!(errors.len(), 1);
/// assert_eq!(errors[0].kind(), &ErrorKind::CommentNotClosed);
/// assert_eq!(errors[0].to_string(), "3:7: the comment has no closing brace within 65536 bytes");
/// assert_eq!(errors[0].game(), 1);
/// ```
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    place: Place,
    game: u64,
    source: Option<io::Error>,
}

impl Error {
    pub(crate) const fn new(kind: ErrorKind, place: Place, game: u64) -> Self {
        Self { kind, place, game, source: None }
    }

    pub(crate) const fn input(error: io::Error, place: Place, game: u64) -> Self {
        Self { kind: ErrorKind::Input, place, game, source: Some(error) }
    }

    /// The kind of the error.
    pub const fn kind(&self) -> &ErrorKind {
        &self.kind
    }

    /// The place of the error.
    pub const fn place(&self) -> Place {
        self.place
    }

    /// The number of the game in the file, from 1. It is 0 before the first game.
    pub const fn game(&self) -> u64 {
        self.game
    }

    /// Is there nothing more to read?
    pub const fn is_final(&self) -> bool {
        matches!(self.kind, ErrorKind::Input | ErrorKind::Utf16)
    }

    /// The error of the input, if the input failed.
    pub fn into_io(self) -> Option<io::Error> {
        self.source
    }
}

/// The kind of an error in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A comment without a closing brace, or longer than [`MAX_TOKEN`].
    CommentNotClosed,
    /// The game ends inside a variation.
    VariationNotClosed,
    /// Variations are nested deeper than [`MAX_DEPTH`].
    TooDeep,
    /// Something else than a comment in braces is longer than [`MAX_TOKEN`].
    TooLong,
    /// The game is longer than [`MAX_GAME`].
    GameTooLong,
    /// The game has more tags than [`MAX_TAGS`].
    TooManyTags,
    /// The file is written in UTF-16.
    Utf16,
    /// The input cannot be read.
    Input,
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::CommentNotClosed => {
                write!(f, "the comment has no closing brace within {MAX_TOKEN} bytes")
            }
            Self::VariationNotClosed => {
                f.write_str("the game ends inside a variation: a closing parenthesis is missing")
            }
            Self::TooDeep => write!(f, "variations are nested deeper than {MAX_DEPTH}"),
            Self::TooLong => write!(f, "a token is longer than {MAX_TOKEN} bytes"),
            Self::GameTooLong => write!(f, "the game is longer than {MAX_GAME} bytes"),
            Self::TooManyTags => write!(f, "the game has more than {MAX_TAGS} tags"),
            Self::Utf16 => {
                f.write_str("the file is written in UTF-16, and PGN in UTF-8 or Latin-1")
            }
            Self::Input => f.write_str("the input cannot be read"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            Some(source) => write!(f, "{}: {}: {source}", self.place, self.kind),
            None => write!(f, "{}: {}", self.place, self.kind),
        }
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        self.source.as_ref().map(|source| source as _)
    }
}
