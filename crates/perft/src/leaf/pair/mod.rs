//! Counting the replies to the moves of several positions at once.

mod board;
mod digits;
mod king;
mod mobility;
mod moves;
#[cfg(test)]
mod oracle;

use super::lanes::Lanes;
use super::rows::{ROWS, Rows};
use board::{Attacked, Boards, Legality, Rays};
use king::KingFacts;
use mobility::Mobility;
use moves::Moves;

pub(super) use moves::{DOUBLE, EAST, KINDS, KING, KNIGHT, PASSING, SINGLE, WEST};

/// What the kernel finds out.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Output {
    /// The replies to all quiet moves.
    pub leaves: [u64; 8],
    /// The sets of sharp moves, by kind and lane.
    pub sharp: [[u64; 8]; 32],
    /// The lanes in which they are not empty.
    pub present: [u8; 24],
    pub occupied: [u64; 8],
    /// The squares that the replier attacks.
    pub danger: [u64; 8],
    /// Promotions by push and by capture to both sides.
    pub promotions: [[u64; 8]; 3],
    /// The lanes with promotions; those with castlings, perhaps; all that need more than sums and sets.
    pub promoting: u8,
    pub castling: u8,
    pub odd: u8,
}

impl Default for Output {
    fn default() -> Self {
        Self {
            leaves: [0; 8],
            sharp: [[0; 8]; 32],
            present: [0; 24],
            occupied: [0; 8],
            danger: [0; 8],
            promotions: [[0; 8]; 3],
            promoting: 0,
            castling: 0,
            odd: 0,
        }
    }
}

impl Output {
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.present = [0; 24];
        self.promoting = 0;
        self.castling = 0;
        self.odd = 0;
    }
}

/// Counts the rows from `first` on, in the lanes from `at` on.
#[inline(always)]
pub(super) fn pair<L: Lanes>(rows: &Rows, first: usize, at: usize, out: &mut Output) {
    let b = Boards::<L>::load(rows, first, at);
    let rays = Rays::of(&b);
    let attacked = Attacked::of(&b, &rays);
    let legal = Legality::of(&b, &rays);
    let king = KingFacts::of(&b, &rays, &attacked);
    let mobility = Mobility::of(&b, &rays, &king);
    let moves = Moves { b: &b, rays: &rays, legal: &legal, king: &king, mobility: &mobility, at };
    let quiet = moves.all(out);

    // The sum over all squares of touches times effect, the highest digits first.
    let n = &quiet.touches.0;
    let e = &mobility.effect;
    let mut sum = L::splat(0);
    let mut moves = L::splat(0);
    let mut i = 5;
    while i > 0 {
        i -= 1;
        sum = sum.shl(1);
        moves = moves.shl(1);
        if i < 3 || n[i].any() {
            let mut j = 0;
            while j < 6 {
                let mut tally = L::tally();
                L::count(&mut tally, n[i] & e[j]);
                let part = L::sum(tally).shl(j as u32);
                sum = if j < 5 { sum.plus(part) } else { sum.minus(part) };
                j += 1;
            }
            let mut tally = L::tally();
            L::count(&mut tally, n[i].without(b.own));
            moves = moves.plus(L::sum(tally));
        }
    }
    // A negative is the complement and one more, for each square that is entered.
    let sum = sum.plus(moves).plus(quiet.extra);
    let (mut null, mut count) = ([0; 8], [0; 8]);
    mobility.null.put(&mut null, at);
    moves.put(&mut count, at);
    sum.put(&mut out.leaves, at);
    b.occupied.put(&mut out.occupied, at);
    legal.danger.put(&mut out.danger, at);
    let castling = legal.castling(&b);
    out.castling |= (castling.occupied() as u8) << at;
    let odd = castling | quiet.odd | b.en_passant | b.wild;
    out.odd |= (odd.occupied() as u8) << at;
    let mut lane = at;
    while lane < at + L::WIDTH {
        let null = null[lane] + rows.rest[(first + lane) % ROWS][6];
        out.leaves[lane] = out.leaves[lane].wrapping_add(null.wrapping_mul(count[lane]));
        lane += 1;
    }
}

