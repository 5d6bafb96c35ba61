//! Options of counts.

use std::num::NonZeroUsize;

use crate::machine::Isa;

/// The greatest depth of a count. It bounds the stack that a count needs.
pub const MAX_DEPTH: u32 = 255;

/// Options of a count.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of threads that count. Without the feature `threads`, the calling thread counts
    /// alone.
    pub threads: NonZeroUsize,
    /// The instruction set to count with. If the CPU does not have it, the portable code counts.
    pub isa: Isa,
}

/// One thread, and the best instruction set of this CPU.
impl Default for Options {
    fn default() -> Self {
        Self { threads: NonZeroUsize::MIN, isa: Isa::best() }
    }
}
