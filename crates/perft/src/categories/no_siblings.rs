//! Replaces `siblings` without vectors: every child is made and counted by itself.

use tabiya::Position;

use super::counts::Counts;
use crate::machine::Isa;
use crate::machine::cpu::Cpu;

/// The memory of a thread while it counts: empty without vectors.
#[derive(Debug)]
pub(super) struct Scratch {}

impl Scratch {
    pub(super) fn new(_: Isa) -> Self {
        Self {}
    }
}

/// Returns false: nothing was counted.
#[inline(always)]
pub(super) fn count<C: Cpu>(_: C, _: &Position, _: &mut Scratch, _: &mut Counts) -> bool {
    false
}
