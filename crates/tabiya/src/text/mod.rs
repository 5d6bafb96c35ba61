//! Positions and moves as text, one format a file.

pub mod fen;
pub(crate) mod uci;
