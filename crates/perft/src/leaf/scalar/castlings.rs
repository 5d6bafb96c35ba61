//! Castlings of the replier's, Lemma 7: one by one, how moves forbid them or make them possible.

use super::digits::Digits;
use super::{Board, OneNode};
use crate::leaf::machine::Machine;
use crate::node::rules::span;
use crate::node::sets::{RANK_1, between, each, index};
use crate::node::tables::{KING, KNIGHT, PAWN_UP};

/// What is known of the castlings whose squares are empty.
#[derive(Debug)]
pub(super) struct Castlings {
    /// Is there one that at most one piece forbids? All but the last field is kept from an earlier
    /// node if not.
    pub any: bool,
    /// From where each kind of piece would forbid those that are possible: how many.
    pub orthogonal: Digits<2>,
    pub diagonal: Digits<2>,
    pub queen: Digits<2>,
    pub knight: Digits<2>,
    pub pawn: Digits<2>,
    pub king: Digits<2>,
    pub forbidden_by_one: [ForbiddenByOne; 2],
    /// The pieces that alone forbid one.
    pub forbidders: u64,
}

/// A castling that one piece of the mover's forbids, or none.
#[derive(Clone, Copy, Debug)]
pub(super) struct ForbiddenByOne {
    /// The piece.
    pub by: u64,
    /// The squares that must not be attacked.
    pub path: u64,
    /// The squares that must stay empty, and the rook's.
    pub shut: u64,
    /// What stands in the way of attacks after castling.
    pub occupied: u64,
}

impl Default for Castlings {
    fn default() -> Self {
        Self::NONE
    }
}

impl Castlings {
    const NONE: Self = Self {
        any: false,
        orthogonal: Digits::ZERO,
        diagonal: Digits::ZERO,
        queen: Digits::ZERO,
        knight: Digits::ZERO,
        pawn: Digits::ZERO,
        king: Digits::ZERO,
        forbidden_by_one: [ForbiddenByOne { by: 0, path: 0, shut: 0, occupied: 0 }; 2],
        forbidders: 0,
    };

    /// Forgets the node before.
    #[inline(always)]
    pub(super) fn forget(&mut self) {
        self.any = false;
        self.forbidders = 0;
    }
}

impl<M: Machine> OneNode<'_, M> {
    /// Looks at the replier's castlings.
    #[inline(always)]
    pub(super) fn look_at_castlings(&mut self) {
        let (king, occupied) = (self.board.node.replier.king, self.board.occupied);
        for rook in each(self.board.node.castling & RANK_1) {
            // Mostly something stands between king and rook.
            let mut obstacles = between(king, rook) & occupied;
            if obstacles == 0 {
                let (king_to, rook_to) =
                    if rook > king { (1 << 6, 1 << 5) } else { (1 << 2, 1 << 3) };
                let squares = (span(king, king_to) | span(rook, rook_to)) & !(king | rook);
                obstacles = squares & occupied;
                if obstacles == 0 {
                    let path = span(king, king_to) & !king | king_to;
                    let occupied = occupied & !(king | rook);
                    let shut = squares | rook;
                    self.look_at_castling(ForbiddenByOne { by: 0, path, shut, occupied });
                }
            }
            self.king.sharp.from |= obstacles & self.board.own;
        }
    }

    /// Looks at a castling whose squares are empty (Lemma 7).
    #[inline(always)]
    fn look_at_castling(&mut self, mut castling: ForbiddenByOne) {
        let Board { machine, node, theirs, .. } = self.board;
        let m = &node.mover;
        let ForbiddenByOne { path, shut, occupied, .. } = castling;
        let ring = KING[index(node.replier.king)];
        self.king.sharp.watched |= path;
        let (mut orthogonal, mut diagonal) = (shut, shut);
        let (mut knight, mut pawn, mut king) = (shut, shut, shut);
        for at in each(path) {
            let i = index(at);
            let (rook, bishop) = (machine.rook(at, occupied), machine.bishop(at, occupied));
            orthogonal |= rook;
            diagonal |= bishop;
            knight |= KNIGHT[i];
            pawn |= PAWN_UP[i];
            king |= KING[i];
            for slider in each(rook & m.orthogonal | bishop & m.diagonal) {
                castling.by |= slider;
                // The others are looked at as squares next to the king.
                if at & ring & !theirs == 0 {
                    self.king.sharp.close(between(slider, at) & !shut);
                }
            }
            self.king.sharp.discover(&self.board, at);
        }
        castling.by |= knight & m.knights | pawn & m.pawns | king & m.king;
        if castling.by & castling.by.wrapping_sub(1) != 0 {
            return;
        }
        let all = &mut *self.castlings;
        if !all.any {
            *all = Castlings { any: true, ..Castlings::NONE };
        }
        if castling.by == 0 {
            self.need.null += 1;
            all.orthogonal.add(orthogonal);
            all.diagonal.add(diagonal);
            all.queen.add(orthogonal | diagonal);
            all.knight.add(knight);
            all.pawn.add(pawn);
            all.king.add(king);
        } else {
            all.forbidden_by_one[usize::from(all.forbidders != 0)] = castling;
            all.forbidders |= castling.by;
        }
    }
}
