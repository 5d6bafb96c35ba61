//! A list of moves with values, on the stack.
//!
//! An entry is eight bytes: the value in the upper four, then the place in which the move came,
//! then the move. Compared as one number, entries stand in the order of their values, and those
//! of the same value in the order of their coming. So every way of sorting is stable, whatever
//! it does to the places of the others.

use core::fmt;
use core::mem::MaybeUninit;

use super::score::{Scorer, Scoring};
use crate::movegen::Kind;
use crate::moves::{Move, MoveList};
use crate::position::Position;

/// A move and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredMove {
    /// The move.
    pub mv: Move,
    /// Its value; more is better.
    pub value: i32,
}

/// What stands in a place of the list.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Entry {
    mv: Move,
    /// Falls with every move added, so that the earlier of two is the greater.
    earliness: u16,
    value: i32,
}

impl Entry {
    /// A number that is greater for a better entry.
    #[inline(always)]
    pub(super) const fn key(self) -> u64 {
        let value = (self.value as u32 ^ 1 << 31) as u64;
        value << 32 | (self.earliness as u64) << 16 | self.mv.bits() as u64
    }

    #[inline(always)]
    pub(super) const fn scored(self) -> ScoredMove {
        ScoredMove { mv: self.mv, value: self.value }
    }
}

/// A list of moves with values, with room for those of any position, without heap.
///
/// Moves of the same value come out in the order in which they were added.
///
/// ```
/// use tabiya::movegen::Legal;
/// use tabiya::order::{ScoredList, ScoredMove};
/// use tabiya::{Move, Position, Role};
///
/// // Far is good.
/// let far = |_: &Position, _: Role, mv: Move| mv.to() as i32 - mv.from() as i32;
/// let mut list = ScoredList::of::<Legal>(&Position::START, &far);
/// assert_eq!(list.len(), 20);
/// let ScoredMove { mv, value } = list.pop_best().unwrap();
/// assert_eq!((mv.to_string(), value), ("b1c3".to_string(), 17));
/// assert!(!list.contains(mv));
/// ```
#[derive(Clone)]
pub struct ScoredList {
    len: usize,
    /// How many have been added so far, taken out again or not.
    added: u16,
    entries: [MaybeUninit<Entry>; Self::CAPACITY],
}

impl ScoredList {
    /// The number of places, that of a [`MoveList`].
    pub const CAPACITY: usize = MoveList::CAPACITY;

    /// A list without moves.
    #[inline(always)]
    pub const fn new() -> Self {
        Self { len: 0, added: 0, entries: [const { MaybeUninit::uninit() }; Self::CAPACITY] }
    }

    /// The moves of one kind with the values that the scorer gives them.
    #[inline(always)]
    pub fn of<K: Kind>(position: &Position, scorer: &impl Scorer) -> Self {
        let mut list = Self::new();
        list.fill::<K>(position, scorer);
        list
    }

    #[inline(never)]
    fn fill<K: Kind>(&mut self, position: &Position, scorer: &impl Scorer) {
        position.generate::<K, _>(&mut self.scoring(position, scorer));
    }

    /// A sink that adds the moves of a position with the values that the scorer gives them.
    ///
    /// An empty list has room for all moves of any position; what a full list is given is lost.
    ///
    /// ```
    /// use tabiya::movegen::{Captures, QuietChecks};
    /// use tabiya::order::{PieceSquare, ScoredList};
    /// use tabiya::Position;
    /// let position = Position::from_fen("4k3/8/8/3p4/4P3/8/8/R3K3 w - - 0 1").unwrap();
    /// let mut list = ScoredList::new();
    /// let mut sink = list.scoring(&position, &PieceSquare::DEFAULT);
    /// position.generate::<Captures, _>(&mut sink);
    /// position.generate::<QuietChecks, _>(&mut sink);
    /// assert_eq!(list.len(), 2);
    /// ```
    #[inline(always)]
    pub const fn scoring<'a, S: Scorer>(
        &'a mut self,
        position: &'a Position,
        scorer: &'a S,
    ) -> Scoring<'a, Self, S> {
        Scoring::new(self, position, scorer)
    }

    /// Adds a move at the end.
    ///
    /// # Errors
    /// Gives the move back if the list is full, which no position's moves can bring about.
    #[inline(always)]
    pub fn push(&mut self, mv: Move, value: i32) -> Result<(), Move> {
        let place = self.entries.get_mut(self.len).ok_or(mv)?;
        place.write(Entry { mv, earliness: !self.added, value });
        self.len += 1;
        self.added = self.added.saturating_add(1);
        Ok(())
    }

    /// How many moves there are.
    #[inline(always)]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Are there none?
    #[inline(always)]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Removes all moves.
    pub const fn clear(&mut self) {
        self.len = 0;
        self.added = 0;
    }

    /// Removes all moves from a place on.
    #[inline]
    pub const fn truncate(&mut self, len: usize) {
        if len < self.len {
            self.len = len;
        }
    }

    /// The move in a place.
    #[inline(always)]
    pub fn get(&self, index: usize) -> Option<ScoredMove> {
        self.entries().get(index).map(|entry| entry.scored())
    }

    /// Is the move in the list?
    pub fn contains(&self, mv: Move) -> bool {
        self.entries().iter().any(|entry| entry.mv == mv)
    }

    /// The moves as they stand in the list: as they were added until some are selected, sorted
    /// or taken out.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = ScoredMove> + '_ {
        self.entries().iter().map(|entry| entry.scored())
    }

    /// Takes out the best move; the last one fills its place.
    #[inline]
    pub fn pop_best(&mut self) -> Option<ScoredMove> {
        let best = self.best_from(0)?;
        let entry = self.entries()[best];
        self.len -= 1;
        if best < self.len {
            self.entries[best] = self.entries[self.len];
        }
        Some(entry.scored())
    }

    /// One step of selection sort: brings the best of the moves from `index` on to that place,
    /// by exchange with what stands there. `None` if there is no such place.
    ///
    /// With `index` 0, 1, 2 and so on the moves come from best to worst, and a search that stops
    /// early has not paid for sorting the rest.
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
        self.entries_mut().sort_unstable_by_key(|entry| !entry.key());
    }

    /// Brings the moves whose value is at least `limit` to the front, sorted from best to worst,
    /// and says how many they are. The others follow in no order.
    ///
    /// Where most moves are bad this is much less work than sorting: insertion into the sorted
    /// front, and only of what belongs there.
    pub fn sort_from(&mut self, limit: i32) -> usize {
        let entries = self.entries_mut();
        let mut sorted = 0;
        for next in 0..entries.len() {
            let entry = entries[next];
            if entry.value < limit {
                continue;
            }
            entries[next] = entries[sorted];
            let mut place = sorted;
            while place > 0 && entries[place - 1].key() < entry.key() {
                entries[place] = entries[place - 1];
                place -= 1;
            }
            entries[place] = entry;
            sorted += 1;
        }
        sorted
    }

    /// Where the best of the moves from `index` on stands.
    #[inline(always)]
    fn best_from(&self, index: usize) -> Option<usize> {
        let entries = self.entries();
        let mut best = entries.get(index)?.key();
        let mut place = index;
        for (at, entry) in entries.iter().enumerate().skip(index + 1) {
            let key = entry.key();
            place = if key > best { at } else { place };
            best = best.max(key);
        }
        Some(place)
    }

    /// Exchanges two moves that are there.
    #[inline(always)]
    pub(super) fn swap(&mut self, a: usize, b: usize) {
        self.entries_mut().swap(a, b);
    }

    #[inline(always)]
    pub(super) const fn entries(&self) -> &[Entry] {
        let places: *const Entry = self.entries.as_ptr().cast();
        // SAFETY: the first `len` places have been written: `len` only grows past a place that
        // `push` has just filled, and what moves inside the list moves among the first `len`.
        unsafe { core::slice::from_raw_parts(places, self.len) }
    }

    #[inline(always)]
    pub(super) const fn entries_mut(&mut self) -> &mut [Entry] {
        let places: *mut Entry = self.entries.as_mut_ptr().cast();
        // SAFETY: as in `entries`.
        unsafe { core::slice::from_raw_parts_mut(places, self.len) }
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
