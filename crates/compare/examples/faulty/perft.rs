//! Counting: perft and divide, optionally with a hash table.

use std::collections::HashMap;

use crate::board::{Board, Kind, Move, Role};
use crate::faults::{Fault, Faults};

/// The counter, which exists as long as the program runs.
#[derive(Debug, Default)]
pub(crate) struct Counter {
    /// The counts by key and depth; `None` without a hash table.
    table: Option<HashMap<(u64, u32), u64>>,
    /// The sum of the counts of earlier questions.
    before: u64,
}

/// The counts by root move, and the total.
pub(crate) type Divide = (Vec<(Move, u64)>, u64);

impl Counter {
    pub(crate) fn new(hash: bool, faults: Faults) -> Self {
        let keys = [
            Fault::KeyWithoutCastling,
            Fault::KeyWithoutDepth,
            Fault::KeyWithoutEp,
            Fault::KeyWithoutSide,
            Fault::KeyKnightAsBishop,
        ];
        let hash = hash || keys.into_iter().any(|fault| faults.has(fault));
        Self { table: hash.then(HashMap::new), before: 0 }
    }

    /// Forgets all earlier questions.
    pub(crate) fn forget(&mut self) {
        self.before = 0;
        self.table.iter_mut().for_each(HashMap::clear);
    }

    /// The leaf nodes below each move, and their sum.
    pub(crate) fn divide(&mut self, board: &mut Board, depth: u32) -> Divide {
        let moves = if depth == 0 { Vec::new() } else { board.legal_moves() };
        let mut counts = Vec::new();
        for mv in moves {
            let undo = board.make(mv);
            let count =
                self.perft(board, if board.has(Fault::DepthOff) { depth } else { depth - 1 });
            counts.push((mv, if board.has(Fault::SmallCounter) { count & 0xffff } else { count }));
            board.unmake(mv, undo);
        }
        let mut total = if depth == 0 { 1 } else { counts.iter().map(|(_, count)| count).sum() };
        if counts.is_empty() && depth > 0 && ends_as_one(board) {
            total = 1;
        }
        if board.has(Fault::TotalOff) {
            // The mistake: the loop that adds up the counts ends one move early.
            total -= counts.last().map_or(0, |(_, count)| *count);
        }
        if board.has(Fault::SmallCounter) {
            total &= 0xffff;
        }
        if board.has(Fault::CounterNotReset) {
            self.before += total;
            total = self.before;
        }
        (counts, total)
    }

    fn perft(&mut self, board: &mut Board, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let slot = (key(board), if board.has(Fault::KeyWithoutDepth) { 0 } else { depth });
        if let Some(count) = self.table.as_ref().and_then(|table| table.get(&slot)) {
            return *count;
        }
        let moves = board.legal_moves();
        let mut count = if moves.is_empty() && ends_as_one(board) {
            1
        } else if depth == 1 {
            leaves(board, &moves) as u64
        } else {
            let mut sum = 0;
            for index in 0..moves.len() {
                // Moves that are generated when they are needed depend on what the moves before
                // them have left.
                let left =
                    if board.has(Fault::UndoEpSquare) { &board.legal_moves() } else { &moves };
                let Some(&mv) = left.get(index) else { break };
                let undo = board.make(mv);
                sum += self.perft(board, depth - 1);
                board.unmake(mv, undo);
            }
            sum
        };
        if depth > 1 && board.has(Fault::InteriorNodes) {
            count += moves.len() as u64;
        }
        if let Some(table) = &mut self.table {
            table.insert(slot, count);
        }
        count
    }
}

/// The number of moves at the last ply, where they are counted and not made.
fn leaves(board: &Board, moves: &[Move]) -> usize {
    let pseudo_legal = || board.pseudo_legal_moves(&board.checkers());
    let ignores_check = board.has(Fault::LeafCheckIgnored) && !board.checkers().is_empty();
    if board.has(Fault::LeafPseudoLegal) || ignores_check {
        return pseudo_legal().len();
    }
    if board.has(Fault::LeafEpUnsafe) {
        let captures = pseudo_legal().into_iter().filter(|mv| mv.kind == Kind::EnPassant);
        return captures.count() + moves.iter().filter(|mv| mv.kind != Kind::EnPassant).count();
    }
    if board.has(Fault::LeafPromotionOnce) {
        let is_first = |mv: &&Move| mv.promotion.is_none_or(|role| role == Role::Queen);
        return moves.iter().filter(is_first).count();
    }
    moves.len()
}

fn ends_as_one(board: &Board) -> bool {
    board.has(Fault::StalemateCounts) && board.checkers().is_empty()
}

/// The key of a position: a mix of each square, the side to move, the rights and the en-passant
/// square.
pub(crate) fn key(board: &Board) -> u64 {
    let mut key = 0x9e37_79b9_7f4a_7c15_u64;
    let mut stir = |value: u64| {
        key = (key ^ value).wrapping_mul(0xff51_afd7_ed55_8ccd);
        key ^= key >> 32;
    };
    for square in &board.squares {
        let role = |role| match role {
            Role::Knight if board.has(Fault::KeyKnightAsBishop) => Role::Bishop,
            role => role,
        };
        stir(square.map_or(0, |piece| 1 + role(piece.role) as u64 * 2 + u64::from(piece.white)));
    }
    if !board.has(Fault::KeyWithoutSide) {
        stir(u64::from(board.white));
    }
    if !board.has(Fault::KeyWithoutCastling) {
        board
            .castling
            .iter()
            .flatten()
            .for_each(|rook| stir(rook.map_or(0, |square| 1 + square as u64)));
    }
    if !board.has(Fault::KeyWithoutEp) {
        stir(board.ep.map_or(0, |square| 1 + square as u64));
    }
    key
}
