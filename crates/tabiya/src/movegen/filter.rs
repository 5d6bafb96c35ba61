//! Filters: keeping only some of the moves of a kind.

use crate::bitboard::Bitboard;
use crate::direction::Direction;
use crate::moves::Move;
use crate::role::Role;
use crate::square::Square;

/// A condition on moves that the generator applies to whole sets.
///
/// A zero-sized filter costs nothing: its answers are constants.
pub(crate) trait MoveFilter: Copy {
    /// The squares from which pieces of a role may move.
    fn sources(&self, role: Role) -> Bitboard;

    /// The targets of a piece that remain.
    fn targets(&self, role: Role, from: Square, targets: Bitboard) -> Bitboard;

    /// The targets that remain of pawns that move `steps` squares in a direction without promoting.
    fn pawn_targets(&self, targets: Bitboard, direction: Direction, steps: u8) -> Bitboard;

    /// The targets that remain of pawns that promote to a role.
    fn promotions(&self, targets: Bitboard, role: Role) -> Bitboard;

    /// Does an en-passant capture or castling remain?
    fn allows(&self, role: Role, mv: Move) -> bool;
}

/// No filter: every move remains.
#[derive(Clone, Copy)]
pub(crate) struct NoFilter;

impl MoveFilter for NoFilter {
    #[inline(always)]
    fn sources(&self, _: Role) -> Bitboard {
        Bitboard::FULL
    }

    #[inline(always)]
    fn targets(&self, _: Role, _: Square, targets: Bitboard) -> Bitboard {
        targets
    }

    #[inline(always)]
    fn pawn_targets(&self, targets: Bitboard, _: Direction, _: u8) -> Bitboard {
        targets
    }

    #[inline(always)]
    fn promotions(&self, targets: Bitboard, _: Role) -> Bitboard {
        targets
    }

    #[inline(always)]
    fn allows(&self, _: Role, _: Move) -> bool {
        true
    }
}

/// Only moves from some squares, to some squares, of some roles.
///
/// Castling counts as a move of the king to the square on which it lands.
///
/// ```
/// use tabiya::{movegen::{Legal, Restriction}, MoveList, Position, Role, Square};
/// let knights = Restriction::UNRESTRICTED.roles(&[Role::Knight]);
/// assert_eq!(MoveList::within::<Legal>(&Position::START, &knights).len(), 4);
/// let to_f3 = knights.to(Square::F3);
/// assert_eq!(MoveList::within::<Legal>(&Position::START, &to_f3)[0].to_string(), "g1f3");
/// ```
#[doc(alias("mask", "set_iterator_mask", "filter"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restriction {
    from: Bitboard,
    to: Bitboard,
    roles: u8,
}

impl Restriction {
    /// No restriction.
    pub const UNRESTRICTED: Self = Self { from: Bitboard::FULL, to: Bitboard::FULL, roles: 0x3f };

    /// Only moves from one of these squares.
    #[must_use]
    pub fn from(self, squares: impl Into<Bitboard>) -> Self {
        Self { from: self.from & squares.into(), ..self }
    }

    /// Only moves to one of these squares.
    #[must_use]
    pub fn to(self, squares: impl Into<Bitboard>) -> Self {
        Self { to: self.to & squares.into(), ..self }
    }

    /// Only moves of pieces of these roles; a promotion is a pawn's move.
    #[must_use]
    pub fn roles(self, roles: &[Role]) -> Self {
        let set = roles.iter().fold(0, |set, &role| set | 1 << role as u8);
        Self { roles: self.roles & set, ..self }
    }
}

impl Default for Restriction {
    fn default() -> Self {
        Self::UNRESTRICTED
    }
}

impl MoveFilter for Restriction {
    #[inline]
    fn sources(&self, role: Role) -> Bitboard {
        if self.roles >> role as u8 & 1 == 1 { self.from } else { Bitboard::EMPTY }
    }

    #[inline]
    fn targets(&self, role: Role, from: Square, targets: Bitboard) -> Bitboard {
        if self.sources(role).has(from) { targets & self.to } else { Bitboard::EMPTY }
    }

    #[inline]
    fn pawn_targets(&self, targets: Bitboard, _: Direction, _: u8) -> Bitboard {
        targets & self.to
    }

    #[inline]
    fn promotions(&self, targets: Bitboard, _: Role) -> Bitboard {
        targets & self.to
    }

    #[inline]
    fn allows(&self, role: Role, mv: Move) -> bool {
        self.sources(role).has(mv.from()) && self.to.has(mv.to())
    }
}

/// Both filters.
impl<A: MoveFilter, B: MoveFilter> MoveFilter for (A, B) {
    #[inline(always)]
    fn sources(&self, role: Role) -> Bitboard {
        self.0.sources(role) & self.1.sources(role)
    }

    #[inline(always)]
    fn targets(&self, role: Role, from: Square, targets: Bitboard) -> Bitboard {
        self.1.targets(role, from, self.0.targets(role, from, targets))
    }

    #[inline(always)]
    fn pawn_targets(&self, targets: Bitboard, direction: Direction, steps: u8) -> Bitboard {
        self.1.pawn_targets(self.0.pawn_targets(targets, direction, steps), direction, steps)
    }

    #[inline(always)]
    fn promotions(&self, targets: Bitboard, role: Role) -> Bitboard {
        self.1.promotions(self.0.promotions(targets, role), role)
    }

    #[inline(always)]
    fn allows(&self, role: Role, mv: Move) -> bool {
        self.0.allows(role, mv) && self.1.allows(role, mv)
    }
}
