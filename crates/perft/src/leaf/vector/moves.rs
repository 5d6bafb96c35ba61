//! The mover's moves: the quiet ones are summed up, the sharp ones handed out.
//!
//! All of this is by sets: a set holds the squares where moves of one kind end. The squares that
//! quiet moves leave and enter are counted in binary digits ([`Quiet::visits`]); the sum of their
//! effects is a sum of population counts then. What depends on more than one square of a move is
//! added move by move, again by population counts ([`Quiet::extra`]).

use super::board::{Board, NodeLegality, Rays};
use super::kernel::EightNodes;
use super::king_view::KingView;
use super::need_take::NeedTake;
use crate::lanes::Lanes;
use crate::lanes::digits::Digits;
use crate::lanes::direction::{
    Direction, Lines, SOUTH, SOUTH_EAST, SOUTH_WEST, each, each_leap, king_attacks,
};
use crate::lanes::kinds::{DOUBLE, EAST, KING, KNIGHT, SINGLE, WEST};
use crate::node::sets::{NOT_A, NOT_H, RANK_1, RANK_6, RANK_7};

/// What the quiet moves add up to.
pub(super) struct Quiet<L> {
    /// How many quiet moves leave or enter each square, those that sliders leave excepted.
    pub visits: Digits<L>,
    /// What is gained or lost besides.
    pub extra: L,
    /// Where promotions end.
    pub promotions: L,
    /// Double pushes with replies en passant that may expose the king.
    pub passing: L,
}

/// All that is known about the positions, to tell quiet moves from sharp ones.
pub(super) struct Moves<'a, L: Lanes> {
    pub b: &'a Board<L>,
    pub rays: &'a Rays<L>,
    pub legal: &'a NodeLegality<L>,
    pub king: &'a KingView<L>,
    pub replies: &'a NeedTake<L>,
}

impl<L: Lanes> Moves<'_, L> {
    #[cfg_attr(not(any(debug_assertions, test)), inline(always))]
    #[cfg_attr(any(debug_assertions, test), inline(never))]
    pub(super) fn all(&self, out: &mut EightNodes) -> Quiet<L> {
        let none = L::splat(0);
        let mut quiet =
            Quiet { visits: Digits::zero(), extra: none, promotions: none, passing: none };
        let mut slid = [none; 8];
        let queens = self.b.mover.orthogonal & self.b.mover.diagonal;
        let queens = if queens.any() { Some(queens) } else { None };
        let leaving = self.b.mover.orthogonal | self.b.mover.diagonal;
        let e = &self.replies.effect;
        let effects = e[0] | e[1] | e[2] | e[3] | e[4] | e[5];
        let leaving = leaving & effects & self.replies.touched | self.king.guards;
        let pawns = self.b.replier.pawns;
        let (third, fourth) = (self.replies.third, self.replies.fourth);
        let tangles = [fourth, none, none, none, third | pawns, none, pawns, pawns];
        each!(self.rays.mover_lines, d => {
            slid[d.lane] = self.slider(queens, d, tangles[d.lane], out, &mut quiet.extra);
        });
        quiet.visits.add_two(slid[0], slid[1]);
        quiet.visits.add_two(slid[2], slid[3]);
        quiet.visits.add_two(slid[4], slid[5]);
        quiet.visits.add_two(slid[6], slid[7]);
        if leaving.any() {
            quiet.extra = quiet.extra.plus(self.leaving(&slid, leaving));
            // A piece does not guard the square on which it stands.
            let first = slid[0] | slid[1] | slid[2] | slid[3];
            let second = slid[4] | slid[5] | slid[6] | slid[7];
            quiet.extra = quiet.extra.plus(((first | second) & self.king.guarded_alone).size());
        }
        let escapes = self.king.escapes.any();
        if escapes {
            quiet.extra = quiet.extra.minus(self.escapes_lost(&slid, queens));
        }
        self.knights(out, &mut quiet, escapes);
        self.king(out, &mut quiet);
        self.pawns(out, &mut quiet, escapes);
        quiet
    }

    #[inline(always)]
    fn hand_out(&self, out: &mut EightNodes, kind: usize, set: L) {
        debug_assert!(!(set & (self.b.own | self.b.replier.king)).any(), "no move ends there");
        out.sharp.put(kind, set);
    }

    /// The quiet moves of sliders in one direction, by where they end. What `along` says about them
    /// is added to `extra` (Lemma 8).
    #[inline(always)]
    fn slider<const UP: bool>(
        &self,
        queens: Option<L>,
        d: Direction<UP>,
        tangles: L,
        out: &mut EightNodes,
        extra: &mut L,
    ) -> L {
        let spread = &self.rays.spread[d.lane];
        let (k, m) = (self.king, self.replies);
        let sliders = self.b.mover.sliders(d);
        let illegal = self.legal.pinned.without(self.legal.on_axis[d.lane & 3]);
        let noted = sliders & (k.sharp.from | illegal);
        let mut noted_reach = d.slide(noted, spread);
        let reach = self.rays.mover[d.lane].without(noted_reach);
        let banned = noted & illegal;
        if banned.any() {
            noted_reach = noted_reach.without(d.slide(banned, spread));
        }
        let (line, across) = if d.orthogonal() {
            (k.sharp.to_orthogonal, k.sharp.to_diagonal)
        } else {
            (k.sharp.to_diagonal, k.sharp.to_orthogonal)
        };
        let mut to = k.sharp.to | line;
        if let Some(queens) = queens {
            to = to | d.slide(queens, spread) & across;
        }
        // Piece and pawn that touch each other twice.
        let step = d.step(sliders);
        if d.orthogonal() {
            to = to | (step | d.shift(sliders, 2)) & tangles;
        }
        let targets = self.legal.targets;
        let sharp = targets & (noted_reach | reach & to);
        self.hand_out(out, d.lane, sharp);
        let quiet = (targets & reach).without(to);
        if !d.orthogonal() {
            // It takes its attacker: both attacks go.
            let taken = quiet & step & tangles;
            if taken.any() {
                L::count(extra, taken);
                // A pawn that would have been promoted attacks four times.
                L::count_thrice(extra, taken & L::splat(RANK_7));
            }
        }
        let (away, toward) = (sliders & m.met[d.lane], sliders & m.met[d.lane ^ 4]);
        if (away | toward).any() {
            *extra = extra.plus(self.along(d, quiet, away, toward));
        }
        quiet
    }

    /// The correction for moves along the line of an attacking slider (Lemma 10).
    #[inline(always)]
    fn along<const UP: bool>(&self, d: Direction<UP>, quiet: L, away: L, toward: L) -> L {
        let spread = &self.rays.spread[d.lane];
        let (ahead, behind) = (self.replies.runs[d.lane], self.replies.runs[d.lane ^ 4]);
        // The attacker follows up to the piece that moves away, no further, and may take it there.
        let away = d.slide(away, spread) & quiet;
        let mut sum = (away & self.b.theirs).size();
        let away = away.without(self.b.theirs);
        let mut i = 0;
        while i < 3 {
            let mut lost = L::splat(0);
            L::count(&mut lost, away & ahead[i]);
            // It does not pass the piece that comes nearer.
            L::count(&mut lost, d.slide(toward & behind[i], spread) & quiet);
            sum = sum.minus(lost.shl(i as u32));
            i += 1;
        }
        sum
    }

    /// The same for quiet moves of pawns in one direction.
    #[inline(always)]
    fn pawns_along(&self, d: Direction<false>, pawns: L, quiet: L, extra: &mut L) {
        let m = self.replies;
        let (away, toward) = (pawns & m.met[d.lane], pawns & m.met[d.lane ^ 4]);
        if (away | toward).any() {
            *extra = extra.plus(self.along(d, quiet, away, toward));
        }
    }

    /// What is gained where sliders leave: one slider of each lane after the other
    /// (Lemma 13, Lemma 14).
    #[inline(always)]
    fn leaving(&self, slid: &[L; 8], leaving: L) -> L {
        let mut rest = leaving;
        let mut sum = L::splat(0);
        while rest.any() {
            let one = rest.without(rest.decrement());
            rest = rest & rest.decrement();
            let alone = self.king.guarded_alone.if_any(one & self.king.guards);
            // Moves along the first and the second axis of a rook or bishop; and squares that it
            // alone attacks.
            let (mut moves, mut guarded) = ([L::splat(0); 2], [L::splat(0); 2]);
            each!(self.rays.mover_lines, d => {
                let reach = d.slide(one & self.b.mover.sliders(d), &self.rays.spread[d.lane]);
                L::count(&mut moves[d.lane & 1], reach & slid[d.lane]);
                L::count(&mut guarded[d.lane & 1], reach & alone);
            });
            // It goes on attacking the squares on the line along which it moves.
            sum = sum.plus(moves[0].times(guarded[1])).plus(moves[1].times(guarded[0]));
            let n = moves[0].plus(moves[1]);
            let e = &self.replies.effect;
            let mut i = 0;
            while i < 5 {
                sum = sum.plus(n.shl(i as u32).if_any(one & e[i]));
                i += 1;
            }
            sum = sum.minus(n.shl(5).if_any(one & e[5]));
        }
        sum
    }

    /// How many moves the replier's king loses because sliders attack its escapes (Lemma 15).
    #[inline(always)]
    fn escapes_lost(&self, slid: &[L; 8], queens: Option<L>) -> L {
        let rays = &self.king.escape_rays;
        let mut lost = L::splat(0);
        each!(self.rays.mover_lines, d => {
            let go = slid[d.lane];
            let own = d.lane & 2;
            for ray in [own, own + 1, own + 4, own + 5] {
                L::count(&mut lost, go & rays[ray]);
            }
            if let Some(queens) = queens {
                let go = go & d.slide(queens, &self.rays.spread[d.lane]);
                let other = own ^ 2;
                for ray in [other, other + 1, other + 4, other + 5] {
                    L::count(&mut lost, go & rays[ray]);
                }
            }
        });
        lost
    }

    #[inline(always)]
    fn knights(&self, out: &mut EightNodes, quiet: &mut Quiet<L>, escapes: bool) {
        let knights = self.b.mover.knights.without(self.legal.pinned);
        if !knights.any() {
            return;
        }
        let calm = knights.without(self.king.sharp.from);
        let to = self.king.sharp.to | self.king.sharp.to_knight;
        let targets = self.legal.targets;
        let mut went = [L::splat(0); 8];
        each_leap!(d => {
            let go = d.step(calm) & targets.without(to);
            let all = d.step(knights) & targets;
            self.hand_out(out, KNIGHT + d.lane, all.without(go));
            went[d.lane] = go;
        });
        let visits = &mut quiet.visits;
        visits.add_two(went[0], went[1]);
        visits.add_two(went[2], went[3]);
        visits.add_two(went[4], went[5]);
        visits.add_two(went[6], went[7]);
        if (calm & self.replies.touched).any() {
            each_leap!(d => { visits.add(d.back(went[d.lane], 1)); });
        }
        if escapes {
            // A number of attacked escapes for each square; then the knights that come there.
            let mut seen = Digits::zero();
            each_leap!(d => { seen.add(d.step(self.king.escapes)); });
            let mut i = 0;
            while i < 3 {
                let mut lost = L::splat(0);
                for set in went {
                    L::count(&mut lost, set & seen.0[i]);
                }
                quiet.extra = quiet.extra.minus(lost.shl(i as u32));
                i += 1;
            }
        }
    }

    /// The king's moves (Lemma 4).
    #[inline(always)]
    fn king(&self, out: &mut EightNodes, quiet: &mut Quiet<L>) {
        let king = self.b.mover.king;
        let k = self.king;
        let targets = king_attacks(king).without(self.b.own | self.legal.danger);
        let m = self.replies;
        let noted = L::splat(!0).if_any(king & k.sharp.from);
        let touched = king & m.touched;
        let tangles = (self.b.replier.pawns | m.third | m.fourth).if_any(touched);
        let sharp = targets & (noted | tangles | k.sharp.to | k.sharp.to_king);
        self.hand_out(out, KING, sharp);
        let go = targets.without(sharp);
        quiet.visits.add(go);
        if touched.any() {
            let n = go.size();
            let mut i = 0;
            while i < 5 {
                quiet.extra = quiet.extra.plus(n.shl(i as u32).if_any(king & m.effect[i]));
                i += 1;
            }
            quiet.extra = quiet.extra.minus(n.shl(5).if_any(king & m.effect[5]));
            let none = L::splat(0);
            each!(Lines::ALL, d => {
                let toward = king & m.met[d.lane ^ 4];
                if toward.any() {
                    quiet.extra = quiet.extra.plus(self.along(d, go, none, toward));
                }
            });
        }
    }

    /// The pawns' moves (Lemma 8, Lemma 11, Lemma 12).
    #[inline(always)]
    fn pawns(&self, out: &mut EightNodes, quiet: &mut Quiet<L>, escapes: bool) {
        let (b, k, m, legal) = (self.b, self.king, self.replies, self.legal);
        let pawns = b.mover.pawns;
        let their_pawns = b.replier.pawns;
        let not_a = L::splat(NOT_A);
        let not_h = L::splat(NOT_H);
        let free = !legal.pinned;
        let single = (pawns & (free | legal.on_axis[0])).shr(8) & b.empty;
        let double = (single & L::splat(RANK_6)).shr(8) & b.empty & legal.targets;
        let single = single & legal.targets;
        let enemy = b.theirs & legal.targets;
        let west = (pawns & (free | legal.on_axis[2])).shr(9) & not_h & enemy;
        let east = (pawns & (free | legal.on_axis[3])).shr(7) & not_a & enemy;

        let rank_1 = L::splat(RANK_1);
        let last = (single | west | east) & rank_1;
        for (set, place) in [single, west, east].into_iter().zip(&mut out.promotions) {
            (set & rank_1).put(place);
        }
        let (single, west, east) =
            (single.without(rank_1), west.without(rank_1), east.without(rank_1));

        let to = k.sharp.to | k.sharp.to_pawn;
        let mut passing = double & (their_pawns.shl(1) & not_a | their_pawns.shr(1) & not_h);
        if passing.any() {
            let by_west = passing.shr(1) & not_h & their_pawns;
            let by_east = passing.shl(1) & not_a & their_pawns;
            // Where neither the pushed pawn nor a taker is on the king's lines, no capture en
            // passant exposes the king: such a push is like others, but each capture is one more
            // reply.
            let exposing = (by_west | by_east | passing.shl(16)) & k.seen;
            L::count(&mut quiet.extra, by_west.if_none(exposing));
            L::count(&mut quiet.extra, by_east.if_none(exposing));
            passing = passing.if_any(exposing);
        }
        passing.put(&mut out.passing);
        (quiet.promotions, quiet.passing) = (last, passing);
        let sharp_single = single & (to | k.sharp.from.shr(8));
        let sharp_double = double & (to | k.sharp.from.shr(16));
        let sharp_west = west & (to | k.sharp.from.shr(9));
        let sharp_east = east & (to | k.sharp.from.shr(7));
        self.hand_out(out, SINGLE, sharp_single);
        self.hand_out(out, DOUBLE, sharp_double);
        self.hand_out(out, WEST, sharp_west);
        self.hand_out(out, EAST, sharp_east);
        let single = single.without(sharp_single);
        let double = double.without(sharp_double);
        let west = west.without(sharp_west);
        let east = east.without(sharp_east);
        // No two of the first three can end on one square.
        let first = single | double | west;
        quiet.visits.add_two(first, east);
        // Of two pawns that attack each other both attacks go.
        L::count(&mut quiet.extra, west & their_pawns);
        L::count(&mut quiet.extra, east & their_pawns);
        // It blocks two pushes, and has blocked one of them before.
        quiet.extra = quiet.extra.minus((single & m.third).size());
        self.pawns_along(SOUTH, pawns, single | double, &mut quiet.extra);
        self.pawns_along(SOUTH_WEST, pawns, west, &mut quiet.extra);
        self.pawns_along(SOUTH_EAST, pawns, east, &mut quiet.extra);
        if escapes {
            let mut lost = L::splat(0);
            for set in [k.escapes.shl(7) & not_h, k.escapes.shl(9) & not_a] {
                L::count(&mut lost, first & set);
                L::count(&mut lost, east & set);
            }
            quiet.extra = quiet.extra.minus(lost);
        }
        let begun = [single.shl(8), double.shl(16), west.shl(9), east.shl(7)];
        if ((begun[0] | begun[1] | begun[2] | begun[3]) & m.touched).any() {
            quiet.visits.add_two(begun[0], begun[1]);
            quiet.visits.add_two(begun[2], begun[3]);
        }
    }
}
