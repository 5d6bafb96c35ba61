//! cozy-chess: moves come as sets, so a leaf is counted by adding up the sizes of the sets.

use cozy_chess::Board;

use crate::args::Args;
use crate::engine::Engine;

pub(super) const NAME: &str = "cozy-chess";

pub(super) fn build(_: &Args) -> Result<Option<Box<dyn Engine>>, String> {
    Ok(Some(Box::new(Cozy)))
}

struct Cozy;

impl Engine for Cozy {
    fn name(&self) -> &'static str {
        NAME
    }

    fn perft(&mut self, fen: &str, depth: u32) -> Result<u64, String> {
        let board = Board::from_fen(fen, false).map_err(|error| error.to_string())?;
        Ok(if depth == 0 { 1 } else { count(&board, depth) })
    }
}

/// Leaves below a board, for a depth of at least one.
///
/// Above the leaves the sizes of the sets are added up by a closure of its own: the generator is
/// compiled for each closure, and one that may also play moves makes it a third slower.
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
