//! A list of moves on the stack that cannot overflow.
//!
//! No board with at most 16 pieces a side has more than 392 moves: not one on which illegal moves
//! were played, and not a setup with several kings or with pawns on the first and last rank. That
//! bound lets the generator write without checking for room. The proof:
//!
//! * A knight or a king has at most 8 moves. Castling adds 2, since only one king of a side castles.
//! * A pawn has at most 12 moves (three targets, four roles), and 8 on the edge of the board: on a
//!   side file it has two targets, on its own first rank four moves, and on its last rank none.
//! * From a target, the lines lead in 3 directions on a corner, in 5 on another square of the edge,
//!   in 8 elsewhere: 420 in all. In each direction, at most one slider of the side reaches the
//!   target (the nearest piece). The side's own squares are not targets. With n of them, 4 to 28,
//!   at most 420 - 4 * 3 - 5 * (n - 4) = 428 - 5 n moves of sliders remain. A single slider has at
//!   most 27.
//! * A pawn with more than 8 moves is not on the edge, so its square takes away 8 directions, not
//!   5. So each piece that isn't a slider adds at most 9 to the bound from the lines.
//! * Of n <= 16 pieces, let s be sliders. With s <= 12, the moves are at most 27 s + 12 (16 - s) +
//!   2 <= 374. With s >= 13, they are at most 428 - 5 n + 9 (n - s) + 2 = 430 + 4 n - 9 s <= 377
//!   from the lines.

use core::fmt;
use core::ops::{Deref, DerefMut};

use super::Move;
use crate::list::{Appender, FixedList};

/// Adds moves to a list.
pub(crate) type MoveAppender<'a> = Appender<'a, Move, { MoveList::CAPACITY }>;

/// A list with room for the moves of any position, without a heap.
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
    pub const CAPACITY: usize = 392;

    /// An empty list.
    #[inline(always)]
    pub const fn new() -> Self {
        Self(FixedList::new())
    }

    /// Adds a move at the end.
    ///
    /// # Errors
    /// Returns the move if the list is full; the moves of one position never fill it.
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
    #[doc(alias = "capture_moves")]
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
