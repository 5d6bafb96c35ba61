//! The tree of a game: its moves with all variations, comments and glyphs, to read, change and
//! write.

mod compare;
mod edit;
mod merge;
mod node;
mod notes;
mod options;
mod problem;
mod read;
mod tags;
mod walk;
mod write;

use std::time::Duration;

use tabiya::{CastlingMode, Color, Move, Position};

use self::node::Nodes;
use self::notes::{Note, Notes};
use self::tags::Tags;
use crate::comment::{Comment, Evaluation};
use crate::mark::Mark;
use crate::token::RemarkKind;
use crate::{Nag, Termination};

pub use edit::{EditError, Placement};
pub use node::{Children, NodeId};
pub use options::WriteOptions;
pub use problem::{GameProblem, ProblemCause};
pub use read::Trees;
pub use walk::Walk;

/// A game as a tree: tags, moves with variations, comments, glyphs, result.
///
/// The nodes are positions: [`NodeId::ROOT`] is the start, every other node is a move and the
/// position after it. The first child of a node is the main continuation, the others are
/// variations. A node has 20 bytes; positions are not stored, but computed on the way.
///
/// # What is kept
///
/// Reading keeps everything that PGN can say, so a game that is written and read again gives an
/// equal tree, unless tags are added or sorted ([`WriteOptions::sort_tags`]). It does not keep how something was written: comments are trimmed, and one on several
/// lines becomes one line. A comment in a variation without moves belongs to the move before the
/// variation, or to the first move of the line around it if that follows.
///
/// PGN has no place for a comment before a move that continues a line. It is written after the
/// comments of the move before, and is read back as one of those.
///
/// # Panics
///
/// All methods that take a [`NodeId`] panic if the node is not one of this tree. Those that change
/// the tree also panic if it has been deleted. See [`contains`](Self::contains).
///
/// ```
/// use tabiya_pgn::{GameTree, Nag, NodeId, Reader, WriteOptions};
///
/// let pgn = b"1. e4 e5 (1... c5 {sharp} 2. Nf3) 2. Nf3 $1 *";
/// let mut tree = GameTree::read(&mut Reader::from_bytes(pgn))?.unwrap();
///
/// let e4 = tree.next(NodeId::ROOT).unwrap();
/// let replies: Vec<String> =
///     tree.children(e4).map(|id| tree.position(e4).san(tree.mv(id).unwrap()).to_string()).collect();
/// assert_eq!(replies, ["e5", "c5"]);
///
/// let c5 = tree.children(e4).nth(1).unwrap();
/// tree.promote(c5);
/// tree.add_nag(c5, Nag::GOOD)?;
/// let d4 = tree.position(c5).parse_move("d4")?;
/// tree.add(c5, d4)?;
/// let text = tree.to_pgn(&WriteOptions::default())?;
/// assert!(text.ends_with("1. e4 c5 $1 {sharp} (1... e5 2. Nf3 $1) 2. Nf3 (2. d4) *\n\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias("game", "variations", "study"))]
#[derive(Clone, Debug)]
pub struct GameTree {
    nodes: Nodes,
    notes: Notes,
    tags: Tags,
    start: Position,
    /// The result after the moves.
    marker: Option<Termination>,
    problems: Vec<GameProblem>,
    /// The number of remarks of each kind.
    remarks: [u32; RemarkKind::ALL.len()],
    /// Are comments read as they are written?
    keeps_blanks: bool,
}

impl Default for GameTree {
    fn default() -> Self {
        Self::new()
    }
}

/// New trees.
impl GameTree {
    /// A game without tags and moves, from the usual start position.
    pub fn new() -> Self {
        Self {
            nodes: Nodes::new(),
            notes: Notes::default(),
            tags: Tags::default(),
            start: Position::START,
            marker: None,
            problems: Vec::new(),
            remarks: [0; RemarkKind::ALL.len()],
            keeps_blanks: false,
        }
    }

    /// The same, but comments that are read into it keep their line breaks, and all white space.
    ///
    /// ```
    /// use tabiya_pgn::{GameTree, Reader};
    ///
    /// let mut tree = GameTree::with_blanks();
    /// tree.read_next(&mut Reader::from_bytes(b"1. e4 {two\nlines} *"))?;
    /// assert_eq!(tree.comments(tree.end()).next(), Some("two\nlines"));
    /// # Ok::<(), tabiya_pgn::Error>(())
    /// ```
    pub fn with_blanks() -> Self {
        Self { keeps_blanks: true, ..Self::new() }
    }

    /// A game from any position. The tags say so: `SetUp`, `FEN`, and `Variant` for Chess960.
    ///
    /// ```
    /// use tabiya::Position;
    /// use tabiya_pgn::GameTree;
    ///
    /// let tree = GameTree::from_position(&"8/8/8/8/8/4k3/4p3/4K3 w - - 0 60".parse()?);
    /// assert_eq!(tree.tag("FEN"), Some("8/8/8/8/8/4k3/4p3/4K3 w - - 0 60"));
    /// # Ok::<(), tabiya::FenError>(())
    /// ```
    pub fn from_position(start: &Position) -> Self {
        let mut tree = Self::new();
        tree.start = start.clone();
        if start.castling_mode() == CastlingMode::Chess960 {
            tree.tags.push("Variant", "Chess960");
        }
        let fen = start.fen().to_string();
        if fen != Position::START.fen().to_string() {
            tree.tags.push("SetUp", "1");
            tree.tags.push("FEN", &fen);
        }
        tree
    }

    /// Removes everything, but keeps the memory.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.notes.clear();
        self.tags.clear();
        self.start = Position::START;
        self.marker = None;
        self.problems.clear();
        self.remarks = [0; RemarkKind::ALL.len()];
    }
}

/// The game as a whole.
impl GameTree {
    /// The position at the start.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The tags in their order.
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.iter()
    }

    /// The value of the first tag with this name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.get(name)
    }

    /// The result: the marker after the moves, or else the tag `Result`, see
    /// [`Termination::of_game`].
    pub fn result(&self) -> Termination {
        let tag = self.tag("Result").and_then(|value| Termination::from_bytes(value.as_bytes()));
        Termination::of_game(self.marker, tag)
    }

    /// The errors of the game in its file. The tree has everything before them; the rest of each line is
    /// a comment at its end.
    pub fn problems(&self) -> &[GameProblem] {
        &self.problems
    }

    /// How often the game, or the text before it, has words without a meaning: each kind that it has.
    ///
    /// ```
    /// use tabiya_pgn::{GameTree, Reader, RemarkKind};
    ///
    /// let pgn = b"1. e4 good [Diagram] e5 with chances 3. Nf3";
    /// let tree = GameTree::read(&mut Reader::from_bytes(pgn))?.unwrap();
    /// let remarks: Vec<_> = tree.remarks().collect();
    /// assert_eq!(remarks[..2], [(RemarkKind::Word, 3), (RemarkKind::Bracket, 1)]);
    /// # Ok::<(), tabiya_pgn::Error>(())
    /// ```
    pub fn remarks(&self) -> impl Iterator<Item = (RemarkKind, u32)> {
        RemarkKind::ALL.into_iter().zip(self.remarks).filter(|remark| remark.1 > 0)
    }

    /// The number of nodes, with the root.
    #[expect(clippy::len_without_is_empty, reason = "there is always the root")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The bytes that the tree occupies, without unused capacity.
    pub fn memory(&self) -> usize {
        let tags: usize = self.tags().map(|(name, value)| name.len() + value.len() + 32).sum();
        size_of::<Self>() + self.nodes.slots() * size_of::<node::Node>() + self.notes.bytes() + tags
    }
}

/// Nodes.
impl GameTree {
    /// Does the node exist, and is not deleted?
    pub fn contains(&self, id: NodeId) -> bool {
        self.nodes.contains(id)
    }

    /// The move that leads to the node. `None` at the root and for a null move.
    pub fn mv(&self, id: NodeId) -> Option<Move> {
        self.nodes.get(id).mv
    }

    /// Is the move to the node a null move?
    pub fn is_null(&self, id: NodeId) -> bool {
        id != NodeId::ROOT && self.mv(id).is_none()
    }

    /// The node before the move. `None` at the root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.nodes.parent(id)
    }

    /// The continuations, the main one first.
    pub fn children(&self, id: NodeId) -> Children<'_> {
        self.nodes.children(id)
    }

    /// The main continuation.
    pub fn next(&self, id: NodeId) -> Option<NodeId> {
        self.nodes.first_child(id)
    }

    /// The continuation with this move; `None` as the move finds a null move.
    pub fn child(&self, id: NodeId, mv: Option<Move>) -> Option<NodeId> {
        self.children(id).find(|&child| self.mv(child) == mv)
    }

    /// Is it the root or the main continuation of its parent?
    pub fn is_main_continuation(&self, id: NodeId) -> bool {
        self.parent(id).is_none_or(|parent| self.next(parent) == Some(id))
    }

    /// Is it in the main line of the game?
    pub fn is_main_line(&self, id: NodeId) -> bool {
        self.path(id).iter().all(|&id| self.is_main_continuation(id))
    }

    /// The number of moves from the start.
    pub fn ply(&self, id: NodeId) -> usize {
        std::iter::successors(self.parent(id), |&id| self.parent(id)).count()
    }

    /// The nodes from the start to this one, without the root.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let not_root = |id: &NodeId| *id != NodeId::ROOT;
        let up = std::iter::successors(Some(id), |&id| self.parent(id)).filter(not_root);
        let mut path: Vec<NodeId> = up.collect();
        path.reverse();
        path
    }

    /// The position at the node. It plays the moves from the start; to visit many nodes, use
    /// [`walk`](Self::walk).
    pub fn position(&self, id: NodeId) -> Position {
        self.path(id)
            .iter()
            .fold(self.start.clone(), |before, &id| self.position_after(&before, id))
    }

    /// The position at the node, from the one at its parent.
    pub fn position_after(&self, before: &Position, id: NodeId) -> Position {
        match self.mv(id) {
            Some(mv) => before.play(mv),
            // A null move in check cannot be added.
            None => before.play_null().unwrap_or_else(|| before.clone()),
        }
    }
}

/// Comments and glyphs.
impl GameTree {
    /// The comments after the move, in their order; at the root, those before the first move.
    pub fn comments(&self, id: NodeId) -> impl Iterator<Item = &str> {
        self.list(id).filter_map(|note| match note {
            Note::After(text) => Some(text),
            _ => None,
        })
    }

    /// The comments before the move. Reading finds them at the start of variations.
    pub fn comments_before(&self, id: NodeId) -> impl Iterator<Item = &str> {
        self.list(id).filter_map(|note| match note {
            Note::Before(text) => Some(text),
            _ => None,
        })
    }

    /// The glyphs of the move, in their order.
    pub fn nags(&self, id: NodeId) -> impl Iterator<Item = Nag> {
        self.list(id).filter_map(|note| match note {
            Note::Nag(nag) => Some(nag),
            _ => None,
        })
    }

    fn list(&self, id: NodeId) -> notes::List<'_> {
        self.notes.list(self.nodes.get(id).notes)
    }
}

/// The commands in the comments of a node.
impl GameTree {
    /// The time that the player has left after the move, from `[%clk 1:02:03]`.
    pub fn clock(&self, id: NodeId) -> Option<Duration> {
        self.parsed(id).find_map(|comment| comment.clock())
    }

    /// The time that the move took, from `[%emt 0:00:05]` or `+0.25/13 5.0s`.
    pub fn elapsed(&self, id: NodeId) -> Option<Duration> {
        self.parsed(id).find_map(|comment| comment.elapsed())
    }

    /// The evaluation of the move for White, from `[%eval 0.25]`, or as tournament programs write
    /// it: `+0.25/13 0.02s`.
    ///
    /// ```
    /// use tabiya_pgn::{GameTree, NodeId, Reader};
    ///
    /// let pgn = b"1. e4 {+0.25/13 0.1s} e5 {+0.40/12 0.1s} *";
    /// let tree = GameTree::read(&mut Reader::from_bytes(pgn))?.unwrap();
    /// let evals = tree.main_line(NodeId::ROOT).map(|id| tree.eval(id).unwrap().to_string());
    /// assert_eq!(evals.collect::<Vec<_>>(), ["0.25,13", "-0.40,12"]);
    /// # Ok::<(), tabiya_pgn::Error>(())
    /// ```
    pub fn eval(&self, id: NodeId) -> Option<Evaluation> {
        self.parsed(id).find_map(|comment| {
            comment.eval().or_else(|| {
                let for_white = comment.eval_for(Color::White)?;
                // Counting the plies takes a while.
                let is_white = (self.ply(id) % 2 == 1) == (self.start.turn() == Color::White);
                if is_white { Some(for_white) } else { comment.eval_for(Color::Black) }
            })
        })
    }

    /// The coloured squares and arrows, from `[%csl Rd4]` and `[%cal Gg1f3]`.
    pub fn marks(&self, id: NodeId) -> impl Iterator<Item = Mark> {
        self.parsed(id).flat_map(|comment| comment.marks())
    }

    /// The text of the comments after the move, without commands.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tabiya_pgn::{Eval, GameTree, NodeId, Reader};
    ///
    /// let pgn = b"1. e4 {[%clk 0:03:00][%eval #5]} {[%cal Ge4e5] good} *";
    /// let tree = GameTree::read(&mut Reader::from_bytes(pgn))?.unwrap();
    /// let e4 = tree.end();
    /// assert_eq!(tree.clock(e4), Some(Duration::from_secs(180)));
    /// assert_eq!(tree.eval(e4).unwrap().score, Eval::Mate(5));
    /// assert_eq!(tree.marks(e4).next().unwrap().to_string(), "Ge4e5");
    /// assert_eq!(tree.text(e4), "good");
    /// # Ok::<(), tabiya_pgn::Error>(())
    /// ```
    pub fn text(&self, id: NodeId) -> String {
        let texts: Vec<String> =
            self.parsed(id).map(|comment| comment.without_commands()).collect();
        let texts: Vec<&str> =
            texts.iter().map(String::as_str).filter(|it| !it.is_empty()).collect();
        texts.join(" ")
    }

    fn parsed(&self, id: NodeId) -> impl Iterator<Item = Comment<'_>> {
        self.comments(id).map(|text| Comment::new(text.as_bytes()))
    }
}
