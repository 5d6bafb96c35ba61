//! An instance of the fast counter: which vectors it uses, and its entry points.
//!
//! The generic bodies are `#[inline(always)]`; each instance wraps them in functions with its own
//! `#[target_feature]`, so the whole is built without compiler flags, and dispatch happens once, at
//! the root.

use super::batch::Batch;
use super::counter::Counter;
use super::node::Node;
use super::star::Star;

/// One way to run the fast counter.
pub(crate) trait Machine: Sized {
    /// The vector of eight directions.
    type Star: Star;

    /// The number of replies in each lane of a batch.
    fn replies(batch: &Batch, king: u32) -> [u64; 8];

    /// Counts the leaves `depth` plies below `node`, three or more.
    fn walk(counter: &mut Counter<'_, Self>, node: &Node, depth: u32);

    /// Counts the leaves two plies below `node`.
    fn pair(counter: &mut Counter<'_, Self>, node: &Node);

    /// Counts the replies to one child, sooner or later.
    fn child(counter: &mut Counter<'_, Self>, child: &Node);
}
