//! The rules that end a game.

#[cfg(feature = "alloc")]
mod game;
mod history;
mod material;
mod outcome;

#[cfg(feature = "alloc")]
pub use game::Game;
pub use history::{History, HistoryFull};
pub use outcome::{GameResult, GameResultError, Outcome};
