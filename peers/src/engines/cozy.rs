//! cozy-chess: its generator returns sets of moves, so leaf nodes are counted by set size.

use cozy_chess::Board;

use crate::args::Args;
use crate::engine::Engine;

pub const NAME: &str = "cozy-chess";

pub fn build(_: &Args) -> Result<Option<Box<dyn Engine>>, String> {
    Ok(Some(Box::new(Cozy)))
}

/// cozy-chess, with PEXT look-ups if it's built with the feature `pext`.
#[derive(Debug)]
pub struct Cozy;

impl Engine for Cozy {
    fn name(&self) -> &'static str {
        NAME
    }

    fn perft(&mut self, fen: &str, depth: u32) -> Result<u64, String> {
        let board = Board::from_fen(fen, false).map_err(|error| error.to_string())?;
        Ok(if depth == 0 { 1 } else { count(&board, depth) })
    }
}

/// Leaf nodes at a depth of at least 1.
///
/// Depth 1 has a closure of its own. The generator is compiled for each closure, and with a
/// closure that can also play moves it is a third slower.
fn count(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
        return nodes;
    }
    board.generate_moves(|moves| {
        for mv in moves {
            let mut child = board.clone();
            child.play_unchecked(mv);
            nodes += count(&child, depth - 1);
        }
        false
    });
    nodes
}
