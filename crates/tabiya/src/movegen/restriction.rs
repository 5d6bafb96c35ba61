//! Generating only some of the moves of a kind.

use crate::bitboard::Bitboard;
use crate::moves::Move;
use crate::role::Role;

/// Only moves from some squares, to some squares, of some roles.
///
/// Castling counts as a move of the king to the square on which it lands.
///
/// ```
/// use tabiya::{movegen::{Legal, Restriction}, Position, Role, Square};
/// let knights = Restriction::UNRESTRICTED.roles(&[Role::Knight]);
/// let start = Position::START;
/// assert_eq!(start.generator().with_restriction(knights).list::<Legal>().len(), 4);
/// let to_f3 = start.generator().with_restriction(knights.to(Square::F3)).list::<Legal>();
/// assert_eq!(to_f3[0].to_string(), "g1f3");
/// ```
#[doc(alias("mask", "set_iterator_mask", "filter", "generate_moves_for"))]
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

/// If the restriction is a constant, so are these sets, and they cost nothing.
impl Restriction {
    /// The squares from which pieces of a role may move.
    #[inline(always)]
    pub(super) const fn origins(&self, role: Role) -> Bitboard {
        if self.roles >> role as u8 & 1 == 1 { self.from } else { Bitboard::EMPTY }
    }

    /// The squares to which pieces may move.
    #[inline(always)]
    pub(super) const fn targets(&self) -> Bitboard {
        self.to
    }

    /// May a piece of a role make this move?
    #[inline(always)]
    pub(super) const fn allows(&self, role: Role, mv: Move) -> bool {
        self.origins(role).has(mv.from()) && self.to.has(mv.to())
    }
}
