//! Ways through a tree, and the positions on them.

use std::collections::HashMap;

use tabiya::Position;

use super::GameTree;
use super::node::NodeId;

/// All nodes below a node, each before its children, with their positions. See
/// [`GameTree::walk`].
#[derive(Clone, Debug)]
pub struct Walk<'t> {
    tree: &'t GameTree,
    top: NodeId,
    at: NodeId,
    /// The positions from `top` to `at`.
    positions: Vec<Position>,
    /// The ply of `top`.
    ply: usize,
    is_leaf: bool,
}

/// Ways through the tree.
impl GameTree {
    /// The main line below a node.
    ///
    /// ```
    /// use tabiya_pgn::{GameTree, NodeId, Reader};
    ///
    /// let tree = GameTree::read(&mut Reader::from_bytes(b"1. e4 e5 (1... c5 2. Nf3) *"))?.unwrap();
    /// assert_eq!(tree.main_line(NodeId::ROOT).count(), 2);
    /// # Ok::<(), tabiya_pgn::Error>(())
    /// ```
    pub fn main_line(&self, below: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.next(below), |&id| self.next(id))
    }

    /// The last node of the main line.
    pub fn end(&self) -> NodeId {
        self.main_line(NodeId::ROOT).last().unwrap_or(NodeId::ROOT)
    }

    /// All nodes below a node, each before its children: the main line, then the variations from
    /// the last one to the first. The walk knows the position at each node, and plays each move
    /// once.
    ///
    /// ```
    /// use tabiya_pgn::{GameTree, NodeId, Reader};
    ///
    /// let tree = GameTree::read(&mut Reader::from_bytes(b"1. e4 e5 (1... d5 2. exd5) 2. f4 *"))?.unwrap();
    /// let mut walk = tree.walk(NodeId::ROOT);
    /// let mut moves = Vec::new();
    /// while let Some(id) = walk.next() {
    ///     moves.push(format!("{} {}", walk.ply(), walk.before().san(tree.mv(id).unwrap())));
    /// }
    /// assert_eq!(moves, ["1 e4", "2 e5", "3 f4", "2 d5", "3 exd5"]);
    /// # Ok::<(), tabiya_pgn::Error>(())
    /// ```
    pub fn walk(&self, below: NodeId) -> Walk<'_> {
        Walk {
            tree: self,
            top: below,
            at: below,
            positions: vec![self.position(below)],
            ply: self.ply(below),
            is_leaf: false,
        }
    }

    /// The ends of all lines: the nodes without continuation. Their [paths](Self::path) are the
    /// lines.
    ///
    /// ```
    /// use tabiya_pgn::{GameTree, Reader};
    ///
    /// let tree = GameTree::read(&mut Reader::from_bytes(b"1. e4 e5 (1... c5) (1... e6 2. d4) *"))?.unwrap();
    /// assert_eq!(tree.ends().count(), 3);
    /// # Ok::<(), tabiya_pgn::Error>(())
    /// ```
    pub fn ends(&self) -> impl Iterator<Item = NodeId> {
        self.all().filter(|&id| self.next(id).is_none())
    }

    /// All nodes, each before its children, with the root.
    pub fn all(&self) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(NodeId::ROOT), |&id| self.nodes.next_below(NodeId::ROOT, id))
    }

    /// The nodes by their ply: the root, all first moves, all second moves and so on. The main line
    /// comes first.
    ///
    /// ```
    /// use tabiya_pgn::{GameTree, Reader};
    ///
    /// let tree = GameTree::read(&mut Reader::from_bytes(b"1. e4 (1. d4 d5) e5 *"))?.unwrap();
    /// let numbers: Vec<usize> = tree.by_ply().iter().map(Vec::len).collect();
    /// assert_eq!(numbers, [1, 2, 2]);
    /// # Ok::<(), tabiya_pgn::Error>(())
    /// ```
    pub fn by_ply(&self) -> Vec<Vec<NodeId>> {
        let mut plies = Vec::new();
        let mut ply = vec![NodeId::ROOT];
        while !ply.is_empty() {
            let next = ply.iter().flat_map(|&id| self.children(id)).collect();
            plies.push(std::mem::replace(&mut ply, next));
        }
        plies
    }

    /// The nodes with this position, by any order of moves.
    ///
    /// ```
    /// use tabiya_pgn::{GameTree, Reader};
    ///
    /// let pgn = b"1. d4 d5 (1... Nf6 2. c4 d5) 2. c4 Nf6 *";
    /// let tree = GameTree::read(&mut Reader::from_bytes(pgn))?.unwrap();
    /// assert_eq!(tree.find(&tree.position(tree.end())).len(), 2);
    /// # Ok::<(), tabiya_pgn::Error>(())
    /// ```
    pub fn find(&self, position: &Position) -> Vec<NodeId> {
        let mut found = Vec::new();
        if self.start == *position {
            found.push(NodeId::ROOT);
        }
        let mut walk = self.walk(NodeId::ROOT);
        while let Some(id) = walk.next() {
            if walk.after() == position {
                found.push(id);
            }
        }
        found
    }

    /// The positions that occur at several nodes, each with its nodes, in the order of the walk.
    ///
    /// ```
    /// use tabiya_pgn::{GameTree, Reader};
    ///
    /// let pgn = b"1. d4 d5 (1... Nf6 2. c4 d5) 2. c4 Nf6 *";
    /// let tree = GameTree::read(&mut Reader::from_bytes(pgn))?.unwrap();
    /// let found = tree.transpositions();
    /// assert_eq!((found.len(), found[0].len()), (1, 2));
    /// # Ok::<(), tabiya_pgn::Error>(())
    /// ```
    pub fn transpositions(&self) -> Vec<Vec<NodeId>> {
        let mut groups = vec![vec![NodeId::ROOT]];
        let mut places = HashMap::from([(self.start.clone(), 0)]);
        let mut walk = self.walk(NodeId::ROOT);
        while let Some(id) = walk.next() {
            let place = *places.entry(walk.after().clone()).or_insert(groups.len());
            match groups.get_mut(place) {
                Some(group) => group.push(id),
                None => groups.push(vec![id]),
            }
        }
        groups.retain(|group| group.len() > 1);
        groups
    }
}

impl Walk<'_> {
    /// The position after the move to the last node; at the beginning, that of the top.
    pub fn after(&self) -> &Position {
        &self.positions[self.positions.len() - 1]
    }

    /// The position before the move to the last node; at the beginning, that of the top.
    pub fn before(&self) -> &Position {
        &self.positions[self.positions.len().saturating_sub(2)]
    }

    /// The number of moves from the start of the game to the last node.
    pub const fn ply(&self) -> usize {
        self.ply + self.positions.len() - 1
    }

    /// The nodes below the last one are left out.
    pub const fn skip_children(&mut self) {
        self.is_leaf = true;
    }
}

impl Iterator for Walk<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        let nodes = &self.tree.nodes;
        let down = if self.is_leaf { None } else { nodes.first_child(self.at) };
        let next = match down {
            Some(child) => child,
            None => {
                let mut id = self.at;
                loop {
                    if id == self.top {
                        // The walk is over, and stays at its end.
                        self.is_leaf = true;
                        self.positions.truncate(1);
                        self.at = self.top;
                        return None;
                    }
                    self.positions.pop();
                    if let Some(sibling) = nodes.next_sibling(id) {
                        break sibling;
                    }
                    id = nodes.parent(id)?;
                }
            }
        };
        (self.at, self.is_leaf) = (next, false);
        let position = self.tree.position_after(self.after(), next);
        self.positions.push(position);
        Some(next)
    }
}
