//! Is there enough material for a mate?
//!
//! A side can mate if some position with this material or less is a mate by that side, even if it
//! arises only by the worst play of the opponent. Only the material counts. The squares of the
//! pieces do not, except that bishops stay on squares of one colour.

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::color::Color;
use crate::position::Position;
use crate::role::Role;

impl Board {
    /// Does this side have enough material for a mate, if the opponent helps?
    ///
    /// `false` is certain: no sequence of legal moves leads to a mate by this side. The answer is
    /// `false` for a bare king, for a knight alone against nothing but queens, and for bishops on
    /// squares of one colour if the opponent has neither pawns, knights nor a bishop on the other
    /// colour.
    ///
    /// `true` is about the material alone. A mate may still be impossible, because pawns block each
    /// other, or because every line of play ends in a draw. Nor does it mean that a mate can be
    /// forced: two knights can mate a bare king only if the opponent helps.
    ///
    /// ```
    /// use tabiya::{Color, Position};
    /// let can_mate = |fen| {
    ///     let position = Position::from_fen(fen).unwrap();
    ///     Color::ALL.map(|color| position.board().can_mate(color))
    /// };
    /// assert_eq!(can_mate("4k3/8/8/8/8/8/8/2N1K3 w - - 0 1"), [false, false]);
    /// // The pawn can stand in its own king's way, or promote to such a piece.
    /// assert_eq!(can_mate("4k3/4p3/8/8/8/8/8/2N1K3 w - - 0 1"), [true, true]);
    /// assert_eq!(can_mate("3qk3/8/8/8/8/8/8/2N1K3 w - - 0 1"), [false, true]);
    /// assert_eq!(can_mate("4k3/8/8/8/8/8/8/1NN1K3 w - - 0 1"), [true, false]);
    /// ```
    #[doc(alias("has_insufficient_material", "mating material", "helpmate"))]
    pub fn can_mate(&self, color: Color) -> bool {
        let (us, them) = (self.color(color), self.color(!color));
        let of = |role| self.role(role);
        if us.meets(of(Role::Pawn) | of(Role::Rook) | of(Role::Queen)) {
            return true;
        }
        if us.meets(of(Role::Knight)) {
            // One knight needs a piece that blocks the king and does not reach the knight. A queen
            // always reaches it.
            let alone = us.len() <= 2;
            return !alone || (them - of(Role::King) - of(Role::Queen)).any();
        }
        if us.meets(of(Role::Bishop)) {
            // The king can escape to squares of the other colour, unless a piece stands there that
            // can neither capture nor block. Rooks and queens can.
            let bishops = of(Role::Bishop);
            let one_color = bishops.is_subset(Bitboard::LIGHT) || bishops.is_subset(Bitboard::DARK);
            return !one_color || (of(Role::Pawn) | of(Role::Knight)).any();
        }
        false
    }
}

impl Position {
    /// Does neither side have the material for a mate?
    ///
    /// These are the simple cases: two kings alone, with one knight, or with any number of bishops
    /// that are all on squares of one colour. Then the position is dead, and the game is drawn. By
    /// the rules, every dead position is drawn, even one in which pawns block each other; this
    /// function does not find those. [`Board::can_mate`] answers for one side.
    ///
    /// ```
    /// use tabiya::Position;
    /// let bare = |fen| Position::from_fen(fen).unwrap().is_insufficient_material();
    /// assert!(bare("4k3/8/8/8/8/8/8/4K3 w - - 0 1"));
    /// assert!(bare("4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1"));
    /// // Bishops on squares of both colours.
    /// assert!(!bare("2b1k3/8/8/8/8/8/8/2B1K3 w - - 0 1"));
    /// ```
    #[doc(alias("insufficient_material", "dead position", "draw"))]
    pub fn is_insufficient_material(&self) -> bool {
        // Most positions have more than a handful of pieces; asking one side is enough for them.
        !Color::ALL.into_iter().any(|color| self.board().can_mate(color))
    }
}
