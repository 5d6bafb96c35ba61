//! Castlings of the replier's: one by one, how moves forbid them or make them possible.

use super::Scalar;
use super::digits::Few;
use crate::leaf::machine::Machine;
use crate::leaf::rules::span;
use crate::leaf::sets::{RANK_1, between, each, index};
use crate::leaf::tables::{KING, KNIGHT, PAWN_UP};

/// What is known of the castlings whose squares are empty.
#[derive(Debug)]
pub(super) struct Castlings {
    /// From where each kind of piece would forbid those that are possible: how many.
    pub orthogonal: Few,
    pub diagonal: Few,
    pub queen: Few,
    pub knight: Few,
    pub pawn: Few,
    pub king: Few,
    /// Those that one piece alone forbids.
    pub held: [Held; 2],
}

impl Castlings {
    pub(super) const NONE: Self = Self {
        orthogonal: Few::ZERO,
        diagonal: Few::ZERO,
        queen: Few::ZERO,
        knight: Few::ZERO,
        pawn: Few::ZERO,
        king: Few::ZERO,
        held: [Held { by: 0, path: 0, shut: 0, occupied: 0 }; 2],
    };
}

/// A castling that one piece of the mover's forbids, or none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    /// The piece.
    pub by: u64,
    /// The squares that must not be attacked.
    pub path: u64,
    /// The squares that must stay empty, and the rook's.
    pub shut: u64,
    /// What stands in the way of attacks after castling.
    pub occupied: u64,
}

impl<M: Machine> Scalar<'_, M> {
    /// Looks at the replier's castlings.
    #[inline(always)]
    pub(super) fn look_at_castlings(&mut self) {
        let king = self.node.replier.king;
        for rook in each(self.node.castling & RANK_1) {
            // Mostly something stands between king and rook.
            let mut obstacles = between(king, rook) & self.occupied;
            if obstacles == 0 {
                let (king_to, rook_to) =
                    if rook > king { (1 << 6, 1 << 5) } else { (1 << 2, 1 << 3) };
                let squares = (span(king, king_to) | span(rook, rook_to)) & !(king | rook);
                obstacles = squares & self.occupied;
                if obstacles == 0 {
                    let path = span(king, king_to) & !king | king_to;
                    let occupied = self.occupied & !(king | rook);
                    self.look_at_castling(Held { by: 0, path, shut: squares | rook, occupied });
                }
            }
            self.from |= obstacles & self.own;
        }
    }

    /// Looks at a castling whose squares are empty.
    #[inline(always)]
    fn look_at_castling(&mut self, mut castling: Held) {
        let m = &self.node.mover;
        let Held { path, shut, occupied, .. } = castling;
        let ring = KING[index(self.node.replier.king)];
        self.watched |= path;
        let (mut orthogonal, mut diagonal) = (shut, shut);
        let (mut knight, mut pawn, mut king) = (shut, shut, shut);
        for at in each(path) {
            let i = index(at);
            let (rook, bishop) =
                (self.machine.rook(at, occupied), self.machine.bishop(at, occupied));
            orthogonal |= rook;
            diagonal |= bishop;
            knight |= KNIGHT[i];
            pawn |= PAWN_UP[i];
            king |= KING[i];
            for slider in each(rook & m.orthogonal | bishop & m.diagonal) {
                castling.by |= slider;
                // The others are looked at as squares next to the king.
                if at & ring & !self.theirs == 0 {
                    self.close(between(slider, at) & !shut);
                }
            }
            self.discover(at);
        }
        castling.by |= knight & m.knights | pawn & m.pawns | king & m.king;
        if castling.by & castling.by.wrapping_sub(1) != 0 {
            return;
        }
        if !self.castling {
            self.castling = true;
            *self.castlings = Castlings::NONE;
        }
        if castling.by == 0 {
            self.null += 1;
            self.castlings.orthogonal.add(orthogonal);
            self.castlings.diagonal.add(diagonal);
            self.castlings.queen.add(orthogonal | diagonal);
            self.castlings.knight.add(knight);
            self.castlings.pawn.add(pawn);
            self.castlings.king.add(king);
        } else {
            self.castlings.held[usize::from(self.holders != 0)] = castling;
            self.holders |= castling.by;
        }
    }
}
