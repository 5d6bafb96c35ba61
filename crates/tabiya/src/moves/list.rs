//! A list of moves on the stack that cannot overflow.
//!
//! A side has at most 16 pieces. A queen has at most 27 moves, a pawn at most 12 (three targets,
//! four roles), a king 8 and two castling moves. So no side has more than 16 * 27 = 432 moves, and
//! 512 places are enough for every position. That bound lets the generator write without checking
//! for room.

use core::fmt;
use core::ops::{Deref, DerefMut};

use super::Move;
use crate::list::{Appender, FixedList};

/// Adds moves to a list.
pub(crate) type MoveAppender<'a> = Appender<'a, Move, { MoveList::CAPACITY }>;

/// A list with room for the moves of any position, without heap.
///
/// It dereferences to a slice of moves.
///
/// ```
/// use tabiya::Position;
/// let moves = Position::START.legal_moves();
/// assert_eq!(moves.len(), 20);
/// assert!(moves.iter().any(|m| m.to_string() == "e2e4"));
/// ```
#[doc(alias("MoveVec", "ArrayVec"))]
#[derive(Clone)]
pub struct MoveList(FixedList<Move, { Self::CAPACITY }>);

impl MoveList {
    /// The largest number of moves.
    pub const CAPACITY: usize = 512;

    /// An empty list.
    #[inline(always)]
    pub const fn new() -> Self {
        Self(FixedList::new())
    }

    /// Adds a move at the end.
    ///
    /// # Errors
    /// Gives the move back if the list is full; the moves of one position never fill it.
    #[inline]
    pub const fn push(&mut self, mv: Move) -> Result<(), Move> {
        self.0.push(mv)
    }

    /// Adds moves at the end.
    #[inline(always)]
    pub(crate) const fn appender(&mut self) -> MoveAppender<'_> {
        self.0.appender()
    }

    /// Removes all moves.
    pub const fn clear(&mut self) {
        self.0.truncate(0);
    }

    /// Keeps the moves for which `keep` returns true, in their order.
    pub fn retain(&mut self, mut keep: impl FnMut(Move) -> bool) {
        let mut kept = 0;
        for index in 0..self.len() {
            let mv = self[index];
            if keep(mv) {
                self[kept] = mv;
                kept += 1;
            }
        }
        self.0.truncate(kept);
    }

    /// The moves as a slice.
    #[inline(always)]
    pub const fn as_slice(&self) -> &[Move] {
        self.0.as_slice()
    }

    /// The moves as a slice that can be sorted.
    #[inline(always)]
    pub const fn as_mut_slice(&mut self) -> &mut [Move] {
        self.0.as_mut_slice()
    }
}

impl Default for MoveList {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline(always)]
    fn deref(&self) -> &[Move] {
        self.as_slice()
    }
}

impl DerefMut for MoveList {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [Move] {
        self.as_mut_slice()
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = core::slice::Iter<'a, Move>;

    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = IntoIter;

    #[inline(always)]
    fn into_iter(self) -> IntoIter {
        IntoIter { next: 0, list: self }
    }
}

/// The moves of a list by value.
#[derive(Clone, Debug)]
pub struct IntoIter {
    next: usize,
    list: MoveList,
}

impl Iterator for IntoIter {
    type Item = Move;

    #[inline(always)]
    fn next(&mut self) -> Option<Move> {
        let mv = self.list.get(self.next).copied()?;
        self.next += 1;
        Some(mv)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.list.len() - self.next;
        (left, Some(left))
    }
}

impl ExactSizeIterator for IntoIter {}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl PartialEq for MoveList {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for MoveList {}
