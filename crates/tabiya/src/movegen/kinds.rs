//! Kinds of moves, as types. The compiler makes a generator for each.
//!
//! The kinds are those of staged generation. For any position:
//!
//! * [`Captures`] and [`Quiets`] are disjoint, and together they are [`NonEvasions`];
//! * [`QuietChecks`] are the [`Quiets`] that give check, without promotions, except to a knight
//!   that gives check directly;
//! * in check, [`Evasions`] are all [`Legal`] moves; otherwise there are none;
//! * [`PseudoLegal`] of a kind, filtered by
//!   [`Generator::allows`](super::Generator::allows), is that kind.
//!
//! Stockfish, where these names come from, divides promotions differently today (`movegen.cpp` of
//! August 2026): its captures have the promotions to a queen and every promotion that captures, so
//! its quiet moves have only those to a knight, bishop or rook that capture nothing. It has no kind
//! for quiet checks any more. Here a promotion's kind depends on the role alone. Both divisions
//! have the same moves together.

use crate::moves::MoveKind;
use crate::role::Role;

mod sealed {
    use super::{MoveKind, Role};

    /// The contents of a kind.
    pub trait Contents {
        /// Are captures generated?
        const CAPTURES: bool;
        /// Are moves to empty squares generated?
        const QUIETS: bool;
        /// The roles to which pawns promote.
        const PROMOTIONS: &'static [Role];
        /// Are only moves generated that give check?
        const CHECKS: bool = false;
        /// Are moves generated only in check?
        const EVASIONS: bool = false;
        /// Are moves excluded that leave the king of the side to move in check?
        const LEGAL: bool = true;

        /// Do the settings for captures and promotions include moves of this kind?
        #[inline]
        fn includes(kind: MoveKind) -> bool {
            match kind.promoted() {
                Some(role) => Self::PROMOTIONS.contains(&role),
                None if kind.is_capture() => Self::CAPTURES,
                None => Self::QUIETS,
            }
        }
    }
}

/// A kind of moves to generate: one of the types of this module.
pub trait Kind: sealed::Contents + Copy + 'static {}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident { $($constants:tt)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;
        impl sealed::Contents for $name { $($constants)* }
        impl Kind for $name {}
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

    /// Captures, including en passant, and promotions to a queen, capturing or not.
    ///
    /// Capturing promotions to other roles are [`Quiets`].
    Captures {
        const CAPTURES: bool = true;
        const QUIETS: bool = false;
        const PROMOTIONS: &'static [Role] = &[Role::Queen];
    }

    /// All moves that are not [`Captures`]: moves to empty squares, castling, and promotions to a
    /// knight, bishop or rook, capturing or not.
    Quiets {
        const CAPTURES: bool = false;
        const QUIETS: bool = true;
        const PROMOTIONS: &'static [Role] = &[Role::Knight, Role::Bishop, Role::Rook];
    }

    /// Quiet moves that give check, directly or discovered. The only promotions are those to a
    /// knight that gives check directly.
    QuietChecks {
        const CAPTURES: bool = false;
        const QUIETS: bool = true;
        const PROMOTIONS: &'static [Role] = &[Role::Knight];
        const CHECKS: bool = true;
    }

    /// All legal moves in check; none if there is no check.
    Evasions {
        const CAPTURES: bool = true;
        const QUIETS: bool = true;
        const PROMOTIONS: &'static [Role] = &Role::PROMOTIONS;
        const EVASIONS: bool = true;
    }
}

/// The moves of a kind by the rules of movement alone. They may leave the king of the side to move
/// in check.
///
/// Castling is stricter, as usual: the king may not castle out of check, through an attacked square
/// or into check. Pseudo-legal [`Evasions`] capture the checker, block the check or move the king;
/// pins and the king's safety are not examined.
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

impl<K: Kind> Kind for PseudoLegal<K> {}

impl<K: Kind> sealed::Contents for PseudoLegal<K> {
    const CAPTURES: bool = K::CAPTURES;
    const QUIETS: bool = K::QUIETS;
    const PROMOTIONS: &'static [Role] = K::PROMOTIONS;
    const CHECKS: bool = K::CHECKS;
    const EVASIONS: bool = K::EVASIONS;
    const LEGAL: bool = false;
}
