//! The interior of the tree, with a table or without.

use tabiya::movegen::Legal;
use tabiya::{MoveList, Position};

use super::cpu::Cpu;
use super::leaves::{self, Counts};
use super::table::CategoryTable;
use crate::progress::Watch;

/// Subtrees of fewer half-moves do not ask whether to stop.
const CANCELLABLE: u32 = 4;

/// What a count works with.
#[derive(Clone, Copy)]
pub(super) struct Means<'a> {
    pub(super) table: Option<&'a CategoryTable>,
    pub(super) watch: &'a dyn Watch,
}

/// Counts the leaves `depth` half-moves, at least one, below a position: the body of
/// [`Cpu::walk`], which it calls for what is deeper.
#[inline(always)]
pub(super) fn walk<C: Cpu>(
    cpu: C,
    means: Means<'_>,
    position: &Position,
    depth: u32,
    counts: &mut Counts,
) {
    if depth == 1 {
        return leaves::count(cpu, position, counts);
    }
    if depth >= CANCELLABLE && (counts.stopped || means.watch.is_cancelled()) {
        counts.stopped = true;
        return;
    }
    let Some(table) = means.table else {
        return children(cpu, means, position, depth, counts);
    };
    counts.look_ups += 1;
    let query = table.query(position, depth);
    if let Some(known) = table.get(query) {
        *counts += &known;
        return;
    }
    let mut below = Counts::default();
    children(cpu, means, position, depth, &mut below);
    if !below.stopped {
        table.put(query, &below);
    }
    *counts += &below;
}

#[inline(always)]
fn children<C: Cpu>(
    cpu: C,
    means: Means<'_>,
    position: &Position,
    depth: u32,
    counts: &mut Counts,
) {
    for mv in MoveList::of_with::<Legal, _>(position, cpu.sliders()) {
        let child = position.play(mv);
        if depth == 2 {
            leaves::count(cpu, &child, counts);
        } else {
            cpu.walk(means, &child, depth - 1, counts);
        }
    }
}
