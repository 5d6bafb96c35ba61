//! The interface between the ways of counting and the threads that use them.

use tabiya::Position;

/// A way to count leaf nodes on one thread.
pub trait CountLeaves: Send {
    /// The number of leaf nodes `depth` plies below a position.
    ///
    /// # Errors
    /// [`NoCount`] if the count was cancelled, or if the number does not fit into 128 bits.
    fn count(&mut self, position: &Position, depth: u32) -> Result<u128, NoCount>;

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

/// The greatest depth of a slice. No position has more than 16 times 27 moves, and 432^7 < 2^64, so
/// the count of a slice does not overflow.
pub(crate) const MAX_SLICE_DEPTH: u32 = 7;

const _: () = assert!(432u64.checked_pow(MAX_SLICE_DEPTH).is_some());

/// A way to count the leaf nodes of subtrees whose depth is at most [`MAX_SLICE_DEPTH`].
pub(crate) trait CountSlice: Send {
    /// The number of leaf nodes `depth` plies below a position; `None` if the count was cancelled.
    fn count(&mut self, position: &Position, depth: u32) -> Option<u64>;

    /// The number of look-ups in the table so far.
    fn look_ups(&self) -> u64;
}
