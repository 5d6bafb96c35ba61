//! Reasons by name, with what they speak of: for programs that show or pass them on and do not
//! know them by type.

use super::line::Line;
use super::{PlacedPiece, Reason};
use crate::castling::CastlingSide;
use crate::color::Color;
use crate::moves::MoveKind;
use crate::role::Role;
use crate::square::{Rank, Square};
use crate::text::uci::UciMove;

/// One of the things that a [`Reason`] speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Detail {
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

impl Reason {
    /// The name for programs: the variant's, in small letters with hyphens.
    ///
    /// A name never changes its meaning; new ones may be added.
    ///
    /// ```
    /// use tabiya::{Position, Reason};
    /// assert_eq!(Reason::SameSquare.name(), "same-square");
    /// let blocked = Position::START.explain("a1a5".parse().unwrap());
    /// assert_eq!(blocked.reasons()[0].name(), "blocked");
    /// ```
    pub const fn name(&self) -> &'static str {
        match self {
            Self::EmptySquare { .. } => "empty-square",
            Self::NotYours { .. } => "not-yours",
            Self::SameSquare => "same-square",
            Self::OwnPiece { .. } => "own-piece",
            Self::Geometry { .. } => "geometry",
            Self::Blocked { .. } => "blocked",
            Self::Pinned { .. } => "pinned",
            Self::CheckRemains { .. } => "check-remains",
            Self::DoubleCheck { .. } => "double-check",
            Self::KingAttacked { .. } => "king-attacked",
            Self::KingsAdjacent { .. } => "kings-adjacent",
            Self::CastlingPlace { .. } => "castling-place",
            Self::CastlingRight { .. } => "castling-right",
            Self::CastlingBlocked { .. } => "castling-blocked",
            Self::CastlingInCheck { .. } => "castling-in-check",
            Self::CastlingThrough { .. } => "castling-through",
            Self::CastlingInto { .. } => "castling-into",
            Self::CastlingRookPinned { .. } => "castling-rook-pinned",
            Self::CastlingNotation { .. } => "castling-notation",
            Self::NothingToCapture { .. } => "nothing-to-capture",
            Self::NotEnPassant { .. } => "not-en-passant",
            Self::EnPassantUncovers { .. } => "en-passant-uncovers",
            Self::DoublePush { .. } => "double-push",
            Self::PromotionMissing { .. } => "promotion-missing",
            Self::NoPromotion { .. } => "no-promotion",
            Self::PromotionRole { .. } => "promotion-role",
            Self::OtherKind { .. } => "other-kind",
        }
    }

    /// What it speaks of: the variant's fields by their names, and the `line` that a pin or a
    /// discovery is about.
    ///
    /// ```
    /// use tabiya::{Detail, Position, Square};
    /// let position = Position::from_fen("4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1").unwrap();
    /// let pinned = position.explain("e2d3".parse().unwrap()).reasons()[0];
    /// let names: Vec<_> = pinned.details().map(|(name, _)| name).collect();
    /// assert_eq!(names, ["piece", "king", "by", "line"]);
    /// assert!(pinned.details().any(|(_, detail)| detail == Detail::Square(Square::E1)));
    /// ```
    pub fn details(&self) -> impl Iterator<Item = (&'static str, Detail)> + use<> {
        use Detail::{CastlingSide, Color, Kind, Move, Piece, Rank, Role, Square};
        let line = |king, by| ("line", Detail::Line(Line::through(king, by)));
        match *self {
            Self::EmptySquare { from } => list([("from", Square(from))]),
            Self::NotYours { piece, color } => {
                list([("piece", Piece(piece)), ("color", Color(color))])
            }
            Self::SameSquare => list([]),
            Self::OwnPiece { piece } => list([("piece", Piece(piece))]),
            Self::Geometry { piece, to } => list([("piece", Piece(piece)), ("to", Square(to))]),
            Self::Pinned { piece, king, by } => list([
                ("piece", Piece(piece)),
                ("king", Square(king)),
                ("by", Piece(by)),
                line(king, by.square),
            ]),
            Self::Blocked { by } | Self::CastlingBlocked { by } => list([("by", Piece(by))]),
            Self::CheckRemains { checker } | Self::CastlingInCheck { checker } => {
                list([("checker", Piece(checker))])
            }
            Self::DoubleCheck { first, second } => {
                list([("first", Piece(first)), ("second", Piece(second))])
            }
            Self::KingAttacked { to, by } | Self::CastlingInto { to, by } => {
                list([("to", Square(to)), ("by", Piece(by))])
            }
            Self::KingsAdjacent { to, king } => list([("to", Square(to)), ("king", Square(king))]),
            Self::CastlingPlace { home } => list([("home", Square(home))]),
            Self::CastlingRight { color, side } => {
                list([("color", Color(color)), ("side", CastlingSide(side))])
            }
            Self::CastlingThrough { through, by } => {
                list([("through", Square(through)), ("by", Piece(by))])
            }
            Self::CastlingRookPinned { rook, by } => {
                list([("rook", Square(rook)), ("by", Piece(by)), line(rook, by.square)])
            }
            Self::CastlingNotation { instead } => list([("instead", Move(instead))]),
            Self::NothingToCapture { to } | Self::PromotionMissing { to } => {
                list([("to", Square(to))])
            }
            Self::NotEnPassant { to, pawn } => list([("to", Square(to)), ("pawn", Square(pawn))]),
            Self::EnPassantUncovers { king, by } => {
                list([("king", Square(king)), ("by", Piece(by)), line(king, by.square)])
            }
            Self::DoublePush { rank } => list([("rank", Rank(rank))]),
            Self::NoPromotion { role, rank } => list([("role", Role(role)), ("rank", Rank(rank))]),
            Self::PromotionRole { role } => list([("role", Role(role))]),
            Self::OtherKind { given, here } => list([("given", Kind(given)), ("here", Kind(here))]),
        }
        .into_iter()
        .flatten()
    }
}

/// No reason speaks of more things.
const MOST: usize = 4;

fn list<const N: usize>(
    details: [(&'static str, Detail); N],
) -> [Option<(&'static str, Detail)>; MOST] {
    const { assert!(N <= MOST) };
    core::array::from_fn(|index| details.get(index).copied())
}
