//! The mover's moves: the quiet ones are summed up, the replies to the sharp ones counted.

use super::legality::Legality;
use super::replies::replies;
use super::words::Words;
use super::{Scalar, Slider};
use crate::leaf::rules;
use crate::leaf::sets::{NOT_A, NOT_H, RANK_1, RANK_2, RANK_6, count, each, index, line};
use crate::leaf::tables::{KING, KNIGHT, PAWN_DOWN, RAYS};

/// What the moves of pawns add up to.
struct Pawns {
    /// The replies to sharp ones.
    exact: u64,
    /// How many are quiet.
    quiet: u64,
    /// How many more replies there are to the quiet ones than to as many null moves.
    value: i64,
}

impl Scalar<'_> {
    /// The replies to all moves.
    pub(super) fn leaves(&self) -> u64 {
        let m = &self.node.mover;
        let legal = Legality::of(self);
        let mut exact = 0;
        let mut total = 0i64;
        let mut quiet_moves = 0u64;

        // The king.
        let k = index(m.king);
        let targets = KING[k] & !self.own & !legal.danger;
        let noted = m.king & (self.from | self.touched) != 0;
        let sharp = if noted { targets } else { targets & (self.to | self.to_king) };
        exact += self.exactly(m.king, sharp);
        quiet_moves += count(targets ^ sharp);
        total -= self.sum(targets ^ sharp);
        if !legal.double_check {
            for from in each(m.knights & !legal.pinned) {
                let targets = KNIGHT[index(from)] & legal.targets;
                let sharp = if from & self.from != 0 {
                    targets
                } else {
                    targets & (self.to | self.to_knight)
                };
                exact += self.exactly(from, sharp);
                let quiet = targets ^ sharp;
                quiet_moves += count(quiet);
                total += i64::from(self.value[index(from)]) * count(quiet) as i64 - self.sum(quiet);
                for escape in self.escapes.iter().take(self.escape_count) {
                    total -= count(quiet & escape.knight) as i64;
                }
            }
            for slider in self.sliders.iter().take(self.slider_count) {
                let (sharp, quiet, value) = self.slider(slider, &legal);
                exact += self.exactly(slider.from, sharp);
                quiet_moves += count(quiet);
                total += value;
            }
            let pawns = self.pawns(&legal);
            exact += pawns.exact;
            quiet_moves += pawns.quiet;
            total += pawns.value;
        }
        if self.node.castling >> 56 != 0 && !legal.in_check {
            rules::castlings(self.node, legal.danger, |child| exact += replies(&child));
        }
        if self.node.en_passant != 0 {
            rules::en_passants(self.node, |child| exact += replies(&child));
        }
        (self.null * quiet_moves + exact).wrapping_add_signed(total)
    }

    /// The replies to sharp moves of one piece.
    fn exactly(&self, from: u64, targets: u64) -> u64 {
        each(targets).map(|to| self.replies_to(from, to)).sum()
    }

    /// The replies to one move.
    #[inline(never)]
    pub(super) fn replies_to(&self, from: u64, to: u64) -> u64 {
        replies(&self.node.after(from, to))
    }

    /// A slider's sharp and quiet moves, and what the quiet ones change.
    fn slider(&self, slider: &Slider, legal: &Legality) -> (u64, u64, i64) {
        let (m, r) = (&self.node.mover, &self.node.replier);
        let from = slider.from;
        let reach = slider.orthogonal | slider.diagonal;
        let targets = reach & legal.targets & legal.leash(m.king, from);
        if from & self.from != 0 {
            return (targets, 0, 0);
        }
        let mut to = self.to;
        if m.orthogonal & from != 0 {
            to |= self.to_orthogonal;
        }
        if m.diagonal & from != 0 {
            to |= self.to_diagonal;
        }
        if from & self.touched != 0 {
            // Piece and pawn that touch each other twice.
            let unmoved = r.pawns & !self.pinned & RANK_2;
            to |= (from & unmoved << 8) << 8
                | (from & unmoved << 16) >> 8
                | r.pawns & (PAWN_DOWN[index(from)] | from >> 8 | from >> 16);
        }
        let sharp = targets & to;
        let quiet = targets ^ sharp;
        let moves = count(quiet) as i64;
        let mut value = i64::from(self.value[index(from)]) * moves - self.sum(quiet);
        for lane in 0..8 {
            if self.met[lane] & from == 0 {
                continue;
            }
            // The attacker follows up to the piece that moves away, no further, and may take it there.
            for at in each(quiet & RAYS[index(from)][lane]) {
                if at & self.theirs != 0 {
                    value += 1;
                } else {
                    value -= self.run(at, lane) as i64;
                }
            }
            // It does not pass the piece that comes nearer.
            let nearer = count(quiet & RAYS[index(from)][lane ^ 4]);
            value -= (nearer * self.run(from, lane)) as i64;
        }
        for escape in self.escapes.iter().take(self.escape_count) {
            if m.orthogonal & from != 0 {
                value -= count(quiet & escape.orthogonal) as i64;
            }
            if m.diagonal & from != 0 {
                value -= count(quiet & escape.diagonal) as i64;
            }
        }
        let guarded = reach & self.sole;
        if guarded != 0 {
            // It goes on guarding squares on the line along which it moves.
            for at in each(guarded) {
                value += count(quiet & !line(from, at)) as i64;
            }
        }
        (sharp, quiet, value)
    }

    /// The moves of pawns.
    fn pawns(&self, legal: &Legality) -> Pawns {
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
        let mut pawns = Pawns { exact: 0, quiet: 0, value: 0 };
        let [single, _, west, east] = sets;
        if (single | west | east) & RANK_1 != 0 {
            rules::promotions(self.node, [(8, single), (9, west), (7, east)], |child| {
                pawns.exact += replies(&child);
            });
            sets = sets.map(|set| set & !RANK_1);
        }

        let to = self.to | self.to_pawn;
        let mut passing = sets[1] & (r.pawns << 1 & NOT_A | r.pawns >> 1 & NOT_H);
        if passing != 0 {
            let (west, east) = (passing >> 1 & NOT_H & r.pawns, passing << 1 & NOT_A & r.pawns);
            if (west | east | passing << 16) & self.near == 0 {
                pawns.value += (count(west) + count(east)) as i64;
                passing = 0;
            }
            pawns.exact += rules::passing_replies::<Words>(self.node, passing);
        }
        let along = |lane: usize| self.from | self.met[lane] | self.met[lane + 4];
        let third = (r.pawns & !self.pinned & RANK_2) << 8;
        let sharp = [
            sets[0] & (to | third | along(0) >> 8),
            sets[1] & (to | passing | along(0) >> 16),
            sets[2] & (to | along(2) >> 9),
            sets[3] & (to | along(3) >> 7),
        ];
        for ((set, sharp), back) in sets.into_iter().zip(sharp).zip([8u8, 16, 9, 7]) {
            for to in each(sharp) {
                pawns.exact += self.replies_to(to << back, to);
            }
            let quiet = set ^ sharp;
            pawns.quiet += count(quiet);
            pawns.value += self.sum(quiet << back) - self.sum(quiet);
            // Of two pawns that attack each other both attacks go.
            pawns.value += count(quiet & r.pawns) as i64;
            for escape in self.escapes.iter().take(self.escape_count) {
                pawns.value -= count(quiet & escape.pawn) as i64;
            }
        }
        pawns
    }
}
