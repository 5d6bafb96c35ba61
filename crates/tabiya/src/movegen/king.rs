//! Moves of the king: steps and castling.

use super::Node;
use super::filter::MoveFilter;
use super::kinds::Kind;
use super::legality::{castling_path, castling_room, danger};
use super::sink::Sink;
use crate::attacks::{self, Sliders};
use crate::bitboard::Bitboard;
use crate::castling::CastlingSide;
use crate::color::Side;
use crate::moves::{Move, MoveKind};
use crate::role::Role;

/// What the king's steps found out about squares next to him.
#[derive(Clone, Copy)]
pub(super) struct Footing {
    /// The squares that were looked at.
    known: Bitboard,
    /// Those of them that the opponent does not attack.
    safe: Bitboard,
}

impl Footing {
    /// Does the opponent attack none of the squares?
    #[inline(always)]
    fn holds<L: Sliders, N: MoveFilter>(self, node: &Node<'_, L, N>, squares: Bitboard) -> bool {
        let attacked = |square| {
            node.board.attackers_with(node.sliders, square, node.occupied).meets(node.enemies)
        };
        (squares & self.known).is_subset(self.safe) && !(squares - self.known).iter().any(attacked)
    }
}

/// Steps to `targets`, the squares that the kind of moves leaves; a check does not matter here.
#[inline(always)]
pub(super) fn steps<S: Side, K: Kind, L: Sliders, N: MoveFilter, T: Sink>(
    node: &Node<'_, L, N>,
    targets: Bitboard,
    sink: &mut T,
) -> Footing {
    let king = node.facts.king;
    let near = attacks::king(king) & targets & node.filter.sources(Role::King).spread(king);
    // A king behind his own men has nowhere to go, and then nobody needs to look for danger.
    if near.any() {
        let safe = if K::LEGAL {
            near - danger::<S, L>(node.board, node.sliders, king, near)
        } else {
            near
        };
        sink.piece(Role::King, king, node.filter.targets(Role::King, king, safe), node.enemies);
        if K::LEGAL {
            return Footing { known: near, safe };
        }
    }
    Footing { known: Bitboard::EMPTY, safe: Bitboard::EMPTY }
}

/// Castling, by the rules of Chess960; there must be no check.
///
/// NoFilter between king and rook and on the way to their targets must be empty, and the king
/// may not pass an attacked square. All of that is seen with both still in place; what their
/// leaving can uncover is an attack along the back rank from behind the rook, and then the rook
/// is pinned.
#[inline(always)]
pub(super) fn castling<S: Side, L: Sliders, N: MoveFilter, T: Sink>(
    node: &Node<'_, L, N>,
    footing: Footing,
    sink: &mut T,
) {
    let king = node.facts.king;
    for rook in node.position.castling_rights().of(S::COLOR) {
        // Nearly always somebody stands between them, and then no more needs to be asked.
        if attacks::between(king, rook).meets(node.occupied) {
            continue;
        }
        let side = CastlingSide::of(king, rook);
        if castling_room(S::COLOR, king, rook, side).meets(node.occupied) {
            continue;
        }
        let mv = Move::new(king, side.king_target(S::COLOR), MoveKind::castle(side));
        if footing.holds(node, castling_path(S::COLOR, king, side))
            && !node.facts.pinned.has(rook)
            && node.filter.allows(Role::King, mv)
        {
            sink.add(Role::King, mv);
        }
    }
}

impl Bitboard {
    /// NoFilter if the set holds the square, else nothing.
    #[inline(always)]
    const fn spread(self, square: crate::square::Square) -> Self {
        Self(0u64.wrapping_sub(self.0 >> square as u8 & 1))
    }
}
