//! How many replies there are to a null move, and how much of that depends on each square.

use super::digits::Digits;
use super::pins::moves_of;
use super::{Board, OneNode};
use crate::leaf::machine::Machine;
use crate::node::sets::{
    NOT_A, NOT_H, RANK_2, RANK_3, RANK_7, RANK_8, count, each, index, line, up_attacks,
};
use crate::node::tables::{BEFORE, KING, KNIGHT, RAYS};

/// `null`, and what depends on one square.
pub(super) struct NeedTake {
    /// The number of replies to a null move.
    pub null: u64,
    /// The replies gained when a piece of the mover leaves a square, lost when one comes, are this
    /// less two for each square of `take`: a pawn that attacks a square alone takes two less one.
    pub need: Digits<5>,
    /// What the replier's pawns attack, and whether one may promote.
    pub take: u64,
    pub promoting: bool,
    /// The squares on which something depends.
    pub touched: u64,
    /// Where a move may end that begins on a square which the same pawn uses.
    pub tangles: u64,
    /// The mover's pieces that a slider attacks along their file, along a rising and a falling
    /// diagonal.
    pub met: [u64; 3],
    /// What the replier attacks, through the mover's king.
    pub danger: u64,
}

impl<M: Machine> OneNode<'_, M> {
    /// Counts the replies to a null move, and finds out what they depend on.
    #[inline(always)]
    pub(super) fn look_at_replies(&mut self) {
        let (board, pinned) = (self.board, self.pins.pinned);
        let r = &board.node.replier;
        let need = &mut self.need;
        need.look_at_pawns(&board, pinned);
        need.danger |= up_attacks(r.pawns) | KING[index(r.king)];
        for from in each(r.knights) {
            let reach = KNIGHT[index(from)];
            need.danger |= reach;
            if from & pinned == 0 {
                need.null += count(reach & !board.theirs);
            }
        }
        let rook = |from, occupied| board.machine.rook(from, occupied);
        let bishop = |from, occupied| board.machine.bishop(from, occupied);
        for from in each(r.orthogonal) {
            need.look_at_slider(&board, pinned, from, [0, 1, 4, 5], rook);
        }
        for from in each(r.diagonal) {
            need.look_at_slider(&board, pinned, from, [2, 3, 6, 7], bishop);
        }
    }

    /// The replies that go if a piece of the replier's is taken, less those that take back. The moves
    /// of a pinned piece are counted where one enters the line of its pin.
    #[inline(always)]
    pub(super) fn worth(&self, at: u64) -> i64 {
        let (board, pinned) = (&self.board, self.pins.pinned);
        let r = &board.node.replier;
        let moves = if at & pinned == 0 {
            moves_of(board.machine, board.node, at, board.own, !0)
        } else {
            0
        };
        let guards = board.rook(at) & r.orthogonal
            | board.bishop(at) & r.diagonal
            | KNIGHT[index(at)] & r.knights;
        moves as i64 - count(guards & !pinned) as i64
    }
}

impl NeedTake {
    pub(super) const NOTHING: Self = Self {
        null: 0,
        need: Digits::ZERO,
        take: 0,
        promoting: false,
        touched: 0,
        tangles: 0,
        met: [0; 3],
        danger: 0,
    };

    /// The pawns' replies.
    #[inline(always)]
    fn look_at_pawns<M: Machine>(&mut self, board: &Board<'_, M>, pinned: u64) {
        let r = &board.node.replier;
        let (own, theirs, empty) = (board.own, board.theirs, !board.occupied);
        // In the null move with the pinned ones.
        let (mut walkers, mut to_west, mut to_east) = (r.pawns, r.pawns, r.pawns);
        if pinned & r.pawns != 0 {
            let rays = &RAYS[index(r.king)];
            let off = |lane: usize| pinned & !(rays[lane] | rays[lane + 4]);
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

        let pawns = r.pawns & !pinned;
        let push = pawns << 8 & !theirs;
        let double = pawns << 8 & RANK_3 & empty >> 8 | (pawns << 8 & empty & RANK_3) << 8;
        let double = double & !theirs;
        let west = pawns << 7 & NOT_H;
        let east = pawns << 9 & NOT_A;
        self.touched = push | double | west | east;
        let unmoved = pawns & RANK_2;
        self.tangles = pawns | unmoved << 8 | unmoved << 16;
        self.need.add(push);
        self.need.add(double);
        self.take = west | east;
        self.need.add(west ^ east);
        if pawns & RANK_7 != 0 {
            self.promoting = true;
            for _ in 0..3 {
                self.need.add(push & RANK_8);
                self.need.add((west ^ east) & RANK_8);
            }
        }
    }

    /// A slider's replies along its orthogonals or its diagonals.
    #[inline(always)]
    fn look_at_slider<M: Machine>(
        &mut self,
        board: &Board<'_, M>,
        pinned: u64,
        from: u64,
        lanes: [usize; 4],
        attacks: impl Fn(u64, u64) -> u64,
    ) {
        let m = &board.node.mover;
        let reach = attacks(from, board.occupied);
        self.danger |= reach;
        if reach & m.king != 0 {
            // Through the king: there is no escape behind it.
            self.danger |= attacks(from, board.occupied ^ m.king);
        }
        let go = reach & !board.theirs;
        if go == 0 || pinned & from != 0 {
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
        let met = go & board.own;
        if met != 0 {
            let pawns = met & m.pawns;
            if lanes[0] == 0 {
                self.met[0] |= pawns & (rays[0] | rays[4]);
            } else {
                self.met[1] |= pawns & (rays[2] | rays[6]);
                self.met[2] |= pawns & (rays[3] | rays[7]);
            }
            // Where it would go if the pieces that it meets were not there.
            let beyond = attacks(from, board.occupied ^ met) & !go & !board.theirs;
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
        self.need.add_numbers(runs);
    }

    /// How much more is needed of the squares of a set than pawns take there.
    #[inline(always)]
    pub(super) fn value(&self, set: u64) -> i64 {
        let take = self.take & set;
        let mut twos = 2 * count(take);
        if self.promoting {
            twos += 6 * count(take & RANK_8);
        }
        self.need.sum(set) - twos as i64
    }

    /// The same for one square.
    #[inline(always)]
    pub(super) fn value_at(&self, at: u64) -> i64 {
        let twos = if self.take & at == 0 {
            0
        } else if self.promoting & (at & RANK_8 != 0) {
            8
        } else {
            2
        };
        self.need.at(at) as i64 - twos
    }
}
