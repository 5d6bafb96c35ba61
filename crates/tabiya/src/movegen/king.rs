//! Moves of the king: steps and castling.

use super::Node;
use super::filter::MoveFilter;
use super::kinds::Kind;
use super::legality::danger;
use super::sink::Sink;
use crate::attacks::{self, Sliders};
use crate::bitboard::Bitboard;
use crate::castling::CastlingSide;
use crate::color::Side;
use crate::moves::{Move, MoveKind};
use crate::role::Role;
use crate::square::Square;

/// What is known about the safety of squares next to the king.
#[derive(Clone, Copy)]
pub(super) struct KingSafety {
    /// The squares that were examined.
    known: Bitboard,
    /// Those of them that the opponent does not attack.
    safe: Bitboard,
}

impl KingSafety {
    /// Does the opponent attack none of the squares?
    #[inline(always)]
    fn all_safe<L: Sliders, N: MoveFilter>(self, node: &Node<'_, L, N>, squares: Bitboard) -> bool {
        let attacked = |square| {
            node.board.attackers_with(node.sliders, square, node.occupied).meets(node.enemies)
        };
        (squares & self.known).is_subset(self.safe) && !(squares - self.known).iter().any(attacked)
    }
}

/// Steps to `targets`, the squares that the kind of moves allows. They do not depend on a check.
#[inline(always)]
pub(super) fn steps<S: Side, K: Kind, L: Sliders, N: MoveFilter, T: Sink>(
    node: &Node<'_, L, N>,
    targets: Bitboard,
    sink: &mut T,
) -> KingSafety {
    let king = node.facts.king;
    let may_move = mask_if_contains(node.filter.sources(Role::King), king);
    let steps = attacks::king(king) & targets & may_move;
    // A king that its own pieces surround has no steps, and their safety need not be examined.
    if steps.any() {
        let safe = if K::LEGAL {
            steps - danger::<S, L>(node.board, node.sliders, king, steps)
        } else {
            steps
        };
        sink.piece(Role::King, king, node.filter.targets(Role::King, king, safe), node.enemies);
        if K::LEGAL {
            return KingSafety { known: steps, safe };
        }
    }
    KingSafety { known: Bitboard::EMPTY, safe: Bitboard::EMPTY }
}

/// Castling by the rules of Chess960. The king must not be in check.
///
/// The squares that king and rook cross and land on must be empty, and the king may not cross or
/// land on an attacked square. All of that is examined with both still in their places. Moving them
/// can uncover only one more attack: along the back rank from behind the rook, and then the rook
/// is pinned.
#[inline(always)]
pub(super) fn castling<S: Side, L: Sliders, N: MoveFilter, T: Sink>(
    node: &Node<'_, L, N>,
    safety: KingSafety,
    sink: &mut T,
) {
    let king = node.facts.king;
    for rook in node.position.castling_rights().of(S::COLOR) {
        // Nearly always a piece stands between the two, and this test is the cheapest.
        if attacks::between(king, rook).meets(node.occupied) {
            continue;
        }
        let side = CastlingSide::of(king, rook);
        if side.clear_squares(S::COLOR, king, rook).meets(node.occupied) {
            continue;
        }
        let mv = Move::new(king, side.king_target(S::COLOR), MoveKind::castle(side));
        if safety.all_safe(node, side.king_path(S::COLOR, king))
            && !node.facts.pinned.has(rook)
            && node.filter.allows(Role::King, mv)
        {
            sink.add(Role::King, mv);
        }
    }
}

/// Every square if `set` contains the square, none otherwise.
#[inline(always)]
const fn mask_if_contains(set: Bitboard, square: Square) -> Bitboard {
    Bitboard(0u64.wrapping_sub(set.0 >> square as u8 & 1))
}
