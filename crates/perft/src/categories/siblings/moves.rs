//! The moves to the children of one node.

use tabiya::{Move, MoveKind, Position, Role, Square};

use super::found::{BLOCKS, Unsure};
use crate::node::Node;
use crate::node::rules;
use crate::node::tables::RAYS;

/// No square.
const NOWHERE: u8 = 64;

/// A node, and the moves to those of its children that are made by moving one piece.
#[derive(Debug)]
pub(crate) struct Siblings {
    pub(super) node: Node,
    /// The lines through the mover's king: file, row, rising and falling diagonal.
    pub(super) lines: [u64; 4],
    /// What turns a square of the position into one of the node.
    turn: u8,
    blocks: [EightMoves; BLOCKS],
    len: usize,
}

impl Default for Siblings {
    fn default() -> Self {
        Self {
            node: Node::default(),
            lines: [0; 4],
            turn: 0,
            blocks: [EightMoves::NONE; BLOCKS],
            len: 0,
        }
    }
}

/// Eight moves: the numbers of squares.
#[derive(Clone, Copy, Debug)]
pub(super) struct EightMoves {
    pub from: [u8; 8],
    pub to: [u8; 8],
    /// The other changes of promotions and castlings, by change and lane. Valid only if `changed`.
    pub changes: [[u8; 8]; 4],
    pub changed: bool,
}

impl EightMoves {
    /// Changes: a pawn becomes a knight; it becomes a slider, both kinds for a queen, or a rook
    /// arrives by castling; a rook leaves by castling.
    pub(super) const KNIGHT: usize = 0;
    pub(super) const DIAGONAL: usize = 1;
    pub(super) const ORTHOGONAL: usize = 2;
    pub(super) const ROOK_LEAVES: usize = 3;

    pub(super) const NONE: Self =
        Self { from: [NOWHERE; 8], to: [NOWHERE; 8], changes: [[NOWHERE; 8]; 4], changed: false };

    /// Writes a move into a lane.
    #[inline(always)]
    pub(super) fn put(&mut self, lane: usize, from: u8, to: u8) {
        self.from[lane % 8] = from;
        self.to[lane % 8] = to;
    }

    /// Writes the other changes of the move in a lane.
    #[inline(always)]
    pub(super) fn change(&mut self, lane: usize, changes: [u8; 4]) {
        if !self.changed {
            // The old ones belong to an earlier block.
            self.changes = [[NOWHERE; 8]; 4];
            self.changed = true;
        }
        for (squares, square) in self.changes.iter_mut().zip(changes) {
            squares[lane % 8] = square;
        }
    }

    /// The changes of the move in a lane.
    #[inline(always)]
    pub(super) fn changes(&self, lane: usize) -> [u8; 4] {
        let [a, b, c, d] = &self.changes;
        [a[lane % 8], b[lane % 8], c[lane % 8], d[lane % 8]]
    }

    /// Writes that the move in a lane promotes a pawn, on `to`.
    #[inline(always)]
    pub(super) fn promote(&mut self, lane: usize, to: u8, role: Role) {
        let to_if = |becomes: bool| if becomes { to } else { NOWHERE };
        self.change(
            lane,
            [
                to_if(role == Role::Knight),
                to_if(matches!(role, Role::Bishop | Role::Queen)),
                to_if(matches!(role, Role::Rook | Role::Queen)),
                NOWHERE,
            ],
        );
    }
}

impl Siblings {
    /// Begins with a position, without moves so far. Returns false if the side not to move may
    /// castle from other squares than in standard chess.
    #[inline(always)]
    pub(crate) fn begin(&mut self, position: &Position) -> bool {
        self.node = Node::of(position);
        let rays = &RAYS[self.node.mover.king.trailing_zeros() as usize & 63];
        self.lines = [rays[0] | rays[4], rays[1] | rays[5], rays[2] | rays[6], rays[3] | rays[7]];
        self.turn = Node::turn(position);
        self.len = 0;
        rules::orthodox(&self.node)
    }

    /// Adds the child after a move of one piece that keeps its role, after which no capture en
    /// passant is possible.
    #[inline(always)]
    pub(crate) fn push(&mut self, from: Square, to: Square) {
        let block = &mut self.blocks[self.len / 8 % BLOCKS];
        if self.len.is_multiple_of(8) {
            block.changed = false;
        }
        block.put(self.len, from as u8 ^ self.turn, to as u8 ^ self.turn);
        self.len += 1;
    }

    /// Adds the child after a promotion.
    #[inline(always)]
    pub(crate) fn push_promotion(&mut self, from: Square, to: Square, role: Role) {
        self.push(from, to);
        let last = self.len - 1;
        self.blocks[last / 8 % BLOCKS].promote(last, to as u8 ^ self.turn, role);
    }

    /// Adds the child after castling, given the squares of king and rook, each from and to. Both
    /// must move.
    #[inline(always)]
    pub(crate) fn push_castling(&mut self, king: [Square; 2], rook: [Square; 2]) {
        self.push(king[0], king[1]);
        let last = self.len - 1;
        let [from, to] = rook.map(|square| square as u8 ^ self.turn);
        self.blocks[last / 8 % BLOCKS].change(last, [NOWHERE, NOWHERE, to, from]);
    }

    /// Is there no room for another child? Positions that no game reaches may have so many.
    #[inline(always)]
    pub(crate) fn is_full(&self) -> bool {
        self.len == 8 * BLOCKS
    }

    /// Fills the last block with empty moves.
    #[inline(always)]
    pub(super) fn fill(&mut self) {
        if self.len.is_multiple_of(8) {
            return;
        }
        let block = &mut self.blocks[self.len / 8 % BLOCKS];
        for lane in self.len % 8..8 {
            block.put(lane, NOWHERE, NOWHERE);
        }
    }

    /// The moves, the last block filled.
    #[inline(always)]
    pub(super) fn blocks(&self) -> &[EightMoves] {
        &self.blocks[..self.len.div_ceil(8).min(BLOCKS)]
    }

    /// The lanes of a block that have a move.
    #[inline(always)]
    pub(super) fn used(&self, block: usize) -> u8 {
        ((1u16 << (self.len - 8 * block).min(8)) - 1) as u8
    }

    /// A square of the node, as it is in the position.
    fn square(&self, number: u8) -> Square {
        Square::from_index((number ^ self.turn) & 63).unwrap_or(Square::A1)
    }

    /// The position after the move to a sibling and a move of the sibling: perhaps mate.
    pub(crate) fn play(&self, position: &Position, unsure: &Unsure) -> Position {
        let sibling = position.play(self.move_to(position, unsure.sibling.into()));
        let (from, to) = (self.square(unsure.from), self.square(unsure.to));
        sibling.play(plain_move(&sibling, from, to))
    }

    /// The move to the sibling with this number.
    pub(crate) fn move_to(&self, position: &Position, number: usize) -> Move {
        let (moves, lane) = (&self.blocks[number / 8 % BLOCKS], number % 8);
        let (from, to) = (self.square(moves.from[lane]), self.square(moves.to[lane]));
        let changes = if moves.changed { moves.changes(lane) } else { [NOWHERE; 4] };
        let rook = changes[EightMoves::ROOK_LEAVES];
        if rook != NOWHERE {
            let king_side = self.square(rook).file() > from.file();
            let kind = if king_side { MoveKind::CastleKing } else { MoveKind::CastleQueen };
            return Move::new(from, to, kind);
        }
        let becomes = |change: usize| changes[change] != NOWHERE;
        let role = match (
            becomes(EightMoves::KNIGHT),
            becomes(EightMoves::DIAGONAL),
            becomes(EightMoves::ORTHOGONAL),
        ) {
            (false, false, false) => return plain_move(position, from, to),
            (true, ..) => Role::Knight,
            (_, true, true) => Role::Queen,
            (_, true, false) => Role::Bishop,
            (_, false, true) => Role::Rook,
        };
        let captures = position.board().occupied().has(to);
        let kind = MoveKind::promotion(role, captures).unwrap_or(MoveKind::Quiet);
        Move::new(from, to, kind)
    }
}

/// The move of a piece that keeps its role, if it is no castling and no capture en passant.
fn plain_move(position: &Position, from: Square, to: Square) -> Move {
    let board = position.board();
    let kind = if board.occupied().has(to) {
        MoveKind::Capture
    } else if board.role(Role::Pawn).has(from) && (from as u8).abs_diff(to as u8) == 16 {
        MoveKind::DoublePush
    } else {
        MoveKind::Quiet
    };
    Move::new(from, to, kind)
}
