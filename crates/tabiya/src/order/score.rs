//! Values of moves, and the sink that stores moves with their values.

use core::fmt;

use super::values::PieceValues;
use crate::movegen::Sink;
use crate::moves::Move;
use crate::position::Position;
use crate::role::Role;

/// Assigns values to moves: the better the move, the greater the value.
///
/// Any function of a position, the moving piece's role and a move is a scorer.
///
/// ```
/// use tabiya::order::{MvvLva, Scorer};
/// use tabiya::{Move, Position, Role};
/// let knights_first = |_: &Position, role: Role, _: Move| i32::from(role == Role::Knight);
/// let mv = Position::START.parse_uci("b1c3").unwrap();
/// assert_eq!(knights_first.score(&Position::START, Role::Knight, mv), 1);
/// assert_eq!(MvvLva::DEFAULT.score(&Position::START, Role::Knight, mv), 0);
/// ```
pub trait Scorer {
    /// The value of a legal or pseudo-legal move of a piece of the given role.
    fn score(&self, position: &Position, role: Role, mv: Move) -> i32;
}

impl<F: Fn(&Position, Role, Move) -> i32> Scorer for F {
    #[inline(always)]
    fn score(&self, position: &Position, role: Role, mv: Move) -> i32 {
        self(position, role, mv)
    }
}

/// Most valuable victim, least valuable attacker: captures are ordered by the captured piece, and
/// captures of equal pieces by the capturing piece.
///
/// A promotion counts the value that the pawn gains. Other moves have the value 0.
///
/// ```
/// use tabiya::order::{MvvLva, Scorer};
/// use tabiya::{Position, Role};
/// let position = Position::from_fen("4k3/8/2q1r3/3P4/8/2R5/8/6K1 w - - 0 1").unwrap();
/// let score = |role, text| {
///     MvvLva::DEFAULT.score(&position, role, position.parse_uci(text).unwrap())
/// };
/// assert!(score(Role::Pawn, "d5c6") > score(Role::Rook, "c3c6"));
/// assert!(score(Role::Rook, "c3c6") > score(Role::Pawn, "d5e6"));
/// ```
#[doc(alias = "most valuable victim")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MvvLva {
    /// The values of victims and attackers.
    pub values: PieceValues,
}

impl MvvLva {
    /// With the values of [`PieceValues::DEFAULT`].
    pub const DEFAULT: Self = Self { values: PieceValues::DEFAULT };

    /// The material that the move gains at once, by capture and by promotion.
    #[inline(always)]
    fn gain(&self, position: &Position, mv: Move) -> i32 {
        let mut gain = 0;
        if mv.is_capture() {
            let victim = if mv.is_en_passant() {
                Role::Pawn
            } else {
                position.board().role_on_occupied(mv.to())
            };
            gain += self.values.of(victim);
        }
        if let Some(role) = mv.promotion() {
            gain += self.values.of(role) - self.values.of(Role::Pawn);
        }
        gain
    }
}

impl Scorer for MvvLva {
    #[inline(always)]
    fn score(&self, position: &Position, role: Role, mv: Move) -> i32 {
        if mv.is_capture() || mv.is_promotion() {
            // Six roles fit below one unit of value.
            8 * self.gain(position, mv) - self.values.place(role)
        } else {
            0
        }
    }
}

/// A collection of moves with values. It drops moves for which it has no room.
pub(super) trait Collect {
    fn collect(&mut self, mv: Move, value: i32);
}

/// A sink that asks a scorer for the value of each move, and adds both to a
/// [`ScoredList`](super::ScoredList) or a [`MoveHeap`](super::MoveHeap).
pub struct Scoring<'a, T, S> {
    into: T,
    position: &'a Position,
    scorer: &'a S,
}

impl<'a, T, S: Scorer> Scoring<'a, T, S> {
    #[inline(always)]
    pub(super) const fn new(into: T, position: &'a Position, scorer: &'a S) -> Self {
        Self { into, position, scorer }
    }
}

impl<T: Collect, S: Scorer> Sink for Scoring<'_, T, S> {
    #[inline(always)]
    fn add(&mut self, role: Role, mv: Move) {
        let value = self.scorer.score(self.position, role, mv);
        self.into.collect(mv, value);
    }
}

impl<T: fmt::Debug, S> fmt::Debug for Scoring<'_, T, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scoring").field("into", &self.into).finish_non_exhaustive()
    }
}
