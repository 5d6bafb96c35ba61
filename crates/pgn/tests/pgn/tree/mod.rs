//! Trees: read, written, changed.

mod changing;
mod keeping;
mod reading;
mod sizes;

use tabiya_pgn::ProblemCause::Replay;
use tabiya_pgn::{GameProblem, GameTree, Reader, WriteOptions};

/// The first game of a text.
fn tree(text: impl AsRef<[u8]>) -> GameTree {
    GameTree::read(&mut Reader::from_bytes(text.as_ref())).unwrap().expect("there is a game")
}

/// The tags as they are, so that nothing is added.
fn exact() -> WriteOptions {
    let mut options = WriteOptions::default();
    options.sort_tags = false;
    options
}

/// The movetext.
fn moves(tree: &GameTree) -> String {
    let text = tree.to_pgn(&exact()).unwrap();
    let text = text.trim_start_matches('\n');
    let tags = if text.starts_with('[') { text.find("\n\n").unwrap() } else { 0 };
    text[tags..].trim().to_owned()
}

/// A game written and read again is the same game.
pub(crate) fn assert_kept(tree: &GameTree) {
    for width in [10, 79, usize::MAX] {
        let mut options = exact();
        options.width = width;
        let text = tree.to_pgn(&options).unwrap();
        let copy = self::tree(&text);
        // A start that cannot be played is one again.
        let is_start = |it: &GameProblem| matches!(&it.cause, Replay(error) if error.ply() == 0);
        assert!(copy.problems().iter().all(is_start), "{:?}\n{text}", copy.problems());
        assert!(copy == *tree, "{text}\n{copy:?}\n{tree:?}");
    }
}
