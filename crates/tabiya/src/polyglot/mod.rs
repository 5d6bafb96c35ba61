//! The opening books of Polyglot, and the key by which they identify a position.
//!
//! The format was made by Fabien Letouzey for the program Polyglot, and most engines read it. A
//! book is a list of [entries](Entry) of 16 bytes, sorted by key. [`Book`] looks moves up in the
//! bytes of one, wherever they are; [`Position::polyglot_key`] is the key.
//!
//! [`Position::polyglot_key`]: crate::Position::polyglot_key

mod book;
mod key;
mod numbers;

pub use book::{Book, BookError, BookMove, BookMoveCause, BookMoveError, BookMoves, Entry};
