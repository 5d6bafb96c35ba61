//! Several games in one tree, and lines as games of their own.

use tabiya::Move;

use super::GameTree;
use super::edit::EditError;
use super::node::{End, NodeId};
use super::notes::Note;

impl GameTree {
    /// Adds everything that is in another tree: its moves, and its comments and glyphs where they
    /// differ. The moves of this tree stay first. Tags and result stay as they are.
    ///
    /// # Errors
    /// The start positions differ, or the tree is full. In the second case a part of the other tree
    /// has been added.
    ///
    /// ```
    /// use tabiya_pgn::{GameTree, Reader, WriteOptions};
    ///
    /// let mut games = Reader::from_bytes(b"1. e4 e5 2. Nf3 * 1. e4 c5 {sharp} * 1. e4 e5 2. f4 *").trees();
    /// let mut tree = games.next().unwrap()?;
    /// for game in games {
    ///     tree.merge(&game?)?;
    /// }
    /// let text = tree.to_pgn(&WriteOptions::default())?;
    /// assert!(text.ends_with("\n1. e4 e5 (1... c5 {sharp}) 2. Nf3 (2. f4) *\n\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn merge(&mut self, other: &Self) -> Result<(), EditError> {
        let mode = |tree: &Self| tree.start.castling_mode();
        if self.start != other.start || mode(self) != mode(other) {
            return Err(EditError::Start);
        }
        let mut ids = vec![NodeId::ROOT; other.nodes.slots()];
        self.merge_notes(NodeId::ROOT, other, NodeId::ROOT)?;
        // A node has few different moves, but perhaps many continuations with the same one.
        let mut moves: Vec<(Option<Move>, NodeId)> = Vec::new();
        for from in other.all() {
            let to = ids[from.index()];
            moves.clear();
            if other.next(from).is_some() {
                for child in self.nodes.children(to) {
                    let mv = self.mv(child);
                    if moves.iter().all(|it| it.0 != mv) {
                        moves.push((mv, child));
                    }
                }
            }
            for child in other.children(from) {
                let mv = other.mv(child);
                ids[child.index()] = match moves.iter().find(|it| it.0 == mv) {
                    Some(&(_, id)) => id,
                    None => {
                        let id = self.nodes.add(to, mv, End::Last).ok_or(EditError::Full)?;
                        moves.push((mv, id));
                        id
                    }
                };
                self.merge_notes(ids[child.index()], other, child)?;
            }
        }
        Ok(())
    }

    fn merge_notes(&mut self, to: NodeId, other: &Self, from: NodeId) -> Result<(), EditError> {
        Ok(self.notes.add_missing(&mut self.nodes.get_mut(to).notes, other.list(from))?)
    }

    /// The line that leads to a node as a game of its own, with the tags and the result of this
    /// one. A comment before a move stands after the move before.
    ///
    /// ```
    /// use tabiya_pgn::{GameTree, Reader};
    ///
    /// let tree = GameTree::read(&mut Reader::from_bytes(b"1. e4 e5 (1... c5 2. Nf3) *"))?.unwrap();
    /// let lines: Vec<GameTree> = tree.ends().map(|end| tree.line(end)).collect();
    /// assert_eq!(lines.iter().map(GameTree::len).collect::<Vec<_>>(), [3, 4]);
    /// # Ok::<(), tabiya_pgn::Error>(())
    /// ```
    pub fn line(&self, to: NodeId) -> Self {
        let mut line = Self::new();
        line.start = self.start.clone();
        line.tags = self.tags.clone();
        line.marker = self.marker;
        let mut at = NodeId::ROOT;
        const SMALLER: &str = "a line is not larger than the tree";
        line.copy_notes(at, self, at).expect(SMALLER);
        for from in self.path(to) {
            for text in self.comments_before(from) {
                line.add_note(at, Note::After(text)).expect(SMALLER);
            }
            at = line.nodes.add(at, self.mv(from), End::Last).expect(SMALLER);
            for note in self.list(from).filter(|note| !matches!(note, Note::Before(_))) {
                line.add_note(at, note).expect(SMALLER);
            }
        }
        line
    }
}
