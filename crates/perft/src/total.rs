//! What a count finds, and who may watch it.

use tabiya::Move;

/// Somebody who watches a count, and may stop it.
///
/// `()` watches nothing.
pub trait Watch: Sync {
    /// Should counting stop? Asked often, from every thread.
    fn is_cancelled(&self) -> bool {
        false
    }

    /// Should [`progress`](Self::progress) be called? Asked once a count, since the sizes of all
    /// units are estimated beforehand if so.
    fn wants_progress(&self) -> bool {
        false
    }

    /// A unit, or a piece of one, has been counted, on whatever thread.
    fn progress(&self, _progress: Progress) {}
}

/// How far a count is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The leaves of all that is finished.
    pub nodes: u128,
    /// The finished share of all work, from 0 to 1, as far as sampled sizes of units tell.
    pub share: f64,
}

impl Progress {
    /// The progress of work whose parts are about as large as each other.
    pub(crate) fn of(done: usize, total: usize, nodes: u128) -> Self {
        Self { nodes, share: done as f64 / total.max(1) as f64 }
    }
}

impl Watch for () {}

/// The leaves under one root move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootCount {
    /// The move.
    pub mv: Move,
    /// The leaves found after it.
    pub nodes: u128,
    /// Are these all, or only those that were found before counting stopped?
    pub complete: bool,
}

/// What a count found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerftTotal {
    /// Each root move with its share, in the order of the generator. Empty at depth 0.
    pub moves: Vec<RootCount>,
    /// All leaves counted; the whole count if it is complete. 2^128 - 1 also stands for more.
    pub nodes: u128,
    /// Was everything counted?
    pub complete: bool,
    /// How often the table was asked.
    pub look_ups: u64,
}
