//! How many replies there are to a null move, and how much of that depends on each square.
//!
//! For each square, some replies *need* it free of the mover's pieces: a slider's moves to what
//! lies beyond, a pawn's push. Others *take* there: they exist only when a piece of the mover
//! stands on it. Both are numbers below 32, kept in binary digits, a set of squares to each digit.
//! When a piece leaves a square, the replies that need it are gained and those that take there are
//! lost; when one comes, the reverse. If a piece of the replier stood there, its own moves count
//! among those that need the square.

use super::board::{Board, Rays};
use super::king_view::KingView;
use crate::lanes::Lanes;
use crate::lanes::digits::Digits;
use crate::lanes::direction::{Direction, each, each_leap, knight_attacks};
use crate::node::sets::{NOT_A, NOT_H, RANK_2, RANK_3, RANK_7, RANK_8};

/// The replies to a null move, and what they depend on.
pub(super) struct NeedTake<L> {
    /// The replies to a null move.
    pub null: L,
    /// For each square, in two's complement: the replies gained when a piece of the mover leaves
    /// it, or comes to it.
    pub effect: [L; 6],
    /// How many squares lie ahead of a square to which a slider could go, direction by direction.
    pub runs: [[L; 3]; 8],
    /// The mover's pieces that a slider attacks, by the direction it comes in.
    pub met: [L; 8],
    /// The mover's pieces whose leaving changes something.
    pub touched: L,
    /// The squares in front of unmoved pawns, one and two on.
    pub third: L,
    pub fourth: L,
}

impl<L: Lanes> NeedTake<L> {
    #[cfg_attr(not(any(debug_assertions, test)), inline(always))]
    #[cfg_attr(any(debug_assertions, test), inline(never))]
    pub(super) fn of(b: &Board<L>, rays: &Rays<L>, king: &KingView<L>) -> Self {
        let none = L::splat(0);
        let mut sums = NeedAndTake {
            need: Digits::zero(),
            take: Digits::zero(),
            replies: L::splat(0),
            met: [none; 8],
            runs: [[none; 3]; 8],
            met_union: none,
            pinned: king.pins.pinned,
            any_pinned: king.pins.pinned.any(),
        };
        each!(rays.replier_lines, d => { sums.slider(b, rays, d); });
        let knights = b.replier.knights.without(king.pins.pinned);
        if knights.any() {
            let not_theirs = !b.theirs;
            each_leap!(d => {
                let leap = d.step(knights);
                let go = leap & not_theirs;
                L::count(&mut sums.replies, go);
                sums.need.add(d.back(go, 1));
                sums.take.add(leap & b.theirs);
            });
        }
        let pawns = b.replier.pawns;
        let promoting = (pawns & L::splat(RANK_7)).any();
        sums.pawn_moves(b, king, promoting);
        let pawns = pawns.without(king.pins.pinned);
        let push = pawns.shl(8);
        let double =
            push & L::splat(RANK_3) & b.empty.shr(8) | (push & b.empty & L::splat(RANK_3)).shl(8);
        let west = pawns.shl(7) & L::splat(NOT_H);
        let east = pawns.shl(9) & L::splat(NOT_A);
        let ahead = pawns & b.empty.shr(8);
        let own_west = pawns & (b.own & L::splat(NOT_H)).shr(7);
        let own_east = pawns & (b.own & L::splat(NOT_A)).shr(9);
        let steps = push.without(b.theirs) | ahead;
        let doubles = double.without(b.theirs) | ahead & L::splat(RANK_2) & b.empty.shr(16);
        sums.need.add_two(steps, doubles);
        sums.need.add_two(own_west, own_east);
        sums.take.add_two(west, east);
        if promoting {
            let (rank_7, rank_8) = (L::splat(RANK_7), L::splat(RANK_8));
            sums.need.add_three(push.without(b.theirs) & rank_8 | ahead & rank_7);
            sums.need.add_three(own_west & rank_7);
            sums.need.add_three(own_east & rank_7);
            sums.take.add_three(west & rank_8);
            sums.take.add_three(east & rank_8);
        }
        let guards = sums.guards(b, king);
        // A gain where a piece leaves is a loss where one comes: the negative is the complement,
        // and one more.
        let mut effect = sums.need.minus(&sums.take);
        for digit in &mut effect {
            *digit = *digit ^ !b.own;
        }
        let null = sums.replies.plus(king.replies);
        let touched = guards | sums.met_union | (push | double | west | east) & b.own;
        let unmoved = pawns & L::splat(RANK_2);
        Self {
            null,
            effect,
            met: sums.met,
            runs: sums.runs,
            touched,
            third: unmoved.shl(8),
            fourth: unmoved.shl(16),
        }
    }
}

struct NeedAndTake<L: Lanes> {
    /// For each square, the replies that need it empty, or free of the mover's pieces.
    need: Digits<L>,
    /// For each square, the replies that need a piece of the mover there.
    take: Digits<L>,
    /// How many replies there are.
    replies: L,
    met: [L; 8],
    runs: [[L; 3]; 8],
    met_union: L,
    pinned: L,
    any_pinned: bool,
}

impl<L: Lanes> NeedAndTake<L> {
    #[inline(always)]
    fn slider<const UP: bool>(&mut self, b: &Board<L>, rays: &Rays<L>, d: Direction<UP>) {
        let spread = &rays.spread[d.lane];
        let sliders = b.replier.sliders(d).without(self.pinned);
        let reach = if self.any_pinned { d.slide(sliders, spread) } else { rays.replier[d.lane] };
        let go = reach.without(b.theirs);
        L::count(&mut self.replies, go);
        let met = go & b.own;
        self.met[d.lane] = met;
        self.met_union = self.met_union | met;
        self.take.add(reach & b.theirs);
        let run = run(b, d, spread);
        self.runs[d.lane] = run;
        let here = go | sliders;
        self.need.add_number([run[0] & here, run[1] & here, run[2] & here]);
    }

    /// Counts the pawns' moves after a null move, including those of pinned pawns.
    #[inline(always)]
    fn pawn_moves(&mut self, b: &Board<L>, king: &KingView<L>, promoting: bool) {
        let pawns = b.replier.pawns;
        let free = !king.pins.pinned;
        let walkers = pawns & (free | king.pins.on_axis[0]);
        let single = walkers.shl(8) & b.empty;
        let double = (single & L::splat(RANK_3)).shl(8) & b.empty;
        let (on_rise, on_fall) = (king.pins.on_axis[2], king.pins.on_axis[3]);
        let enemy_west = b.own & L::splat(NOT_H);
        let enemy_east = b.own & L::splat(NOT_A);
        // On a pinned pawn's line there is nothing to take but its pinner.
        let west = (pawns & (free | on_fall)).shl(7) & enemy_west;
        let east = (pawns & (free | on_rise)).shl(9) & enemy_east;
        L::count(&mut self.replies, single | double);
        L::count(&mut self.replies, west);
        L::count(&mut self.replies, east);
        if promoting {
            for set in [single, west, east] {
                let last = set & L::splat(RANK_8);
                L::count_thrice(&mut self.replies, last);
            }
        }
    }

    /// Adds the squares next to the king that knights and pawns guard alone. Returns these pieces
    /// (Lemma 13, Lemma 14).
    #[inline(always)]
    fn guards(&mut self, b: &Board<L>, king: &KingView<L>) -> L {
        let mut guards = L::splat(0);
        if king.guarded_alone.any() {
            let knights = b.mover.knights & knight_attacks(king.guarded_alone);
            if knights.any() {
                guards = knights;
                each_leap!(d => { self.need.add(d.back(d.step(knights) & king.guarded_alone, 1)); });
            }
            let west = b.mover.pawns & (king.guarded_alone & L::splat(NOT_H)).shl(9);
            let east = b.mover.pawns & (king.guarded_alone & L::splat(NOT_A)).shl(7);
            self.need.add_two(west, east);
            guards = guards | west | east;
        }
        guards
    }
}

/// For each square, how many squares lie ahead of it to which a slider of the replier could go, in
/// binary digits.
#[inline(always)]
fn run<L: Lanes, const UP: bool>(b: &Board<L>, d: Direction<UP>, spread: &[L; 3]) -> [L; 3] {
    // One step; and whether the next one, two, four squares are empty.
    let one = d.back((!b.theirs) & L::splat(d.landing), 1);
    let e1 = d.back(spread[0], 1);
    let e2 = d.back(spread[1], 2);
    let e4 = d.back(spread[2], 4);
    let two = e1 & d.back(one, 1);
    let four = e2 & d.back(two, 2);
    let odd = one.without(two) | e2 & d.back(one, 2);
    let ones = odd.without(four) | e4 & d.back(odd, 4);
    let twos = two.without(four) | e4 & d.back(two, 4);
    [ones, twos, four]
}
