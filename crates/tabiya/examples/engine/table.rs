//! The transposition table: results of the search for positions, with their full keys.

use std::cmp::Ordering;

use tabiya::Move;

#[derive(Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) key: u64,
    pub(crate) mv: Option<Move>,
    pub(crate) score: i16,
    /// `Greater` if the true score may be greater than this one, `Less` if it may be less.
    pub(crate) truth: Ordering,
    pub(crate) depth: i8,
}

pub(crate) struct Table(pub(crate) Vec<Option<Entry>>);

impl Table {
    pub(crate) fn new(mebibytes: usize) -> Self {
        Self(vec![None; (mebibytes << 20) / size_of::<Option<Entry>>()])
    }

    /// The place of the position with this key.
    pub(crate) fn place(&mut self, key: u64) -> &mut Option<Entry> {
        let count = self.0.len() as u64;
        &mut self.0[(key % count) as usize]
    }
}
