//! Which moves change what the replier's king can do, or what checks and pins it faces.

use tabiya::attacks;

use super::Scalar;
use crate::leaf::machine::Machine;
use crate::leaf::sets::{between, count, each, index, square};
use crate::leaf::tables::{KING, KNIGHT, NEAR, PAWN_UP};

impl<M: Machine> Scalar<'_, M> {
    /// Finds which moves concern the replier's king.
    #[inline(always)]
    pub(super) fn look_at_king(&mut self) {
        let king = self.node.replier.king;
        self.to_knight = KNIGHT[index(king)];
        self.to_pawn = PAWN_UP[index(king)];
        self.attack();
        self.look_at_castlings();
        let ring = KING[index(king)];
        self.null += count(ring & !self.theirs & !self.once);
        self.look_along_lines();
        self.look_around(ring);
    }

    /// Finds checks and pins on the king's lines, and what would become one.
    #[inline(always)]
    fn look_along_lines(&mut self) {
        let (m, r) = (&self.node.mover, &self.node.replier);
        let king = r.king;
        let (orthogonal, diagonal) =
            (self.machine.rook(king, self.occupied), self.machine.bishop(king, self.occupied));
        self.seen = orthogonal | diagonal;
        let without_shields = self.occupied & !(self.seen & self.theirs);
        self.to_orthogonal = orthogonal;
        self.to_diagonal = diagonal;
        self.behind = [
            self.machine.rook(king, without_shields) & !orthogonal,
            self.machine.bishop(king, without_shields) & !diagonal,
        ];
        let aligned = m.orthogonal & attacks::rook_rays(square(king)).0
            | m.diagonal & attacks::bishop_rays(square(king)).0;
        for slider in each(aligned) {
            let path = between(king, slider);
            let shields = path & self.occupied;
            let after_one = shields & shields.wrapping_sub(1);
            if after_one == 0 {
                if shields & self.theirs != 0 {
                    // A pin.
                    self.pinners |= slider;
                    self.pinned |= shields;
                    self.lines |= path | slider;
                    let by_rook = attacks::rook_rays(square(king)).0 & slider != 0;
                    let movable = if by_rook { r.orthogonal } else { r.diagonal };
                    if shields & movable != 0 {
                        self.null += count((path | slider) & !shields);
                    }
                } else {
                    // A check, if the piece between leaves.
                    self.from |= shields;
                }
            } else if after_one & after_one.wrapping_sub(1) == 0 && shields & self.theirs != 0 {
                // One piece of each side: the replier's would be pinned if the mover's left.
                self.from |= shields & self.own;
            }
        }
    }

    /// Finds what concerns the squares next to the king.
    #[inline(always)]
    fn look_around(&mut self, ring: u64) {
        let m = &self.node.mover;
        self.escapes = ring & !self.theirs & !self.once;
        for safe in each(self.escapes) {
            let i = index(safe);
            self.discover(safe);
            let lost = &mut self.lost;
            if m.orthogonal != 0 {
                lost.orthogonal.add(self.machine.rook(safe, self.occupied));
            }
            if m.diagonal != 0 {
                lost.diagonal.add(self.machine.bishop(safe, self.occupied));
            }
            lost.knight.add(KNIGHT[i]);
            lost.pawn.add(PAWN_UP[i]);
            lost.king.add(KING[i]);
        }
        let once = ring & self.once & !self.twice;
        self.bare = once & self.theirs;
        self.alone = once & !self.theirs;
        for at in each(self.alone) {
            self.discover(at);
            let i = index(at);
            self.guards |= KNIGHT[i] & m.knights | PAWN_UP[i] & m.pawns | KING[i] & m.king;
        }
        let guarded = ring & !self.theirs & self.once;
        self.watched |= guarded;
        if guarded != 0 {
            let near = &NEAR[index(self.node.replier.king)];
            for slider in each(m.orthogonal & near[0]) {
                self.guard(slider, self.machine.rook(slider, self.occupied), guarded);
            }
            for slider in each(m.diagonal & near[1]) {
                self.guard(slider, self.machine.bishop(slider, self.occupied), guarded);
            }
        }
    }

    /// Notes what a slider guards.
    #[inline(always)]
    fn guard(&mut self, slider: u64, attacks: u64, guarded: u64) {
        if attacks & self.alone != 0 {
            self.guards |= slider;
        }
        let mut lines = 0;
        for at in each(attacks & guarded) {
            lines |= between(slider, at);
        }
        self.close(lines);
    }

    /// Notes squares where pieces close the line of a slider.
    #[inline(always)]
    pub(super) fn close(&mut self, line: u64) {
        self.to_twice |= self.to & line;
        self.to |= line;
    }

    /// Notes the mover's pieces that a slider of its own would attack a square through.
    #[inline(always)]
    pub(super) fn discover(&mut self, at: u64) {
        let m = &self.node.mover;
        let orthogonal = attacks::rook_rays(square(at)).0 & m.orthogonal;
        let diagonal = attacks::bishop_rays(square(at)).0 & m.diagonal;
        for slider in each(orthogonal | diagonal) {
            let shields = between(at, slider) & self.occupied;
            if shields & shields.wrapping_sub(1) == 0 {
                self.from |= shields & self.own;
            }
        }
    }
}
