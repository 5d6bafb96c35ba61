//! An instance of the fast counter: what it counts with, and its entry points.
//!
//! The generic bodies are `#[inline(always)]`, and each instance compiles them for the CPU features that it
//! needs, without compiler flags. Dispatch happens once, at the root. A value of an instance is the
//! proof that the CPU has the features.

use super::counter::Counter;
use super::node::Node;
use super::star::Star;
use super::sums::Sums;

/// One way to run the fast counter.
pub(crate) trait Machine: Copy + Send {
    /// The vector of eight directions.
    type Star: Star;
    /// The nodes that wait until enough are together.
    type Waiting: Default + Send;

    /// Counts the leaves `depth` plies below `node`, three or more.
    fn walk(self, counter: &mut Counter<'_, Self>, node: &Node, depth: u32);

    /// Takes a node two plies above leaves, which belong to a slot. Counts them, or lets the node wait.
    fn take(self, waiting: &mut Self::Waiting, sums: &mut Sums, node: &Node, slot: usize);

    /// Counts the leaves below all nodes that wait.
    fn count_waiting(self, waiting: &mut Self::Waiting, sums: &mut Sums);
}
