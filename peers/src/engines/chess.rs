//! The `chess` crate: its generator knows the number of moves without listing them.

use std::str::FromStr;

use ::chess::{Board, MoveGen};

use crate::args::Args;
use crate::engine::Engine;

pub const NAME: &str = "chess";

pub fn build(_: &Args) -> Result<Option<Box<dyn Engine>>, String> {
    Ok(Some(Box::new(Chess)))
}

struct Chess;

impl Engine for Chess {
    fn name(&self) -> &'static str {
        NAME
    }

    fn perft(&mut self, fen: &str, depth: u32) -> Result<u64, String> {
        let board = Board::from_str(fen).map_err(|error| error.to_string())?;
        Ok(if depth == 0 { 1 } else { count(&board, depth) })
    }
}

/// Leaf nodes at a depth of at least 1.
fn count(board: &Board, depth: u32) -> u64 {
    let moves = MoveGen::new_legal(board);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.map(|mv| count(&board.make_move_new(mv), depth - 1)).sum()
}
