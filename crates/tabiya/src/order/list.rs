//! A list of moves with values, on the stack.
//!
//! An entry is one signed number of eight bytes: the value in the upper four, then a number that
//! decreases with each move added, then the move. So entries are ordered by value, and entries with
//! the same value by the order in which they were added. Every way of sorting is stable, even if it
//! moves other entries around.

use core::fmt;

use super::score::{Collect, Scorer, Scoring};
use crate::attacks::Sliders;
use crate::list::{Appender, FixedList};
use crate::movegen::{Generator, Kind};
use crate::moves::{Move, MoveList};
use crate::position::Position;

/// A move and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredMove {
    /// The move.
    pub mv: Move,
    /// Its value; a greater value is better.
    pub value: i32,
}

/// An entry of the list: a number that is greater for better entries.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry(i64);

impl Entry {
    /// The entry of a move. Of two entries with the same value, the one with the greater earliness
    /// is better.
    #[inline(always)]
    const fn new(mv: Move, value: i32, earliness: u16) -> Self {
        Self((value as i64) << 32 | (earliness as i64) << 16 | mv.to_masked() as i64)
    }

    #[inline(always)]
    const fn mv(self) -> Move {
        // SAFETY: `new` is the only place that makes an entry, and it puts the number of a move
        // into the lowest 16 bits. The other parts do not overlap these bits, since they are
        // shifted by 16 and 32.
        unsafe { Move::from_masked(self.0 as u16) }
    }

    #[inline(always)]
    const fn value(self) -> i32 {
        (self.0 >> 32) as i32
    }

    #[inline(always)]
    pub(super) const fn scored(self) -> ScoredMove {
        ScoredMove { mv: self.mv(), value: self.value() }
    }
}

/// A list of moves with values, with room for the moves of any position, without a heap.
///
/// Moves of the same value come out in the order in which they were added.
///
/// ```
/// use tabiya::movegen::Legal;
/// use tabiya::order::{ScoredList, ScoredMove};
/// use tabiya::{Move, Position, Role};
///
/// // Prefers moves that go far forward.
/// let far = |_: &Position, _: Role, mv: Move| mv.to() as i32 - mv.from() as i32;
/// let mut list = ScoredList::of::<Legal>(&Position::START, &far);
/// assert_eq!(list.len(), 20);
/// let ScoredMove { mv, value } = list.pop_best().unwrap();
/// assert_eq!((mv.to_string(), value), ("b1c3".to_string(), 17));
/// assert!(!list.contains(mv));
/// ```
#[derive(Clone)]
pub struct ScoredList {
    entries: FixedList<Entry, { Self::CAPACITY }>,
    /// The number of moves added so far, including those taken out again.
    added: u16,
}

impl ScoredList {
    /// The largest number of moves, the same as for a [`MoveList`].
    pub const CAPACITY: usize = MoveList::CAPACITY;

    /// An empty list.
    #[inline(always)]
    pub const fn new() -> Self {
        Self { entries: FixedList::new(), added: 0 }
    }

    /// The moves of one kind, with the values that the scorer assigns.
    ///
    /// A list is large. If you choose between two kinds, make an empty list and
    /// [`refill`](Self::refill) it: the result of an `if` may be copied.
    // Inlining avoids a copy to the caller's place.
    #[inline(always)]
    pub fn of<K: Kind>(position: &Position, scorer: &impl Scorer) -> Self {
        let mut list = Self::new();
        list.refill::<K>(position, scorer);
        list
    }

    /// Replaces the contents of the list by the moves of one kind, with the values that the scorer
    /// assigns.
    #[inline]
    pub fn refill<K: Kind>(&mut self, position: &Position, scorer: &impl Scorer) {
        self.refill_with::<K>(&position.generator(), scorer);
    }

    /// The same with a generator, so that stages share its facts.
    ///
    /// ```
    /// use tabiya::movegen::{Captures, Legal};
    /// use tabiya::order::{MvvLva, ScoredList};
    /// use tabiya::Position;
    /// let position = Position::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1").unwrap();
    /// let generator = position.generator();
    /// let mut list = ScoredList::new();
    /// if generator.facts().is_check() {
    ///     list.refill_with::<Legal>(&generator, &MvvLva::DEFAULT);
    /// } else {
    ///     list.refill_with::<Captures>(&generator, &MvvLva::DEFAULT);
    /// }
    /// assert_eq!(list.pop_best().unwrap().mv.to_string(), "e4d5");
    /// ```
    #[inline(never)]
    pub fn refill_with<K: Kind>(
        &mut self,
        generator: &Generator<'_, impl Sliders>,
        scorer: &impl Scorer,
    ) {
        self.clear();
        self.append::<K>(generator, scorer);
    }

    /// A sink that adds the moves of a position, with the values that the scorer assigns.
    ///
    /// An empty list has room for all moves of any position; a full list drops further moves.
    ///
    /// ```
    /// use tabiya::movegen::{Captures, QuietChecks};
    /// use tabiya::order::{PieceSquare, ScoredList};
    /// use tabiya::Position;
    /// let position = Position::from_fen("4k3/8/8/3p4/4P3/8/8/R3K3 w - - 0 1").unwrap();
    /// let mut list = ScoredList::new();
    /// let mut sink = list.scoring(&position, &PieceSquare::DEFAULT);
    /// position.generate::<Captures>(&mut sink);
    /// position.generate::<QuietChecks>(&mut sink);
    /// assert_eq!(list.len(), 2);
    /// ```
    #[inline(always)]
    pub const fn scoring<'a, S: Scorer>(
        &'a mut self,
        position: &'a Position,
        scorer: &'a S,
    ) -> Scoring<'a, &'a mut Self, S> {
        Scoring::new(self, position, scorer)
    }

    /// Adds the moves of one kind, with the values that the scorer assigns.
    #[inline(always)]
    pub(super) fn append<K: Kind>(
        &mut self,
        generator: &Generator<'_, impl Sliders>,
        scorer: &impl Scorer,
    ) {
        let mut sink = Scoring::new(self.appender(), generator.position(), scorer);
        generator.generate::<K>(&mut sink);
    }

    #[inline(always)]
    const fn appender(&mut self) -> ListAppender<'_> {
        // After tens of thousands of moves, the order of equal moves is no longer known.
        let latest = u16::MAX - Self::CAPACITY as u16;
        if self.added > latest {
            self.added = latest;
        }
        let earliness = !self.added;
        ListAppender { earliness, entries: self.entries.appender(), added: &mut self.added }
    }

    /// Adds a move at the end.
    ///
    /// # Errors
    /// Returns the move if the list is full; the moves of one position never fill it.
    #[inline(always)]
    pub fn push(&mut self, mv: Move, value: i32) -> Result<(), Move> {
        self.entries.push(Entry::new(mv, value, !self.added)).map_err(|_| mv)?;
        self.added = self.added.saturating_add(1);
        Ok(())
    }

    /// The number of moves.
    #[inline(always)]
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// Are there no moves?
    #[inline(always)]
    pub const fn is_empty(&self) -> bool {
        self.entries.len() == 0
    }

    /// Removes all moves.
    pub const fn clear(&mut self) {
        self.entries.truncate(0);
        self.added = 0;
    }

    /// Removes all moves from an index on.
    #[inline]
    pub const fn truncate(&mut self, len: usize) {
        self.entries.truncate(len);
    }

    /// The move at an index.
    #[inline(always)]
    pub fn get(&self, index: usize) -> Option<ScoredMove> {
        self.entries().get(index).map(|entry| entry.scored())
    }

    /// Is the move in the list?
    pub fn contains(&self, mv: Move) -> bool {
        self.entries().iter().any(|entry| entry.mv() == mv)
    }

    /// The moves in the order of the list: the order in which they were added, until some are
    /// selected, sorted or taken out.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = ScoredMove> + '_ {
        self.entries().iter().map(|entry| entry.scored())
    }

    /// Takes out the best move; the last move of the list takes its place.
    #[inline]
    pub fn pop_best(&mut self) -> Option<ScoredMove> {
        let best = self.best_from(0)?;
        Some(self.entries.swap_remove(best).scored())
    }

    /// One step of selection sort: swaps the best of the moves from `index` on with the move at
    /// `index`, and returns it. `None` if there is no move at `index`.
    ///
    /// With `index` 0, 1, 2 and so on, the moves come from best to worst. A search that stops early
    /// does not pay for sorting the rest.
    ///
    /// ```
    /// use tabiya::movegen::Legal;
    /// use tabiya::order::{PieceSquare, ScoredList};
    /// use tabiya::Position;
    /// let mut list = ScoredList::of::<Legal>(&Position::START, &PieceSquare::DEFAULT);
    /// let (first, second) = (list.select(0).unwrap(), list.select(1).unwrap());
    /// assert!(first.value >= second.value);
    /// assert!(list.iter().skip(2).all(|other| other.value <= second.value));
    /// ```
    #[inline]
    pub fn select(&mut self, index: usize) -> Option<ScoredMove> {
        let best = self.best_from(index)?;
        self.swap(index, best);
        self.get(index)
    }

    /// Sorts all moves from best to worst.
    pub fn sort(&mut self) {
        self.entries_mut().sort_unstable_by(|a, b| b.cmp(a));
    }

    /// Moves the entries whose value is at least `limit` to the front, sorted from best to worst,
    /// and returns their number. The others follow in no particular order.
    ///
    /// If most moves are below the limit, this is much less work than sorting all: only the others
    /// are inserted into the sorted part at the front.
    ///
    /// ```
    /// use tabiya::order::ScoredList;
    /// use tabiya::{Move, MoveKind, Square};
    /// let mut list = ScoredList::new();
    /// for (to, value) in [(Square::F3, 5), (Square::H3, -7), (Square::E2, 9)] {
    ///     list.push(Move::new(Square::G1, to, MoveKind::Quiet), value).unwrap();
    /// }
    /// assert_eq!(list.sort_from(0), 2);
    /// assert!(list.iter().map(|scored| scored.value).eq([9, 5, -7]));
    /// ```
    pub fn sort_from(&mut self, limit: i32) -> usize {
        let entries = self.entries_mut();
        let mut sorted = 0;
        for next in 0..entries.len() {
            let entry = entries[next];
            if entry.value() < limit {
                continue;
            }
            entries[next] = entries[sorted];
            let mut place = sorted;
            while place > 0 && entries[place - 1] < entry {
                entries[place] = entries[place - 1];
                place -= 1;
            }
            entries[place] = entry;
            sorted += 1;
        }
        sorted
    }

    /// The index of the best of the moves from `index` on.
    #[inline(always)]
    fn best_from(&self, index: usize) -> Option<usize> {
        let entries = self.entries();
        let mut best = *entries.get(index)?;
        let mut place = index;
        for (at, &entry) in entries.iter().enumerate().skip(index + 1) {
            place = if entry > best { at } else { place };
            best = best.max(entry);
        }
        Some(place)
    }

    /// Swaps two moves.
    #[inline(always)]
    pub(super) fn swap(&mut self, a: usize, b: usize) {
        self.entries_mut().swap(a, b);
    }

    #[inline(always)]
    pub(super) const fn entries(&self) -> &[Entry] {
        self.entries.as_slice()
    }

    #[inline(always)]
    pub(super) const fn entries_mut(&mut self) -> &mut [Entry] {
        self.entries.as_mut_slice()
    }
}

impl Default for ScoredList {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for ScoredList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter().map(|scored| (scored.mv, scored.value))).finish()
    }
}

/// Adds moves at the end of a [`ScoredList`].
struct ListAppender<'a> {
    entries: Appender<'a, Entry, { ScoredList::CAPACITY }>,
    /// The earliness of the next entry. It falls by at most the capacity, so it does not wrap.
    earliness: u16,
    added: &'a mut u16,
}

impl Collect for &mut ScoredList {
    #[inline(always)]
    fn collect(&mut self, mv: Move, value: i32) {
        // Only a list that was not empty before can be full.
        let _ = self.push(mv, value);
    }
}

impl Collect for ListAppender<'_> {
    #[inline(always)]
    fn collect(&mut self, mv: Move, value: i32) {
        // Only a list that was not empty before can be full.
        if self.entries.push(Entry::new(mv, value, self.earliness)).is_ok() {
            self.earliness -= 1;
        }
    }
}

impl Drop for ListAppender<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        *self.added = !self.earliness;
    }
}
