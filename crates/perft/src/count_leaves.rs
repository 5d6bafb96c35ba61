//! What every way of counting offers to the threads that use it.

use tabiya::Position;

/// A way to count leaf nodes on one thread.
pub trait CountLeaves: Send {
    /// The number of leaf nodes `depth` plies below a position, or `None` if the count was
    /// cancelled.
    fn count(&mut self, position: &Position, depth: u32) -> Option<u64>;

    /// The number of look-ups in the table so far.
    fn look_ups(&self) -> u64;
}
