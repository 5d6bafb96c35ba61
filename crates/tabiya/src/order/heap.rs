//! A heap of moves with values.

use super::list::{ScoredList, ScoredMove};
use super::score::{Collect, Scorer, Scoring};
use crate::movegen::Kind;
use crate::moves::Move;
use crate::position::Position;

/// A binary heap of moves with values, on the stack: adding a move and taking out the best one take
/// logarithmic time.
///
/// Moves of the same value come out in the order in which they were added.
///
/// ```
/// use tabiya::movegen::Captures;
/// use tabiya::order::{MoveHeap, MvvLva};
/// use tabiya::Position;
/// let position = Position::from_fen("4k3/8/2q1r3/3P4/8/2R5/8/6K1 w - - 0 1").unwrap();
/// let heap = MoveHeap::of::<Captures>(&position, &MvvLva::DEFAULT);
/// let order: Vec<_> = heap.map(|scored| scored.mv.to_string()).collect();
/// assert_eq!(order, ["d5c6", "c3c6", "d5e6"]);
/// ```
///
/// Source: J. W. J. Williams, "Algorithm 232: Heapsort", 1964.
#[derive(Clone, Debug, Default)]
pub struct MoveHeap {
    /// The moves at 2n + 1 and 2n + 2 are never better than the move at n.
    list: ScoredList,
}

impl MoveHeap {
    /// An empty heap.
    #[inline(always)]
    pub const fn new() -> Self {
        Self { list: ScoredList::new() }
    }

    /// The moves of one kind, with the values that the scorer assigns.
    pub fn of<K: Kind>(position: &Position, scorer: &impl Scorer) -> Self {
        let mut heap = Self::new();
        position.generate::<K>(&mut heap.scoring(position, scorer));
        heap
    }

    /// A sink that adds the moves of a position, with the values that the scorer assigns; see
    /// [`ScoredList::scoring`].
    #[inline(always)]
    pub const fn scoring<'a, S: Scorer>(
        &'a mut self,
        position: &'a Position,
        scorer: &'a S,
    ) -> Scoring<'a, &'a mut Self, S> {
        Scoring::new(self, position, scorer)
    }

    /// Adds a move.
    ///
    /// # Errors
    /// Returns the move if the heap is full; the moves of one position never fill it.
    pub fn push(&mut self, mv: Move, value: i32) -> Result<(), Move> {
        self.list.push(mv, value)?;
        let entries = self.list.entries_mut();
        let mut place = entries.len() - 1;
        while place > 0 {
            let parent = (place - 1) / 2;
            if entries[parent] >= entries[place] {
                break;
            }
            entries.swap(parent, place);
            place = parent;
        }
        Ok(())
    }

    /// The best move, without taking it out.
    pub fn peek(&self) -> Option<ScoredMove> {
        self.list.get(0)
    }

    /// Takes out the best move.
    pub fn pop(&mut self) -> Option<ScoredMove> {
        let best = self.peek()?;
        let last = self.list.len() - 1;
        self.list.swap(0, last);
        self.list.truncate(last);
        let entries = self.list.entries_mut();
        let mut place = 0;
        loop {
            let left = 2 * place + 1;
            let Some(mut better) = entries.get(left).map(|_| left) else { break };
            if left + 1 < entries.len() && entries[left + 1] > entries[left] {
                better = left + 1;
            }
            if entries[place] >= entries[better] {
                break;
            }
            entries.swap(place, better);
            place = better;
        }
        Some(best)
    }

    /// The number of moves.
    pub const fn len(&self) -> usize {
        self.list.len()
    }

    /// Are there no moves?
    pub const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Is the move in the heap?
    pub fn contains(&self, mv: Move) -> bool {
        self.list.contains(mv)
    }

    /// Removes all moves.
    pub const fn clear(&mut self) {
        self.list.clear();
    }
}

impl Collect for &mut MoveHeap {
    #[inline(always)]
    fn collect(&mut self, mv: Move, value: i32) {
        // Only a heap that was not empty before can be full.
        let _ = self.push(mv, value);
    }
}

/// Takes out the moves from best to worst.
impl Iterator for MoveHeap {
    type Item = ScoredMove;

    fn next(&mut self) -> Option<ScoredMove> {
        self.pop()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len(), Some(self.len()))
    }
}

impl ExactSizeIterator for MoveHeap {}
