//! A tree in which every distinct position of a ply occurs once.
//!
//! The nodes at some early ply, the *roots*, are kept as packed positions. For each later ply there
//! is one bit for each legal move of the nodes before: does it lead to a node? Of all moves that
//! lead to the same position, one does. So a position takes about three bits. The nodes are found
//! again by walking through the tree, which costs little: every node has many children.
//!
//! The order of the bits is that of the walk: depth first, the moves in the order of the generator.
//! The roots are divided into chunks, and each chunk has bits of its own, so that threads can walk
//! through different chunks.

use std::ops::Range;

use tabiya::CastlingMode;
use tabiya::packed::PackedIdentity;

use super::bits::Bits;

/// The roots are divided into about this many chunks.
const CHUNKS: usize = 4096;

/// The nodes up to some ply.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) mode: CastlingMode,
    pub(super) roots: Vec<PackedIdentity>,
    /// The plies after the roots.
    pub(super) plies: Vec<TreePly>,
}

/// Which moves of the nodes before lead to a node.
#[derive(Debug, Default)]
pub(super) struct TreePly {
    pub(super) chunks: Vec<Bits>,
    /// How many nodes there are.
    pub(super) nodes: u64,
    /// How many moves the nodes before have.
    pub(super) moves: u64,
}

impl Tree {
    pub(super) fn chunks(&self) -> usize {
        self.roots.len().div_ceil(self.chunk_len())
    }

    fn chunk_len(&self) -> usize {
        self.roots.len().div_ceil(CHUNKS).max(1)
    }

    pub(super) fn roots_of(&self, chunk: usize) -> Range<usize> {
        let len = self.chunk_len();
        chunk * len..((chunk + 1) * len).min(self.roots.len())
    }

    /// The bytes of memory that the tree uses.
    pub(super) fn bytes(&self) -> u64 {
        let bits: u64 = self.plies.iter().flat_map(|ply| &ply.chunks).map(Bits::bytes).sum();
        size_of_val(&self.roots[..]) as u64 + bits
    }
}
