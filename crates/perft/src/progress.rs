//! Watching a count, and stopping it.

/// An observer of a count, which may also stop it.
///
/// `()` observes nothing and never stops a count.
pub trait Watch: Sync {
    /// Should counting stop? Every thread asks often.
    fn is_cancelled(&self) -> bool {
        false
    }

    /// Should [`progress`](Self::progress) be called? A count asks this once, at its start, because
    /// it must then estimate the sizes of all units in advance.
    fn wants_progress(&self) -> bool {
        false
    }

    /// Reports that a unit of work, or a slice of one, has been counted. Any thread may call this.
    fn progress(&self, _progress: Progress) {}
}

impl Watch for () {}

/// The progress of a count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The leaf nodes counted so far.
    pub nodes: u128,
    /// The finished share of the whole work, from 0 to 1, according to the estimated sizes of the
    /// units.
    pub share: f64,
}

impl Progress {
    /// The progress of work whose parts have about the same size.
    pub fn of(done: usize, total: usize, nodes: u128) -> Self {
        Self { nodes, share: done as f64 / total.max(1) as f64 }
    }
}
