//! Positions as rows of words: what the kernels load into lanes.

use crate::leaf::node::{Node, Side};
use crate::leaf::rules;

/// The sets of a position but for the kings: the replier's pawns, knights, diagonal and orthogonal
/// sliders, then the mover's.
pub(super) type Row = [u64; 8];

/// How many nodes wait until they are counted together.
pub(super) const NODES: usize = 64;
/// How many rows there are: the nodes', then those of odd children.
pub(super) const ROWS: usize = 128;

/// Positions, two rows to each.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Rows {
    pub pieces: [Row; ROWS],
    /// The kings of mover and replier; the rooks that may castle; the square behind a pawn that has
    /// just made a double push; the replier's corner rooks that may castle with a king on e1; all
    /// of the first rank if the replier may castle otherwise; how many castlings it has then;
    /// nothing.
    pub rest: [Row; ROWS],
}

impl Default for Rows {
    fn default() -> Self {
        Self { pieces: [[0; 8]; ROWS], rest: [[0; 8]; ROWS] }
    }
}

impl Rows {
    #[inline(always)]
    pub(super) fn put(&mut self, at: usize, node: &Node) {
        let (mut orthodox, mut unorthodox, mut replies) = (node.castling & 0xff, 0, 0);
        if orthodox != 0 && !rules::orthodox(node) {
            (orthodox, unorthodox, replies) = (0, 0xff, rules::castling_replies(node));
        }
        let (m, r) = (&node.mover, &node.replier);
        self.pieces[at % ROWS] = [
            r.pawns,
            r.knights,
            r.diagonal,
            r.orthogonal,
            m.pawns,
            m.knights,
            m.diagonal,
            m.orthogonal,
        ];
        self.rest[at % ROWS] =
            [m.king, r.king, node.castling, node.en_passant, orthodox, unorthodox, replies, 0];
    }

    #[inline(always)]
    pub(super) fn mover_king(&self, at: usize) -> u64 {
        self.rest[at % ROWS][0]
    }

    /// How many castlings the replier has where king and rooks are not on the squares of the usual
    /// setup.
    #[inline(always)]
    pub(super) fn unorthodox_castlings(&self, at: usize) -> u64 {
        self.rest[at % ROWS][6]
    }

    /// The position again.
    pub(super) fn node(&self, at: usize) -> Node {
        let side = |[pawns, knights, diagonal, orthogonal]: [u64; 4], king| Side {
            pawns,
            knights,
            diagonal,
            orthogonal,
            king,
        };
        let [a, b, c, d, e, f, g, h] = self.pieces[at % ROWS];
        let [mover_king, replier_king, castling, en_passant, ..] = self.rest[at % ROWS];
        Node {
            mover: side([e, f, g, h], mover_king),
            replier: side([a, b, c, d], replier_king),
            castling,
            en_passant,
        }
    }
}

/// How many children wait at most.
pub(super) const ROOM: usize = 4096;
/// A row without pieces: padding, without moves.
pub(super) const EMPTY_ROW: u8 = ROWS as u8 - 1;
/// No square.
pub(super) const NOWHERE: u8 = 64;

/// Children: each is a row after a move of one piece that keeps its role.
#[derive(Clone, Debug)]
pub(crate) struct Children {
    blocks: [Block; ROOM / 8],
    len: usize,
}

/// Eight children.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Block {
    /// The numbers of the rows.
    pub row: [u8; 8],
    /// The squares of the moves; [`NOWHERE`] where the row is counted as it is.
    pub from: [u8; 8],
    pub to: [u8; 8],
}

impl Default for Children {
    fn default() -> Self {
        Self { blocks: [Block::default(); ROOM / 8], len: 0 }
    }
}

impl Children {
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub(super) fn push(&mut self, row: u8, from: u8, to: u8) {
        let at = self.len % ROOM;
        let block = &mut self.blocks[at / 8];
        block.row[at % 8] = row;
        block.from[at % 8] = from;
        block.to[at % 8] = to;
        self.len = at + 1;
    }

    /// Fills the last block.
    #[inline(always)]
    pub(super) fn fill(&mut self) {
        while !self.len.is_multiple_of(8) {
            self.push(EMPTY_ROW, NOWHERE, NOWHERE);
        }
    }

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// All blocks. The last one must be filled.
    #[inline(always)]
    pub(super) fn blocks(&self) -> &[Block] {
        &self.blocks[..self.len / 8]
    }
}
