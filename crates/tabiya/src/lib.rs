//! A fast, exact and explainable chess move generator.
//!
//! A *tabiya* is the well-known position from which play begins:
//!
//! ```
//! use tabiya::Position;
//!
//! let start = Position::START;
//! assert_eq!(start.legal_moves().len(), 20);
//!
//! // Text in, text out.
//! let king_pawn = start.parse_move("e4").unwrap();
//! let position = start.play(king_pawn);
//! assert_eq!(
//!     position.fen().to_string(),
//!     "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
//! );
//!
//! // Perft: the number of leaf nodes at a depth.
//! fn perft(position: &Position, depth: u32) -> u64 {
//!     match depth {
//!         0 => 1,
//!         1 => position.count_legal() as u64,
//!         _ => position.legal_moves().into_iter().map(|m| perft(&position.play(m), depth - 1)).sum(),
//!     }
//! }
//! assert_eq!(perft(&start, 4), 197_281);
//! ```
//!
//! # How it fits together
//!
//! Text is read into a [`Setup`], which holds anything a board editor can hold. A setup is
//! *playable* if each side has one king, the opponent's king is not in check, and so on:
//! [`PositionError`] lists the rules. A playable setup becomes a [`Position`]; from then on nothing
//! fails. The generator ([`movegen`]) first finds the pinned pieces and the checkers. Then it
//! passes sets of moves to a [`movegen::Sink`]: a [`MoveList`], a count, or your own. A [`Move`]
//! has 16 bits. [`Position::play`] returns the next position; [`Position::make`] and
//! [`Position::unmake`] work in place.
//!
//! A method whose name ends in `_with` lets the caller pass something that the plain form finds or
//! chooses itself: facts, a slider method, a notation. The generator takes all of these, see
//! [`movegen::Generator`].
//!
//! | to do this | look here |
//! | --- | --- |
//! | read and write FEN and EPD | [`Position::from_fen`], [`Position::fen`], [`fen`], [`epd`] |
//! | read and write moves | [`Position::parse_move`], [`Position::parse_san`], [`Position::san`], [`san`] |
//! | set up Chess960 | [`Position::chess960`], [`chess960`] |
//! | list, count and test moves | [`Position::legal_moves`], [`movegen`], [`MoveList`] |
//! | play moves | [`Position::play`], [`Position::make`], [`Position::unmake`] |
//! | order moves for a search | [`order`] with its [`order::Picker`] and [`order::see`] |
//! | explain why a move is not legal | [`Position::explain`], [`Reason`] |
//! | detect the end of a game | [`Position::outcome`], [`Outcome`], [`Game`] |
//! | find repetitions in a search | [`History`] |
//! | read opening books | [`polyglot::Book`], [`Position::polyglot_key`] |
//! | store positions and moves | [`PackedPosition`], [`Move::to_bytes`] |
//! | edit a board, list its moves without kings | [`Setup`], [`Board`] |
//! | find attacks | [`attacks`], [`Bitboard`] |
//!
//! The [`guide`] has pages of short answers (["How do I …"](guide::how_do_i)), a
//! [cookbook](guide::cookbook), pages for those [coming from shakmaty, cozy-chess or
//! chess](guide::coming_from), on [what to choose](guide::choosing), on
//! [stability](guide::stability), and an [introduction to move generation](guide::explained) with
//! pictures.
//!
//! # Features
//!
//! Features only add items.
//!
//! * `std` (on by default, includes `alloc`): tests at run time which features the CPU has. Without
//!   it the library is `no_std`.
//! * `alloc`: adds [`Game`], which needs a heap.
//! * `serde`: positions, setups, moves, squares and so on are read and written with
//!   [serde](https://docs.rs/serde): as text (FEN, UCI, `e4`) in human-readable formats, packed in
//!   others. The page on [stability](guide::stability#serde) has a table of the forms.
//! * `arbitrary` (includes `std`): makes values for fuzzing, with
//!   [arbitrary](https://docs.rs/arbitrary): playable positions, setups of any kind, moves.
#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![allow(long_running_const_eval, reason = "the tables hold 107,648 attack sets each")]

#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(feature = "arbitrary")]
mod arbitrary;
pub mod attacks;
mod bitboard;
mod board;
mod castling;
mod color;
mod direction;
mod explain;
#[cfg(any(doc, doctest))]
pub mod guide;
mod list;
pub mod movegen;
mod moves;
pub mod order;
pub mod packed;
pub mod polyglot;
mod position;
mod random;
mod role;
mod rules;
#[cfg(feature = "serde")]
mod serde;
mod setup;
mod square;
mod text;
mod zobrist;

pub use bitboard::{Bitboard, DiagramError, Squares, Subsets};
pub use board::Board;
pub use castling::{CastlingMode, CastlingRights, CastlingSide};
pub use color::Color;
pub use direction::Direction;
pub use explain::{Detail, Explanation, Line, PlacedPiece, Reason, Reasons, Refusal, UciError};
pub use movegen::Legality;
pub use moves::{Move, MoveKind, MoveList};
pub use packed::PackedPosition;
pub use position::{IllegalMove, Position, Undo};
pub use random::SplitMix64;
pub use role::{Piece, Role};
#[cfg(feature = "alloc")]
pub use rules::Game;
pub use rules::{GameResult, GameResultError, History, HistoryFull, Outcome};
pub use setup::{EnPassantCause, Impossible, PositionError, Setup, chess960};
pub use square::{File, Rank, Square, SquareError};
pub use text::epd;
pub use text::fen::{self, FenError};
pub use text::notation::{MoveText, Notation, NotationError, NotationNameError};
pub use text::san::{self, San, SanError};
pub use text::uci::{UciMove, UciMoveCause, UciMoveError};

/// The examples of the package's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
