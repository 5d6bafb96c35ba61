//! The nodes of a tree, in one arena.
//!
//! The children of a node form a ring: the node knows its last child, and the last child knows the
//! first. So a child is added at either end in constant time, with one word for each node.

use tabiya::Move;

/// A node of a [`GameTree`](super::GameTree): the position after a move, or the start.
///
/// An id belongs to the tree that gave it. It stays valid until the node is deleted, or until
/// [`GameTree::compact`](super::GameTree::compact). Another node may get the id of a deleted one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The start of the game.
    pub const ROOT: Self = Self(0);

    /// The node with this number, unless no tree has so many. Whether a tree has it is what
    /// [`GameTree::contains`](super::GameTree::contains) says.
    ///
    /// ```
    /// use tabiya_pgn::{GameTree, NodeId};
    /// assert_eq!(NodeId::from_index(0), Some(NodeId::ROOT));
    /// assert!(!GameTree::new().contains(NodeId::from_index(1).unwrap()));
    /// ```
    pub fn from_index(index: usize) -> Option<Self> {
        u32::try_from(index).ok().filter(|&id| id < NONE).map(Self)
    }

    /// The number of the node, for tables of data about nodes.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// No node, or no note.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The move that leads to the node. `None` is a null move, or nothing at the root.
    pub(super) mv: Option<Move>,
    is_deleted: bool,
    parent: u32,
    last_child: u32,
    /// The next sibling; after the last one, the first.
    next: u32,
    /// The last of its notes, which form a ring as well.
    pub(super) notes: u32,
}

const _: () = assert!(size_of::<Node>() <= 24);

#[derive(Clone, Debug)]
pub(super) struct Nodes {
    nodes: Vec<Node>,
    deleted: u32,
}

/// The place of a new node among the children of its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    First,
    Last,
}

impl Nodes {
    pub(super) fn new() -> Self {
        let mut nodes = Self { nodes: Vec::new(), deleted: 0 };
        nodes.clear();
        nodes
    }

    /// Only the root is left.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.deleted = 0;
        self.nodes.push(Node {
            mv: None,
            is_deleted: false,
            parent: NONE,
            last_child: NONE,
            next: NONE,
            notes: NONE,
        });
    }

    /// The number of nodes that are not deleted.
    pub(super) fn len(&self) -> usize {
        self.nodes.len() - self.deleted as usize
    }

    /// The number of nodes in memory, deleted ones included.
    pub(super) fn slots(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn contains(&self, id: NodeId) -> bool {
        self.nodes.get(id.index()).is_some_and(|node| !node.is_deleted)
    }

    pub(super) fn get(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    pub(super) fn get_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    pub(super) fn parent(&self, id: NodeId) -> Option<NodeId> {
        some(self.get(id).parent)
    }

    pub(super) fn last_child(&self, id: NodeId) -> Option<NodeId> {
        some(self.get(id).last_child)
    }

    pub(super) fn first_child(&self, id: NodeId) -> Option<NodeId> {
        self.last_child(id).map(|last| NodeId(self.get(last).next))
    }

    /// The sibling after it. `None` after the last one.
    pub(super) fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        let parent = self.parent(id)?;
        (self.last_child(parent) != Some(id)).then(|| NodeId(self.get(id).next))
    }

    pub(super) fn later_siblings(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.next_sibling(id), |&id| self.next_sibling(id))
    }

    /// The next node if all nodes below `top` are listed, each before its children.
    pub(super) fn next_below(&self, top: NodeId, id: NodeId) -> Option<NodeId> {
        self.first_child(id).or_else(|| {
            let up = std::iter::successors(Some(id), |&id| self.parent(id));
            up.take_while(|&id| id != top).find_map(|id| self.next_sibling(id))
        })
    }

    /// Adds a node. `None` if there is no number left for it, or no memory.
    pub(super) fn add(&mut self, parent: NodeId, mv: Option<Move>, end: End) -> Option<NodeId> {
        let id = u32::try_from(self.nodes.len()).ok().filter(|&id| id < NONE)?;
        self.nodes.try_reserve(1).ok()?;
        let last = self.get(parent).last_child;
        let next = match some(last) {
            None => id,
            Some(last) => std::mem::replace(&mut self.get_mut(last).next, id),
        };
        if last == NONE || end == End::Last {
            self.get_mut(parent).last_child = id;
        }
        self.nodes.push(Node {
            mv,
            is_deleted: false,
            parent: parent.0,
            last_child: NONE,
            next,
            notes: NONE,
        });
        Some(NodeId(id))
    }

    /// Deletes a node and all nodes below it.
    pub(super) fn delete(&mut self, id: NodeId) {
        let Some(parent) = self.parent(id) else { return };
        let others: Vec<NodeId> = self.children(parent).filter(|&child| child != id).collect();
        self.keep_children(parent, &others, &[id]);
    }

    /// Deletes a node and its later siblings, and all nodes below them.
    pub(super) fn delete_from(&mut self, first: NodeId) {
        let Some(parent) = self.parent(first) else { return };
        let children: Vec<NodeId> = self.children(parent).collect();
        let place = children.iter().position(|&it| it == first).unwrap_or(children.len());
        let (kept, deleted) = children.split_at(place);
        self.keep_children(parent, kept, deleted);
    }

    /// Deletes some children of a node, and all nodes below them.
    fn keep_children(&mut self, parent: NodeId, kept: &[NodeId], deleted: &[NodeId]) {
        self.order(parent, kept);
        for &id in deleted {
            self.delete_below(id);
            self.get_mut(id).is_deleted = true;
            self.deleted += 1;
            self.drop_deleted_end();
        }
    }

    /// Deletes all nodes below a node.
    pub(super) fn delete_below(&mut self, id: NodeId) {
        let mut next = self.next_below(id, id);
        while let Some(at) = next {
            next = self.next_below(id, at);
            self.get_mut(at).is_deleted = true;
            self.deleted += 1;
        }
        self.get_mut(id).last_child = NONE;
        self.drop_deleted_end();
    }

    /// Gives back the places of deleted nodes at the end, so that playing and taking back needs no
    /// more memory each time.
    fn drop_deleted_end(&mut self) {
        let live = self.nodes.iter().rposition(|node| !node.is_deleted).map_or(0, |last| last + 1);
        self.deleted -= (self.nodes.len() - live) as u32;
        self.nodes.truncate(live);
    }

    /// Sets the order of the children.
    pub(super) fn order(&mut self, parent: NodeId, children: &[NodeId]) {
        self.get_mut(parent).last_child = children.last().map_or(NONE, |last| last.0);
        for (index, &child) in children.iter().enumerate() {
            self.get_mut(child).next = children[(index + 1) % children.len()].0;
        }
    }

    pub(super) fn children(&self, id: NodeId) -> Children<'_> {
        Children { nodes: self, next: self.first_child(id) }
    }
}

fn some(id: u32) -> Option<NodeId> {
    (id != NONE).then_some(NodeId(id))
}

/// The children of a node, the main continuation first.
#[derive(Clone, Debug)]
pub struct Children<'t> {
    nodes: &'t Nodes,
    next: Option<NodeId>,
}

impl Iterator for Children<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        let id = self.next?;
        self.next = self.nodes.next_sibling(id);
        Some(id)
    }
}
