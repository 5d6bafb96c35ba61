//! The names of pieces and of kinds of moves in sentences.

use core::fmt;

use crate::moves::MoveKind;
use crate::role::Role;
use crate::square::Square;

/// A piece and its square; its colour follows from the [`Reason`](crate::Reason).
///
/// ```
/// use tabiya::{PlacedPiece, Role, Square};
/// let piece = PlacedPiece { role: Role::Rook, square: Square::E8 };
/// assert_eq!(piece.to_string(), "the rook on e8");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlacedPiece {
    /// Its role.
    pub role: Role,
    /// Its square.
    pub square: Square,
}

impl fmt::Display for PlacedPiece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {} on {}", self.role, self.square)
    }
}

/// A kind of move with its article.
pub(super) struct KindOfMove(pub(super) MoveKind);

impl fmt::Display for KindOfMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            MoveKind::Quiet => "a quiet move",
            MoveKind::DoublePush => "a double push",
            MoveKind::CastleKing => "castling on the king side",
            MoveKind::CastleQueen => "castling on the queen side",
            MoveKind::Capture => "a capture",
            MoveKind::EnPassant => "an en-passant capture",
            MoveKind::PromoteKnight => "a promotion to a knight",
            MoveKind::PromoteBishop => "a promotion to a bishop",
            MoveKind::PromoteRook => "a promotion to a rook",
            MoveKind::PromoteQueen => "a promotion to a queen",
            MoveKind::CapturePromoteKnight => "a capture with promotion to a knight",
            MoveKind::CapturePromoteBishop => "a capture with promotion to a bishop",
            MoveKind::CapturePromoteRook => "a capture with promotion to a rook",
            MoveKind::CapturePromoteQueen => "a capture with promotion to a queen",
        })
    }
}
