//! Which moves change what the replier's king can do, or what checks and pins it faces.

use tabiya::attacks;

use super::Scalar;
use crate::leaf::machine::Machine;
use crate::leaf::rules;
use crate::leaf::sets::{RANK_1, between, count, each, index, king_zone, knight_attacks, square};
use crate::leaf::tables::{KING, KNIGHT, NEAR, PAWN_UP};

impl<M: Machine> Scalar<'_, M> {
    /// Finds which moves concern the replier's king.
    #[inline(always)]
    pub(super) fn look_at_king(&mut self) {
        let king = self.node.replier.king;
        self.to_knight = KNIGHT[index(king)];
        self.to_pawn = PAWN_UP[index(king)];
        let paths = self.look_at_castling();
        let path_zone = paths[0] | paths[1];
        self.near = if path_zone == 0 { NEAR[index(king)] } else { [!0; 3] };
        self.attack();
        for path in paths {
            // The first rank as a whole stands for castlings that are counted one by one.
            self.null += u64::from(path != 0 && path != RANK_1 && path & self.once == 0);
        }
        let ring = KING[index(king)];
        self.to |= ring & !self.twice;
        self.null += count(ring & !self.theirs & !self.once);
        self.look_along_lines();
        self.look_around(ring & !self.theirs, path_zone);
    }

    /// Notes which moves concern castling, and finds the king's paths whose squares are empty.
    #[inline(always)]
    fn look_at_castling(&mut self) -> [u64; 2] {
        let rights = self.node.castling & RANK_1;
        let mut paths = [0; 2];
        if rights == 0 {
            return paths;
        }
        if !rules::orthodox(self.node) {
            self.from |= RANK_1;
            self.to |= RANK_1;
            self.null += rules::castling_replies(self.node);
            return [RANK_1, 0];
        }
        for (at, [rook, between, path]) in rules::CASTLINGS.into_iter().enumerate() {
            if rights & rook != 0 {
                self.from |= between;
                self.to |= between | rook;
                if between & self.occupied == 0 {
                    paths[at] = path;
                }
            }
        }
        paths
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

    /// Finds what concerns the squares to which the king could go: those next to it and, strictly,
    /// those of castling paths.
    #[inline(always)]
    fn look_around(&mut self, ring: u64, path_zone: u64) {
        let m = &self.node.mover;
        let guarded = (ring | path_zone) & self.once;
        let once = guarded & !self.twice;
        self.alone = once & !path_zone;
        self.escapes = ring & !self.once & !path_zone;
        for safe in each(self.escapes) {
            let i = index(safe);
            self.discover(safe);
            let lost = &mut self.lost_escapes;
            if m.orthogonal != 0 {
                lost.orthogonal.add(self.machine.rook(safe, self.occupied));
            }
            if m.diagonal != 0 {
                lost.diagonal.add(self.machine.bishop(safe, self.occupied));
            }
            for (lost, attackers) in [(&mut lost.knight, KNIGHT[i]), (&mut lost.pawn, PAWN_UP[i])] {
                lost[1] |= lost[0] & attackers;
                lost[0] |= attackers;
            }
            self.to_king |= KING[i];
        }
        for safe in each(path_zone & !self.once) {
            self.discover(safe);
            self.to_orthogonal |= self.machine.rook(safe, self.occupied);
            self.to_diagonal |= self.machine.bishop(safe, self.occupied);
            self.to_knight |= KNIGHT[index(safe)];
            self.to_pawn |= PAWN_UP[index(safe)];
            self.to_king |= king_zone(safe);
        }
        if guarded != 0 {
            for at in each(self.alone) {
                self.discover(at);
                self.guards |= KNIGHT[index(at)] & m.knights | PAWN_UP[index(at)] & m.pawns;
            }
            let path = once & path_zone;
            self.from |= knight_attacks(path) & m.knights | king_zone(once) & m.king;
            let queens = m.orthogonal & m.diagonal;
            let mut guard = |slider: u64, attacks: u64| {
                if attacks & (path | if slider & queens != 0 { self.alone } else { 0 }) != 0 {
                    self.from |= slider;
                }
                for at in each(attacks & guarded) {
                    self.to |= between(slider, at);
                }
            };
            for slider in each(m.orthogonal & self.near[0]) {
                guard(slider, self.machine.rook(slider, self.occupied));
            }
            for slider in each(m.diagonal & self.near[1]) {
                guard(slider, self.machine.bishop(slider, self.occupied));
            }
        }
    }

    /// Notes the mover's pieces that a slider of its own would attack a square through.
    #[inline(always)]
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
