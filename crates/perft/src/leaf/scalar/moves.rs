//! The mover's moves: the quiet ones are summed up, the replies to the sharp ones counted.

use super::digits::Digits;
use super::{Scalar, pins, replies};
use crate::leaf::legality::{Legality, replier_is_seen};
use crate::leaf::machine::Machine;
use crate::leaf::rules;
use crate::leaf::sets::{NOT_A, NOT_H, RANK_1, RANK_2, RANK_6, between, count, each, index, line};
use crate::leaf::tables::{KING, KNIGHT, PAWN_DOWN, PAWN_UP};

/// What the moves of a node add up to.
struct Sum {
    /// The replies to sharp moves.
    exact: u64,
    /// How many quiet moves enter each square.
    entered: Digits,
    /// What is gained by where quiet moves begin, and the corrections.
    gained: i64,
}

/// How far back pawns began that went one square, two squares, or took to the west or to the east.
const BACK: [u8; 4] = [8, 16, 9, 7];

/// A slider on its orthogonals or its diagonals.
struct Line {
    from: u64,
    /// What it attacks there.
    reach: u64,
    /// Where it may not go without being sharp.
    to: u64,
    /// From where it would pin a piece.
    behind: u64,
    /// The replier's pieces that slide likewise.
    attackers: u64,
}

impl<M: Machine> Scalar<'_, M> {
    /// The replies to all moves.
    #[inline(always)]
    pub(super) fn leaves(&self) -> u64 {
        let (m, r) = (&self.node.mover, &self.node.replier);
        let legal = Legality::of(self.node, self.own, self.occupied);
        let mut sum = Sum { exact: 0, entered: Digits::ZERO, gained: 0 };

        // The king.
        let k = index(m.king);
        let targets = KING[k] & !self.own & !self.danger;
        let noted = m.king & (self.from | self.touched) != 0;
        let sharp = if noted { targets } else { targets & (self.to | self.lines | self.to_king) };
        sum.exact += self.exactly(m.king, sharp);
        sum.entered.add(targets ^ sharp);
        if !legal.double_check {
            self.knights(&legal, &mut sum);
            let to = [self.to | self.to_orthogonal, self.to | self.to_diagonal];
            for from in each(m.orthogonal) {
                let reach = self.machine.rook(from, self.occupied);
                let mut line = Line {
                    from,
                    reach,
                    to: to[0],
                    behind: self.behind[0],
                    attackers: r.orthogonal,
                };
                if from & m.diagonal != 0 {
                    line.to |= to[1];
                    line.behind |= self.behind[1];
                }
                self.slider(line, &legal, &mut sum);
            }
            for from in each(m.diagonal) {
                let reach = self.machine.bishop(from, self.occupied);
                let mut line =
                    Line { from, reach, to: to[1], behind: self.behind[1], attackers: r.diagonal };
                if from & m.orthogonal != 0 {
                    line.to |= to[0];
                    line.behind |= self.behind[0];
                }
                self.slider(line, &legal, &mut sum);
            }
            self.pawns(&legal, &mut sum);
        }
        if self.node.castling >> 56 != 0 && !legal.in_check {
            rules::castlings(self.node, self.occupied, self.danger, |child| {
                sum.exact += replies::of_child(self.machine, &child);
            });
        }
        if self.node.en_passant != 0 {
            rules::en_passants(self.node, |child| {
                sum.exact += replies::of_child(self.machine, &child);
            });
        }
        self.total(&sum)
    }

    /// The replies to sharp moves, and to as many null moves as there are quiet ones, with what
    /// these change.
    #[inline(always)]
    fn total(&self, sum: &Sum) -> u64 {
        let [one, two, four, eight, sixteen] = sum.entered.sets();
        let mut quiet = sum.gained;
        quiet += self.after(one) + 2 * self.after(two);
        // Most squares are entered by fewer than four moves.
        if four | eight | sixteen != 0 {
            quiet += 4 * self.after(four) + 8 * self.after(eight) + 16 * self.after(sixteen);
        }
        for at in each((one | two | four | eight | sixteen) & self.theirs) {
            quiet -= sum.entered.at(at) as i64 * self.worth(at);
        }
        sum.exact.wrapping_add_signed(quiet)
    }

    /// The replies after quiet moves that enter each square of a set once, but for what is counted
    /// for each piece.
    #[inline(always)]
    fn after(&self, set: u64) -> i64 {
        (self.null * count(set)) as i64 - self.value(set)
    }

    /// The replies to sharp moves of one piece.
    #[inline(always)]
    fn exactly(&self, from: u64, targets: u64) -> u64 {
        replies::to_moves(self.machine, self.node, from, targets)
    }

    /// The knights' moves.
    #[inline(always)]
    fn knights(&self, legal: &Legality, sum: &mut Sum) {
        let to = self.to | self.lines | self.to_knight;
        for from in each(self.node.mover.knights & !legal.pinned) {
            let targets = KNIGHT[index(from)] & legal.targets;
            let sharp = if from & self.from != 0 { targets } else { targets & to };
            sum.exact += self.exactly(from, sharp);
            let quiet = targets ^ sharp;
            sum.entered.add(quiet);
            if from & self.touched != 0 {
                sum.gained += self.value_at(from) * count(quiet) as i64;
            }
            if from & self.guards != 0 {
                // The squares that it guards alone are the king's.
                sum.gained += (count(KNIGHT[index(from)] & self.alone) * count(quiet)) as i64;
            }
            let [one, two] = self.lost_escapes.knight;
            if one & quiet != 0 {
                sum.gained -= (count(one & quiet) + count(two & quiet)) as i64;
            }
        }
    }

    /// A slider's moves along its orthogonals or its diagonals, of which those to some squares are
    /// sharp.
    #[inline(always)]
    fn slider(&self, slider: Line, legal: &Legality, sum: &mut Sum) {
        let Line { from, reach, to, behind, attackers } = slider;
        let (m, r) = (&self.node.mover, &self.node.replier);
        let targets = reach & legal.targets & legal.leash(m.king, from);
        if targets == 0 {
            return;
        }
        let (mut lines, mut behind) = (self.lines, behind);
        if from & self.pinners != 0 {
            // It may stay on the line of its pin, but not take the pinned piece.
            lines &= !between(r.king, from) | self.theirs;
            behind &= !between(r.king, from);
        }
        let mut sharp = targets & if from & self.from != 0 { !0 } else { to | lines };
        if from & self.touched != 0 {
            // Piece and pawn that touch each other twice.
            let unmoved = r.pawns & !self.pinned & RANK_2;
            let tangled = (from & unmoved << 8) << 8
                | (from & unmoved << 16) >> 8
                | r.pawns & (PAWN_DOWN[index(from)] | from >> 8 | from >> 16);
            sharp |= targets & tangled;
        }
        let quiet = targets ^ sharp;
        sum.exact += self.exactly(from, sharp);
        sum.entered.add(quiet);
        if from & self.touched != 0 {
            sum.gained += self.value_at(from) * count(quiet) as i64;
            for attacker in each(reach & attackers & !self.pinned) {
                sum.gained += self.along(from, attacker, reach, quiet);
            }
        }
        let (machine, node) = (self.machine, self.node);
        if from & self.pinners != 0 {
            sum.gained += machine.enter(
                #[inline(always)]
                move || pins::moved(machine, node, from, quiet),
            );
        }
        for to in each(quiet & behind) {
            sum.gained += machine.enter(
                #[inline(always)]
                move || pins::made(machine, node, from, to),
            );
        }
        if self.escapes != 0 {
            if from & m.orthogonal != 0 {
                sum.gained -= self.lost_escapes.orthogonal.sum(quiet) as i64;
            }
            if from & m.diagonal != 0 {
                sum.gained -= self.lost_escapes.diagonal.sum(quiet) as i64;
            }
        }
        // It goes on guarding squares on the line along which it moves.
        for at in each(reach & self.alone) {
            sum.gained += count(quiet & !line(from, at)) as i64;
        }
    }

    /// The corrections for a slider's moves along a line on which a slider of the replier attacks
    /// it.
    #[inline(always)]
    fn along(&self, from: u64, attacker: u64, reach: u64, quiet: u64) -> i64 {
        let toward = between(from, attacker) | attacker;
        let away = reach & line(from, attacker) & !toward;
        let run = away & !self.theirs;
        // The attacker does not pass the piece that comes nearer.
        let mut gained = -((count(quiet & toward) * count(run)) as i64);
        // It follows up to the piece that moves away, no further, and may take it there.
        for at in each(quiet & away) {
            if at & self.theirs != 0 {
                gained += 1;
            } else {
                gained -= count(run & !between(from, at) & !at) as i64;
            }
        }
        gained
    }

    /// The moves of pawns.
    #[inline(always)]
    fn pawns(&self, legal: &Legality, sum: &mut Sum) {
        let (m, r) = (&self.node.mover, &self.node.replier);
        let empty = !self.occupied;
        let enemy = self.theirs;
        let mut sets = [0; 4];
        let mut free = m.pawns & !legal.pinned;
        let mut leash = legal.targets;
        let mut tied = m.pawns & legal.pinned;
        loop {
            let single = free >> 8 & empty;
            sets[0] |= single & leash;
            sets[1] |= (single & RANK_6) >> 8 & empty & leash;
            sets[2] |= free >> 9 & NOT_H & enemy & leash;
            sets[3] |= free >> 7 & NOT_A & enemy & leash;
            if tied == 0 {
                break;
            }
            // Pinned pawns follow one by one, each on its leash.
            free = tied & tied.wrapping_neg();
            tied ^= free;
            leash = legal.targets & legal.leash(m.king, free);
        }
        let [single, _, west, east] = sets;
        if (single | west | east) & RANK_1 != 0 {
            rules::promotions(self.node, [(8, single), (9, west), (7, east)], |child| {
                sum.exact += replies::of_child(self.machine, &child);
            });
            for set in &mut sets {
                *set &= !RANK_1;
            }
        }

        let to = self.to | self.lines | self.to_pawn;
        let mut passing = sets[1] & (r.pawns << 1 & NOT_A | r.pawns >> 1 & NOT_H);
        if passing != 0 {
            let (west, east) = (passing >> 1 & NOT_H & r.pawns, passing << 1 & NOT_A & r.pawns);
            if (west | east | passing << 16) & self.seen == 0 {
                sum.gained += (count(west) + count(east)) as i64;
                passing = 0;
            }
            sum.exact += rules::passing_replies(self.node, passing, |node, occupied| {
                replier_is_seen(self.machine, node, occupied)
            });
        }
        let from = |line: usize| self.from | self.met[line];
        let third = (r.pawns & !self.pinned & RANK_2) << 8;
        let sharp = [
            sets[0] & (to | third | from(0) >> 8),
            sets[1] & (to | passing | from(0) >> 16),
            sets[2] & (to | from(1) >> 9),
            sets[3] & (to | from(2) >> 7),
        ];
        for (at, back) in BACK.into_iter().enumerate() {
            sets[at] ^= sharp[at];
            for to in each(sharp[at]) {
                sum.exact += replies::to_moves(self.machine, self.node, to << back, to);
            }
        }
        let [single, double, west, east] = sets;
        let first = single | double | west;
        sum.entered.add(first);
        for (at, back) in BACK.into_iter().enumerate() {
            let left = sets[at] << back & self.touched;
            if left != 0 {
                sum.gained += self.value(left);
            }
        }
        if west | east != 0 {
            sum.entered.add(east);
            // Of two pawns that attack each other both attacks go.
            sum.gained += (count(west & r.pawns) + count(east & r.pawns)) as i64;
        }
        if m.pawns & self.guards != 0 {
            // The squares that they guard alone are the king's.
            for guarded in each(self.alone) {
                for (at, back) in BACK.into_iter().enumerate() {
                    sum.gained += count(sets[at] << back & PAWN_UP[index(guarded)]) as i64;
                }
            }
        }
        let [one, two] = self.lost_escapes.pawn;
        if one & (first | east) != 0 {
            let lost = |set: u64| (count(one & set) + count(two & set)) as i64;
            sum.gained -= lost(first) + lost(east);
        }
    }
}
