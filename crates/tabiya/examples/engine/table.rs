//! The transposition table: what the search found out about positions, by their whole keys.

use std::cmp::Ordering;

use tabiya::Move;

#[derive(Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) key: u64,
    pub(crate) mv: Option<Move>,
    pub(crate) score: i16,
    /// The true score may be greater than this one, or less.
    pub(crate) truth: Ordering,
    pub(crate) depth: i8,
}

pub(crate) struct Table(pub(crate) Vec<Option<Entry>>);

impl Table {
    pub(crate) fn new(mebibytes: usize) -> Self {
        Self(vec![None; (mebibytes << 20) / size_of::<Option<Entry>>()])
    }

    /// Where the position with this key is, if it is there.
    pub(crate) fn place(&mut self, key: u64) -> &mut Option<Entry> {
        let count = self.0.len() as u64;
        &mut self.0[(key % count) as usize]
    }
}
