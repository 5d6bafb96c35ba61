//! The table of reasons. Each entry has a meaning, a name, fields and a sentence.

use core::fmt;

use super::detail::{Detail, details};
use super::line::{Line, ordinal};
use super::words::{KindOfMove, PlacedPiece};
use crate::castling::CastlingSide;
use crate::color::Color;
use crate::moves::MoveKind;
use crate::role::Role;
use crate::square::{Rank, Square};
use crate::text::uci::UciMove;

/// Makes the enum [`Reason`] from a table with one entry for each reason:
///
/// ```text
/// /// What the reason means.
/// Variant "name for programs" {
///     /// What the field holds.
///     field: Type,
/// } with line = a value made of the fields, listed after them
///   => write!(f, "the sentence"),
/// ```
///
/// The names of the fields are the names of the details.
macro_rules! reasons {
    (
        $(#[$about:meta])*
        pub enum Reason, written to $formatter:ident;
        $(
            $(#[$doc:meta])*
            $variant:ident $name:literal
            $({ $($(#[$field_doc:meta])* $field:ident: $type:ty,)* })?
            $(with $derived:ident = $value:expr)?
            => $sentence:expr,
        )*
    ) => {
        $(#[$about])*
        pub enum Reason {
            $($(#[$doc])* $variant $({ $($(#[$field_doc])* $field: $type,)* })?,)*
        }

        impl Reason {
            /// The names of all reasons, in the order of the variants.
            pub const NAMES: &[&'static str] = &[$($name),*];

            /// The name for programs: the variant's, in lower case with hyphens.
            ///
            /// A name never changes its meaning; new ones may be added.
            ///
            /// ```
            /// use tabiya::Position;
            /// let blocked = Position::START.explain("a1a5".parse().unwrap());
            /// assert_eq!(blocked.reasons()[0].name(), "blocked");
            /// ```
            pub const fn name(&self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => $name,)*
                }
            }

            /// The fields of the variant by name, and the `line` of a pin or of a discovered
            /// attack.
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
                match *self {
                    $(Self::$variant $({ $($field),* })? => details([
                        $($((stringify!($field), Detail::from($field)),)*)?
                        $((stringify!($derived), Detail::from($value)),)?
                    ]),)*
                }
                .into_iter()
                .flatten()
            }
        }

        /// Displays the reason as a clause of a sentence.
        impl fmt::Display for Reason {
            #[allow(unused_variables, reason = "no sentence needs all fields")]
            fn fmt(&self, $formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                match *self {
                    $(Self::$variant $({ $($field),* })? => {
                        $(let $derived = $value;)?
                        $sentence
                    })*
                }
            }
        }
    };
}

reasons! {
    /// A reason why a move is not legal.
    ///
    /// It names the pieces and squares to show on a board. `Display` writes it as a clause. Pieces
    /// that pin, check or attack are the opponent's. [`name`](Self::name) and
    /// [`details`](Self::details) give the same data without matching on the variants.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Reason, written to f;

    /// The origin square is empty.
    EmptySquare "empty-square" {
        /// The square.
        from: Square,
    } => write!(f, "there is no piece on {from}"),

    /// The piece on the origin square belongs to the other side.
    OpponentsPiece "opponents-piece" {
        /// The piece.
        piece: PlacedPiece,
        /// Its colour.
        color: Color,
    } => write!(f, "{piece} is {color}'s, and {} is to move", !color),

    /// The move ends where it begins.
    SameSquare "same-square" => write!(f, "the move ends on the square where it begins"),

    /// A piece of the same side stands on the target.
    OwnPiece "own-piece" {
        /// The piece on the target.
        piece: PlacedPiece,
    } => write!(f, "a {} of the same side stands on {}", piece.role, piece.square),

    /// A piece of this role does not move like this on any board.
    CannotReach "cannot-reach" {
        /// The piece that should move.
        piece: PlacedPiece,
        /// The square that it cannot reach.
        to: Square,
    } => write!(f, "a {} on {} cannot reach {to}", piece.role, piece.square),

    /// A piece stands in the way of a slider or of a pawn's advance.
    Blocked "blocked" {
        /// The first piece in the way, of either colour; for a pawn it may be on the target.
        by: PlacedPiece,
    } => write!(f, "{by} is in the way"),

    /// The piece may not leave the line between its king and an attacker.
    Pinned "pinned" {
        /// The piece that should move.
        piece: PlacedPiece,
        /// The square of its king.
        king: Square,
        /// The pinner.
        by: PlacedPiece,
    } with line = Line::through(king, by.square)
        => write!(f, "{piece} is pinned on the {line} by {by}"),

    /// The king is in check, and the move neither captures the checker nor blocks the check.
    CheckRemains "check-remains" {
        /// The piece that gives check.
        checker: PlacedPiece,
    } => write!(f, "it leaves the king in check from {checker}"),

    /// Two pieces give check, or more in an unreachable position: only the king may move.
    DoubleCheck "double-check" {
        /// One of them.
        first: PlacedPiece,
        /// Another.
        second: PlacedPiece,
    } => write!(f, "{first} and {second} both give check, so only the king may move"),

    /// The king would step into check.
    KingAttacked "king-attacked" {
        /// The target.
        to: Square,
        /// The piece that attacks the target with the king removed from its square.
        by: PlacedPiece,
    } => write!(f, "the king would be in check on {to} from {by}"),

    /// The king would step next to the opponent's king.
    KingsAdjacent "kings-adjacent" {
        /// The target.
        to: Square,
        /// The opponent's king.
        king: Square,
    } => write!(f, "the king on {to} would stand next to the king on {king}"),

    /// The king moves as if to castle, but is not on the square from which it castles.
    CastlingPlace "castling-place" {
        /// The square from which the king castles.
        home: Square,
    } => write!(f, "a king moves one square, and castles only from {home}"),

    /// The right to castle is lost, or there never was one.
    CastlingRight "castling-right" {
        /// The side to move.
        color: Color,
        /// King side or queen side.
        side: CastlingSide,
    } => write!(f, "{color} has no right to castle on the {side}"),

    /// The king castles on this side with another rook (Chess960).
    CastlingRook "castling-rook" {
        /// The rook of the move.
        rook: Square,
        /// The rook that has the right to castle.
        castles: Square,
    } => write!(
        f,
        "the rook on {castles} has the right to castle on this side, not the rook on {rook}"
    ),

    /// A piece stands on a square that the king or the rook crosses or lands on.
    CastlingBlocked "castling-blocked" {
        /// The piece, of either colour.
        by: PlacedPiece,
    } => write!(f, "{by} is in the way of castling"),

    /// The king is in check and may not castle.
    CastlingInCheck "castling-in-check" {
        /// The piece that gives check.
        checker: PlacedPiece,
    } => write!(f, "the king is in check from {checker} and may not castle"),

    /// The king would cross an attacked square.
    CastlingThrough "castling-through" {
        /// The square.
        through: Square,
        /// The attacker.
        by: PlacedPiece,
    } => write!(f, "the king would pass through {through}, which {by} attacks"),

    /// The king would land on an attacked square.
    CastlingInto "castling-into" {
        /// The square.
        to: Square,
        /// The attacker.
        by: PlacedPiece,
    } => write!(f, "the king would land on {to}, which {by} attacks"),

    /// The castling rook shields its king from an attacker on the back rank (Chess960).
    CastlingRookPinned "castling-rook-pinned" {
        /// The rook's square.
        rook: Square,
        /// The pinner.
        by: PlacedPiece,
    } with line = Line::through(rook, by.square)
        => write!(f, "the castling rook on {rook} is pinned by {by}"),

    /// In the position's [mode](crate::CastlingMode), this castling move is written differently.
    CastlingNotation "castling-notation" {
        /// The correct text.
        instead: UciMove,
    } => write!(f, "castling is written {instead} here"),

    /// In algebraic notation, castling is not written as a move of the king.
    CastlingLetters "castling-letters" {
        /// King side or queen side.
        side: CastlingSide,
    } => match side {
        CastlingSide::King => f.write_str("castling is written O-O"),
        CastlingSide::Queen => f.write_str("castling is written O-O-O"),
    },

    /// A pawn moves to a neighbouring file only to capture, and the target is empty.
    NothingToCapture "nothing-to-capture" {
        /// The empty target.
        to: Square,
    } => write!(f, "there is nothing on {to} for the pawn to capture"),

    /// The pawn that would be captured en passant did not make a double push in the last move.
    NotEnPassant "not-en-passant" {
        /// The empty target.
        to: Square,
        /// The pawn that cannot be captured.
        pawn: Square,
    } => write!(
        f,
        "the pawn on {pawn} cannot be captured en passant, because the last move was not its \
         double push"
    ),

    /// Two pawns leave their lines at once, which opens a line to the king.
    EnPassantUncovers "en-passant-uncovers" {
        /// The king's square.
        king: Square,
        /// The piece that would attack the king.
        by: PlacedPiece,
    } with line = Line::through(king, by.square)
        => write!(
            f,
            "capturing en passant would open the {line} to {by}, and the king on {king} would be \
             in check"
        ),

    /// A pawn advances two squares only from its starting rank.
    DoublePush "double-push" {
        /// The starting rank.
        rank: Rank,
    } => write!(f, "a pawn advances two squares only from the {} rank", ordinal(rank)),

    /// The pawn reaches the last rank, and the move does not name the promotion.
    PromotionMissing "promotion-missing" {
        /// The promotion square.
        to: Square,
    } => write!(f, "a pawn that reaches {to} must promote to a knight, bishop, rook or queen"),

    /// The move names a promotion, but its piece is not a pawn or does not reach the last rank.
    NoPromotion "no-promotion" {
        /// The role of the moving piece.
        role: Role,
        /// The rank on which pawns of this side promote.
        rank: Rank,
    } => match role {
        Role::Pawn => write!(f, "a pawn promotes only on the {} rank", ordinal(rank)),
        _ => write!(f, "a {role} does not promote"),
    },

    /// No pawn promotes to this role.
    PromotionRole "promotion-role" {
        /// The role.
        role: Role,
    } => write!(f, "a pawn cannot promote to a {role}"),

    /// The squares are right, but the move is of another kind.
    WrongKind "wrong-kind" {
        /// The kind that was given.
        given: MoveKind,
        /// The kind of the legal move between the two squares.
        here: MoveKind,
    } => write!(f, "it is {} here, not {}", KindOfMove(here), KindOfMove(given)),
}

// An error that carries an explanation should stay small.
const _: () = assert!(size_of::<Reason>() <= 6);
