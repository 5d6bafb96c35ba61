//! The table of positions that have been searched.

/// The meaning of a score.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bound {
    Lower,
    Upper,
    Exact,
}

/// The information about a position.
#[derive(Clone, Copy)]
pub(crate) struct Entry<M> {
    key: u64,
    pub(crate) mv: Option<M>,
    score: i16,
    depth: u8,
    bound: Bound,
}

/// A table by key that never evicts: the tree must not depend on which keys share a place.
pub(crate) struct Table<M> {
    places: Vec<Option<Entry<M>>>,
    len: usize,
}

impl<M: Copy> Entry<M> {
    /// The score, if it ends the search of a node to this depth.
    #[inline(always)]
    pub(crate) fn cutoff(&self, depth: i32, alpha: i32, beta: i32) -> Option<i32> {
        let score = i32::from(self.score);
        let ends = i32::from(self.depth) >= depth
            && match self.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
        ends.then_some(score)
    }
}

impl<M: Copy> Table<M> {
    const BITS: u32 = 18;

    pub(crate) fn new() -> Self {
        Self { places: vec![None; 1 << Self::BITS], len: 0 }
    }

    pub(crate) fn clear(&mut self) {
        self.places.fill(None);
        self.len = 0;
    }

    /// The place of a key, or the empty place where it belongs.
    #[inline(always)]
    fn place(&self, key: u64) -> usize {
        let mut place = (key >> (64 - Self::BITS)) as usize;
        while self.places[place].as_ref().is_some_and(|entry| entry.key != key) {
            place = (place + 1) % (1 << Self::BITS);
        }
        place
    }

    #[inline(always)]
    pub(crate) fn get(&self, key: u64) -> Option<Entry<M>> {
        self.places[self.place(key)]
    }

    #[inline(always)]
    pub(crate) fn put(&mut self, key: u64, mv: Option<M>, score: i32, depth: i32, bound: Bound) {
        let place = self.place(key);
        if self.places[place].is_none() {
            self.len += 1;
            assert!(self.len < 1 << (Self::BITS - 1), "the table is half full: search less deep");
        }
        self.places[place] =
            Some(Entry { key, mv, score: score as i16, depth: depth as u8, bound });
    }
}
