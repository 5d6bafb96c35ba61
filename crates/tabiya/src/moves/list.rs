//! A list of moves on the stack that cannot overflow.
//!
//! A position has at most 16 men a side. A queen has at most 27 moves, a pawn at most 12 (three
//! targets, four roles), a king 8 and two castlings, so no side has more than 16 * 27 = 432
//! moves, and 512 places are enough for every position that exists. That bound lets the
//! generator write without asking.

use core::fmt;
use core::mem::MaybeUninit;
use core::ops::Deref;

use super::Move;

/// A list of moves with room for those of any position, without heap.
///
/// It is a slice of moves in all other respects.
///
/// ```
/// use tabiya::Position;
/// let moves = Position::START.legal_moves();
/// assert_eq!(moves.len(), 20);
/// assert!(moves.iter().any(|m| m.to_string() == "e2e4"));
/// ```
#[derive(Clone)]
pub struct MoveList {
    len: usize,
    moves: [MaybeUninit<Move>; Self::CAPACITY],
}

impl MoveList {
    /// The number of places.
    pub const CAPACITY: usize = 512;

    /// A list without moves.
    #[inline(always)]
    pub const fn new() -> Self {
        Self { len: 0, moves: [const { MaybeUninit::uninit() }; Self::CAPACITY] }
    }

    /// Adds a move at the end.
    ///
    /// # Errors
    /// Gives the move back if the list is full, which no position's moves can bring about.
    pub const fn push(&mut self, mv: Move) -> Result<(), Move> {
        if self.len == Self::CAPACITY {
            return Err(mv);
        }
        self.moves[self.len] = MaybeUninit::new(mv);
        self.len += 1;
        Ok(())
    }

    /// Adds a move at the end without looking whether there is room.
    ///
    /// # Safety
    /// The list has fewer than [`Self::CAPACITY`] moves.
    #[inline(always)]
    pub(crate) unsafe fn push_unchecked(&mut self, mv: Move) {
        // SAFETY: the caller vouches for `len` being inside the array.
        unsafe { self.moves.get_unchecked_mut(self.len) }.write(mv);
        self.len += 1;
    }

    /// Removes all moves.
    pub const fn clear(&mut self) {
        self.len = 0;
    }

    /// Keeps the moves for which `keep` says yes, in their order.
    pub fn retain(&mut self, mut keep: impl FnMut(Move) -> bool) {
        let mut kept = 0;
        for index in 0..self.len {
            let mv = self[index];
            if keep(mv) {
                self.moves[kept] = MaybeUninit::new(mv);
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// The moves as a slice.
    #[inline(always)]
    pub const fn as_slice(&self) -> &[Move] {
        let places: *const Move = self.moves.as_ptr().cast();
        // SAFETY: the first `len` places have been written: `len` only grows past a place that
        // `push` or `push_unchecked` has just filled.
        unsafe { core::slice::from_raw_parts(places, self.len) }
    }

    /// The moves as a slice that can be sorted.
    #[inline(always)]
    pub const fn as_mut_slice(&mut self) -> &mut [Move] {
        let places: *mut Move = self.moves.as_mut_ptr().cast();
        // SAFETY: as in `as_slice`.
        unsafe { core::slice::from_raw_parts_mut(places, self.len) }
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

impl core::ops::DerefMut for MoveList {
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
