//! Pawn moves: all pawns at once, by shifting the whole set.

use super::Node;
use super::filter::MoveFilter;
use super::kinds::Kind;
use super::legality::en_passant_is_legal;
use super::sink::{PawnMoves, Sink};
use crate::attacks::{self, Sliders};
use crate::bitboard::Bitboard;
use crate::color::Side;
use crate::direction::Direction;
use crate::moves::{Move, MoveKind};
use crate::role::Role;

#[inline(always)]
pub(super) fn generate<S: Side, K: Kind, L: Sliders, F: MoveFilter, T: Sink>(
    node: &Node<'_, L, F>,
    sink: &mut T,
) {
    let pawns = node.own & node.board.role(Role::Pawn) & node.filter.sources(Role::Pawn);
    let last_rank = S::LAST_RANK.bitboard();
    let may_promote = pawns.meets(last_rank.shift(S::FORWARD.opposite()));
    let king = node.facts.king;
    // A pinned pawn may move along its pin line. A pinned pawn on the king's file is pinned along
    // that file, and likewise for diagonals.
    let mobile = |line: Bitboard| pawns - (node.facts.pinned - line);

    let empty = !node.occupied;
    let on_file = mobile(king.file().bitboard());
    let single = on_file.shift(S::FORWARD) & empty;
    if K::QUIETS {
        let double = (single & S::THIRD_RANK.bitboard()).shift(S::FORWARD) & empty;
        let double = double & node.facts.push_mask;
        let double = node.filter.pawn_targets(double, S::FORWARD, 2);
        let offset = S::FORWARD.offset();
        sink.pawns(PawnMoves { targets: double, offset: 2 * offset }, MoveKind::DoublePush);
    }
    let single = single & node.facts.push_mask;
    advance::<S, K, _, _, _>(node, sink, single, S::FORWARD, may_promote);

    // Not a loop: in each of the two calls the direction is a constant.
    captures::<S, K, _, _, _>(node, sink, mobile, S::FORWARD_EAST, may_promote);
    captures::<S, K, _, _, _>(node, sink, mobile, S::FORWARD_WEST, may_promote);

    if K::CAPTURES
        && let Some(to) = node.en_passant
    {
        let able = attacks::pawn(S::Them::COLOR, to) & pawns;
        for from in able {
            let mv = Move::new(from, to, MoveKind::EnPassant);
            let evades = !K::EVASIONS || K::LEGAL || node.en_passant_stops_check(to);
            let legal = !K::LEGAL || en_passant_is_legal(node.board, S::COLOR, from, to);
            if evades && legal && node.filter.allows(Role::Pawn, mv) {
                sink.add(Role::Pawn, mv);
            }
        }
    }
}

/// Captures in one direction. `mobile` gives the pawns that may move along a line through the king.
#[inline(always)]
fn captures<S: Side, K: Kind, L: Sliders, N: MoveFilter, T: Sink>(
    node: &Node<'_, L, N>,
    sink: &mut T,
    mobile: impl Fn(Bitboard) -> Bitboard,
    direction: Direction,
    may_promote: bool,
) {
    let able = mobile(attacks::through(node.facts.king, direction));
    let captured = able.shift(direction) & node.enemies & node.facts.capture_mask;
    advance::<S, K, _, _, _>(node, sink, captured, direction, may_promote);
}

/// Single pushes or captures in one direction, if the kind includes them; promotions on the last
/// rank.
#[inline(always)]
fn advance<S: Side, K: Kind, L: Sliders, F: MoveFilter, T: Sink>(
    node: &Node<'_, L, F>,
    sink: &mut T,
    targets: Bitboard,
    direction: Direction,
    may_promote: bool,
) {
    let is_capture = direction.files() != 0;
    let last_rank = S::LAST_RANK.bitboard();
    let offset = direction.offset();
    if if is_capture { K::CAPTURES } else { K::QUIETS } {
        let targets = node.filter.pawn_targets(targets - last_rank, direction, 1);
        let kind = if is_capture { MoveKind::Capture } else { MoveKind::Quiet };
        sink.pawns(PawnMoves { targets, offset }, kind);
    }
    let promoting = targets & last_rank;
    if may_promote && promoting.any() {
        for &role in K::PROMOTIONS {
            let Some(kind) = MoveKind::promotion(role, is_capture) else { continue };
            let targets = node.filter.promotions(promoting, role);
            sink.pawns(PawnMoves { targets, offset }, kind);
        }
    }
}
