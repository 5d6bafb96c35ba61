//! How many replies there are to a null move, and how much of that depends on each square.

use super::Scalar;
use super::pins::moves_of;
use crate::leaf::machine::Machine;
use crate::leaf::sets::{
    NOT_A, NOT_H, RANK_2, RANK_3, RANK_7, RANK_8, count, each, index, line, up_attacks,
};
use crate::leaf::tables::{BEFORE, KING, KNIGHT, RAYS};

impl<M: Machine> Scalar<'_, M> {
    /// Counts the replies to a null move, and finds out what they depend on.
    #[inline(always)]
    pub(super) fn look_at_replies(&mut self) {
        self.look_at_pawns();
        let r = &self.node.replier;
        let theirs = self.theirs;
        self.danger |= up_attacks(r.pawns) | KING[index(r.king)];
        for from in each(r.knights) {
            let reach = KNIGHT[index(from)];
            self.danger |= reach;
            if from & self.pinned == 0 {
                self.null += count(reach & !theirs);
            }
        }
        let machine = self.machine;
        for from in each(r.orthogonal) {
            self.look_at_slider(from, [0, 1, 4, 5], |occupied| machine.rook(from, occupied));
        }
        for from in each(r.diagonal) {
            self.look_at_slider(from, [2, 3, 6, 7], |occupied| machine.bishop(from, occupied));
        }
    }

    /// The pawns' replies.
    #[inline(always)]
    fn look_at_pawns(&mut self) {
        let r = &self.node.replier;
        let (own, theirs, empty) = (self.own, self.theirs, !self.occupied);
        // In the null move with the pinned ones.
        let (mut walkers, mut to_west, mut to_east) = (r.pawns, r.pawns, r.pawns);
        if self.pinned & r.pawns != 0 {
            let rays = &RAYS[index(r.king)];
            let off = |lane: usize| self.pinned & !(rays[lane] | rays[lane + 4]);
            walkers &= !off(0);
            // On a pinned pawn's line there is nothing to take but its pinner.
            to_west &= !off(3);
            to_east &= !off(2);
        }
        let single = walkers << 8 & empty;
        let double = (single & RANK_3) << 8 & empty;
        // Pushes end on empty squares, captures on the mover's: one set holds both.
        let first = single | double | to_east << 9 & NOT_A & own;
        let second = to_west << 7 & NOT_H & own;
        self.null += count(first) + count(second);
        if (first | second) & RANK_8 != 0 {
            self.null += 3 * (count(first & RANK_8) + count(second & RANK_8));
        }

        let pawns = r.pawns & !self.pinned;
        let push = pawns << 8 & !theirs;
        let double = pawns << 8 & RANK_3 & empty >> 8 | (pawns << 8 & empty & RANK_3) << 8;
        let double = double & !theirs;
        let west = pawns << 7 & NOT_H;
        let east = pawns << 9 & NOT_A;
        self.touched = push | double | west | east;
        let unmoved = pawns & RANK_2;
        self.tangles = pawns | unmoved << 8 | unmoved << 16;
        self.value.add(push);
        self.value.add(double);
        self.taken = west | east;
        self.value.add(west ^ east);
        if pawns & RANK_7 != 0 {
            self.promoting = true;
            for _ in 0..3 {
                self.value.add(push & RANK_8);
                self.value.add((west ^ east) & RANK_8);
            }
        }
    }

    /// A slider's replies along its orthogonals or its diagonals.
    #[inline(always)]
    fn look_at_slider(&mut self, from: u64, lanes: [usize; 4], attacks: impl Fn(u64) -> u64) {
        let m = &self.node.mover;
        let reach = attacks(self.occupied);
        self.danger |= reach;
        if reach & m.king != 0 {
            // Through the king: there is no escape behind it.
            self.danger |= attacks(self.occupied ^ m.king);
        }
        let go = reach & !self.theirs;
        if go == 0 || self.pinned & from != 0 {
            return;
        }
        self.touched |= go;
        self.null += count(go);
        let rays = &RAYS[index(from)];
        let mut runs = [0; 3];
        for lane in lanes {
            let ray = go & rays[lane];
            if ray == 0 {
                continue;
            }
            let end = if lane < 4 { 63 - ray.leading_zeros() } else { ray.trailing_zeros() };
            let before = &BEFORE[lane][end as usize & 63];
            for (digit, run) in runs.iter_mut().enumerate() {
                *run |= ray & before[digit];
            }
        }
        let met = go & self.own;
        if met != 0 {
            let pawns = met & m.pawns;
            if lanes[0] == 0 {
                self.met[0] |= pawns & (rays[0] | rays[4]);
            } else {
                self.met[1] |= pawns & (rays[2] | rays[6]);
                self.met[2] |= pawns & (rays[3] | rays[7]);
            }
            // Where it would go if the pieces that it meets were not there.
            let beyond = attacks(self.occupied ^ met) & !go & !self.theirs;
            if beyond != 0 {
                for at in each(met) {
                    let side = if at > from { !(at | (at - 1)) } else { at - 1 };
                    let run = count(beyond & side & line(from, at));
                    for (digit, number) in runs.iter_mut().enumerate() {
                        *number |= at & (run >> digit & 1).wrapping_neg();
                    }
                }
            }
        }
        self.value.add_numbers(runs);
    }

    /// The replies that go if a piece of the replier's is taken, less those that take back. The moves
    /// of a pinned piece are counted where one enters the line of its pin.
    #[inline(always)]
    pub(super) fn worth(&self, at: u64) -> i64 {
        let r = &self.node.replier;
        let moves = if at & self.pinned == 0 {
            moves_of(self.machine, self.node, at, self.own, !0)
        } else {
            0
        };
        let guards = self.machine.rook(at, self.occupied) & r.orthogonal
            | self.machine.bishop(at, self.occupied) & r.diagonal
            | KNIGHT[index(at)] & r.knights;
        moves as i64 - count(guards & !self.pinned) as i64
    }

    /// How much more is needed of the squares of a set than pawns take there.
    #[inline(always)]
    pub(super) fn value(&self, set: u64) -> i64 {
        let taken = self.taken & set;
        let mut take = 2 * count(taken);
        if self.promoting {
            take += 6 * count(taken & RANK_8);
        }
        self.value.sum(set) as i64 - take as i64
    }

    /// The same for one square.
    #[inline(always)]
    pub(super) fn value_at(&self, at: u64) -> i64 {
        let take = if self.taken & at == 0 {
            0
        } else if self.promoting & (at & RANK_8 != 0) {
            8
        } else {
            2
        };
        self.value.at(at) as i64 - take
    }
}
