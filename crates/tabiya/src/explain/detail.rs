//! What a reason speaks of, as values with names: for programs that show reasons or pass them on
//! without matching on each variant.

use super::line::Line;
use super::words::PlacedPiece;
use crate::castling::CastlingSide;
use crate::color::Color;
use crate::moves::MoveKind;
use crate::role::Role;
use crate::square::{Rank, Square};
use crate::text::uci::UciMove;

macro_rules! detail {
    ($($variant:ident($type:ty),)*) => {
        /// The value of one of the [details](crate::Reason::details) of a reason.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "the names say it")]
        pub enum Detail {
            $($variant($type),)*
        }

        $(impl From<$type> for Detail {
            fn from(value: $type) -> Self {
                Self::$variant(value)
            }
        })*
    };
}

detail! {
    Square(Square),
    Piece(PlacedPiece),
    Color(Color),
    Role(Role),
    Rank(Rank),
    CastlingSide(CastlingSide),
    Line(Line),
    Move(UciMove),
    Kind(MoveKind),
}

/// No reason has more details.
const CAPACITY: usize = 4;

/// A list of details, filled up with `None`.
pub(super) fn details<const N: usize>(
    listed: [(&'static str, Detail); N],
) -> [Option<(&'static str, Detail)>; CAPACITY] {
    const { assert!(N <= CAPACITY) };
    core::array::from_fn(|index| listed.get(index).copied())
}
