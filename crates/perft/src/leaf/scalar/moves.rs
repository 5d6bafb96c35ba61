//! The mover's moves: the quiet ones are summed up, the replies to the sharp ones counted.

use super::corrections::{self, Rare};
use super::digits::Digits;
use super::{Scalar, pins, replies};
use crate::leaf::legality::{Legality, replier_is_seen};
use crate::leaf::machine::Machine;
use crate::leaf::rules;
use crate::leaf::sets::{NOT_A, NOT_H, RANK_1, RANK_2, RANK_6, between, count, each, index};
use crate::leaf::tables::{KING, KNIGHT, PAWN_UP};

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

impl<M: Machine> Scalar<'_, M> {
    /// The replies to all moves.
    #[inline(always)]
    pub(super) fn leaves(&self) -> u64 {
        let m = &self.node.mover;
        let legal = Legality::of(self.node, self.own, self.occupied);
        let mut sum = Sum { exact: 0, entered: Digits::ZERO, gained: 0 };

        self.king(&mut sum);
        if !legal.double_check {
            self.knights(&legal, &mut sum);
            // In one loop, so that there is one copy of its body.
            let (mut rest, mut bishops) = (m.orthogonal, m.diagonal & !m.orthogonal);
            loop {
                if rest == 0 {
                    rest = std::mem::take(&mut bishops);
                    if rest == 0 {
                        break;
                    }
                }
                self.slider(rest & rest.wrapping_neg(), &legal, &mut sum);
                rest &= rest - 1;
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

    /// The quiet moves of one piece that is no pawn, by where they end: what depends on no more than
    /// the two squares of each, and what is corrected whatever the piece.
    #[inline(always)]
    fn quiet(&self, from: u64, quiet: u64, lines: u64, sum: &mut Sum) {
        sum.entered.add(quiet);
        if from & self.touched != 0 {
            sum.gained += self.value_at(from) * count(quiet) as i64;
            if quiet & self.tangles != 0 {
                let pawns = [self.node.replier.pawns & !self.pinned, self.theirs, self.own];
                sum.gained += self.machine.enter(
                    #[inline(always)]
                    move || corrections::tangled(pawns, from, quiet),
                );
            }
        }
        if quiet & self.corrected | from & self.holders != 0 {
            sum.gained += self.rarely(from, quiet, lines);
        }
    }

    /// The corrections that few nodes need, in a function of their own.
    #[inline(always)]
    fn rarely(&self, from: u64, quiet: u64, lines: u64) -> i64 {
        let rare = Rare {
            machine: self.machine,
            node: self.node,
            castlings: self.castlings,
            occupied: self.occupied,
            pinned: self.pinned,
            lines: self.lines,
            bare: self.bare,
            holders: self.holders,
        };
        self.machine.enter(
            #[inline(always)]
            move || rare.corrections(from, quiet, lines),
        )
    }

    /// The king's moves.
    #[inline(always)]
    fn king(&self, sum: &mut Sum) {
        let from = self.node.mover.king;
        let targets = KING[index(from)] & !self.own & !self.danger;
        let sharp = targets & if from & self.from != 0 { !0 } else { self.to };
        sum.exact += self.exactly(from, sharp);
        let quiet = targets ^ sharp;
        self.quiet(from, quiet, self.lines, sum);
        if from & self.touched != 0 {
            let r = &self.node.replier;
            let (rook, bishop) =
                (self.machine.rook(from, self.occupied), self.machine.bishop(from, self.occupied));
            for (reach, sliders) in [(rook, r.orthogonal), (bishop, r.diagonal)] {
                if reach & sliders != 0 {
                    sum.gained += self.along(from, reach, sliders, quiet);
                }
            }
        }
        if from & self.guards != 0 {
            for at in each(KING[index(from)] & self.alone) {
                sum.gained += count(quiet & !KING[index(at)]) as i64;
            }
        }
        if self.may_lose {
            sum.gained -= self.lost.king.sum(quiet);
            if self.castling {
                sum.gained -= self.castlings.king.sum(quiet);
            }
        }
    }

    /// The knights' moves.
    #[inline(always)]
    fn knights(&self, legal: &Legality, sum: &mut Sum) {
        let to = self.to | self.to_knight;
        for from in each(self.node.mover.knights & !legal.pinned) {
            let targets = KNIGHT[index(from)] & legal.targets;
            let sharp = if from & self.from != 0 { targets } else { targets & to };
            sum.exact += self.exactly(from, sharp);
            let quiet = targets ^ sharp;
            self.quiet(from, quiet, self.lines, sum);
            if from & self.guards != 0 {
                // The squares that it guards alone are the king's.
                sum.gained += (count(KNIGHT[index(from)] & self.alone) * count(quiet)) as i64;
            }
            if self.may_lose {
                sum.gained -= self.lost.knight.sum(quiet);
                if self.castling {
                    sum.gained -= self.castlings.knight.sum(quiet);
                }
            }
        }
    }

    /// The moves of a slider.
    #[inline(always)]
    fn slider(&self, from: u64, legal: &Legality, sum: &mut Sum) {
        let (m, r) = (&self.node.mover, &self.node.replier);
        let (mut reach, mut attackers, mut checks, mut behind) = (0, 0, 0, 0);
        if from & m.orthogonal != 0 {
            reach = self.machine.rook(from, self.occupied);
            attackers = reach & r.orthogonal;
            checks = self.to_orthogonal;
            behind = self.behind[0];
        }
        if from & m.diagonal != 0 {
            let bishop = self.machine.bishop(from, self.occupied);
            reach |= bishop;
            attackers |= bishop & r.diagonal;
            checks |= self.to_diagonal;
            behind |= self.behind[1];
        }
        let targets = reach & legal.targets & legal.leash(m.king, from);
        if targets == 0 {
            return;
        }
        let mut lines = self.lines;
        if from & self.pinners != 0 {
            // It may stay on the line of its pin.
            lines &= !between(r.king, from);
        }
        let mut to = self.to;
        if targets & to & !self.to_twice != 0 {
            // It does not close its own line.
            for at in each(reach & self.watched) {
                to &= !between(from, at) | self.to_twice;
            }
        }
        let sharp = targets & if from & self.from != 0 { !0 } else { to | checks };
        let quiet = targets ^ sharp;
        sum.exact += self.exactly(from, sharp);
        self.quiet(from, quiet, lines, sum);
        if from & self.touched != 0 {
            for attacker in each(attackers & !self.pinned) {
                sum.gained += corrections::along(self.theirs, from, attacker, reach, quiet);
            }
        }
        let (machine, node) = (self.machine, self.node);
        if from & self.pinners != 0 {
            sum.gained += machine.enter(
                #[inline(always)]
                move || pins::moved(machine, node, from, quiet),
            );
        }
        for to in each(quiet & behind & !self.lines) {
            sum.gained += machine.enter(
                #[inline(always)]
                move || pins::made(machine, node, from, to),
            );
        }
        if self.may_lose {
            let (lost, castlings) = (&self.lost, &*self.castlings);
            let castlings = match (from & m.orthogonal != 0, from & m.diagonal != 0) {
                (true, false) => {
                    sum.gained -= lost.orthogonal.sum(quiet) as i64;
                    &castlings.orthogonal
                }
                (false, _) => {
                    sum.gained -= lost.diagonal.sum(quiet) as i64;
                    &castlings.diagonal
                }
                (true, true) => {
                    sum.gained -= (lost.orthogonal.sum(quiet) + lost.diagonal.sum(quiet)) as i64;
                    &castlings.queen
                }
            };
            if self.castling {
                sum.gained -= castlings.sum(quiet);
            }
        }
        if from & self.guards != 0 {
            // It may guard a square from elsewhere as well.
            let left = self.occupied ^ from;
            for at in each(self.alone) {
                let mut still = 0;
                if from & m.orthogonal != 0 {
                    still |= self.machine.rook(at, left);
                }
                if from & m.diagonal != 0 {
                    still |= self.machine.bishop(at, left);
                }
                if still & from != 0 {
                    sum.gained += count(quiet & !still) as i64;
                }
            }
        }
    }

    /// The corrections for a king's or pawn's moves along lines of attackers.
    #[inline(always)]
    fn along(&self, from: u64, reach: u64, attackers: u64, quiet: u64) -> i64 {
        let (theirs, attackers) = (self.theirs, reach & attackers & !self.pinned);
        self.machine.enter(
            #[inline(always)]
            move || {
                each(attackers).map(|at| corrections::along(theirs, from, at, reach, quiet)).sum()
            },
        )
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

        let to = self.to | self.to_pawn;
        let passing = sets[1] & (r.pawns << 1 & NOT_A | r.pawns >> 1 & NOT_H);
        if passing != 0 {
            let (west, east) = (passing >> 1 & NOT_H & r.pawns, passing << 1 & NOT_A & r.pawns);
            if (west | east | passing << 16) & self.seen == 0 {
                sum.gained += (count(west) + count(east)) as i64;
            } else {
                sum.exact += rules::passing_replies(self.node, passing, |node, occupied| {
                    replier_is_seen(self.machine, node, occupied)
                });
            }
        }
        let from = self.from;
        let sharp = [
            sets[0] & (to | from >> 8),
            sets[1] & (to | from >> 16),
            sets[2] & (to | from >> 9),
            sets[3] & (to | from >> 7),
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
        if m.pawns & self.touched != 0 {
            // It blocks two pushes, and has blocked one of them before.
            let third = single & (r.pawns & !self.pinned & RANK_2) << 8;
            if third != 0 {
                sum.gained -= count(third) as i64;
            }
            self.pawns_along(&sets, sum);
        }
        if (first | east) & self.corrected != 0 {
            for (at, back) in BACK.into_iter().enumerate() {
                for to in each(sets[at] & (self.lines | self.bare)) {
                    sum.gained += self.rarely(to << back, to, self.lines);
                }
            }
        }
        if west | east != 0 {
            sum.entered.add(east);
            // Of two pawns that attack each other both attacks go.
            let pawns = r.pawns & !self.pinned;
            sum.gained += (count(west & pawns) + count(east & pawns)) as i64;
        }
        if m.pawns & self.guards != 0 {
            // The squares that they guard alone are the king's.
            for guarded in each(self.alone) {
                for (at, back) in BACK.into_iter().enumerate() {
                    sum.gained += count(sets[at] << back & PAWN_UP[index(guarded)]) as i64;
                }
            }
        }
        if self.may_lose {
            sum.gained -= self.lost.pawn.sum(first) + self.lost.pawn.sum(east);
            if self.castling {
                sum.gained -= self.castlings.pawn.sum(first) + self.castlings.pawn.sum(east);
            }
        }
    }

    /// The corrections for pawns that move along a line on which a slider attacks them.
    #[inline(always)]
    fn pawns_along(&self, [single, double, west, east]: &[u64; 4], sum: &mut Sum) {
        let r = &self.node.replier;
        for from in each((single << 8 | double << 16) & self.met[0]) {
            let reach = self.machine.rook(from, self.occupied);
            let quiet = from >> 8 & single | from >> 16 & double;
            sum.gained += self.along(from, reach, r.orthogonal, quiet);
        }
        let captures = [(west << 9 & self.met[1], 9), (east << 7 & self.met[2], 7)];
        for (met, back) in captures {
            for from in each(met) {
                let reach = self.machine.bishop(from, self.occupied);
                sum.gained += self.along(from, reach, r.diagonal, from >> back);
            }
        }
    }
}
