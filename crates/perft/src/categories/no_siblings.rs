//! Where there are no vectors, every child is made and counted by itself.

use tabiya::Position;

use super::counts::Counts;
use super::cpu::Cpu;

/// What a thread keeps while it counts: nothing.
#[derive(Debug, Default)]
pub(super) struct Scratch {}

/// Says that nothing was counted.
#[inline(always)]
pub(super) fn count<C: Cpu>(_: C, _: &Position, _: &mut Scratch, _: &mut Counts) -> bool {
    false
}
