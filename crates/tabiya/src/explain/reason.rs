//! The reasons why a move is not legal, and the clauses that say them.

use core::fmt;

use super::line::{Line, ordinal};
use crate::castling::CastlingSide;
use crate::color::Color;
use crate::moves::MoveKind;
use crate::role::Role;
use crate::square::{Rank, Square};
use crate::text::uci::UciMove;

/// A piece and where it stands; whose it is follows from the [`Reason`].
///
/// ```
/// use tabiya::{PlacedPiece, Role, Square};
/// let piece = PlacedPiece { role: Role::Rook, square: Square::E8 };
/// assert_eq!(piece.to_string(), "the rook on e8");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlacedPiece {
    /// What it is.
    pub role: Role,
    /// Where it stands.
    pub square: Square,
}

impl fmt::Display for PlacedPiece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {} on {}", self.role, self.square)
    }
}

/// Something that speaks against a move.
///
/// It names the men and squares to show on a board, and displays as a clause. Men that pin,
/// check and attack are the opponent's. Programs that do not know the variants by type have the
/// same by [`name`](Self::name) and [`details`](Self::details).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// No piece stands on the first square.
    EmptySquare {
        /// The square.
        from: Square,
    },
    /// The piece on the first square is not of the side to move.
    NotYours {
        /// The piece.
        piece: PlacedPiece,
        /// Whose it is.
        color: Color,
    },
    /// The move ends where it begins.
    SameSquare,
    /// A piece of the same side stands on the target.
    OwnPiece {
        /// The piece on the target.
        piece: PlacedPiece,
    },
    /// A piece of this role does not move like this on any board.
    Geometry {
        /// The piece that should move.
        piece: PlacedPiece,
        /// Where it cannot go.
        to: Square,
    },
    /// Something stands in the way of a slider or an advancing pawn.
    Blocked {
        /// The first piece in the way, of either colour; for a pawn perhaps on its target.
        by: PlacedPiece,
    },
    /// The piece may not leave the line between its king and an attacker.
    Pinned {
        /// The piece that should move.
        piece: PlacedPiece,
        /// The square of its king.
        king: Square,
        /// Who pins it.
        by: PlacedPiece,
    },
    /// The king is in check, and the move neither takes the checker nor blocks it.
    CheckRemains {
        /// Who gives check.
        checker: PlacedPiece,
    },
    /// Two men give check, or in an unreachable position more: only the king may move.
    DoubleCheck {
        /// One of them.
        first: PlacedPiece,
        /// Another.
        second: PlacedPiece,
    },
    /// The king would step into check.
    KingAttacked {
        /// Where he would step.
        to: Square,
        /// Who attacks that square once the king has left his own.
        by: PlacedPiece,
    },
    /// The king would step beside the opponent's.
    KingsAdjacent {
        /// Where he would step.
        to: Square,
        /// The opponent's king.
        king: Square,
    },
    /// The king moves like one that castles, but is not on the square that he castles from.
    CastlingPlace {
        /// Where he would have to be.
        home: Square,
    },
    /// The right to castle is lost, or never was.
    CastlingRight {
        /// Whose right.
        color: Color,
        /// On which side.
        side: CastlingSide,
    },
    /// A piece stands where king or rook pass or land when they castle.
    CastlingBlocked {
        /// The piece, of either colour.
        by: PlacedPiece,
    },
    /// The king is in check and may not castle.
    CastlingInCheck {
        /// Who gives check.
        checker: PlacedPiece,
    },
    /// The king would pass an attacked square when he castles.
    CastlingThrough {
        /// The square.
        through: Square,
        /// Who attacks it.
        by: PlacedPiece,
    },
    /// The king would land on an attacked square when he castles.
    CastlingInto {
        /// The square.
        to: Square,
        /// Who attacks it.
        by: PlacedPiece,
    },
    /// The castling rook shields its king along the back rank (Chess960).
    CastlingRookPinned {
        /// The rook's square.
        rook: Square,
        /// Who pins it.
        by: PlacedPiece,
    },
    /// Castling has another text in the position's [mode](crate::CastlingMode).
    CastlingNotation {
        /// The text.
        instead: UciMove,
    },
    /// A pawn moves to the next file only to capture, and the target is empty.
    NothingToCapture {
        /// The empty target.
        to: Square,
    },
    /// A pawn beside the capturing one has not just advanced two squares.
    NotEnPassant {
        /// The empty target.
        to: Square,
        /// The pawn that cannot be taken.
        pawn: Square,
    },
    /// Two pawns leave their lines at once, and that opens one to the king.
    EnPassantUncovers {
        /// The king's square.
        king: Square,
        /// Who would attack him.
        by: PlacedPiece,
    },
    /// A pawn advances two squares only from its first place.
    DoublePush {
        /// The rank of that place.
        rank: Rank,
    },
    /// The pawn reaches the last rank, and the move does not say what it becomes.
    PromotionMissing {
        /// Where it promotes.
        to: Square,
    },
    /// The move promotes what does not promote, or where nothing does.
    NoPromotion {
        /// What should promote.
        role: Role,
        /// The rank on which pawns of this side promote.
        rank: Rank,
    },
    /// No pawn becomes this.
    PromotionRole {
        /// What it should become.
        role: Role,
    },
    /// The squares are right, but the move is of another kind.
    OtherKind {
        /// The kind that the move has.
        given: MoveKind,
        /// The kind that a move between the squares has here.
        here: MoveKind,
    },
}

// An error that carries an explanation should stay small.
const _: () = assert!(size_of::<Reason>() <= 6);

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::EmptySquare { from } => write!(f, "there is no piece on {from}"),
            Self::NotYours { piece, color } => {
                write!(f, "{piece} is {color}'s, and {} is to move", !color)
            }
            Self::SameSquare => f.write_str("a move ends on another square"),
            Self::OwnPiece { piece } => {
                write!(f, "a {} of the same side stands on {}", piece.role, piece.square)
            }
            Self::Geometry { piece, to } => {
                write!(f, "a {} does not move from {} to {to}", piece.role, piece.square)
            }
            Self::Blocked { by } => write!(f, "{by} is in the way"),
            Self::Pinned { piece, king, by } => {
                write!(f, "{piece} is pinned on the {} by {by}", Line::through(king, by.square))
            }
            Self::CheckRemains { checker } => {
                write!(f, "it does not answer the check from {checker}")
            }
            Self::DoubleCheck { first, second } => {
                write!(f, "{first} and {second} both give check, so only the king may move")
            }
            Self::KingAttacked { to, by } => {
                write!(f, "the king would be in check on {to} from {by}")
            }
            Self::KingsAdjacent { to, king } => {
                write!(f, "the king on {to} would stand next to the king on {king}")
            }
            Self::CastlingPlace { home } => {
                write!(f, "a king goes one square, and castles only from {home}")
            }
            Self::CastlingRight { color, side } => {
                write!(f, "{color} has no right to castle on the {side}")
            }
            Self::CastlingBlocked { by } => write!(f, "{by} is in the way of castling"),
            Self::CastlingInCheck { checker } => {
                write!(f, "the king is in check from {checker} and may not castle")
            }
            Self::CastlingThrough { through, by } => {
                write!(f, "castling leads through {through}, which {by} attacks")
            }
            Self::CastlingInto { to, by } => {
                write!(f, "castling ends on {to}, which {by} attacks")
            }
            Self::CastlingRookPinned { rook, by } => {
                write!(f, "the castling rook on {rook} is pinned by {by}")
            }
            Self::CastlingNotation { instead } => write!(f, "castling is written {instead} here"),
            Self::NothingToCapture { to } => {
                write!(f, "there is nothing on {to} for the pawn to capture")
            }
            Self::NotEnPassant { to, pawn } => write!(
                f,
                "there is no capture en passant on {to}, as the pawn on {pawn} has not just \
                 advanced two squares"
            ),
            Self::EnPassantUncovers { king, by } => write!(
                f,
                "capturing en passant would open the {} to {by}, and the king on {king} would \
                 be in check",
                Line::through(king, by.square)
            ),
            Self::DoublePush { rank } => {
                write!(f, "a pawn advances two squares only from the {} rank", ordinal(rank))
            }
            Self::PromotionMissing { to } => {
                write!(f, "a pawn that reaches {to} becomes a knight, bishop, rook or queen")
            }
            Self::NoPromotion { role: Role::Pawn, rank } => {
                write!(f, "a pawn promotes only on the {} rank", ordinal(rank))
            }
            Self::NoPromotion { role, .. } => write!(f, "a {role} does not promote"),
            Self::PromotionRole { role } => write!(f, "a pawn does not become a {role}"),
            Self::OtherKind { given, here } => {
                write!(f, "it is {} here, not {}", Kind(here), Kind(given))
            }
        }
    }
}

/// The name of a kind of move with its article.
struct Kind(MoveKind);

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            MoveKind::Quiet => "a quiet move",
            MoveKind::DoublePush => "a double push",
            MoveKind::CastleKing => "castling on the king's side",
            MoveKind::CastleQueen => "castling on the queen's side",
            MoveKind::Capture => "a capture",
            MoveKind::EnPassant => "a capture en passant",
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
