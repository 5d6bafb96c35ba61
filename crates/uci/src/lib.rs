//! A client for chess engines that speak UCI, on the positions and moves of [`tabiya`].
//!
//! * [`Engine`] starts a program, knows its [options](EngineOption), and searches: [`play`](Engine::play)
//!   for a move, [`analyse`](Engine::analyse) for several lines, and [`begin`](Engine::begin) with
//!   [`poll`](Engine::poll) for what it says meanwhile.
//! * It searches the last position of a [`Game`](tabiya::Game), and knows the moves before it. A position in
//!   the Chess960 notation is searched in the engine's Chess960 mode.
//! * A [`Limit`] ends a search.
//! * An [`Info`] has typed values, and its moves are legal.
//! * No wait is without a deadline ([`Settings`]). An engine that crashes, falls silent, prints without
//!   end or breaks the protocol is killed, and the reason is an [`Error`].
//!
//! ```no_run
//! use std::time::Duration;
//! use tabiya::Game;
//! use tabiya_uci::{Engine, Limit};
//!
//! let mut engine = Engine::start(&["stockfish".to_owned()])?;
//! engine.set_option("Hash", 64)?;
//! let mut game = Game::new();
//! while game.outcome().is_none() {
//!     let found = engine.play(&game, &Limit::time(Duration::from_millis(100)))?;
//!     let best = found.best.expect("the game goes on, so there is a move");
//!     game.push(best).expect("it's legal");
//! }
//! engine.quit();
//! # Ok::<(), tabiya_uci::Error>(())
//! ```
//!
//! [`process`] has what is below: pipes with deadlines, for protocols of lines.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod engine;
mod error;
mod info;
mod limit;
mod option;
pub mod process;
mod score;
mod search;

pub use engine::{Engine, Settings};
pub use error::Error;
pub use info::Info;
pub use limit::Limit;
pub use option::{EngineOption, OptionKind};
pub use score::{Bound, Score};
pub use search::{Found, Step};

/// Tests the examples in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
