//! The interface between the ways of counting and the threads that use them.

use tabiya::Position;

/// A way to count leaf nodes on one thread.
pub trait CountLeaves: Send {
    /// The number of leaf nodes `depth` plies below a position.
    ///
    /// # Errors
    /// [`NoCount`] if the count was cancelled, or if the number does not fit into 128 bits.
    fn count(&mut self, position: &Position, depth: u32) -> Result<u128, NoCount>;

    /// The same, in slices that each take a small part of a second, if the count can be divided.
    /// After each, `finished` gets the number of its leaf nodes and its estimated part of the whole.
    ///
    /// # Errors
    /// Those of [`count`](Self::count).
    fn count_in_slices(
        &mut self,
        position: &Position,
        depth: u32,
        finished: &mut dyn FnMut(u128, f64),
    ) -> Result<u128, NoCount> {
        let leaves = self.count(position, depth)?;
        finished(leaves, 1.0);
        Ok(leaves)
    }

    /// The number of look-ups in the table so far.
    fn look_ups(&self) -> u64;
}

/// Why there is no count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoCount {
    /// The watch cancelled the count.
    #[error("the count was cancelled")]
    Cancelled,
    /// There are 2^128 leaf nodes or more.
    #[error("there are 2^128 leaf nodes or more")]
    Overflow,
}
