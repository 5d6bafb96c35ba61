//! Which moves are legal, by boolean algebra alone.
//!
//! - The enemy's fills unite to the squares the king must avoid;
//! - where the king's ray, an enemy fill that comes the other way, and a piece of ours meet, that
//!   piece is pinned to the axis. It cannot leave the axis, and along it king and pinner stop it:
//!   so the movers in a direction are the pieces not pinned and those pinned on that axis;
//! - an enemy slider that ends the king's ray gives check, and the ray is where to block it; with
//!   one checker the targets shrink to that, with two only the king may move.

use super::Lanes;
use super::direction::{
    Direction, EAST, NORTH, NORTH_EAST, NORTH_WEST, SOUTH, SOUTH_EAST, SOUTH_WEST, WEST,
    king_attacks, knight_attacks,
};
use super::pieces::Child;
use crate::node::rules;

/// Where the pieces of the side to move may go.
pub(crate) struct ChildLegality<L> {
    pub occupied: L,
    pub empty: L,
    /// How fills spread: for the kinds of sliders that are present, or for all if asked.
    pub spread: [[L; 3]; 8],
    /// The squares that the enemy attacks, and the square behind the king on a slider's line.
    pub danger: L,
    /// Where the king may step.
    pub steps: L,
    /// Where the other pieces may go.
    pub targets: L,
    /// The pieces that are not pinned, and those pinned on each axis.
    pub free: L,
    pub on_file: L,
    pub on_row: L,
    pub on_rise: L,
    pub on_fall: L,
}

/// What the enemy attacks, and how it checks, gathered piece by piece.
struct Pressure<L> {
    danger: L,
    checkers: L,
    /// The king's rays that end in a checker.
    block: L,
}

/// Looks along one ray of the king: in the direction opposite to `d`, whose sliders come in
/// direction `d`. Returns the piece pinned there, if any.
#[inline(always)]
fn face<L: Lanes, const UP: bool>(
    d: Direction<UP>,
    spread: &[[L; 3]; 8],
    seen: L,
    king: L,
    own: L,
    enemy: L,
    sum: &mut Pressure<L>,
) -> L {
    let reached = d.slide(enemy, &spread[d.lane]);
    let checker = seen & enemy;
    sum.checkers = sum.checkers | checker;
    sum.block = sum.block | seen.if_any(checker);
    // The square behind the king is no escape from this slider.
    sum.danger = sum.danger | reached | d.step(reached & king);
    seen & reached & own
}

impl<L: Lanes> ChildLegality<L> {
    /// With `every_direction`, `spread` is found for all eight.
    #[inline(always)]
    pub(crate) fn of(child: &Child<L>, every_direction: bool) -> Self {
        let none = L::splat(0);
        let (us, them) = (&child.own, &child.enemy);
        let own = us.all();
        let king = us.king;
        let occupied = own | them.all();
        let empty = !occupied;

        // The enemy's leapers.
        let king_ring = king_attacks(king).without(king);
        let mut sum = Pressure {
            danger: knight_attacks(them.knights)
                | SOUTH_EAST.step(them.pawns)
                | SOUTH_WEST.step(them.pawns)
                | king_attacks(them.king),
            checkers: knight_attacks(king) & them.knights
                | (NORTH_EAST.step(king) | NORTH_WEST.step(king)) & them.pawns,
            block: none,
        };

        // The enemy's sliders, and whom they pin.
        let mut spread = [[none; 3]; 8];
        let (mut on_file, mut on_row, mut on_rise, mut on_fall) = (none, none, none, none);
        macro_rules! axis {
            ($up:ident, $down:ident, $sliders:expr) => {{
                let (seen_up, seen_down) =
                    ($up.slide(king, &spread[$up.lane]), $down.slide(king, &spread[$down.lane]));
                face($up, &spread, seen_down, king, own, $sliders, &mut sum)
                    | face($down, &spread, seen_up, king, own, $sliders, &mut sum)
            }};
        }
        let they_have = (them.orthogonal.any(), them.diagonal.any());
        if every_direction || they_have.0 || us.orthogonal.any() {
            spread[NORTH.lane] = NORTH.spread(empty);
            spread[SOUTH.lane] = SOUTH.spread(empty);
            spread[EAST.lane] = EAST.spread(empty);
            spread[WEST.lane] = WEST.spread(empty);
        }
        if every_direction || they_have.1 || us.diagonal.any() {
            spread[NORTH_EAST.lane] = NORTH_EAST.spread(empty);
            spread[SOUTH_WEST.lane] = SOUTH_WEST.spread(empty);
            spread[NORTH_WEST.lane] = NORTH_WEST.spread(empty);
            spread[SOUTH_EAST.lane] = SOUTH_EAST.spread(empty);
        }
        if they_have.0 {
            on_file = axis!(NORTH, SOUTH, them.orthogonal);
            on_row = axis!(EAST, WEST, them.orthogonal);
        }
        if they_have.1 {
            on_rise = axis!(NORTH_EAST, SOUTH_WEST, them.diagonal);
            on_fall = axis!(NORTH_WEST, SOUTH_EAST, them.diagonal);
        }
        let free = !(on_file | on_row | on_rise | on_fall);

        let Pressure { danger, checkers, block } = sum;
        let targets = (checkers | block | L::splat(!0).if_none(checkers)).without(own);
        let targets = targets.if_none(checkers & checkers.decrement());
        let steps = king_ring.without(own | danger);
        Self {
            occupied,
            empty,
            spread,
            danger,
            steps,
            targets,
            free,
            on_file,
            on_row,
            on_rise,
            on_fall,
        }
    }

    /// The pieces pinned on the axis of a direction.
    #[inline(always)]
    pub(crate) fn on_axis(&self, lane: usize) -> L {
        match lane & 3 {
            0 => self.on_file,
            1 => self.on_row,
            2 => self.on_rise,
            _ => self.on_fall,
        }
    }

    /// Not empty where castling is legal: to the king's side, to the queen's.
    #[inline(always)]
    pub(crate) fn castlings(&self, castling: L) -> [L; 2] {
        let [king_side, queen_side] = rules::CASTLINGS;
        [self.castles(castling, king_side), self.castles(castling, queen_side)]
    }

    #[inline(always)]
    fn castles(&self, castling: L, [rook, between, path]: [u64; 3]) -> L {
        let obstacle = L::splat(between) & self.occupied
            | L::splat(path) & self.danger
            | L::splat(rook).without(castling);
        L::splat(1).if_none(obstacle)
    }
}
