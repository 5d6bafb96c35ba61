//! tabiya's library through its public interface: the children of a position, and counts at depth
//! 1.

use ::tabiya::Position;

use crate::args::Args;
use crate::engine::Engine;

pub const NAME: &str = "tabiya";

pub fn build(_: &Args) -> Result<Option<Box<dyn Engine>>, String> {
    Ok(Some(Box::new(Tabiya)))
}

/// The library.
#[derive(Debug)]
pub struct Tabiya;

impl Engine for Tabiya {
    fn name(&self) -> &'static str {
        NAME
    }

    fn perft(&mut self, fen: &str, depth: u32) -> Result<u64, String> {
        let position = Position::from_fen(fen).map_err(|error| error.to_string())?;
        Ok(if depth == 0 { 1 } else { count(&position, depth) })
    }
}

/// Leaf nodes at a depth of at least 1.
fn count(position: &Position, depth: u32) -> u64 {
    if depth == 1 {
        return position.count_legal() as u64;
    }
    let mut nodes = 0;
    position.for_each_child(|_, child| nodes += count(child, depth - 1));
    nodes
}
