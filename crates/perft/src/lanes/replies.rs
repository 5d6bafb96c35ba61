//! The number of legal moves, by boolean algebra alone.
//!
//! Fill all rooks and queens of one side in one direction through the empty squares and step once
//! more. No square of the result is reached by two of them, for the rear one of two on a line is
//! stopped by the front one. So that direction's moves number `popcount(result & targets)`, and no
//! loop over pieces, no look-up and no branch is needed. Knight steps and pawn steps are the same
//! without the fill. Legality is a matter of masks ([`ChildLegality`]).
//!
//! Captures en passant, and castlings but with the king on e1 and rooks in the corners, are left
//! to the caller.

use super::Lanes;
use super::direction::{EAST, NORTH, NORTH_EAST, NORTH_WEST, SOUTH, SOUTH_EAST, SOUTH_WEST, WEST};
use super::legality::ChildLegality;
use super::pieces::{Child, Pieces};
use crate::node::sets::{NOT_A, NOT_H, RANK_3, RANK_7, RANK_8};

/// The number of moves of the side to move, lane by lane.
#[inline(always)]
pub(crate) fn count<L: Lanes>(child: &Child<L>) -> L {
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
