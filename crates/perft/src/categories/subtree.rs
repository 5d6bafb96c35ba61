//! Counting a subtree, with a table or without.

use tabiya::Position;

use super::counts::Counts;
use super::leaves;
use super::siblings::{self, Scratch};
use super::table::CategoryTable;
use crate::machine::Isa;
use crate::machine::cpu::{Cpu, Work};
use crate::progress::Watch;

/// Smaller subtrees do not ask whether to stop.
const CANCELLABLE: u32 = 4;

/// The part of a count that all threads share.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    /// The instruction set to count with.
    pub(super) isa: Isa,
    pub(super) table: Option<&'a CategoryTable>,
    pub(super) watch: &'a dyn Watch,
}

/// Counts the leaf nodes `depth` plies, at least one, below a position, and adds them to `counts`.
pub(super) struct CountSubtree<'a> {
    pub(super) context: Context<'a>,
    pub(super) position: &'a Position,
    pub(super) depth: u32,
    pub(super) counts: &'a mut Counts,
    pub(super) scratch: &'a mut Scratch,
}

impl Work for CountSubtree<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let Self { context, position, depth, counts, scratch } = self;
        if depth == 1 {
            return leaves::count(cpu, position, counts);
        }
        if depth >= CANCELLABLE && (counts.stopped || context.watch.is_cancelled()) {
            counts.stopped = true;
            return;
        }
        let mut entry = None;
        if let Some(table) = context.table {
            counts.look_ups += 1;
            let key = table.key(position, depth);
            if let Some(known) = table.get(key) {
                *counts += &known;
                return;
            }
            entry = Some((table, key));
        }
        let mut below = Counts::default();
        // One call with and without a table, because it is inlined and large.
        let sum = if entry.is_some() { &mut below } else { &mut *counts };
        children(cpu, context, position, depth, sum, scratch);
        if let Some((table, key)) = entry {
            if !below.stopped {
                table.put(key, &below);
            }
            *counts += &below;
        }
    }
}

#[inline(always)]
fn children<C: Cpu>(
    cpu: C,
    context: Context<'_>,
    position: &Position,
    depth: u32,
    counts: &mut Counts,
    scratch: &mut Scratch,
) {
    if depth == 2 && siblings::count(cpu, position, scratch, counts) {
        return;
    }
    position.for_each_child_with(
        cpu.sliders(),
        #[inline(always)]
        |_, child| {
            if depth == 2 {
                leaves::count(cpu, child, counts);
            } else {
                let depth = depth - 1;
                cpu.enter(CountSubtree { context, position: child, depth, counts, scratch });
            }
        },
    );
}

#[cfg(test)]
mod tests {
    use super::super::category::Category;
    use super::*;
    use crate::machine::cpu;

    /// Compares with published counts, so the test is useful even on a CPU with only one kind of
    /// code.
    #[test]
    fn every_instruction_set_counts_what_is_published() {
        let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let position_4 = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
        // Nodes, captures, en passant, castles, promotions to a queen, checks, checkmates.
        for (fen, expected) in [
            (kiwipete, [97_862, 17_102, 45, 3162, 0, 993, 1]),
            (position_4, [9467, 1021, 4, 0, 30, 38, 22]),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let compare = |isa: Isa| {
                let context = Context { isa, table: None, watch: &() };
                let mut counts = Counts::default();
                let scratch = &mut Scratch::new(isa);
                let work = CountSubtree {
                    context,
                    position: &position,
                    depth: 3,
                    counts: &mut counts,
                    scratch,
                };
                cpu::run(isa, work);
                let found = [
                    counts.nodes,
                    counts[Category::Captures],
                    counts[Category::EnPassant],
                    counts[Category::Castles],
                    counts[Category::QueenPromotions],
                    counts[Category::Checks],
                    counts[Category::Checkmates],
                ];
                assert_eq!(found, expected, "{isa}: {fen}");
                println!("{isa}: {fen}");
            };
            Isa::ALL.into_iter().filter(|isa| isa.is_available()).for_each(compare);
        }
    }
}
