//! shakmaty: lists the legal moves; leaf nodes are counted by the length of the list.

use ::shakmaty::fen::Fen;
use ::shakmaty::{CastlingMode, Chess, Position};

use crate::args::Args;
use crate::engine::Engine;

pub const NAME: &str = "shakmaty";

pub fn build(_: &Args) -> Result<Option<Box<dyn Engine>>, String> {
    Ok(Some(Box::new(Shakmaty)))
}

struct Shakmaty;

impl Engine for Shakmaty {
    fn name(&self) -> &'static str {
        NAME
    }

    fn perft(&mut self, fen: &str, depth: u32) -> Result<u64, String> {
        let fen: Fen = fen.parse().map_err(|error| format!("{error}"))?;
        let position: Chess =
            fen.into_position(CastlingMode::Standard).map_err(|error| error.to_string())?;
        Ok(if depth == 0 { 1 } else { count(&position, depth) })
    }
}

/// Leaf nodes at a depth of at least 1.
fn count(position: &Chess, depth: u32) -> u64 {
    let moves = position.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let mut nodes = 0;
    for mv in moves {
        let mut child = position.clone();
        child.play_unchecked(mv);
        nodes += count(&child, depth - 1);
    }
    nodes
}
