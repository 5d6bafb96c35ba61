//! Where generated moves go.
//!
//! The generator speaks in sets: "this knight may go to any of these squares". What becomes of
//! them is the sink's business. A list writes each move down, a count adds up the sizes, a test
//! for "is there any" stops at the first set that is not empty.

use core::ops::ControlFlow;

use crate::bitboard::Bitboard;
use crate::moves::{Move, MoveKind, MoveList};
use crate::role::Role;
use crate::square::Square;

/// Pawns of one side that move in the same way, by the squares that they move to.
#[derive(Clone, Copy, Debug)]
pub struct PawnMoves {
    /// Where the pawns go.
    pub targets: Bitboard,
    /// The target's number less the origin's: 8 for a white push, -9 for a black capture to the
    /// west, 16 for a white double push.
    pub offset: i8,
}

impl PawnMoves {
    /// Where the pawn that goes to `target` comes from.
    #[inline(always)]
    pub const fn origin(self, target: Square) -> Square {
        Square::from_low_bits((target as u8).wrapping_sub(self.offset as u8))
    }

    /// The targets of those pawns that come from one of the squares.
    ///
    /// ```
    /// use tabiya::{movegen::PawnMoves, Rank, Square};
    /// let pushes = PawnMoves { targets: Rank::Third.bitboard(), offset: 8 };
    /// assert!(pushes.targets_from(Square::E2.bitboard()).iter().eq([Square::E3]));
    /// ```
    #[inline(always)]
    pub const fn targets_from(self, origins: Bitboard) -> Bitboard {
        let moved = if self.offset < 0 {
            origins.0 >> self.offset.unsigned_abs()
        } else {
            origins.0 << self.offset
        };
        Bitboard(moved & self.targets.0)
    }
}

/// A receiver of moves.
///
/// Only [`Sink::add`] needs to be written; the other methods take whole sets and may be
/// overridden where a set can be dealt with faster than its members.
///
/// ```
/// use tabiya::{movegen::{Legal, Sink}, Move, Position, Role};
///
/// /// Counts the moves of each role.
/// #[derive(Default)]
/// struct ByRole([u32; 6]);
///
/// impl Sink for ByRole {
///     fn add(&mut self, role: Role, _: Move) {
///         self.0[role as usize] += 1;
///     }
/// }
///
/// let mut sink = ByRole::default();
/// Position::START.generate::<Legal, _>(&mut sink);
/// assert_eq!(sink.0, [16, 4, 0, 0, 0, 0]);
/// ```
pub trait Sink {
    /// Takes one move of a man of the given role.
    fn add(&mut self, role: Role, mv: Move);

    /// Has the sink seen enough? The generator asks after each set.
    #[inline(always)]
    fn is_done(&self) -> bool {
        false
    }

    /// Takes the moves of one man, not a pawn, to each of the targets; those in `captures` take
    /// a man. Castling is not among them.
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard, captures: Bitboard) {
        for (targets, kind) in
            [(targets - captures, MoveKind::Quiet), (targets & captures, MoveKind::Capture)]
        {
            for to in targets {
                self.add(role, Move::new(from, to, kind));
                if self.is_done() {
                    return;
                }
            }
        }
    }

    /// Takes pawn moves of one kind: pushes, captures or promotions to one role. Captures en
    /// passant come one by one.
    #[inline(always)]
    fn pawns(&mut self, moves: PawnMoves, kind: MoveKind) {
        for to in moves.targets {
            self.add(Role::Pawn, Move::new(moves.origin(to), to, kind));
            if self.is_done() {
                return;
            }
        }
    }
}

/// Writes every move into a list.
pub(crate) struct ListSink<'a>(&'a mut MoveList);

impl<'a> ListSink<'a> {
    /// A sink for the moves of a side with so many men, appended to an empty list.
    ///
    /// # Panics
    /// If there are more than 16 men: no position has them, but a board on which illegal moves
    /// were played may.
    #[inline(always)]
    pub(crate) fn new(list: &'a mut MoveList, men: Bitboard) -> Self {
        assert!(men.len() <= 16, "a side has at most 16 men");
        list.clear();
        Self(list)
    }
}

impl Sink for ListSink<'_> {
    #[inline(always)]
    fn add(&mut self, _: Role, mv: Move) {
        // SAFETY: the list was empty and belongs to a side of at most 16 men, which has fewer
        // moves than the list has places (see `moves::list`).
        unsafe { self.0.push_unchecked(mv) };
    }
}

/// Counts moves without making them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count(
    /// How many there were.
    pub u32,
);

impl Sink for Count {
    #[inline(always)]
    fn add(&mut self, _: Role, _: Move) {
        self.0 += 1;
    }

    #[inline(always)]
    fn piece(&mut self, _: Role, _: Square, targets: Bitboard, _: Bitboard) {
        self.0 += targets.len();
    }

    #[inline(always)]
    fn pawns(&mut self, moves: PawnMoves, _: MoveKind) {
        self.0 += moves.targets.len();
    }
}

/// Finds out whether there is any move at all, and stops at the first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Any(
    /// Was there one?
    pub bool,
);

impl Sink for Any {
    #[inline(always)]
    fn add(&mut self, _: Role, _: Move) {
        self.0 = true;
    }

    #[inline(always)]
    fn is_done(&self) -> bool {
        self.0
    }

    #[inline(always)]
    fn piece(&mut self, _: Role, _: Square, targets: Bitboard, _: Bitboard) {
        self.0 |= targets.any();
    }

    #[inline(always)]
    fn pawns(&mut self, moves: PawnMoves, _: MoveKind) {
        self.0 |= moves.targets.any();
    }
}

/// Hands each move to a function until that breaks off.
pub(crate) struct Visitor<F, B> {
    visit: F,
    broken: Option<B>,
}

impl<B, F: FnMut(Move) -> ControlFlow<B>> Visitor<F, B> {
    pub(crate) const fn new(visit: F) -> Self {
        Self { visit, broken: None }
    }

    pub(crate) fn finish(self) -> ControlFlow<B> {
        self.broken.map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }
}

impl<B, F: FnMut(Move) -> ControlFlow<B>> Sink for Visitor<F, B> {
    #[inline]
    fn add(&mut self, _: Role, mv: Move) {
        // The generator may finish a set before it asks again.
        if self.broken.is_none() {
            self.broken = (self.visit)(mv).break_value();
        }
    }

    #[inline]
    fn is_done(&self) -> bool {
        self.broken.is_some()
    }
}
