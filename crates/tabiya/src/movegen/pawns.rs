//! Pawn moves: all pawns at once, by shifting the whole set.

use super::generator::Generation;
use super::kinds::Kind;
use super::safety::en_passant_is_legal;
use super::sink::{PawnMoves, Sink};
use crate::attacks::{self, Sliders};
use crate::bitboard::Bitboard;
use crate::color::Side;
use crate::direction::Direction;
use crate::moves::{Move, MoveKind};
use crate::role::Role;

impl<S: Side, K: Kind, L: Sliders> Generation<'_, S, K, L> {
    #[inline(always)]
    pub(super) fn pawns(&self, sink: &mut impl Sink) {
        let pawns = self.movers(Role::Pawn);
        let last_rank = S::LAST_RANK.bitboard();
        let may_promote = pawns.meets(last_rank.shift(S::FORWARD.opposite()));
        let king = self.facts.king;
        // A pinned pawn may move along its pin line. A pinned pawn on the king's file is pinned
        // along that file, and likewise for diagonals.
        let mobile = |line: Bitboard| pawns - (self.facts.pinned - line);

        let empty = !self.occupied;
        let on_file = mobile(king.file().bitboard());
        // A double push needs a single push, but that one need not block the check itself.
        let single = on_file.shift(S::FORWARD) & empty;
        if K::QUIETS {
            let double = (single & S::CROSSED_RANKS).shift(S::FORWARD) & empty;
            let double = self.kept_pawns(double & self.facts.push_mask, S::FORWARD, 2);
            let offset = S::FORWARD.offset();
            sink.pawns(PawnMoves { targets: double, offset: 2 * offset }, MoveKind::DoublePush);
        }
        self.advance(sink, single & self.facts.push_mask, S::FORWARD, may_promote);

        // Two calls instead of a loop, so that the direction is a constant in each.
        self.pawn_captures(sink, mobile, S::FORWARD_EAST, may_promote);
        self.pawn_captures(sink, mobile, S::FORWARD_WEST, may_promote);

        if K::CAPTURES
            && let Some(to) = self.en_passant()
        {
            // A pawn captures onto the squares from which an enemy pawn would capture it.
            for from in attacks::pawn(S::Them::COLOR, to) & pawns {
                let mv = Move::new(from, to, MoveKind::EnPassant);
                let allowed = if K::LEGAL {
                    en_passant_is_legal(self.board, S::COLOR, from, to)
                } else {
                    self.en_passant_stops_check(to)
                };
                if allowed && self.keeps(Role::Pawn, mv) {
                    sink.add(Role::Pawn, mv);
                }
            }
        }
    }

    /// Captures in one direction. `mobile` gives the pawns that may move along a line through the
    /// king.
    #[inline(always)]
    fn pawn_captures(
        &self,
        sink: &mut impl Sink,
        mobile: impl Fn(Bitboard) -> Bitboard,
        direction: Direction,
        may_promote: bool,
    ) {
        let able = mobile(attacks::through(self.facts.king, direction));
        let captured = able.shift(direction) & self.enemies & self.facts.capture_mask;
        self.advance(sink, captured, direction, may_promote);
    }

    /// Single pushes or captures in one direction, if the kind includes them; promotions on the
    /// last rank.
    #[inline(always)]
    fn advance(
        &self,
        sink: &mut impl Sink,
        targets: Bitboard,
        direction: Direction,
        may_promote: bool,
    ) {
        let is_capture = direction.files() != 0;
        let last_rank = S::LAST_RANK.bitboard();
        let offset = direction.offset();
        if if is_capture { K::CAPTURES } else { K::QUIETS } {
            let targets = self.kept_pawns(targets - last_rank, direction, 1);
            let kind = if is_capture { MoveKind::Capture } else { MoveKind::Quiet };
            sink.pawns(PawnMoves { targets, offset }, kind);
        }
        let promoting = targets & last_rank;
        if may_promote && promoting.any() {
            for &role in K::PROMOTIONS {
                let Some(kind) = MoveKind::promotion(role, is_capture) else { continue };
                let targets = self.kept_promotions(promoting, role);
                sink.pawns(PawnMoves { targets, offset }, kind);
            }
        }
    }
}
