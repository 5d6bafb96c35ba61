//! Games in PGN: read, checked, written.
//!
//! * [`Reader`] yields borrowed [`Token`]s: tags, moves, comments, glyphs, variations, results. It
//!   allocates nothing per move and validates no text. It reads a slice ([`Reader::from_bytes`]) or
//!   anything that is [`std::io::Read`] ([`Reader::new`]).
//! * [`Replay`] plays the tokens on a [`tabiya::Position`]: every move is checked, also in variations.
//! * [`Writer`] writes games with lines of less than 80 characters.
//! * [`Visitor`] is called for each token of a game, as another way to read.
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
//! # What is read
//!
//! Files are not written by the book, so the reader accepts what people and programs write:
//!
//! * a byte-order mark, Windows line ends, any white space, lines that begin with `%`;
//! * UTF-8 or Latin-1: text is bytes until [`Text::decode`] is called;
//! * `1.e4`, `1. e4`, `1 e4`, `1. ...`, `10....`, wrong numbers and no numbers;
//! * comments in braces and behind semicolons, also before the first move and between glyphs;
//! * `!`, `?!` and so on as glyphs, `$1` to `$255`, signs such as `+-` and `±`;
//! * `--` and `Z0` as moves, `0-0` as castling, `e8(Q)`, `e.p.`;
//! * quotation marks in the value of a tag, escaped or not;
//! * a missing result: a game ends where the next one begins, at its tags, or at `1.` after an empty
//!   line.
//!
//! What cannot be read is an [`Error`] with line, column and byte. The reader goes on with the next
//! game, which it finds by its first tag, or by `1.` after an empty line.
//!
//! # What is bounded
//!
//! Time is linear in the length of the input and memory is constant, whatever the input contains. A
//! token has at most [`MAX_TOKEN`] bytes, and variations are nested at most [`MAX_DEPTH`] deep. More
//! is an error of that game.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod chunks;
mod comment;
mod error;
mod lexer;
mod place;
mod reader;
mod replay;
mod text;
mod token;
mod visitor;
mod writer;

pub use chunks::{Chunk, Chunks};
pub use comment::{Command, Commands, Comment, Eval, Evaluation};
pub use error::{Error, ErrorKind};
pub use place::Place;
pub use reader::{Bytes, Input, Reader, Stream};
pub use replay::{Replay, ReplayCause, ReplayError};
pub use text::Text;
pub use token::{Nag, Tag, Termination, Token};
pub use visitor::{Skip, Visitor};
pub use writer::{ROSTER, WriteError, Writer};

/// The bytes that a token may have: a comment, a tag, a move. A longer one is an error.
pub const MAX_TOKEN: usize = 1 << 16;

/// How deep variations may be nested. Deeper ones are an error.
pub const MAX_DEPTH: u32 = 255;

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
