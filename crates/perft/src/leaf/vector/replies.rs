//! The replies to the children that wait.
//!
//! A child is its node's row and a move, so the move is made in the lanes.

use super::rows::{Children, EightChildren, ROWS, Rows, SLIDER};
use crate::lanes::direction::origins;
use crate::lanes::pieces::{Child, Pieces, Squares};
use crate::lanes::{Lanes, align_stack, replies};
use crate::leaf::sums::Sums;

/// Counts the replies to eight children.
#[inline(always)]
fn to_eight<L: Lanes>(rows: &Rows, children: &EightChildren) -> L {
    let [rp, rn, rd, ro, mp, mn, md, mo] = L::columns(&rows.pieces, &children.row);
    let [mk, rk, _, _, castling, ..] = L::columns(&rows.rest, &children.row);
    let mover = Pieces { pawns: mp, knights: mn, diagonal: md, orthogonal: mo, king: mk };
    let replier = Pieces { pawns: rp, knights: rn, diagonal: rd, orthogonal: ro, king: rk };
    let (mut from, to) = (L::squares(&children.from), L::squares(&children.to));
    let numbers = u64::from_le_bytes(children.from);
    let every = u64::from_le_bytes([SLIDER; 8]);
    if numbers & every != 0 {
        // Not empty where there is a direction: without its highest bit it's a number below eight.
        let sliders = L::squares(&(numbers ^ every).to_le_bytes());
        let occupied = mover.all() | replier.all();
        from = from | origins(to, &children.from, occupied).if_any(sliders);
    }
    let squares = Squares { from, to };
    replies::count(&Child::after(&mover, &replier, castling, squares))
}

/// The number of replies to all children together.
#[inline(always)]
pub(super) fn of_all<L: Lanes>(rows: &Rows, children: &Children) -> u64 {
    align_stack::<L>();
    let mut sum = L::splat(0);
    for eight in children.blocks() {
        sum = sum.plus(to_eight::<L>(rows, &eight));
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
    for eight in children.blocks() {
        let mut counts = [0; 8];
        to_eight::<L>(rows, &eight).put(&mut counts);
        for lane in 0..8 {
            sums.add(slots[eight.row[lane] as usize % ROWS], counts[lane]);
        }
    }
}
