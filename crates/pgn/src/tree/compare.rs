//! When two trees are equal.

use super::GameTree;

/// Two trees are equal if they say the same: start, tags in their order, moves with variations,
/// comments and glyphs in their order, result. Where they were read, their errors and the numbers
/// of their nodes do not matter.
impl PartialEq for GameTree {
    fn eq(&self, other: &Self) -> bool {
        let fen = |tree: &Self| tree.start.fen().to_string();
        let nodes = || self.all().zip(other.all());
        self.start.castling_mode() == other.start.castling_mode()
            && fen(self) == fen(other)
            && self.tags().eq(other.tags())
            && self.result() == other.result()
            && self.len() == other.len()
            && nodes().all(|(id, of_other)| {
                self.mv(id) == other.mv(of_other)
                    && self.children(id).count() == other.children(of_other).count()
                    && self.nags(id).eq(other.nags(of_other))
                    && self.comments(id).eq(other.comments(of_other))
                    && self.comments_before(id).eq(other.comments_before(of_other))
            })
    }
}

impl Eq for GameTree {}
