//! Trees to files.

use std::io::Write;

use tabiya::Position;

use super::GameTree;
use super::node::NodeId;
use super::options::WriteOptions;
use crate::Termination;
use crate::comment::Comment;
use crate::writer::{Layout, WriteError, Writer};

impl GameTree {
    /// Writes the game. Lines are broken as the writer has been told, see
    /// [`Writer::with_layout`]; the options `width` and `sort_tags` have no effect.
    ///
    /// # Errors
    /// The output cannot be written to, variations are nested too deep, or a comment or a tag is
    /// too long. Then the game is not written.
    pub fn write<W: Write>(
        &self,
        writer: &mut Writer<W>,
        options: &WriteOptions,
    ) -> Result<(), WriteError> {
        let written = self.write_game(writer, options);
        if written.is_err() {
            writer.drop_game();
        }
        written
    }

    fn write_game<W: Write>(
        &self,
        writer: &mut Writer<W>,
        options: &WriteOptions,
    ) -> Result<(), WriteError> {
        writer.begin_game();
        writer.number_from(&self.start);
        for (name, value) in self.tags() {
            writer.tag(name, value)?;
        }
        let mut moves = Moves { tree: self, writer, options };
        moves.notes(NodeId::ROOT)?;
        moves.line(self.next(NodeId::ROOT), self.start.clone())?;
        writer.end_game(self.result())
    }

    /// A move, its later siblings and all that follows, in one line. Empty if it is too long.
    pub(super) fn text_from(&self, first: NodeId) -> String {
        let start = self.position(self.parent(first).unwrap_or(first));
        let layout = Layout { width: usize::MAX, sort_tags: false };
        let mut writer = Writer::with_layout(Vec::new(), layout);
        writer.begin_game();
        writer.number_from(&start);
        let options = &WriteOptions::default();
        let mut moves = Moves { tree: self, writer: &mut writer, options };
        let written = moves.line(Some(first), start);
        let written = written.and_then(|()| writer.end_game(Termination::Unknown));
        let text = written.and_then(|()| writer.finish()).unwrap_or_default();
        String::from_utf8_lossy(&text).trim().trim_end_matches(" *").to_owned()
    }

    /// The game as text.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn to_pgn(&self, options: &WriteOptions) -> Result<String, WriteError> {
        let layout = Layout { width: options.width, sort_tags: options.sort_tags };
        let mut writer = Writer::with_layout(Vec::new(), layout);
        self.write(&mut writer, options)?;
        let text = writer.finish()?;
        Ok(String::from_utf8(text).expect("all parts of a tree are text"))
    }
}

/// The moves of a tree on their way into a file.
struct Moves<'t, W> {
    tree: &'t GameTree,
    writer: &'t mut Writer<W>,
    options: &'t WriteOptions,
}

impl<W: Write> Moves<'_, W> {
    /// A move and its main continuations, with the moves after each among its siblings as variations.
    ///
    /// It calls itself for variations. The writer refuses those that are nested too deep.
    fn line(&mut self, first: Option<NodeId>, mut position: Position) -> Result<(), WriteError> {
        let mut next = first;
        while let Some(id) = next {
            self.comments(self.tree.comments_before(id))?;
            self.mv(id, &position)?;
            self.notes(id)?;
            if self.options.variations {
                for variation in self.tree.nodes.later_siblings(id) {
                    self.writer.begin_variation()?;
                    self.comments(self.tree.comments_before(variation))?;
                    self.mv(variation, &position)?;
                    self.notes(variation)?;
                    let after = self.tree.position_after(&position, variation);
                    self.line(self.tree.next(variation), after)?;
                    self.writer.end_variation()?;
                }
            }
            position = self.tree.position_after(&position, id);
            next = self.tree.next(id);
        }
        Ok(())
    }

    fn mv(&mut self, id: NodeId, before: &Position) -> Result<(), WriteError> {
        match self.tree.mv(id) {
            Some(mv) => self.writer.valid_move(before.san(mv).text().as_bytes()),
            None => self.writer.valid_move(b"--"),
        }
    }

    /// What stands after a move.
    fn notes(&mut self, id: NodeId) -> Result<(), WriteError> {
        if self.options.nags {
            self.tree.nags(id).try_for_each(|nag| self.writer.nag(nag))?;
        }
        self.comments(self.tree.comments(id))
    }

    fn comments<'t>(
        &mut self,
        mut comments: impl Iterator<Item = &'t str>,
    ) -> Result<(), WriteError> {
        if !self.options.comments {
            return Ok(());
        }
        if self.options.clocks {
            return comments.try_for_each(|text| self.writer.comment(text));
        }
        comments.try_for_each(|text| {
            let text = Comment::new(text.as_bytes()).without(&["clk", "emt"]);
            if text.is_empty() { Ok(()) } else { self.writer.comment(&text) }
        })
    }
}
