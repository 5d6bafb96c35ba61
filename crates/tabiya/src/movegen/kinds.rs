//! Kinds of moves, as types, so that each is compiled into a generator of its own.
//!
//! The kinds are those of staged generation. For any position:
//!
//! * [`Captures`] and [`Quiets`] are disjoint, and together they are [`NonEvasions`];
//! * [`QuietChecks`] are those of the [`Quiets`] that give check, less promotions other than to
//!   a knight that checks directly;
//! * [`Evasions`] are [`Legal`] in check, and nothing otherwise;
//! * [`PseudoLegal`] of a kind, filtered by
//!   [`Legality::allows`](super::Legality::allows), is that kind.

use crate::role::Role;

mod sealed {
    pub trait Sealed {}
}

/// A kind of moves to generate.
pub trait Kind: sealed::Sealed + Copy + 'static {
    /// Are men taken?
    const CAPTURES: bool;
    /// Are moves to empty squares made?
    const QUIETS: bool;
    /// What pawns become.
    const PROMOTIONS: &'static [Role];
    /// Only moves that give check?
    const CHECKS: bool = false;
    /// Only in check?
    const EVASIONS: bool = false;
    /// May the own king not be left in check?
    const LEGAL: bool = true;
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident { $($constants:tt)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;
        impl sealed::Sealed for $name {}
        impl Kind for $name { $($constants)* }
    )*};
}

kinds! {
    /// Every legal move.
    ///
    /// ```
    /// use tabiya::{movegen::{Captures, Legal}, MoveList, Position};
    /// let position = Position::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1").unwrap();
    /// assert_eq!(MoveList::of::<Legal>(&position).len(), 7);
    /// assert_eq!(MoveList::of::<Captures>(&position)[0].to_string(), "e4d5");
    /// ```
    Legal {
        const CAPTURES: bool = true;
        const QUIETS: bool = true;
        const PROMOTIONS: &'static [Role] = &Role::PROMOTIONS;
    }

    /// [`Captures`] and [`Quiets`] together.
    NonEvasions {
        const CAPTURES: bool = true;
        const QUIETS: bool = true;
        const PROMOTIONS: &'static [Role] = &Role::PROMOTIONS;
    }

    /// Captures, en passant among them, and promotions to a queen, capturing or not.
    ///
    /// Capturing promotions to other roles are [`Quiets`].
    Captures {
        const CAPTURES: bool = true;
        const QUIETS: bool = false;
        const PROMOTIONS: &'static [Role] = &[Role::Queen];
    }

    /// All moves that are not [`Captures`]: moves to empty squares, castling, and every
    /// promotion to a knight, bishop or rook, capturing or not.
    Quiets {
        const CAPTURES: bool = false;
        const QUIETS: bool = true;
        const PROMOTIONS: &'static [Role] = &[Role::Knight, Role::Bishop, Role::Rook];
    }

    /// Quiet moves that give check, directly or by discovery. Of promotions only those to a
    /// knight that checks directly.
    QuietChecks {
        const CAPTURES: bool = false;
        const QUIETS: bool = true;
        const PROMOTIONS: &'static [Role] = &[Role::Knight];
        const CHECKS: bool = true;
    }

    /// Every answer to a check; nothing if there is no check.
    Evasions {
        const CAPTURES: bool = true;
        const QUIETS: bool = true;
        const PROMOTIONS: &'static [Role] = &Role::PROMOTIONS;
        const EVASIONS: bool = true;
    }
}

/// The moves of a kind by the rules of movement alone: the own king may be left in check.
///
/// Castling is stricter, as everywhere: the king may neither start in check nor pass through
/// nor land in it. Pseudo-legal [`Evasions`] capture the checker, block it or move the king,
/// without looking at pins or at the king's safety.
///
/// ```
/// use tabiya::{movegen::{Legal, PseudoLegal}, MoveList, Position};
/// // The knight is pinned.
/// let position = Position::from_fen("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1").unwrap();
/// assert_eq!(MoveList::of::<Legal>(&position).len(), 4);
/// assert_eq!(MoveList::of::<PseudoLegal<Legal>>(&position).len(), 10);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PseudoLegal<K: Kind>(core::marker::PhantomData<K>);

impl<K: Kind> sealed::Sealed for PseudoLegal<K> {}

impl<K: Kind> Kind for PseudoLegal<K> {
    const CAPTURES: bool = K::CAPTURES;
    const QUIETS: bool = K::QUIETS;
    const PROMOTIONS: &'static [Role] = K::PROMOTIONS;
    const CHECKS: bool = K::CHECKS;
    const EVASIONS: bool = K::EVASIONS;
    const LEGAL: bool = false;
}
