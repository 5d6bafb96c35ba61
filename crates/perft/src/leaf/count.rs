//! The number of legal moves, by boolean algebra alone.
//!
//! Fill all rooks and queens of one side in one direction through the empty squares and step once
//! more. No square of the result is reached by two of them, for the rear one of two on a line is
//! stopped by the front one. So that direction's moves number `popcount(result & targets)`, and
//! no loop over pieces, no look-up and no branch is needed. Knight steps and pawn steps are the
//! same without the fill. Legality is a matter of masks:
//!
//! - the enemy's fills, made the same way, unite to the squares the king must avoid;
//! - where the king's ray, an enemy fill that comes the other way, and a man of ours meet, that man
//!   is pinned to the axis. It cannot leave the axis, and along it king and pinner stop it: so the
//!   movers in a direction are the men not pinned and those pinned on that axis;
//! - an enemy slider that ends the king's ray gives check, and the ray is where to block it; with
//!   one checker the targets shrink to that, with two nobody but the king moves.
//!
//! En passant is left to the caller, who sees double pushes as they are made. Castling here is with
//! the king on e1 and rooks in the corners; other homes are the caller's too.

use super::batch::Batch;
use super::direction::{
    Direction, EAST, NORTH, NORTH_EAST, NORTH_WEST, NOT_A, NOT_H, SOUTH, SOUTH_EAST, SOUTH_WEST, WEST,
    king_attacks, knight_attacks,
};
use super::lanes::Lanes;
use super::star::RAYS;
use super::tables::{KING, KNIGHT, PAWN_UP};

const RANK_3: u64 = 0xff << 16;
const RANK_7: u64 = 0xff << 48;
const RANK_8: u64 = 0xff << 56;

/// What the enemy's sliders do to us, gathered direction by direction.
struct Pressure<L> {
    danger: L,
    checkers: L,
    /// The king's rays that end in a checker.
    block: L,
}

/// Looks along one ray of the king: at `ray`, whose sliders come in direction `d`. Returns the man
/// pinned there, if any.
#[inline(always)]
fn face<L: Lanes, const UP: bool>(
    d: Direction<UP>,
    spread: &[L; 3],
    king: u32,
    occupied: L,
    own: L,
    enemy: L,
    sum: &mut Pressure<L>,
) -> L {
    let reached = d.slide(enemy, spread);
    sum.danger = sum.danger | reached;
    let ray = L::splat(RAYS[king as usize][d.lane ^ 4]);
    let blockers = ray & occupied;
    let seen = if UP { L::falling(ray, blockers, d.shift) } else { L::rising(ray, blockers) };
    let checker = seen & enemy;
    sum.checkers = sum.checkers | checker;
    sum.block = sum.block | seen.if_any(checker);
    // The square behind the king is no refuge from this slider.
    let behind =
        if UP { 1u64.wrapping_shl(king) << d.shift } else { 1u64.wrapping_shl(king) >> d.shift };
    sum.danger = sum.danger | L::splat(behind & d.landing).if_any(checker);
    seen & reached & own
}

/// Counts the replies of the positions of a batch from `at` on, as many as there are lanes.
#[inline(always)]
pub(super) fn replies<L: Lanes>(batch: &Batch, king: u32, at: usize, out: &mut [u64; 8]) {
    let king = king & 63;
    let [
        pawns,
        knights,
        diagonal,
        orthogonal,
        enemy_pawns,
        enemy_knights,
        enemy_diagonal,
        enemy_orthogonal,
    ] = L::columns(&batch.rows, at);
    let enemy_king = L::load(&batch.enemy_king, at);
    let none = L::splat(0);

    let own = pawns | knights | diagonal | orthogonal | L::splat(1 << king);
    let enemy = enemy_pawns | enemy_knights | enemy_diagonal | enemy_orthogonal | enemy_king;
    let occupied = own | enemy;
    let empty = !occupied;

    // The enemy's leapers.
    let mut sum = Pressure {
        danger: knight_attacks(enemy_knights)
            | SOUTH_EAST.step(enemy_pawns)
            | SOUTH_WEST.step(enemy_pawns)
            | king_attacks(enemy_king),
        checkers: L::splat(KNIGHT[king as usize]) & enemy_knights
            | L::splat(PAWN_UP[king as usize]) & enemy_pawns,
        block: none,
    };

    // The enemy's sliders, and whom they pin.
    let (mut on_file, mut on_row, mut on_rise, mut on_fall) = (none, none, none, none);
    if enemy_orthogonal.any() {
        let e = enemy_orthogonal;
        on_file = face(NORTH, &NORTH.spread(empty), king, occupied, own, e, &mut sum)
            | face(SOUTH, &SOUTH.spread(empty), king, occupied, own, e, &mut sum);
        on_row = face(EAST, &EAST.spread(empty), king, occupied, own, e, &mut sum)
            | face(WEST, &WEST.spread(empty), king, occupied, own, e, &mut sum);
    }
    if enemy_diagonal.any() {
        let e = enemy_diagonal;
        on_rise = face(NORTH_EAST, &NORTH_EAST.spread(empty), king, occupied, own, e, &mut sum)
            | face(SOUTH_WEST, &SOUTH_WEST.spread(empty), king, occupied, own, e, &mut sum);
        on_fall = face(NORTH_WEST, &NORTH_WEST.spread(empty), king, occupied, own, e, &mut sum)
            | face(SOUTH_EAST, &SOUTH_EAST.spread(empty), king, occupied, own, e, &mut sum);
    }
    let free = !(on_file | on_row | on_rise | on_fall);

    // Where moves may end.
    let checkers = sum.checkers;
    let targets = (checkers | sum.block | L::splat(!0).if_none(checkers)).without(own);
    let targets = targets.if_none(checkers & checkers.decrement());

    let mut tally = L::tally();
    let t = &mut tally;

    // The king.
    L::count(t, L::splat(KING[king as usize]).without(own | sum.danger));
    if king == 4 {
        let castling = L::load(&batch.castling, at);
        for (rook, between, path) in [(0x80, 0x60, 0x70), (0x01, 0x0e, 0x1c)] {
            let obstacle = L::splat(between) & occupied
                | L::splat(path) & sum.danger
                | L::splat(rook).without(castling);
            L::count(t, L::splat(1).if_none(obstacle));
        }
    }

    // Sliders.
    if orthogonal.any() {
        let (file, row) = (orthogonal & (free | on_file), orthogonal & (free | on_row));
        L::count(t, NORTH.slide(file, &NORTH.spread(empty)) & targets);
        L::count(t, SOUTH.slide(file, &SOUTH.spread(empty)) & targets);
        L::count(t, EAST.slide(row, &EAST.spread(empty)) & targets);
        L::count(t, WEST.slide(row, &WEST.spread(empty)) & targets);
    }
    if diagonal.any() {
        let (rise, fall) = (diagonal & (free | on_rise), diagonal & (free | on_fall));
        L::count(t, NORTH_EAST.slide(rise, &NORTH_EAST.spread(empty)) & targets);
        L::count(t, SOUTH_WEST.slide(rise, &SOUTH_WEST.spread(empty)) & targets);
        L::count(t, NORTH_WEST.slide(fall, &NORTH_WEST.spread(empty)) & targets);
        L::count(t, SOUTH_EAST.slide(fall, &SOUTH_EAST.spread(empty)) & targets);
    }

    // Knights: a pinned one never moves.
    let n = knights & free;
    if n.any() {
        let near_east = targets & L::splat(NOT_A);
        let near_west = targets & L::splat(NOT_H);
        let far_east = targets & L::splat(NOT_A & NOT_A << 1);
        let far_west = targets & L::splat(NOT_H & NOT_H >> 1);
        L::count(t, n.shl(17) & near_east);
        L::count(t, n.shl(15) & near_west);
        L::count(t, n.shl(10) & far_east);
        L::count(t, n.shl(6) & far_west);
        L::count(t, n.shr(15) & near_east);
        L::count(t, n.shr(17) & near_west);
        L::count(t, n.shr(6) & far_east);
        L::count(t, n.shr(10) & far_west);
    }

    // Pawns. Pushes land on empty squares and captures on the enemy's, and a square is pushed to by
    // one pawn: so one set holds all pushes and the captures to one side.
    let walkers = pawns & (free | on_file);
    let single = walkers.shl(8) & empty;
    let double = (single & L::splat(RANK_3)).shl(8) & empty;
    let east = NORTH_EAST.step(pawns & (free | on_rise)) & enemy & targets;
    let west = NORTH_WEST.step(pawns & (free | on_fall)) & enemy & targets;
    let first = (single | double) & targets | east;
    L::count(t, first);
    L::count(t, west);
    if (pawns & L::splat(RANK_7)).any() {
        let first = first & L::splat(RANK_8);
        let west = west & L::splat(RANK_8);
        for _ in 0..3 {
            L::count(t, first);
            L::count(t, west);
        }
    }

    L::store(tally, out, at);
}
