//! The kernel for children: the number of legal replies, by boolean algebra alone.
//!
//! Fill all rooks and queens of one side in one direction through the empty squares and step once
//! more. No square of the result is reached by two of them, for the rear one of two on a line is
//! stopped by the front one. So that direction's moves number `popcount(result & targets)`, and no
//! loop over pieces, no look-up and no branch is needed. Knight steps and pawn steps are the same
//! without the fill. Legality is a matter of masks ([`ChildLegality`]).
//!
//! A child is its parent's row and a move, so here the move is made in the lanes. En passant is
//! left to the caller, who sees double pushes as they are made. Castling here is with the king on
//! e1 and rooks in the corners; castling from other squares is left to the caller as well.

use super::direction::{EAST, NORTH, NORTH_EAST, NORTH_WEST, SOUTH, SOUTH_EAST, SOUTH_WEST, WEST};
use super::lanes::Lanes;
use super::legality::ChildLegality;
use super::pieces::{Child, Pieces, Squares};
use super::rows::{Block, Children, ROWS, Rows};
use crate::leaf::sets::{NOT_A, NOT_H, RANK_3, RANK_7, RANK_8};
use crate::leaf::sums::Sums;

/// Counts the replies of the children of a block from `at` on, as many as there are lanes.
#[inline(always)]
fn replies<L: Lanes>(rows: &Rows, block: &Block) -> L {
    let [rp, rn, rd, ro, mp, mn, md, mo] = L::columns(&rows.pieces, &block.row);
    let [mk, rk, _, _, castling, ..] = L::columns(&rows.rest, &block.row);
    let mover = Pieces { pawns: mp, knights: mn, diagonal: md, orthogonal: mo, king: mk };
    let replier = Pieces { pawns: rp, knights: rn, diagonal: rd, orthogonal: ro, king: rk };
    let squares = Squares { from: L::squares(&block.from), to: L::squares(&block.to) };
    of_lanes(&Child::after(&mover, &replier, castling, squares))
}

/// The number of moves of the side to move, lane by lane.
#[inline(always)]
pub(super) fn of_lanes<L: Lanes>(child: &Child<L>) -> L {
    let Pieces { pawns, knights, diagonal, orthogonal, .. } = child.own;
    let legal = ChildLegality::of(child, false);
    let ChildLegality {
        empty, targets, free, on_file, on_row, on_rise, on_fall, ref spread, ..
    } = legal;
    let mut sum = L::splat(0);
    let moves = &mut sum;

    // The king.
    L::count(moves, legal.steps);
    if child.castling.any() {
        for castling in legal.castlings(child.castling) {
            L::count(moves, castling);
        }
    }

    // Sliders.
    if orthogonal.any() {
        let (file, row) = (orthogonal & (free | on_file), orthogonal & (free | on_row));
        L::count(moves, NORTH.slide(file, &spread[NORTH.lane]) & targets);
        L::count(moves, SOUTH.slide(file, &spread[SOUTH.lane]) & targets);
        L::count(moves, EAST.slide(row, &spread[EAST.lane]) & targets);
        L::count(moves, WEST.slide(row, &spread[WEST.lane]) & targets);
    }
    if diagonal.any() {
        let (rise, fall) = (diagonal & (free | on_rise), diagonal & (free | on_fall));
        L::count(moves, NORTH_EAST.slide(rise, &spread[NORTH_EAST.lane]) & targets);
        L::count(moves, SOUTH_WEST.slide(rise, &spread[SOUTH_WEST.lane]) & targets);
        L::count(moves, NORTH_WEST.slide(fall, &spread[NORTH_WEST.lane]) & targets);
        L::count(moves, SOUTH_EAST.slide(fall, &spread[SOUTH_EAST.lane]) & targets);
    }

    // Knights: a pinned one never moves.
    let n = knights & free;
    if n.any() {
        let near_east = targets & L::splat(NOT_A);
        let near_west = targets & L::splat(NOT_H);
        let far_east = targets & L::splat(NOT_A & NOT_A << 1);
        let far_west = targets & L::splat(NOT_H & NOT_H >> 1);
        L::count(moves, n.shl(17) & near_east);
        L::count(moves, n.shl(15) & near_west);
        L::count(moves, n.shl(10) & far_east);
        L::count(moves, n.shl(6) & far_west);
        L::count(moves, n.shr(15) & near_east);
        L::count(moves, n.shr(17) & near_west);
        L::count(moves, n.shr(6) & far_east);
        L::count(moves, n.shr(10) & far_west);
    }

    // Pawns. Pushes land on empty squares and captures on the enemy's, and a square is pushed to by
    // one pawn: so one set holds all pushes and the captures to one side.
    let walkers = pawns & (free | on_file);
    let single = walkers.shl(8) & empty;
    let double = (single & L::splat(RANK_3)).shl(8) & empty;
    let theirs = child.enemy.all();
    let east = NORTH_EAST.step(pawns & (free | on_rise)) & theirs & targets;
    let west = NORTH_WEST.step(pawns & (free | on_fall)) & theirs & targets;
    let first = (single | double) & targets | east;
    L::count(moves, first);
    L::count(moves, west);
    if (pawns & L::splat(RANK_7)).any() {
        let first = first & L::splat(RANK_8);
        let west = west & L::splat(RANK_8);
        L::count_thrice(moves, first);
        L::count_thrice(moves, west);
    }

    sum
}

/// The number of replies to all children together.
#[inline(always)]
pub(super) fn of_all<L: Lanes>(rows: &Rows, children: &Children) -> u64 {
    align_stack::<L>();
    let mut sum = L::splat(0);
    for block in children.blocks() {
        sum = sum.plus(replies::<L>(rows, block));
    }
    let mut lanes = [0; 8];
    sum.put(&mut lanes);
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
        replies::<L>(rows, block).put(&mut counts);
        for lane in 0..8 {
            sums.add(slots[block.row[lane] as usize % ROWS], counts[lane]);
        }
    }
}

/// Makes the caller's stack frame as aligned as a vector, so that no vector that is spilled from a
/// register crosses the end of a cache line: taking the address of one vector is enough.
#[inline(always)]
pub(super) fn align_stack<L: Lanes>() {
    core::hint::black_box(&L::splat(0));
}
