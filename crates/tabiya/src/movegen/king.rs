//! Moves of the king: steps and castling.

use super::generator::Generation;
use super::kinds::Kind;
use super::safety::danger;
use super::sink::Sink;
use crate::attacks::{self, Sliders};
use crate::bitboard::Bitboard;
use crate::castling::CastlingSide;
use crate::color::Side;
use crate::moves::{Move, MoveKind};
use crate::role::Role;

/// The known safety of squares next to the king.
#[derive(Clone, Copy)]
pub(super) struct KingSafety {
    /// The squares that were examined.
    known: Bitboard,
    /// Those of them that the opponent does not attack.
    safe: Bitboard,
}

impl<S: Side, K: Kind, L: Sliders> Generation<'_, S, K, L> {
    /// Steps to `targets`, the squares that the kind of moves allows. The check masks do not apply
    /// to the king.
    #[inline(always)]
    pub(super) fn king_steps(&self, targets: Bitboard, sink: &mut impl Sink) -> KingSafety {
        let king = self.facts.king;
        if !self.may_move(Role::King, king) {
            return KingSafety { known: Bitboard::EMPTY, safe: Bitboard::EMPTY };
        }
        let steps = attacks::king(king) & targets;
        // A king that is surrounded by its own pieces has no steps to examine.
        if steps.any() {
            let safe = if K::LEGAL {
                steps - danger::<S, L>(self.board, self.sliders, king, steps)
            } else {
                steps
            };
            sink.piece(Role::King, king, self.kept(Role::King, king, safe), self.enemies);
            if K::LEGAL {
                return KingSafety { known: steps, safe };
            }
        }
        KingSafety { known: Bitboard::EMPTY, safe: Bitboard::EMPTY }
    }

    /// Castling by the rules of Chess960. The king must not be in check.
    ///
    /// The squares that king and rook cross and land on must be empty, and the king may not cross
    /// or land on an attacked square. All of that is examined with both still in their places.
    /// Moving them can uncover only one more attack: along the back rank from behind the rook, and
    /// then the rook is pinned.
    #[inline(always)]
    pub(super) fn castling(&self, safety: KingSafety, sink: &mut impl Sink) {
        let king = self.facts.king;
        for rook in self.position.castling_rights().of(S::COLOR) {
            // This test is the cheapest, and a piece nearly always stands between king and rook.
            if attacks::between(king, rook).meets(self.occupied) {
                continue;
            }
            let side = CastlingSide::of(king, rook);
            if side.clear_squares(S::COLOR, king, rook).meets(self.occupied) {
                continue;
            }
            let mv = Move::new(king, side.king_target(S::COLOR), MoveKind::castle(side));
            if self.all_safe(safety, side.king_path(S::COLOR, king))
                && !self.facts.pinned.has(rook)
                && self.keeps(Role::King, mv)
            {
                sink.add(Role::King, mv);
            }
        }
    }

    /// Does the opponent attack none of the squares?
    #[inline(always)]
    fn all_safe(&self, KingSafety { known, safe }: KingSafety, squares: Bitboard) -> bool {
        let attacked = |square| {
            self.board.attackers_with(self.sliders, S::Them::COLOR, square, self.occupied).any()
        };
        (squares & known).is_subset(safe) && !(squares - known).iter().any(attacked)
    }
}
