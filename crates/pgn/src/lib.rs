//! Games in PGN: read, checked, written.
//!
//! * [`Reader`] yields borrowed [`Token`]s: tags, moves, comments, glyphs, variations, results. It
//!   allocates nothing per move and validates no text. It reads a slice ([`Reader::from_bytes`]) or
//!   anything that is [`std::io::Read`] ([`Reader::new`]).
//! * [`Replay`] plays the tokens on a [`tabiya::Position`]: every move is checked, including those
//!   in variations.
//! * [`GameTree`] is a whole game with its variations, comments and glyphs, to read, change and
//!   write.
//! * [`Writer`] writes games with lines of less than 80 characters.
//! * [`Visitor`] is another way to read: it is called for each token of a game.
//! * [`Chunks`] cuts a file at the borders of games, for threads.
//!
//! ```
//! use tabiya_pgn::{Reader, Token};
//!
//! let pgn = b"[White \"Fool\"]\n\n1. f3? e5 {[%clk 0:00:59]} 2. g4?? (2. e4) Qh4# 0-1\n";
//! let mut reader = Reader::from_bytes(pgn);
//! let mut moves = Vec::new();
//! while let Some(token) = reader.next_token()? {
//!     match token {
//!         Token::Move(text) => moves.push(text.to_string()),
//!         Token::VariationStart => reader.skip_variation()?,
//!         _ => {}
//!     }
//! }
//! assert_eq!(moves, ["f3", "e5", "g4", "Qh4#"]);
//! # Ok::<(), tabiya_pgn::Error>(())
//! ```
//!
//! # What a file may contain
//!
//! Every word is a tag, a move, a number, a glyph, a comment, a variation, a result or a [`Remark`]: a
//! word without a meaning, which costs nothing. So files that break the standard are read: odd spellings of
//! results, castling with zeros, figurines, brackets among the moves, missing results. Text is UTF-8 or
//! Latin-1: bytes until [`Text::decode`] is called. The page `docs/pgn.md` of the repository says what
//! becomes of everything.
//!
//! A game begins at anything but a comment, a glyph or a remark after a result, and at those too after
//! an empty line; at a tag after moves; at a tag after an empty line, if it is `Event` or the first one
//! of the game again; and at `1.` after an empty line and moves.
//!
//! What is left is an [`Error`] with line, column and byte: a comment or a variation without an end, and
//! what exceeds the limits below. After it the game ends; if the text itself is in doubt, the next one
//! is looked for at the start of a line. [`Replay`] finds moves that are not legal, which end their line.
//!
//! A line ends with a line feed, or with a carriage return that no line feed follows, as in old
//! Macintosh files. A [`Place`] counts line feeds only.
//!
//! The tag `Result` and the marker after the moves may differ. The reader yields both as they are;
//! [`Termination::of_game`] decides which one counts.
//!
//! # Limits
//!
//! Time is linear in the length of the input, and memory is constant, for any input. A token has at
//! most [`MAX_TOKEN`] bytes, 65,536. The limit applies to the text of a comment in braces, and to
//! the whole of a tag, a move, a number, a comment with its semicolon, and a line that begins with
//! `%`. Variations are nested at most [`MAX_DEPTH`] deep, 255. Anything beyond that is an error of
//! the game, and the [`Writer`] refuses it. Lines, and white space between games, may have any
//! length.
//!
//! The reader keeps nothing of a game, but programs may, so games are bounded as well: a game has
//! at most [`MAX_GAME`] bytes of text, 32 MiB, and [`MAX_TAGS`] tags, 4096, and [`Replay`] plays at
//! most [`MAX_PLIES`] moves in a row, 131,072. A longer game is broken at the place where it
//! becomes too long, and the next game is read.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod chunks;
mod comment;
mod error;
#[doc(hidden)]
pub mod form;
mod lexer;
mod mark;
mod nag;
mod place;
mod reader;
mod replay;
mod result;
mod text;
mod token;
mod tree;
mod visitor;
mod writer;

pub use chunks::{Chunk, Chunks};
pub use comment::{Command, Commands, Comment, Eval, Evaluation, clock_text};
pub use error::{Error, ErrorKind};
pub use mark::{Mark, MarkColor};
pub use nag::Nag;
pub use place::Place;
pub use reader::{Bytes, Input, Reader, Stream};
pub use replay::{Played, Replay, ReplayCause, ReplayError};
pub use result::Termination;
pub use text::Text;
pub use token::{NumberedMove, Remark, RemarkKind, Tag, Token};
pub use tree::{
    Children, EditError, GameProblem, GameTree, NodeId, Placement, ProblemCause, Trees, Walk,
    WriteOptions,
};
pub use visitor::{Skip, Visitor};
pub use writer::{Layout, ROSTER, WriteError, Writer};

/// The largest number of bytes in a token: a comment, a tag, a move. A longer one is an error.
pub const MAX_TOKEN: usize = 1 << 16;

/// The largest depth of nested variations. Deeper ones are an error.
pub const MAX_DEPTH: u32 = 255;

/// The largest number of bytes in the text of a game, with its tags, comments and variations. The
/// token that exceeds it may still be read; anything after it is an error. Databases with
/// annotations stay far below: a thousand comments of a thousand characters are one MiB.
pub const MAX_GAME: usize = 1 << 25;

/// The largest number of tags in a game. More are an error.
pub const MAX_TAGS: u32 = 1 << 12;

/// The largest number of moves in a line that [`Replay`] plays. More are an error. If draws after
/// 75 moves are observed, no game has more than 17,697.
pub const MAX_PLIES: u32 = 1 << 17;

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
