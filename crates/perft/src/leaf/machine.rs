//! What the counter asks of a CPU, and what a kernel offers the walk.

use tabiya::Bitboard;
use tabiya::attacks::Sliders;

use super::sums::Sums;
use crate::node::Node;
use crate::node::sets::square;

/// A kind of CPU for which the counter is compiled.
///
/// The bodies of the walk and of the kernels are `#[inline(always)]`. They become machine code in
/// the functions that [`Machine::enter`] makes of them, without compiler flags.
pub(crate) trait Machine: Copy + Send {
    /// How nodes two plies above the leaves are counted.
    type Kernel: Kernel<Self>;

    /// Runs work in a function of its own that is compiled for this CPU. The work must be
    /// `#[inline(always)]`.
    fn enter<R>(self, work: impl FnOnce() -> R) -> R;

    /// How attacks of sliders are looked up.
    fn sliders(self) -> impl Sliders;

    /// The squares that a rook attacks.
    #[inline(always)]
    fn rook(self, from: u64, occupied: u64) -> u64 {
        self.sliders().rook(square(from), Bitboard(occupied)).0
    }

    /// The squares that a bishop attacks.
    #[inline(always)]
    fn bishop(self, from: u64, occupied: u64) -> u64 {
        self.sliders().bishop(square(from), Bitboard(occupied)).0
    }
}

/// A way to count nodes two plies above the leaves.
pub(crate) trait Kernel<M>: Default + Send {
    /// Adds the leaves below a node to its slot, now or at the latest in [`Kernel::finish`].
    fn add(&mut self, machine: M, sums: &mut Sums, node: &Node, slot: usize);

    /// Counts the nodes that still wait.
    fn finish(&mut self, machine: M, sums: &mut Sums);
}
