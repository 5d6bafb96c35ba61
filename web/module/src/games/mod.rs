//! Positions and games.

mod game;
mod position;
mod tree;
