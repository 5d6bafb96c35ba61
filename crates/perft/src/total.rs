//! The result of a count.

use tabiya::Move;

/// The leaf nodes below one root move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootCount {
    /// The root move.
    pub mv: Move,
    /// The leaf nodes counted below it, or the largest value, 2^128 - 1, if there are 2^128 or
    /// more.
    pub nodes: u128,
    /// Have all leaf nodes below it been counted? If not, counting was stopped early, or the number
    /// has more than 128 bits.
    pub complete: bool,
}

/// The result of a count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerftTotal {
    /// The root moves in the order of the generator, each with its count. Empty at depth 0.
    pub moves: Vec<RootCount>,
    /// All leaf nodes counted, or the largest value, 2^128 - 1, if there are 2^128 or more.
    pub nodes: u128,
    /// Have all leaf nodes been counted? If not, counting was stopped early, or it ended with an
    /// [`overflow`](Self::overflow).
    pub complete: bool,
    /// Are there 2^128 leaf nodes or more? Then their number is not known.
    pub overflow: bool,
    /// The number of look-ups in the table.
    pub look_ups: u64,
}
