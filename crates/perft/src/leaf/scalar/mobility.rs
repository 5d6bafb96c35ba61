//! How many replies there are to a null move, and how much of that depends on each square.

use super::Scalar;
use crate::leaf::sets::{
    NOT_A, NOT_H, RANK_2, RANK_3, RANK_7, RANK_8, count, each, index, knight_attacks,
};
use crate::leaf::tables::{KNIGHT, LENGTHS, RAYS};

/// How far a step goes in each direction.
const STEP: [isize; 8] = [8, 1, 9, 7, -8, -1, -9, -7];

impl Scalar<'_> {
    /// Adds to the value of each square of a set.
    fn add(&mut self, set: u64, value: i8) {
        self.touched |= set;
        for at in each(set) {
            self.value[index(at)] += value;
        }
    }

    /// Counts the replies to a null move, and finds out what they depend on.
    pub(super) fn look_at_replies(&mut self) {
        let r = &self.node.replier;
        let (own, theirs, empty) = (self.own, self.theirs, !self.occupied);
        for from in each((r.orthogonal | r.diagonal) & !self.pinned) {
            for lane in 0..8 {
                let lines = if lane & 2 == 0 { r.orthogonal } else { r.diagonal };
                if lines & from != 0 {
                    self.look_along(from, lane);
                }
            }
        }
        for from in each(r.knights & !self.pinned) {
            let reach = KNIGHT[index(from)];
            let go = count(reach & !theirs);
            self.null += go;
            self.add(from, go as i8);
            self.add(reach & theirs, -1);
        }

        // Pawns, in the null move with the pinned ones.
        let (file, rise, fall) = self.pawns_lines();
        let walkers = r.pawns & (!self.pinned | file);
        let single = walkers << 8 & empty;
        let double = (single & RANK_3) << 8 & empty;
        // On a pinned pawn's line there is nothing to take but its pinner.
        let west = (r.pawns & (!self.pinned | fall)) << 7 & NOT_H & own;
        let east = (r.pawns & (!self.pinned | rise)) << 9 & NOT_A & own;
        self.null += count(single | double) + count(west) + count(east);
        self.null += 3 * (count(single & RANK_8) + count(west & RANK_8) + count(east & RANK_8));

        let pawns = r.pawns & !self.pinned;
        let push = pawns << 8;
        let double = push & RANK_3 & empty >> 8 | (push & empty & RANK_3) << 8;
        let west = pawns << 7 & NOT_H;
        let east = pawns << 9 & NOT_A;
        let ahead = pawns & empty >> 8;
        let own_west = pawns & (own & NOT_H) >> 7;
        let own_east = pawns & (own & NOT_A) >> 9;
        self.add(push & !theirs | ahead, 1);
        self.add(double & !theirs | ahead & RANK_2 & empty >> 16, 1);
        self.add(own_west, 1);
        self.add(own_east, 1);
        self.add(west, -1);
        self.add(east, -1);
        if pawns & RANK_7 != 0 {
            self.add(push & !theirs & RANK_8 | ahead & RANK_7, 3);
            self.add(own_west & RANK_7, 3);
            self.add(own_east & RANK_7, 3);
            self.add(west & RANK_8, -3);
            self.add(east & RANK_8, -3);
        }

        // Squares that one piece alone guards are the king's when it leaves.
        if self.sole != 0 {
            let m = &self.node.mover;
            for from in each(m.knights & knight_attacks(self.sole)) {
                self.add(from, count(KNIGHT[index(from)] & self.sole) as i8);
            }
            let (west, east) = ((self.sole & NOT_H) << 9, (self.sole & NOT_A) << 7);
            self.add(m.pawns & west, 1);
            self.add(m.pawns & east, 1);
        }
    }

    /// The replier's pieces pinned on the file, and on the diagonals that rise and fall to the east.
    fn pawns_lines(&self) -> (u64, u64, u64) {
        let rays = &RAYS[index(self.node.replier.king)];
        let on = |lane: usize| self.pinned & (rays[lane] | rays[lane + 4]);
        (on(0), on(2), on(3))
    }

    /// The moves of a slider of the replier in one direction.
    #[inline(always)]
    fn look_along(&mut self, from: u64, lane: usize) {
        let (first, passed) = self.ahead(index(from), lane);
        let met = first & self.own;
        let mut rest = passed + u8::from(met != 0);
        self.null += u64::from(rest);
        self.value[index(from)] += rest as i8;
        self.touched |= from | first;
        // The squares in turn: how many lie beyond each.
        let mut at = index(from);
        for _ in 0..passed {
            at = at.wrapping_add_signed(STEP[lane]);
            rest -= 1;
            self.value[at & 63] += rest as i8;
            self.touched |= 1 << (at & 63);
        }
        if met != 0 {
            self.met[lane] |= met;
            self.value[index(met)] += self.run(met, lane) as i8;
        } else if first != 0 {
            self.value[index(first)] -= 1;
        }
    }

    /// How many squares lie ahead of one to which a slider of the replier could go.
    #[inline(always)]
    pub(super) fn run(&self, from: u64, lane: usize) -> u64 {
        let (first, passed) = self.ahead(index(from), lane);
        u64::from(passed) + u64::from(first & self.own != 0)
    }

    /// The first piece ahead of a square, and how many squares lie before it.
    #[inline(always)]
    fn ahead(&self, from: usize, lane: usize) -> (u64, u8) {
        let lane = lane & 7;
        let blockers = RAYS[from][lane] & self.occupied;
        let length = LENGTHS[from][lane];
        if blockers == 0 {
            return (0, length);
        }
        let (lowest, highest) = (blockers.trailing_zeros(), 63 ^ blockers.leading_zeros());
        let at = if lane < 4 { lowest } else { highest } & 63;
        (1 << at, length - LENGTHS[at as usize][lane] - 1)
    }

    /// The replies lost where pieces come to `squares`.
    pub(super) fn sum(&self, squares: u64) -> i64 {
        each(squares & self.touched).map(|at| i64::from(self.value[index(at)])).sum()
    }
}
