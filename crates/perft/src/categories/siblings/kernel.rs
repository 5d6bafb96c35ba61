//! The moves of siblings, counted as sets.
//!
//! As in the [number of replies](crate::lanes::replies), the moves of a kind in one
//! direction are a set, and their number is its size. So is the number of captures among them: that
//! of the part where the enemy stands. Checks are the part on squares from which the moved piece
//! attacks the enemy's king, which are found by looking from the king. A queen may move like a rook
//! and check like a bishop, or the reverse, so queens have fills of their own. A piece discovers a
//! check if both the king and a slider of ours see it. The sets of checks are handed out, and
//! [`checks`](super::checks) asks of each whether it is mate.
//!
//! Some moves are rare and expensive to recognise: castlings that check, promotions that discover
//! checks, and moves that stalemate. The kernel only notices that a sibling may have one, and
//! leaves it out.
//!
//! Two enemy pieces that can still move after any move of ours that neither captures nor blocks
//! them exclude stalemate; where we may castle, three, since castling fills two squares. They are
//! witnesses as in `categories/escape.rs`. Here a piece on a line with its king is a witness, too,
//! if it can move along that line.

use super::checks::{Checks, EightChecks, Kind};
use super::found::Found;
use super::moves::Siblings;
use super::parent::Parent;
use crate::lanes::Lanes;
use crate::lanes::align_stack;
use crate::lanes::digits::Digits;
use crate::lanes::direction::{
    EAST, Lines, NORTH, NORTH_EAST, NORTH_WEST, SOUTH, SOUTH_EAST, SOUTH_WEST, WEST, each,
    each_leap, knight_attacks,
};
use crate::lanes::legality::ChildLegality;
use crate::lanes::pieces::Child;
use crate::node::sets::{RANK_1, RANK_3, RANK_7, RANK_8};

/// Where the king's rook lands, and the queen's.
const LANDINGS: [u64; 2] = [0x20, 0x08];

/// The moves of siblings, counted lane by lane.
#[derive(Clone, Copy)]
struct Counted<L> {
    moves: L,
    captures: L,
    castlings: L,
    promotions: L,
}

impl<L: Lanes> Counted<L> {
    #[inline(always)]
    fn plus(&self, other: &Self) -> Self {
        Self {
            moves: self.moves.plus(other.moves),
            captures: self.captures.plus(other.captures),
            castlings: self.castlings.plus(other.castlings),
            promotions: self.promotions.plus(other.promotions),
        }
    }
}

/// The sum of all lanes.
#[inline(always)]
fn total<L: Lanes>(lanes: L) -> u64 {
    let mut words = [0; 8];
    lanes.put(&mut words);
    words.iter().sum()
}

/// The squares that the enemy's king sees.
struct Seen<L> {
    /// By direction.
    rays: [L; 8],
    orthogonal: L,
    diagonal: L,
}

impl<L: Lanes> Seen<L> {
    /// With `promoting`, a new slider of any kind may look back.
    #[inline(always)]
    fn of(child: &Child<L>, spread: &[[L; 3]; 8], promoting: bool) -> Self {
        let none = L::splat(0);
        let mut seen = Self { rays: [none; 8], orthogonal: none, diagonal: none };
        let lines = Lines {
            orthogonal: promoting || child.own.orthogonal.any(),
            diagonal: promoting || child.own.diagonal.any(),
        };
        each!(lines, d => {
            let ray = d.slide(child.enemy.king, &spread[d.lane]);
            seen.rays[d.lane] = ray;
            if d.orthogonal() {
                seen.orthogonal = seen.orthogonal | ray;
            } else {
                seen.diagonal = seen.diagonal | ray;
            }
        });
        seen
    }
}

/// The moves of pawns, by where they end.
struct PawnMoves<L> {
    single: L,
    double: L,
    east: L,
    west: L,
}

/// Eight siblings, as far as they fit into a vector.
struct EightSiblings<'a, L: Lanes> {
    child: &'a Child<L>,
    legal: ChildLegality<L>,
    seen: Seen<L>,
    theirs: L,
    /// The lines through the enemy's king, by axis. Empty where nothing of ours slides along them
    /// or may be promoted to what does.
    lines: [L; 4],
    /// Not empty where there is a sibling.
    used: L,
}

impl<L: Lanes> EightSiblings<'_, L> {
    /// Counts the moves, and hands out the checks. Lanes that are left out count nothing.
    #[cfg_attr(not(any(debug_assertions, test)), inline(always))]
    #[cfg_attr(any(debug_assertions, test), inline(never))]
    fn count(&self, out: &mut EightChecks) -> Counted<L> {
        let legal = &self.legal;
        // How many moves end on each square.
        let mut moves = Digits::zero();
        moves.add(legal.steps);
        let discoverers = self.sliders(&mut moves, out);
        self.knights(&mut moves, out);
        let pawns = self.pawn_moves();
        let promotions = self.pawns(&pawns, &mut moves, out);
        let mut left_out = L::splat(0);
        let [file, row, rise, fall] = discoverers;
        if (file | row | rise | fall).any() {
            left_out = self.discovered(discoverers, &pawns, out);
        }
        let castlings = self.castlings(&mut left_out);
        left_out = left_out | self.may_stalemate(castlings);

        legal.occupied.put(&mut out.occupied);
        out.left_out = left_out.occupied();
        let ignored = left_out | L::splat(1).if_none(self.used);
        let castlings = castlings.if_none(ignored);
        Counted {
            moves: moves.sum(L::splat(!0)).if_none(ignored).plus(castlings),
            captures: moves.sum(self.theirs).if_none(ignored),
            castlings,
            promotions: promotions.if_none(ignored),
        }
    }

    /// The sliders' moves. Returns the pieces that discover checks when they leave an axis of the
    /// enemy's king.
    #[inline(always)]
    fn sliders(&self, moves: &mut Digits<L>, out: &mut EightChecks) -> [L; 4] {
        let (own, legal, seen) = (&self.child.own, &self.legal, &self.seen);
        let spread = &legal.spread;
        let queens = own.orthogonal & own.diagonal;
        let has_queens = queens.any();
        let pinned = (own.orthogonal | own.diagonal).without(legal.free).any();
        let lines = Lines { orthogonal: own.orthogonal.any(), diagonal: own.diagonal.any() };
        let mut discoverers = [L::splat(0); 4];
        let (mut went, mut checks) = ([L::splat(0); 8], [L::splat(0); 8]);
        let all = own.all();
        each!(lines, d => {
            let sliders = own.sliders(d);
            let may_move = legal.free | legal.on_axis(d.lane);
            let mut reach = d.slide(sliders, &spread[d.lane]);
            let axis = d.lane & 3;
            discoverers[axis] = discoverers[axis] | reach & seen.rays[d.lane ^ 4] & all;
            if pinned {
                reach = d.slide(sliders & may_move, &spread[d.lane]);
            }
            let go = reach & legal.targets;
            went[d.lane] = go;
            let (line, across) = if d.orthogonal() {
                (seen.orthogonal, seen.diagonal)
            } else {
                (seen.diagonal, seen.orthogonal)
            };
            let mut check = go & line;
            if has_queens {
                check = check | go & across & d.slide(queens & may_move, &spread[d.lane]);
            }
            checks[d.lane] = check;
        });
        moves.add_eight(went);
        out.hand_out_eight(0, checks);
        discoverers
    }

    #[inline(always)]
    fn knights(&self, moves: &mut Digits<L>, out: &mut EightChecks) {
        let legal = &self.legal;
        let knights = self.child.own.knights & legal.free;
        if !knights.any() {
            return;
        }
        let check = knight_attacks(self.child.enemy.king);
        let (mut went, mut checks) = ([L::splat(0); 8], [L::splat(0); 8]);
        each_leap!(d => {
            let go = d.step(knights) & legal.targets;
            went[d.lane] = go;
            checks[d.lane] = go & check;
        });
        moves.add_eight(went);
        out.hand_out_eight(Kind::KNIGHT, checks);
    }

    #[inline(always)]
    fn pawn_moves(&self) -> PawnMoves<L> {
        let legal = &self.legal;
        let pawns = self.child.own.pawns;
        let single = (pawns & (legal.free | legal.on_file)).shl(8) & legal.empty;
        let double = (single & L::splat(RANK_3)).shl(8) & legal.empty & legal.targets;
        let captures = self.theirs & legal.targets;
        PawnMoves {
            single: single & legal.targets,
            double,
            east: NORTH_EAST.step(pawns & (legal.free | legal.on_rise)) & captures,
            west: NORTH_WEST.step(pawns & (legal.free | legal.on_fall)) & captures,
        }
    }

    /// Returns the number of promotions to each role.
    #[inline(always)]
    fn pawns(&self, go: &PawnMoves<L>, moves: &mut Digits<L>, out: &mut EightChecks) -> L {
        let enemy = &self.child.enemy;
        let PawnMoves { single, double, east, west } = *go;
        moves.add_two(single | double | east, west);
        let check = SOUTH_EAST.step(enemy.king) | SOUTH_WEST.step(enemy.king);
        if ((single | double | east | west) & check).any() {
            out.sets.put(Kind::SINGLE, single & check);
            out.sets.put(Kind::DOUBLE, double & check);
            out.sets.put(Kind::EAST, east & check);
            out.sets.put(Kind::WEST, west & check);
        }
        if (self.child.own.pawns & L::splat(RANK_7)).any() {
            return self.promotions(go, moves, out);
        }
        L::splat(0)
    }

    /// Adds the three promotions that the set left out, and hands out those that check. Returns the
    /// number of promotions to each role.
    #[inline(always)]
    fn promotions(&self, go: &PawnMoves<L>, moves: &mut Digits<L>, out: &mut EightChecks) -> L {
        let seen = &self.seen;
        let seventh = self.child.own.pawns & L::splat(RANK_7);
        let last = L::splat(RANK_8);
        let (push, east, west) = (go.single & last, go.east & last, go.west & last);
        moves.add_three(push | east);
        moves.add_three(west);
        let mut promotions = L::splat(0);
        L::count(&mut promotions, push | east);
        L::count(&mut promotions, west);
        // If the king sees the pawn along its path, the new slider checks through the square that
        // the pawn left.
        let push_on = NORTH.step(seen.rays[NORTH.lane] & seventh);
        let east_on = NORTH_EAST.step(seen.rays[NORTH_EAST.lane] & seventh);
        let west_on = NORTH_WEST.step(seen.rays[NORTH_WEST.lane] & seventh);
        let knights = knight_attacks(self.child.enemy.king);
        let (rooks, bishops) = (seen.orthogonal, seen.diagonal);
        for (way, set, rooks, bishops) in [
            (0, push, rooks | push_on, bishops),
            (1, east, rooks, bishops | east_on),
            (2, west, rooks, bishops | west_on),
        ] {
            out.sets.put(Kind::promotion(way, 0), set & knights);
            out.sets.put(Kind::promotion(way, 1), set & bishops);
            out.sets.put(Kind::promotion(way, 2), set & rooks);
            out.sets.put(Kind::promotion(way, 3), set & (rooks | bishops));
        }
        promotions
    }

    /// Hands out the moves that discover checks. Returns the promotions that do.
    ///
    /// A slider cannot move along the line on which it hides another one, else it would check
    /// itself.
    #[inline(always)]
    fn discovered(&self, discoverers: [L; 4], go: &PawnMoves<L>, out: &mut EightChecks) -> L {
        let (own, legal) = (&self.child.own, &self.legal);
        let [file, row, rise, fall] = discoverers;
        let any = file | row | rise | fall;
        each!(Lines::ALL, d => {
            let sliders = own.sliders(d) & any & (legal.free | legal.on_axis(d.lane));
            let go = d.slide(sliders, &legal.spread[d.lane]) & legal.targets;
            out.sets.put(Kind::discovered(d.lane), go);
        });
        let knights = own.knights & any & legal.free;
        each_leap!(d => {
            let go = d.step(knights) & legal.targets;
            out.sets.put(Kind::discovered(Kind::KNIGHT + d.lane), go);
        });
        let [on_file, on_row, on_rise, on_fall] = self.lines;
        let steps = legal.steps.without(on_file).if_any(own.king & file)
            | legal.steps.without(on_row).if_any(own.king & row)
            | legal.steps.without(on_rise).if_any(own.king & rise)
            | legal.steps.without(on_fall).if_any(own.king & fall);
        out.sets.put(Kind::discovered(Kind::KING), steps);
        let pawns = own.pawns;
        let single = go.single & (pawns & (row | rise | fall)).shl(8);
        let double = go.double & (pawns & (row | rise | fall)).shl(16);
        let east = go.east & NORTH_EAST.step(pawns & (file | row | fall));
        let west = go.west & NORTH_WEST.step(pawns & (file | row | rise));
        out.sets.put(Kind::discovered(Kind::SINGLE), single);
        out.sets.put(Kind::discovered(Kind::DOUBLE), double);
        out.sets.put(Kind::discovered(Kind::EAST), east);
        out.sets.put(Kind::discovered(Kind::WEST), west);
        (single | east | west) & L::splat(RANK_8)
    }

    /// The number of castlings. Those that may check are added to `left_out`.
    #[inline(always)]
    fn castlings(&self, left_out: &mut L) -> L {
        let mut castlings = L::splat(0);
        let castling = self.child.castling;
        if castling.any() {
            let enemy_king = self.child.enemy.king;
            for (legal, landing) in self.legal.castlings(castling).into_iter().zip(LANDINGS) {
                castlings = castlings.plus(legal);
                let rook = L::splat(landing).if_any(legal);
                let seen = NORTH.slide(rook, &self.legal.spread[NORTH.lane]);
                *left_out = *left_out | seen & enemy_king;
            }
            *left_out = *left_out | (enemy_king & L::splat(RANK_1)).if_any(castlings);
        }
        castlings
    }

    /// Not empty where a move may stalemate.
    #[inline(always)]
    fn may_stalemate(&self, castlings: L) -> L {
        let enemy = &self.child.enemy;
        let [file, row, rise, fall] = self.lines;
        let pawns = enemy.pawns.without(row | rise | fall).shr(8) & self.legal.empty;
        let full = L::splat(!0);
        let few = full.if_none(beyond(pawns, castlings));
        if !few.any() {
            return few;
        }
        let open = !self.theirs;
        let up_down = (NORTH.step(open) | SOUTH.step(open)).without(row | rise | fall);
        let sideways = (EAST.step(open) | WEST.step(open)).without(file | rise | fall);
        let rising = (NORTH_EAST.step(open) | SOUTH_WEST.step(open)).without(file | row | fall);
        let falling = (NORTH_WEST.step(open) | SOUTH_EAST.step(open)).without(file | row | rise);
        let knights = knight_attacks(open).without(file | row | rise | fall);
        let witnesses = pawns
            | enemy.orthogonal & (up_down | sideways)
            | enemy.diagonal & (rising | falling)
            | enemy.knights & knights;
        full.if_none(beyond(witnesses, castlings))
    }
}

/// The witnesses without the first, and without the first two where castling is possible.
#[inline(always)]
fn beyond<L: Lanes>(witnesses: L, castlings: L) -> L {
    let second = witnesses & witnesses.decrement();
    let third = second & second.decrement();
    second.if_none(castlings) | third.if_any(castlings)
}

/// The lines through a king, by axis, where it has just moved to one of the squares; elsewhere
/// those given.
#[inline(always)]
fn king_lines<L: Lanes>(lines: &[L; 4], king: L, to: L) -> [L; 4] {
    let mut lines = *lines;
    let moved = king & to;
    if moved.any() {
        let mut found = [L::splat(0); 4];
        each!(Lines::ALL, d => {
            let ray = d.slide(moved, &d.spread(L::splat(!0)));
            found[d.lane & 3] = found[d.lane & 3] | ray;
        });
        lines = [
            lines[0].if_none(moved) | found[0],
            lines[1].if_none(moved) | found[1],
            lines[2].if_none(moved) | found[2],
            lines[3].if_none(moved) | found[3],
        ];
    }
    lines
}

/// Memory that the kernel keeps from one call to the next.
#[derive(Debug, Default)]
pub(crate) struct Space {
    checks: EightChecks,
    waiting: Checks,
}

/// Counts the moves of siblings.
#[inline(always)]
pub(super) fn count<L: Lanes>(siblings: &mut Siblings, space: &mut Space, found: &mut Found) {
    align_stack::<L>();
    siblings.fill();
    found.clear();
    let parent = Parent::<L>::of(siblings);
    let Space { checks, waiting } = space;
    let none = L::splat(0);
    let mut sum = Counted { moves: none, captures: none, castlings: none, promotions: none };
    for (number, block) in siblings.blocks().iter().enumerate() {
        checks.clear();
        let child = &parent.child(block);
        let promoting = child.own.pawns & L::splat(RANK_7);
        let legal = ChildLegality::of(child, promoting.any());
        let seen = Seen::of(child, &legal.spread, promoting.any());
        let theirs = child.enemy.all();
        let used = L::squares(&block.to);
        let [file, row, rise, fall] = king_lines(&parent.lines, child.enemy.king, used);
        // A piece cannot be pinned on a line along which no slider of ours moves.
        let orthogonal = child.own.orthogonal | promoting;
        let diagonal = child.own.diagonal | promoting;
        let lines = [
            file.if_any(orthogonal),
            row.if_any(orthogonal),
            rise.if_any(diagonal),
            fall.if_any(diagonal),
        ];
        let kernel = EightSiblings { child, legal, seen, theirs, lines, used };
        sum = sum.plus(&kernel.count(checks));
        let used = siblings.used(number);
        found.leave_out(number, checks.left_out & used);
        waiting.list(&parent, number, block, checks, used & !checks.left_out, found);
    }
    waiting.count(&parent, found);
    found.moves = total(sum.moves);
    found.captures = total(sum.captures);
    found.castlings = total(sum.castlings);
    found.promotions = total(sum.promotions);
}
