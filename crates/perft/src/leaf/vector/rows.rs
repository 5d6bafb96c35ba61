//! Positions as rows of words: what the kernels load into lanes.

use crate::lanes::{Lanes, Row};
use crate::node::rules;
use crate::node::{Node, Side};

/// How many nodes wait until they are counted together.
pub(super) const NODES: usize = 64;
/// How many rows there are: the nodes', then those of odd children.
pub(super) const ROWS: usize = 128;

/// Positions, two rows to each.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Rows {
    /// The replier's pawns, knights, diagonal and orthogonal sliders, then the mover's.
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

    /// Makes a row of another one: the mover's pawn on a square has become a knight, a bishop, a rook.
    #[inline(always)]
    pub(super) fn promote(&mut self, row: usize, to: usize, pawn: u64, roles: [bool; 3]) {
        let mut pieces = self.pieces[row % ROWS];
        pieces[4] ^= pawn;
        for (set, is) in pieces[5..].iter_mut().zip(roles) {
            *set |= if is { pawn } else { 0 };
        }
        self.pieces[to % ROWS] = pieces;
        self.rest[to % ROWS] = self.rest[row % ROWS];
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
const EMPTY_ROW: u8 = ROWS as u8 - 1;
/// No square.
const NOWHERE: u8 = 64;
/// Begins the number of a direction where a slider moved: where it began is found in the lanes.
pub(super) const SLIDER: u8 = 128;

/// Children: each is a row after a move of one piece that keeps its role, in three small numbers.
#[derive(Clone, Debug)]
pub(crate) struct Children {
    /// The numbers of the rows.
    row: [u8; ROOM + 64],
    /// Where the moves begin: the number of a square, or [`SLIDER`] and a direction, or [`NOWHERE`]
    /// where the row is counted as it is.
    from: [u8; ROOM + 64],
    to: [u8; ROOM + 64],
    len: usize,
}

/// Eight children.
pub(super) struct EightChildren {
    pub row: [u8; 8],
    pub from: [u8; 8],
    pub to: [u8; 8],
}

impl Default for Children {
    fn default() -> Self {
        Self { row: [0; ROOM + 64], from: [0; ROOM + 64], to: [0; ROOM + 64], len: 0 }
    }
}

impl Children {
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Adds the children of a row after the moves to each of `targets`, which begin on the number
    /// of the target under a mask, plus `back`.
    #[inline(always)]
    pub(super) fn list<L: Lanes>(&mut self, row: u8, targets: u64, mask: u8, back: u8) {
        let at = self.len % ROOM;
        if let (Some(rows), Some(from), Some(to)) = (
            self.row[at..].first_chunk_mut(),
            self.from[at..].first_chunk_mut(),
            self.to[at..].first_chunk_mut(),
        ) {
            L::list(row, targets, mask, back, [rows, from, to]);
        }
        self.len = at + targets.count_ones() as usize;
    }

    /// Adds a row as it is.
    #[inline(always)]
    pub(super) fn push_row(&mut self, row: u8) {
        let at = self.len % ROOM;
        (self.row[at], self.from[at], self.to[at]) = (row, NOWHERE, NOWHERE);
        self.len = at + 1;
    }

    /// Fills the last block of eight.
    #[inline(always)]
    pub(super) fn fill(&mut self) {
        while !self.len.is_multiple_of(8) {
            self.push_row(EMPTY_ROW);
        }
    }

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// All children, eight at a time. The last eight must be filled.
    #[inline(always)]
    pub(super) fn blocks(&self) -> impl Iterator<Item = EightChildren> + '_ {
        (0..self.len / 8).map(
            #[inline(always)]
            |block| {
                let eight =
                    |all: &[u8; ROOM + 64]| *all[8 * block..].first_chunk().unwrap_or(&[0; 8]);
                EightChildren {
                    row: eight(&self.row),
                    from: eight(&self.from),
                    to: eight(&self.to),
                }
            },
        )
    }
}
