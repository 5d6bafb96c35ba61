//! The receivers of generated moves.
//!
//! The generator produces sets: "this knight may move to any of these squares". The sink decides
//! what to do with them. A list stores each move, a count adds up the sizes of the sets, and a test
//! for any move stops at the first set that is not empty.

use core::ops::ControlFlow;

use crate::bitboard::Bitboard;
use crate::moves::{Move, MoveAppender, MoveKind, MoveList};
use crate::role::Role;
use crate::square::Square;

/// Pawns of one side that move in the same way, given by their targets.
#[derive(Clone, Copy, Debug)]
pub struct PawnMoves {
    /// The targets of the pawns.
    pub targets: Bitboard,
    /// The target's number minus the origin's: 8 for a white push, -9 for a black capture to the
    /// west, 16 for a white double push.
    pub offset: i8,
}

impl PawnMoves {
    /// The origin of the pawn that moves to `target`.
    #[inline(always)]
    pub const fn origin(self, target: Square) -> Square {
        Square::from_low_bits((target as u8).wrapping_sub(self.offset as u8))
    }

    /// The targets of the pawns that come from one of the given squares.
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
/// Only [`Sink::add`] is required. The other methods take whole sets; override them where a whole
/// set is faster to handle than its moves one by one.
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
/// Position::START.generate::<Legal>(&mut sink);
/// assert_eq!(sink.0, [16, 4, 0, 0, 0, 0]);
/// ```
#[doc(alias("visitor", "listener", "callback"))]
pub trait Sink {
    /// Takes one move of a piece of the given role.
    fn add(&mut self, role: Role, mv: Move);

    /// Is the sink finished? The generator asks after the king's steps, after all moves of pawns,
    /// and after the moves of each other piece, and stops if it is.
    #[inline(always)]
    fn is_done(&self) -> bool {
        false
    }

    /// Takes the moves of one piece other than a pawn to each of the targets; those to squares in
    /// `captures` are captures. Castling is passed to [`add`](Self::add) instead.
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

    /// Takes pawn moves of one kind: pushes, captures or promotions to one role. En-passant
    /// captures are passed to [`add`](Self::add) instead.
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

/// Adds every move to a list.
pub(super) struct ListSink<'a>(MoveAppender<'a>);

impl<'a> ListSink<'a> {
    /// Clears the list and fills it with the moves of the side that has these pieces.
    ///
    /// # Panics
    /// If there are more than 16 pieces: a valid position never has them, but illegal moves can
    /// lead to such a board.
    #[inline(always)]
    pub(super) fn new(list: &'a mut MoveList, pieces: Bitboard) -> Self {
        assert!(pieces.len() <= 16, "a side has at most 16 pieces");
        list.clear();
        Self(list.appender())
    }
}

impl Sink for ListSink<'_> {
    #[inline(always)]
    fn add(&mut self, _: Role, mv: Move) {
        // SAFETY: `new` cleared the list and found at most 16 pieces, and its only caller,
        // `Generator::refill`, fills the list once with the moves of the side that has them. On a
        // board each square has one role (see `Board`), and the generator looks at each piece of
        // the side once. So there are at most as many moves as places; `moves::list` has the proof.
        unsafe { self.0.push_unchecked(mv) };
    }
}

/// Counts moves without listing them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count(
    /// The number of moves so far.
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

/// Finds out whether there is any move, and stops at the first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Any(
    /// Has there been a move?
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

/// Passes each move to a function until that returns a break.
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
        // The generator may finish a set before it asks whether the sink is done.
        if self.broken.is_none() {
            self.broken = (self.visit)(mv).break_value();
        }
    }

    #[inline]
    fn is_done(&self) -> bool {
        self.broken.is_some()
    }
}
