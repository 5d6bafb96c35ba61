//! Which moves change what the replier's king can do, or what checks and pins it faces.

use tabiya::attacks;

use super::{Escape, Scalar};
use crate::leaf::rules;
use crate::leaf::sets::{
    RANK_1, between, bishop, count, each, index, king_zone, knight_attacks, rook, square,
};
use crate::leaf::tables::{KING, KNIGHT, PAWN_UP};

impl Scalar<'_> {
    /// Finds which moves concern the replier's king.
    pub(super) fn look_at_king(&mut self) {
        let (m, r) = (&self.node.mover, &self.node.replier);
        let king = r.king;
        let ring = KING[index(king)];
        self.to = ring & !self.twice;
        self.to_knight = KNIGHT[index(king)];
        self.to_pawn = PAWN_UP[index(king)];

        let mut path_zone = 0;
        let rights = self.node.castling & RANK_1;
        if rights != 0 {
            if rules::orthodox(self.node) {
                for [rook, between, path] in rules::CASTLINGS {
                    if rights & rook != 0 {
                        self.from |= between;
                        self.to |= between | rook;
                        if between & self.occupied == 0 {
                            path_zone |= path;
                            self.null += u64::from(path & self.once == 0);
                        }
                    }
                }
            } else {
                path_zone = RANK_1;
                self.from |= RANK_1;
                self.to |= RANK_1;
                self.null += rules::castling_replies(self.node);
            }
        }
        let zone = ring & !self.theirs | path_zone;
        let guarded = zone & self.once;
        let alone = guarded & !self.twice;
        self.sole = alone & !path_zone;
        self.null += count(ring & !self.theirs & !self.once);

        // The king's lines.
        let (orthogonal, diagonal) = (rook(king, self.occupied), bishop(king, self.occupied));
        self.near = orthogonal | diagonal;
        let without_shields = self.occupied & !(self.near & self.theirs);
        self.to_orthogonal = orthogonal | rook(king, without_shields);
        self.to_diagonal = diagonal | bishop(king, without_shields);
        let aligned = m.orthogonal & attacks::rook_rays(square(king)).0
            | m.diagonal & attacks::bishop_rays(square(king)).0;
        for slider in self.sliders.iter().take(self.slider_count) {
            if aligned & slider.from == 0 {
                continue;
            }
            let path = between(king, slider.from);
            let shields = path & self.occupied;
            let after_one = shields & shields.wrapping_sub(1);
            if after_one == 0 {
                if shields & self.theirs != 0 {
                    // A pin.
                    self.from |= slider.from;
                    self.pinned |= shields;
                    self.to |= path | slider.from;
                    let by_rook = attacks::rook_rays(square(king)).0 & slider.from != 0;
                    let movable = if by_rook { r.orthogonal } else { r.diagonal };
                    if shields & movable != 0 {
                        self.null += count((path | slider.from) & !shields);
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

        // The squares around it.
        let path = path_zone & !self.once;
        for safe in each(zone & !self.once & !path_zone) {
            let i = index(safe);
            self.discover(safe);
            self.escapes[self.escape_count & 7] = Escape {
                orthogonal: if m.orthogonal != 0 { rook(safe, self.occupied) } else { 0 },
                diagonal: if m.diagonal != 0 { bishop(safe, self.occupied) } else { 0 },
                knight: KNIGHT[i],
                pawn: PAWN_UP[i],
            };
            self.escape_count += 1;
            self.to_king |= KING[i];
        }
        for safe in each(path) {
            self.discover(safe);
            self.to_orthogonal |= rook(safe, self.occupied);
            self.to_diagonal |= bishop(safe, self.occupied);
            self.to_knight |= KNIGHT[index(safe)];
            self.to_pawn |= PAWN_UP[index(safe)];
            self.to_king |= king_zone(safe);
        }
        if guarded != 0 {
            for at in each(self.sole) {
                self.discover(at);
            }
            let path = alone & path_zone;
            self.from |= knight_attacks(path) & m.knights | king_zone(alone) & m.king;
            for slider in self.sliders.iter().take(self.slider_count) {
                let attacks = slider.orthogonal | slider.diagonal;
                if attacks & path != 0 {
                    self.from |= slider.from;
                }
                let queen = m.orthogonal & m.diagonal & slider.from != 0;
                if queen && attacks & self.sole != 0 {
                    self.from |= slider.from;
                }
                for at in each(attacks & guarded) {
                    self.to |= between(slider.from, at);
                }
            }
        }
    }

    /// Notes the mover's pieces that a slider of its own would attack a square through.
    fn discover(&mut self, at: u64) {
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
