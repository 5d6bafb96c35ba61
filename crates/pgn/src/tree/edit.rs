//! Changes of a tree.

use std::error;
use std::fmt;

use tabiya::{IllegalMove, Move};

use super::GameTree;
use super::node::{End, NONE, NodeId};
use super::notes::{Full, Note};
use crate::MAX_PLIES;
use crate::comment::Comment;
use crate::token::Tag;
use crate::{Nag, Termination};

/// The place of a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Placement {
    /// Before the move, at the start of a variation.
    Before,
    /// After the move, or at the root before the first move.
    After,
}

/// The reason why a tree cannot be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EditError {
    /// The move is not legal.
    Illegal(IllegalMove),
    /// A null move in check.
    NullInCheck,
    /// The line would have more than [`MAX_PLIES`] moves.
    TooManyMoves,
    /// The name of a tag contains characters other than ASCII letters, digits and `_ + # = : -`.
    TagName,
    /// The value of a tag contains a control character, such as a line break.
    TagValue,
    /// The tags `FEN`, `SetUp` and `Variant` belong to the start position, which does not change.
    StartTag,
    /// The trees to merge have different start positions.
    Start,
    /// The name or the argument of a command has characters with which it would be another one.
    Command,
    /// The tree has 4 billion nodes or 4 GiB of comments, or there is no memory for more.
    Full,
}

impl From<Full> for EditError {
    fn from(_: Full) -> Self {
        Self::Full
    }
}

impl From<IllegalMove> for EditError {
    fn from(error: IllegalMove) -> Self {
        Self::Illegal(error)
    }
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Illegal(error) => return error.fmt(f),
            Self::NullInCheck => "a side in check cannot pass",
            Self::TooManyMoves => return write!(f, "the line has more than {MAX_PLIES} moves"),
            Self::TagName => {
                "the name of a tag may only contain ASCII letters, digits and _ + # = : -"
            }
            Self::TagValue => "the value of a tag contains a control character",
            Self::StartTag => "the tags of the start position cannot be changed",
            Self::Start => "the games have different start positions",
            Self::Command => "the command would not be read as it was given",
            Self::Full => "there is no room for more in the tree",
        })
    }
}

impl error::Error for EditError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Illegal(error) => Some(error),
            _ => None,
        }
    }
}

/// Adding moves.
impl GameTree {
    /// Adds a continuation, after those that exist. If there is one with this move, it is that.
    ///
    /// # Errors
    /// The move is not legal, or the line or the tree is too long.
    pub fn add(&mut self, to: NodeId, mv: Move) -> Result<NodeId, EditError> {
        self.add_line(to, &[mv])
    }

    /// Adds a null move: the side to move passes.
    ///
    /// # Errors
    /// The side to move is in check, or the line or the tree is too long.
    pub fn add_null(&mut self, to: NodeId) -> Result<NodeId, EditError> {
        self.live(to);
        if self.position(to).is_check() {
            return Err(EditError::NullInCheck);
        }
        self.check_length(to, 1)?;
        self.add_or_find(to, None)
    }

    /// Adds a line of moves, as far as it does not exist. Returns its last node.
    ///
    /// # Errors
    /// As [`add`](Self::add). Then nothing is added.
    ///
    /// ```
    /// use tabiya::Game;
    /// use tabiya_pgn::{GameTree, NodeId};
    ///
    /// let mut game = Game::new();
    /// for text in ["e4", "e5", "Nf3"] {
    ///     game.push(game.position().parse_move(text)?)?;
    /// }
    /// let mut tree = GameTree::from_position(game.start());
    /// let last = tree.add_line(NodeId::ROOT, game.moves())?;
    /// assert_eq!(tree.position(last), *game.position());
    /// assert_eq!(tree.add_line(NodeId::ROOT, &game.moves()[..2])?, tree.parent(last).unwrap());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_line(&mut self, to: NodeId, moves: &[Move]) -> Result<NodeId, EditError> {
        self.live(to);
        self.check_length(to, moves.len())?;
        let mut position = self.position(to);
        for &mv in moves {
            position = position.try_play(mv)?;
        }
        moves.iter().try_fold(to, |id, &mv| self.add_or_find(id, Some(mv)))
    }

    pub(super) fn add_or_find(
        &mut self,
        to: NodeId,
        mv: Option<Move>,
    ) -> Result<NodeId, EditError> {
        match self.child(to, mv) {
            Some(child) => Ok(child),
            None => self.nodes.add(to, mv, End::Last).ok_or(EditError::Full),
        }
    }

    fn check_length(&self, to: NodeId, more: usize) -> Result<(), EditError> {
        match self.ply(to) + more > MAX_PLIES as usize {
            true => Err(EditError::TooManyMoves),
            false => Ok(()),
        }
    }

    /// Changes of a deleted node would be lost.
    fn live(&self, id: NodeId) {
        assert!(self.contains(id), "the node has been deleted");
    }
}

/// Variations.
impl GameTree {
    /// Moves the node one place forward among the continuations of its parent. The main
    /// continuation stays the first.
    pub fn promote(&mut self, id: NodeId) {
        self.reorder(id, |at, _| at.saturating_sub(1));
    }

    /// Moves the node one place back among the continuations of its parent. The last one stays.
    pub fn demote(&mut self, id: NodeId) {
        self.reorder(id, |at, len| (at + 1).min(len - 1));
    }

    /// Makes the node the main continuation of its parent.
    pub fn promote_to_main(&mut self, id: NodeId) {
        self.reorder(id, |_, _| 0);
    }

    /// Makes the line that leads to the node the main line of the game.
    ///
    /// ```
    /// use tabiya_pgn::{GameTree, Reader, WriteOptions};
    ///
    /// let pgn = b"1. e4 e5 (1... c5 2. Nf3 (2. c3 d5)) 2. f4 *";
    /// let mut tree = GameTree::read(&mut Reader::from_bytes(pgn))?.unwrap();
    /// let d5 = tree.ends().find(|&id| tree.ply(id) == 4).unwrap();
    /// tree.make_main_line(d5);
    /// let text = tree.to_pgn(&WriteOptions::default()).unwrap();
    /// assert!(text.ends_with("\n1. e4 c5 (1... e5 2. f4) 2. c3 (2. Nf3) 2... d5 *\n\n"));
    /// # Ok::<(), tabiya_pgn::Error>(())
    /// ```
    pub fn make_main_line(&mut self, id: NodeId) {
        self.live(id);
        for id in self.path(id) {
            self.promote_to_main(id);
        }
    }

    fn reorder(&mut self, id: NodeId, to: impl FnOnce(usize, usize) -> usize) {
        self.live(id);
        let Some(parent) = self.parent(id) else { return };
        let mut children: Vec<NodeId> = self.children(parent).collect();
        let Some(from) = children.iter().position(|&child| child == id) else { return };
        let to = to(from, children.len());
        children.remove(from);
        children.insert(to, id);
        self.nodes.order(parent, &children);
    }

    /// Deletes the node and everything below it. The root stays, without continuations.
    ///
    /// The ids of nodes that were added last may be used again.
    pub fn delete(&mut self, id: NodeId) {
        self.live(id);
        match id {
            NodeId::ROOT => self.delete_below(id),
            _ => self.nodes.delete(id),
        }
    }

    /// Deletes everything below the node.
    pub fn delete_below(&mut self, id: NodeId) {
        self.live(id);
        self.nodes.delete_below(id);
    }

    /// Gives back the memory of deleted nodes and changed comments. All nodes get new ids.
    ///
    /// ```
    /// use tabiya_pgn::{GameTree, Reader};
    ///
    /// let mut tree = GameTree::read(&mut Reader::from_bytes(b"1. e4 (1. d4 {x}) e5 *"))?.unwrap();
    /// let before = tree.memory();
    /// tree.delete(tree.by_ply()[1][1]);
    /// tree.compact();
    /// assert!(tree.memory() < before);
    /// # Ok::<(), tabiya_pgn::Error>(())
    /// ```
    pub fn compact(&mut self) {
        let mut copy = Self::new();
        let mut ids = vec![NodeId::ROOT; self.nodes.slots()];
        for old in self.all() {
            if let Some(parent) = self.parent(old) {
                let new = copy.nodes.add(ids[parent.index()], self.mv(old), End::Last);
                ids[old.index()] = new.expect("the copy is not larger");
            }
            copy.copy_notes(ids[old.index()], self, old).expect("the copy is not larger");
        }
        (self.nodes, self.notes) = (copy.nodes, copy.notes);
        for problem in &mut self.problems {
            // A node that has been deleted may have no place any more.
            problem.node = ids.get(problem.node.index()).copied().unwrap_or(NodeId::ROOT);
        }
    }

    /// Copies all notes of a node of another tree.
    pub(super) fn copy_notes(
        &mut self,
        to: NodeId,
        other: &Self,
        from: NodeId,
    ) -> Result<(), EditError> {
        for note in other.list(from) {
            self.add_note(to, note)?;
        }
        Ok(())
    }

    pub(super) fn add_note(&mut self, id: NodeId, note: Note<'_>) -> Result<(), EditError> {
        Ok(self.notes.add(&mut self.nodes.get_mut(id).notes, note)?)
    }
}

/// Tags and result.
impl GameTree {
    /// Sets a tag. A new one is the last.
    ///
    /// # Errors
    /// The name or the value cannot be written, or the tag belongs to the start position.
    pub fn set_tag(&mut self, name: &str, value: &str) -> Result<(), EditError> {
        if matches!(name, "FEN" | "SetUp" | "Variant") {
            return Err(EditError::StartTag);
        }
        if !Tag::is_name(name.as_bytes()) {
            return Err(EditError::TagName);
        }
        if value.bytes().any(|byte| byte.is_ascii_control()) {
            return Err(EditError::TagValue);
        }
        self.tags.set(name, value);
        Ok(())
    }

    /// Removes a tag. Was there one?
    ///
    /// # Errors
    /// The tag belongs to the start position.
    pub fn remove_tag(&mut self, name: &str) -> Result<bool, EditError> {
        if matches!(name, "FEN" | "SetUp" | "Variant") {
            return Err(EditError::StartTag);
        }
        Ok(self.tags.remove(name))
    }

    /// Sets the result, also in the tags.
    pub fn set_result(&mut self, result: Termination) {
        self.marker = Some(result);
        self.tags.set("Result", result.as_str());
    }
}

/// Comments and glyphs.
impl GameTree {
    /// Adds a comment after the others. White space around it is removed, a line break becomes a
    /// space, and an empty comment is none.
    ///
    /// # Errors
    /// The tree is full.
    pub fn add_comment(
        &mut self,
        id: NodeId,
        placement: Placement,
        text: &str,
    ) -> Result<(), EditError> {
        self.live(id);
        let bytes = Comment::new(text.as_bytes()).unwrapped();
        let text = crate::Text(bytes.trim_ascii()).decode();
        match placement {
            _ if text.is_empty() => Ok(()),
            Placement::Before if id != NodeId::ROOT => self.add_note(id, Note::Before(&text)),
            _ => self.add_note(id, Note::After(&text)),
        }
    }

    /// Removes the comments at a place.
    pub fn remove_comments(&mut self, id: NodeId, placement: Placement) {
        self.retain_notes(id, |note| match note {
            Note::Before(_) => placement != Placement::Before,
            Note::After(_) => placement != Placement::After,
            Note::Nag(_) => true,
        });
    }

    /// Adds a glyph, unless the move has it.
    ///
    /// # Errors
    /// The tree is full.
    pub fn add_nag(&mut self, id: NodeId, nag: Nag) -> Result<(), EditError> {
        self.live(id);
        let has_it = self.nags(id).any(|given| given == nag);
        match has_it {
            true => Ok(()),
            false => self.add_note(id, Note::Nag(nag)),
        }
    }

    /// Removes a glyph.
    pub fn remove_nag(&mut self, id: NodeId, nag: Nag) {
        self.retain_notes(id, |note| *note != Note::Nag(nag));
    }

    /// Removes all comments and glyphs of a node.
    pub fn remove_notes(&mut self, id: NodeId) {
        self.live(id);
        self.nodes.get_mut(id).notes = NONE;
    }

    fn retain_notes(&mut self, id: NodeId, keep: impl Fn(&Note<'_>) -> bool) {
        self.live(id);
        let last = self.nodes.get(id).notes;
        self.nodes.get_mut(id).notes = self.notes.retain(last, keep);
    }

    /// Sets a command in the comments after a move, such as `clk`, or removes it. It takes the
    /// place of the first command of this name; a new one stands at the end of the last comment.
    ///
    /// # Errors
    /// The tree is full, or the command would be read as another one, because of a bracket in its
    /// argument, for example.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tabiya_pgn::{Evaluation, GameTree, NodeId, Reader, clock_text};
    ///
    /// let mut tree = GameTree::read(&mut Reader::from_bytes(b"1. e4 {[%clk 0:03:00] fine} *"))?.unwrap();
    /// let e4 = tree.next(NodeId::ROOT).unwrap();
    /// tree.set_command(e4, "clk", Some(&clock_text(Duration::from_millis(9500))))?;
    /// let eval = Evaluation::from_bytes(b"0.25").unwrap();
    /// tree.set_command(e4, "eval", Some(&eval.to_string()))?;
    /// assert_eq!(tree.comments(e4).next(), Some("[%clk 0:00:09.5] fine [%eval 0.25]"));
    /// tree.set_command(e4, "clk", None)?;
    /// assert_eq!(tree.comments(e4).next(), Some("fine [%eval 0.25]"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_command(
        &mut self,
        id: NodeId,
        name: &str,
        argument: Option<&str>,
    ) -> Result<(), EditError> {
        self.live(id);
        let mut comments: Vec<String> = self.comments(id).map(str::to_owned).collect();
        let mut new = argument.map(|argument| format!("[%{name} {argument}]"));
        if let (Some(text), Some(argument)) = (&new, argument)
            && !is_one_command(text, name, argument)
        {
            return Err(EditError::Command);
        }
        for comment in &mut comments {
            *comment = Comment::new(comment.as_bytes()).with_commands(|command| {
                (command.name == *name).then(|| new.take().unwrap_or_default())
            });
        }
        match (new, comments.last_mut()) {
            (Some(new), Some(last)) if !last.is_empty() => {
                last.push(' ');
                last.push_str(&new);
            }
            (Some(new), _) => comments.push(new),
            (None, _) => {}
        }
        self.remove_comments(id, Placement::After);
        for comment in comments {
            self.add_comment(id, Placement::After, &comment)?;
        }
        Ok(())
    }
}

/// Is the text read as this command and nothing else?
fn is_one_command(text: &str, name: &str, argument: &str) -> bool {
    let comment = Comment::new(text.as_bytes());
    let mut commands = comment.commands();
    let is_it =
        commands.next().is_some_and(|it| it.name == *name && it.argument == *argument.trim());
    is_it && !name.is_empty() && commands.next().is_none() && comment.without_commands().is_empty()
}
