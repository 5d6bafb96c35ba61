//! Children waiting for an empty lane.
//!
//! A batch holds eight positions with the replier to move that share the replier's king square:
//! the kernel then has the king's rays and leaper tables as constants. There is one batch for every
//! king square, and it outlives the node that began to fill it: the king seldom moves, so lanes
//! are filled by cousins and none runs empty, however few children a node sends.
//!
//! A child is one row of eight sets, made from its parent's row by a few vector operations; the
//! kernel turns eight rows into eight columns when the batch is full.

use super::node::Node;

/// The sets of a position but for the kings: the replier's pawns, knights, diagonal and orthogonal
/// sliders, then the mover's.
pub(super) type Row = [u64; 8];

/// All ones for the replier's sets.
pub(super) const REPLIER: Row = [!0, !0, !0, !0, 0, 0, 0, 0];
/// All ones for the mover's sets.
pub(super) const MOVER: Row = [0, 0, 0, 0, !0, !0, !0, !0];

/// Eight positions.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct Batch {
    pub rows: [Row; 8],
    pub enemy_king: [u64; 8],
    /// Corner rooks that may castle with a king on e1.
    pub castling: [u64; 8],
    /// The slots of the counter to which the lanes' counts belong.
    pub slots: [u32; 8],
}

/// How many batches are filled before they are counted. When a batch is full cannot be foreseen by
/// the CPU, so this had better not matter each time.
pub(super) const SHELF: usize = 8;

/// The children that share a king square.
#[derive(Clone, Debug, Default)]
pub(super) struct Shelf {
    pub batches: [Batch; SHELF],
    /// How many children there are.
    pub len: usize,
}

/// The row of a node.
#[inline(always)]
pub(super) fn row(node: &Node) -> Row {
    let (m, r) = (&node.mover, &node.replier);
    [r.pawns, r.knights, r.diagonal, r.orthogonal, m.pawns, m.knights, m.diagonal, m.orthogonal]
}
