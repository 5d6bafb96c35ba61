//! The mover's moves: the quiet ones are summed up, the replies to the sharp ones counted.

use super::digits::Digits;
use super::{OneNode, corrections, pins, replies};
use crate::leaf::legality::{Legality, passing_replies};
use crate::leaf::machine::Machine;
use crate::node::rules;
use crate::node::sets::{NOT_A, NOT_H, RANK_1, RANK_2, between, count, each, index};
use crate::node::tables::{KING, KNIGHT, NEAR, PAWN_UP};

/// What the moves of a node add up to.
struct Sum {
    /// The replies to sharp moves.
    exact: u64,
    /// How many quiet moves enter each square.
    entered: Digits<5>,
    /// What is gained by where quiet moves begin, and the corrections.
    gained: i64,
}

/// How far back pawns began that went one square, two squares, or took to the west or to the east.
const BACK: [u8; 4] = [8, 16, 9, 7];

impl<M: Machine> OneNode<'_, M> {
    /// The replies to all moves (Lemma 9).
    #[inline(always)]
    pub(super) fn leaves(&self) -> u64 {
        let m = &self.board.node.mover;
        let legal = Legality::of(self.board.node, self.board.own, self.board.occupied);
        let mut sum = Sum { exact: 0, entered: Digits::default(), gained: 0 };

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
        if self.board.node.castling >> 56 != 0 && !legal.in_check {
            rules::castlings(self.board.node, self.board.occupied, self.need.danger, |child| {
                sum.exact += replies::of_child(self.board.machine, &child);
            });
        }
        if self.board.node.en_passant != 0 {
            rules::en_passants(self.board.node, |child| {
                sum.exact += replies::of_child(self.board.machine, &child);
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
        for at in each((one | two | four | eight | sixteen) & self.board.theirs) {
            quiet -= sum.entered.at(at) as i64 * self.worth(at);
        }
        sum.exact.wrapping_add_signed(quiet)
    }

    /// The replies after quiet moves that enter each square of a set once, but for what is counted
    /// for each piece.
    #[inline(always)]
    fn after(&self, set: u64) -> i64 {
        (self.need.null * count(set)) as i64 - self.need.value(set)
    }

    /// The replies to sharp moves of one piece.
    #[inline(always)]
    fn exactly(&self, from: u64, targets: u64) -> u64 {
        replies::to_moves(self.board.machine, self.board.node, from, targets)
    }

    /// The quiet moves of one piece that is no pawn, by where they end: what depends on no more than
    /// the two squares of each, and what is corrected whatever the piece.
    #[inline(always)]
    fn quiet(&self, from: u64, quiet: u64, lines: u64, sum: &mut Sum) {
        sum.entered.add(quiet);
        if from & self.need.touched != 0 {
            sum.gained += self.need.value_at(from) * count(quiet) as i64;
            if quiet & self.need.tangles != 0 {
                let pawns = [
                    self.board.node.replier.pawns & !self.pins.pinned,
                    self.board.theirs,
                    self.board.own,
                ];
                sum.gained += self.board.machine.enter(
                    #[inline(always)]
                    move || corrections::tangled(pawns, from, quiet),
                );
            }
        }
        if quiet & self.corrected | from & self.castlings.forbidders != 0 {
            sum.gained += self.rarely(from, quiet, lines);
        }
    }

    /// The corrections that few nodes need, in a function of their own.
    #[inline(always)]
    fn rarely(&self, from: u64, quiet: u64, lines: u64) -> i64 {
        let (board, castlings, retaken) = (self.board, &*self.castlings, self.king.retaken);
        let pins = [self.pins.pinned, self.pins.lines];
        board.machine.enter(
            #[inline(always)]
            move || {
                let mut gained = corrections::taken_by_king(&board, from, quiet & retaken);
                if from & castlings.forbidders != 0 {
                    gained += corrections::castlings_freed(&board, castlings, from, quiet);
                }
                for to in each(quiet & lines) {
                    gained += pins::entered(board.machine, board.node, pins, from, to);
                }
                gained
            },
        )
    }

    /// The king's moves (Lemma 4, Lemma 13, Lemma 14).
    #[inline(always)]
    fn king(&self, sum: &mut Sum) {
        let from = self.board.node.mover.king;
        let targets = KING[index(from)] & !self.board.own & !self.need.danger;
        let sharp =
            targets & if from & self.king.sharp.from != 0 { !0 } else { self.king.sharp.to };
        sum.exact += self.exactly(from, sharp);
        let quiet = targets ^ sharp;
        self.quiet(from, quiet, self.pins.lines, sum);
        if from & self.need.touched != 0 {
            let r = &self.board.node.replier;
            let (rook, bishop) = (self.board.rook(from), self.board.bishop(from));
            for (reach, sliders) in [(rook, r.orthogonal), (bishop, r.diagonal)] {
                if reach & sliders != 0 {
                    sum.gained += self.along(from, reach, sliders, quiet);
                }
            }
        }
        if from & self.king.guards != 0 {
            for at in each(KING[index(from)] & self.king.guarded_alone) {
                sum.gained += count(quiet & !KING[index(at)]) as i64;
            }
        }
        if self.may_lose {
            for to in each(quiet & self.near()[3]) {
                sum.gained -= count(KING[index(to)] & self.king.escapes) as i64;
            }
            if self.castlings.any {
                sum.gained -= self.castlings.king.sum(quiet);
            }
        }
    }

    /// From where pieces attack squares next to the replier's king.
    #[inline(always)]
    fn near(&self) -> &'static [u64; 4] {
        &NEAR[index(self.board.node.replier.king)]
    }

    /// The knights' moves (Lemma 13, Lemma 14).
    #[inline(always)]
    fn knights(&self, legal: &Legality, sum: &mut Sum) {
        let to = self.king.sharp.to | self.king.sharp.to_knight;
        for from in each(self.board.node.mover.knights & !legal.pinned) {
            let targets = KNIGHT[index(from)] & legal.targets;
            let sharp = if from & self.king.sharp.from != 0 { targets } else { targets & to };
            sum.exact += self.exactly(from, sharp);
            let quiet = targets ^ sharp;
            self.quiet(from, quiet, self.pins.lines, sum);
            if from & self.king.guards != 0 {
                // The squares that it guards alone are the king's.
                sum.gained +=
                    (count(KNIGHT[index(from)] & self.king.guarded_alone) * count(quiet)) as i64;
            }
            if self.may_lose {
                for to in each(quiet & self.near()[2]) {
                    sum.gained -= count(KNIGHT[index(to)] & self.king.escapes) as i64;
                }
                if self.castlings.any {
                    sum.gained -= self.castlings.knight.sum(quiet);
                }
            }
        }
    }

    /// The moves of a slider (Lemma 13, Lemma 14).
    #[inline(always)]
    fn slider(&self, from: u64, legal: &Legality, sum: &mut Sum) {
        let (m, r) = (&self.board.node.mover, &self.board.node.replier);
        let rook = if from & m.orthogonal != 0 { self.board.rook(from) } else { 0 };
        let bishop = if from & m.diagonal != 0 { self.board.bishop(from) } else { 0 };
        let reach = rook | bishop;
        let targets = reach & legal.targets & legal.leash(m.king, from);
        if targets == 0 {
            return;
        }
        let attackers = rook & r.orthogonal | bishop & r.diagonal;
        let (mut checks, mut makes_pin) = (0, 0);
        if from & m.orthogonal != 0 {
            checks = self.king.sharp.to_orthogonal;
            makes_pin = self.pins.from_orthogonal;
        }
        if from & m.diagonal != 0 {
            checks |= self.king.sharp.to_diagonal;
            makes_pin |= self.pins.from_diagonal;
        }
        let mut lines = self.pins.lines;
        if from & self.pins.pinners != 0 {
            // It may stay on the line of its pin.
            lines &= !between(r.king, from);
        }
        let mut to = self.king.sharp.to;
        if targets & to & !self.king.sharp.to_twice != 0 {
            // It does not close its own line.
            for at in each(reach & self.king.sharp.watched) {
                to &= !between(from, at) | self.king.sharp.to_twice;
            }
        }
        let sharp = targets & if from & self.king.sharp.from != 0 { !0 } else { to | checks };
        let quiet = targets ^ sharp;
        sum.exact += self.exactly(from, sharp);
        self.quiet(from, quiet, lines, sum);
        if from & self.need.touched != 0 {
            for attacker in each(attackers & !self.pins.pinned) {
                sum.gained += corrections::along(self.board.theirs, from, attacker, reach, quiet);
            }
        }
        let (machine, node) = (self.board.machine, self.board.node);
        if from & self.pins.pinners != 0 {
            sum.gained += machine.enter(
                #[inline(always)]
                move || pins::moved(machine, node, from, quiet),
            );
        }
        for to in each(quiet & makes_pin & !self.pins.lines) {
            sum.gained += machine.enter(
                #[inline(always)]
                move || pins::made(machine, node, from, to),
            );
        }
        if self.may_lose {
            let (lost, castlings) = (&self.king.escapes_lost, &*self.castlings);
            let castlings = match (from & m.orthogonal != 0, from & m.diagonal != 0) {
                (true, false) => {
                    sum.gained -= lost.orthogonal.sum(quiet);
                    &castlings.orthogonal
                }
                (false, _) => {
                    sum.gained -= lost.diagonal.sum(quiet);
                    &castlings.diagonal
                }
                (true, true) => {
                    sum.gained -= lost.orthogonal.sum(quiet) + lost.diagonal.sum(quiet);
                    &castlings.queen
                }
            };
            if self.castlings.any {
                sum.gained -= castlings.sum(quiet);
            }
        }
        if from & self.king.guards != 0 {
            // It may guard a square from elsewhere as well.
            let left = self.board.occupied ^ from;
            for at in each(self.king.guarded_alone) {
                let mut still = 0;
                if from & m.orthogonal != 0 {
                    still |= self.board.machine.rook(at, left);
                }
                if from & m.diagonal != 0 {
                    still |= self.board.machine.bishop(at, left);
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
        let (theirs, attackers) = (self.board.theirs, reach & attackers & !self.pins.pinned);
        self.board.machine.enter(
            #[inline(always)]
            move || {
                each(attackers).map(|at| corrections::along(theirs, from, at, reach, quiet)).sum()
            },
        )
    }

    /// The moves of pawns (Lemma 8, Lemma 11, Lemma 12).
    #[inline(always)]
    fn pawns(&self, legal: &Legality, sum: &mut Sum) {
        let (m, r) = (&self.board.node.mover, &self.board.node.replier);
        let mut sets = legal.pawn_targets(self.board.node, self.board.occupied);
        let [single, _, west, east] = sets;
        if (single | west | east) & RANK_1 != 0 {
            rules::promotions(self.board.node, [(8, single), (9, west), (7, east)], |child| {
                sum.exact += replies::of_child(self.board.machine, &child);
            });
            for set in &mut sets {
                *set &= !RANK_1;
            }
        }

        let to = self.king.sharp.to | self.king.sharp.to_pawn;
        let passing = sets[1] & (r.pawns << 1 & NOT_A | r.pawns >> 1 & NOT_H);
        if passing != 0 {
            let (west, east) = (passing >> 1 & NOT_H & r.pawns, passing << 1 & NOT_A & r.pawns);
            if (west | east | passing << 16) & self.king.seen == 0 {
                sum.gained += (count(west) + count(east)) as i64;
            } else {
                let (machine, occupied) = (self.board.machine, self.board.occupied);
                let sliders = [m.diagonal, m.orthogonal];
                sum.exact += passing_replies(machine, r.pawns, r.king, sliders, occupied, passing);
            }
        }
        let from = self.king.sharp.from;
        let sharp = [
            sets[0] & (to | from >> 8),
            sets[1] & (to | from >> 16),
            sets[2] & (to | from >> 9),
            sets[3] & (to | from >> 7),
        ];
        for (at, back) in BACK.into_iter().enumerate() {
            sets[at] ^= sharp[at];
            for to in each(sharp[at]) {
                sum.exact += self.exactly(to << back, to);
            }
        }
        let [single, double, west, east] = sets;
        let first = single | double | west;
        sum.entered.add(first);
        for (at, back) in BACK.into_iter().enumerate() {
            let left = sets[at] << back & self.need.touched;
            if left != 0 {
                sum.gained += self.need.value(left);
            }
        }
        if m.pawns & self.need.touched != 0 {
            // It blocks two pushes, and has blocked one of them before.
            let third = single & (r.pawns & !self.pins.pinned & RANK_2) << 8;
            if third != 0 {
                sum.gained -= count(third) as i64;
            }
            self.pawns_along(&sets, sum);
        }
        if (first | east) & self.corrected != 0 {
            for (at, back) in BACK.into_iter().enumerate() {
                for to in each(sets[at] & (self.pins.lines | self.king.retaken)) {
                    sum.gained += self.rarely(to << back, to, self.pins.lines);
                }
            }
        }
        if west | east != 0 {
            sum.entered.add(east);
            // Of two pawns that attack each other both attacks go.
            let pawns = r.pawns & !self.pins.pinned;
            sum.gained += (count(west & pawns) + count(east & pawns)) as i64;
        }
        if m.pawns & self.king.guards != 0 {
            // The squares that they guard alone are the king's.
            for guarded in each(self.king.guarded_alone) {
                for (at, back) in BACK.into_iter().enumerate() {
                    sum.gained += count(sets[at] << back & PAWN_UP[index(guarded)]) as i64;
                }
            }
        }
        if self.may_lose {
            sum.gained -=
                self.king.escapes_lost.pawn.sum(first) + self.king.escapes_lost.pawn.sum(east);
            if self.castlings.any {
                sum.gained -= self.castlings.pawn.sum(first) + self.castlings.pawn.sum(east);
            }
        }
    }

    /// The corrections for pawns that move along a line on which a slider attacks them.
    #[inline(always)]
    fn pawns_along(&self, [single, double, west, east]: &[u64; 4], sum: &mut Sum) {
        let r = &self.board.node.replier;
        for from in each((single << 8 | double << 16) & self.need.met[0]) {
            let reach = self.board.rook(from);
            let quiet = from >> 8 & single | from >> 16 & double;
            sum.gained += self.along(from, reach, r.orthogonal, quiet);
        }
        let captures = [(west << 9 & self.need.met[1], 9), (east << 7 & self.need.met[2], 7)];
        for (met, back) in captures {
            for from in each(met) {
                let reach = self.board.bishop(from);
                sum.gained += self.along(from, reach, r.diagonal, from >> back);
            }
        }
    }
}
