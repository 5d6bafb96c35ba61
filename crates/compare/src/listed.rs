//! Moves in lists.

use tabiya::{CastlingSide, Move, MoveKind, Position, Role, Square};

/// A move as lists have it: whatever its notation, and legal or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Listed {
    pub(crate) from: Square,
    /// Where the king lands in castling.
    pub(crate) to: Square,
    pub(crate) promotion: Option<Role>,
    pub(crate) castles: bool,
}

impl Listed {
    /// A legal move.
    pub(crate) fn of(position: &Position, mv: Move) -> Self {
        let side = match mv.kind() {
            MoveKind::CastleKing => Some(CastlingSide::King),
            MoveKind::CastleQueen => Some(CastlingSide::Queen),
            _ => None,
        };
        let to = side.map_or(mv.to(), |side| side.king_target(position.turn()));
        Self { from: mv.from(), to, promotion: mv.promotion(), castles: side.is_some() }
    }
}
