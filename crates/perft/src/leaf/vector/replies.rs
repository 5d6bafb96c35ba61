//! The kernel for children: the number of legal replies, by boolean algebra alone.
//!
//! Fill all rooks and queens of one side in one direction through the empty squares and step once
//! more. No square of the result is reached by two of them, for the rear one of two on a line is
//! stopped by the front one. So that direction's moves number `popcount(result & targets)`, and
//! no loop over pieces, no look-up and no branch is needed. Knight steps and pawn steps are the
//! same without the fill. Legality is a matter of masks:
//!
//! - the enemy's fills, made the same way, unite to the squares the king must avoid;
//! - where the king's ray, an enemy fill that comes the other way, and a piece of ours meet, that piece
//!   is pinned to the axis. It cannot leave the axis, and along it king and pinner stop it: so the
//!   movers in a direction are the pieces not pinned and those pinned on that axis;
//! - an enemy slider that ends the king's ray gives check, and the ray is where to block it; with
//!   one checker the targets shrink to that, with two nobody but the king moves.
//!
//! A child is its parent's row and a move, so here the move is made in the lanes. En passant is left to the
//! caller, who sees double pushes as they are made. Castling here is with
//! the king on e1 and rooks in the corners; other homes are the caller's too.

use super::direction::{
    Direction, EAST, NORTH, NORTH_EAST, NORTH_WEST, SOUTH, SOUTH_EAST, SOUTH_WEST, WEST,
    king_attacks, knight_attacks,
};
use super::lanes::Lanes;
use super::rows::{Block, Children, ROWS, Rows};
use crate::leaf::rules;
use crate::leaf::sets::{NOT_A, NOT_H, RANK_3, RANK_7, RANK_8};
use crate::leaf::sums::Sums;

/// What the enemy's sliders do to us, gathered direction by direction.
struct Pressure<L> {
    danger: L,
    checkers: L,
    /// The king's rays that end in a checker.
    block: L,
}

/// Looks along one ray of the king: in the direction opposite to `d`, whose sliders come in direction
/// `d`. Returns the piece pinned there, if any.
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

/// Counts the replies of the children of a block from `at` on, as many as there are lanes.
#[inline(always)]
fn replies<L: Lanes>(rows: &Rows, block: &Block, at: usize) -> L {
    let columns = L::columns(&rows.pieces, &block.row, at);
    let [enemy_king, king, _, _, castling, ..] = L::columns(&rows.rest, &block.row, at);
    let (from, to) = (L::squares(&block.from, at), L::squares(&block.to, at));
    let none = L::splat(0);
    // The move: a captured piece goes, the moved one changes its square.
    let [pawns, knights, diagonal, orthogonal] = [
        columns[0].without(to),
        columns[1].without(to),
        columns[2].without(to),
        columns[3].without(to),
    ];
    let moved = from | to;
    let go = [columns[4] & from, columns[5] & from, columns[6] & from, columns[7] & from];
    let enemy_pawns = columns[4] ^ moved.if_any(go[0]);
    let enemy_knights = columns[5] ^ moved.if_any(go[1]);
    let enemy_diagonal = columns[6] ^ moved.if_any(go[2]);
    let enemy_orthogonal = columns[7] ^ moved.if_any(go[3]);
    let enemy_king = enemy_king ^ moved.if_any(enemy_king & from);
    let castling = castling.without(to);

    let own = pawns | knights | diagonal | orthogonal | king;
    let enemy = enemy_pawns | enemy_knights | enemy_diagonal | enemy_orthogonal | enemy_king;
    let occupied = own | enemy;
    let empty = !occupied;

    // The enemy's leapers.
    let king_ring = king_attacks(king).without(king);
    let mut sum = Pressure {
        danger: knight_attacks(enemy_knights)
            | SOUTH_EAST.step(enemy_pawns)
            | SOUTH_WEST.step(enemy_pawns)
            | king_attacks(enemy_king),
        checkers: knight_attacks(king) & enemy_knights
            | (NORTH_EAST.step(king) | NORTH_WEST.step(king)) & enemy_pawns,
        block: none,
    };

    // The enemy's sliders, and whom they pin.
    let mut spread = [[none; 3]; 8];
    let (mut on_file, mut on_row, mut on_rise, mut on_fall) = (none, none, none, none);
    macro_rules! axis {
        ($up:ident, $down:ident, $sliders:ident) => {{
            let (seen_up, seen_down) =
                ($up.slide(king, &spread[$up.lane]), $down.slide(king, &spread[$down.lane]));
            face($up, &spread, seen_down, king, own, $sliders, &mut sum)
                | face($down, &spread, seen_up, king, own, $sliders, &mut sum)
        }};
    }
    let enemy_has = (enemy_orthogonal.any(), enemy_diagonal.any());
    if enemy_has.0 || orthogonal.any() {
        spread[NORTH.lane] = NORTH.spread(empty);
        spread[SOUTH.lane] = SOUTH.spread(empty);
        spread[EAST.lane] = EAST.spread(empty);
        spread[WEST.lane] = WEST.spread(empty);
    }
    if enemy_has.1 || diagonal.any() {
        spread[NORTH_EAST.lane] = NORTH_EAST.spread(empty);
        spread[SOUTH_WEST.lane] = SOUTH_WEST.spread(empty);
        spread[NORTH_WEST.lane] = NORTH_WEST.spread(empty);
        spread[SOUTH_EAST.lane] = SOUTH_EAST.spread(empty);
    }
    if enemy_has.0 {
        on_file = axis!(NORTH, SOUTH, enemy_orthogonal);
        on_row = axis!(EAST, WEST, enemy_orthogonal);
    }
    if enemy_has.1 {
        on_rise = axis!(NORTH_EAST, SOUTH_WEST, enemy_diagonal);
        on_fall = axis!(NORTH_WEST, SOUTH_EAST, enemy_diagonal);
    }
    let free = !(on_file | on_row | on_rise | on_fall);

    // Where moves may end.
    let checkers = sum.checkers;
    let targets = (checkers | sum.block | L::splat(!0).if_none(checkers)).without(own);
    let targets = targets.if_none(checkers & checkers.decrement());

    let mut tally = L::tally();
    let t = &mut tally;

    // The king.
    L::count(t, king_ring.without(own | sum.danger));
    if castling.any() {
        for [rook, between, path] in rules::CASTLINGS {
            let obstacle = L::splat(between) & occupied
                | L::splat(path) & sum.danger
                | L::splat(rook).without(castling);
            L::count(t, L::splat(1).if_none(obstacle));
        }
    }

    // Sliders.
    if orthogonal.any() {
        let (file, row) = (orthogonal & (free | on_file), orthogonal & (free | on_row));
        L::count(t, NORTH.slide(file, &spread[NORTH.lane]) & targets);
        L::count(t, SOUTH.slide(file, &spread[SOUTH.lane]) & targets);
        L::count(t, EAST.slide(row, &spread[EAST.lane]) & targets);
        L::count(t, WEST.slide(row, &spread[WEST.lane]) & targets);
    }
    if diagonal.any() {
        let (rise, fall) = (diagonal & (free | on_rise), diagonal & (free | on_fall));
        L::count(t, NORTH_EAST.slide(rise, &spread[NORTH_EAST.lane]) & targets);
        L::count(t, SOUTH_WEST.slide(rise, &spread[SOUTH_WEST.lane]) & targets);
        L::count(t, NORTH_WEST.slide(fall, &spread[NORTH_WEST.lane]) & targets);
        L::count(t, SOUTH_EAST.slide(fall, &spread[SOUTH_EAST.lane]) & targets);
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

    L::sum(tally)
}

/// The number of replies to all children together.
#[inline(always)]
pub(super) fn of_all<L: Lanes>(rows: &Rows, children: &Children) -> u64 {
    align_stack::<L>();
    let mut sum = L::splat(0);
    for block in children.blocks() {
        for at in (0..8).step_by(L::WIDTH) {
            sum = sum.plus(replies::<L>(rows, block, at));
        }
    }
    let mut lanes = [0; 8];
    sum.put(&mut lanes, 0);
    lanes.iter().sum()
}

/// Adds the replies to each child to the slot of its row.
#[inline(always)]
pub(super) fn of_each<L: Lanes>(
    rows: &Rows,
    children: &Children,
    sums: &mut Sums,
    slots: &[usize; ROWS],
) {
    align_stack::<L>();
    for block in children.blocks() {
        let mut counts = [0; 8];
        for at in (0..8).step_by(L::WIDTH) {
            replies::<L>(rows, block, at).put(&mut counts, at);
        }
        for lane in 0..8 {
            sums.add(slots[block.row[lane] as usize % ROWS], counts[lane]);
        }
    }
}

/// Makes the caller's stack frame as aligned as a vector, so that no vector that is spilled from a register
/// crosses the end of a cache line: a vector whose address is taken does it.
#[inline(always)]
fn align_stack<L: Lanes>() {
    core::hint::black_box(&L::splat(0));
}
