//! The mover's moves: the quiet ones are summed up, the sharp ones noted.

use super::legality::Legality;
use super::sets::{count, each, index, line};
use super::{Found, Scalar, Slider};
use crate::leaf::direction::{NOT_A, NOT_H};
use crate::leaf::rows::Children;
use crate::leaf::tables::{KING, KNIGHT, PAWN_DOWN, RAYS};

const RANK_1: u64 = 0xff;
const RANK_2: u64 = 0xff << 8;
const RANK_6: u64 = 0xff << 40;

impl Scalar<'_> {
    /// Goes through all moves.
    pub(super) fn moves(&self, row: u8, children: &mut Children) -> Found {
        let m = &self.node.mover;
        let legal = Legality::of(self);
        let mut found = Found {
            leaves: 0,
            danger: legal.danger,
            in_check: legal.in_check,
            promotions: [0; 3],
            passing: 0,
        };
        let mut total = 0i64;
        let mut quiet_moves = 0u64;

        // The king.
        let k = index(m.king);
        let targets = KING[k] & !self.own & !legal.danger;
        let noted = m.king & (self.from | self.touched) != 0;
        let sharp = if noted { targets } else { targets & (self.to | self.to_king) };
        note(children, row, m.king, sharp);
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
                note(children, row, from, sharp);
                let quiet = targets ^ sharp;
                quiet_moves += count(quiet);
                total += i64::from(self.value[index(from)]) * count(quiet) as i64 - self.sum(quiet);
                for escape in self.escapes.iter().take(self.escape_count) {
                    total -= count(quiet & escape.knight) as i64;
                }
            }
            for slider in self.sliders.iter().take(self.slider_count) {
                let (sharp, quiet, value) = self.slider(slider, &legal);
                note(children, row, slider.from, sharp);
                quiet_moves += count(quiet);
                total += value;
            }
            let pawns = self.pawns(&legal, row, children, &mut found);
            quiet_moves += pawns.0;
            total += pawns.1;
        }
        found.leaves = self.null.wrapping_mul(quiet_moves).wrapping_add(total as u64);
        found
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

    /// The number of quiet moves of pawns, and what they change.
    fn pawns(
        &self,
        legal: &Legality,
        row: u8,
        children: &mut Children,
        found: &mut Found,
    ) -> (u64, i64) {
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
        found.promotions = [sets[0] & RANK_1, sets[2] & RANK_1, sets[3] & RANK_1];
        for set in &mut sets {
            *set &= !RANK_1;
        }

        let mut value = 0i64;
        let to = self.to | self.to_pawn;
        let mut passing = sets[1] & (r.pawns << 1 & NOT_A | r.pawns >> 1 & NOT_H);
        if passing != 0 {
            let (west, east) = (passing >> 1 & NOT_H & r.pawns, passing << 1 & NOT_A & r.pawns);
            if (west | east | passing << 16) & self.near == 0 {
                value += (count(west) + count(east)) as i64;
                passing = 0;
            }
        }
        found.passing = passing;
        let along = |lane: usize| self.from | self.met[lane] | self.met[lane + 4];
        let third = (r.pawns & !self.pinned & RANK_2) << 8;
        let sharp = [
            sets[0] & (to | third | along(0) >> 8),
            sets[1] & (to | passing | along(0) >> 16),
            sets[2] & (to | along(2) >> 9),
            sets[3] & (to | along(3) >> 7),
        ];
        let mut moves = 0;
        for ((set, sharp), back) in sets.into_iter().zip(sharp).zip([8u8, 16, 9, 7]) {
            for at in each(sharp) {
                let at = index(at) as u8;
                children.push(row, at + back, at);
            }
            let quiet = set ^ sharp;
            moves += count(quiet);
            value += self.sum(quiet << back) - self.sum(quiet);
            // Of two pawns that attack each other both attacks go.
            value += count(quiet & r.pawns) as i64;
            for escape in self.escapes.iter().take(self.escape_count) {
                value -= count(quiet & escape.pawn) as i64;
            }
        }
        (moves, value)
    }
}

/// Notes sharp moves of one piece.
fn note(children: &mut Children, row: u8, from: u64, targets: u64) {
    for to in each(targets) {
        children.push(row, index(from) as u8, index(to) as u8);
    }
}
