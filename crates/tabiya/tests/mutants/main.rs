//! The tests that mutation testing runs for each mutant: the quick tests of several files, linked
//! once, and a tour of the subjects of the slow ones. Each use of a kind of moves is another copy
//! of the generator, which is compiled for each mutant, so there are few. Ordinary test runs leave
//! this program out, because they run all of it. See `docs/testing.md` in the repository.

#[path = "../chess960.rs"]
mod chess960;
#[path = "../common/mod.rs"]
mod common;
#[path = "../exchange.rs"]
mod exchange;
#[path = "../fen.rs"]
mod fen;
#[path = "../play_san.rs"]
mod play_san;
#[path = "../playing.rs"]
mod playing;
#[path = "../position.rs"]
mod position;
#[path = "../rules.rs"]
mod rules;
#[path = "../san.rs"]
mod san;
#[path = "../setup.rs"]
mod setup;
mod tour;
