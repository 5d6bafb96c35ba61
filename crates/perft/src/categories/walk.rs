//! The interior of the tree, with a table or without.

use tabiya::movegen::Legal;
use tabiya::{MoveList, Position};

use super::cpu::Cpu;
use super::leaves::{self, Counts};
use super::table::CategoryTable;

/// Counts the leaves `depth` half-moves, at least one, below a position: the body of
/// [`Cpu::walk`], which it calls for what is deeper.
#[inline(always)]
pub(super) fn walk<C: Cpu>(
    cpu: C,
    table: Option<&CategoryTable>,
    position: &Position,
    depth: u32,
    counts: &mut Counts,
) {
    match table {
        _ if depth == 1 => leaves::count(cpu, position, counts),
        None => children(cpu, None, position, depth, counts),
        Some(table) => {
            counts.look_ups += 1;
            let query = table.query(position, depth);
            if let Some(known) = table.get(query) {
                *counts += &known;
                return;
            }
            let mut below = Counts::default();
            children(cpu, Some(table), position, depth, &mut below);
            table.put(query, &below);
            *counts += &below;
        }
    }
}

#[inline(always)]
fn children<C: Cpu>(
    cpu: C,
    table: Option<&CategoryTable>,
    position: &Position,
    depth: u32,
    counts: &mut Counts,
) {
    for mv in MoveList::of_with::<Legal, _>(position, cpu.sliders()) {
        let child = position.play(mv);
        if depth == 2 {
            leaves::count(cpu, &child, counts);
        } else {
            cpu.walk(table, &child, depth - 1, counts);
        }
    }
}
