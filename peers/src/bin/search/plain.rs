//! The search on tabiya: all moves in one scored list.
use tabiya::{Color, Move, Position, Role, movegen::{Captures, Legal}, order::ScoredList};
use crate::common::*;

pub(crate) struct Search { table: Table<Move>, killers: [[Option<Move>; 2]; MAX_PLY], pub(crate) nodes: u64 }

#[derive(Clone)]
pub(crate) struct Node { pub(crate) position: Position, pub(crate) balance: i32 }

#[inline(always)]
pub(crate) fn victim(position: &Position, mv: Move) -> Option<Role> {
    if mv.is_en_passant() { Some(Role::Pawn) } else if mv.is_capture() { position.board().role_on(mv.to()) } else { None }
}
#[inline(always)]
pub(crate) fn gain(us: Color, role: Role, mv: Move, position: &Position) -> i32 {
    let us_ = us as usize;
    let (from, to) = (mv.from() as usize, mv.to() as usize);
    let lands = mv.promotion().unwrap_or(role);
    let mut gain = worth(us_, lands as usize, to) - worth(us_, role as usize, from);
    if let Some(side) = mv.castling() {
        let rook = position.castling_rights().rook(us, side, mv.from()).unwrap();
        gain += worth(us_, 3, side.rook_target(us) as usize) - worth(us_, 3, rook as usize);
    }
    gain
}
#[inline(always)]
pub(crate) fn tie(value: i32, mv: Move) -> i32 { order(value, mv.from() as usize, mv.to() as usize, mv.promotion().map_or(0, |p| p as usize)) }
#[inline(always)]
pub(crate) fn is_tactical(mv: Move) -> bool { mv.promotion() == Some(Role::Queen) || (mv.is_capture() && !mv.is_promotion()) }
#[inline(always)]
pub(crate) fn capture_value(position: &Position, role: Role, mv: Move) -> i32 {
    CAPTURE + mvv_lva(victim(position, mv).map(|v| v as usize), role as usize, mv.is_promotion())
}

impl Node {
    pub(crate) fn of(fen: &str) -> Self {
        let position = Position::from_fen(fen).unwrap();
        let balance = position.board().iter().map(|(square, piece)| {
            let worth = worth(piece.color as usize, piece.role as usize, square as usize);
            if piece.color == Color::White { worth } else { -worth }
        }).sum();
        Self { position, balance }
    }
    #[inline(always)]
    pub(crate) fn eval(&self) -> i32 { if self.position.turn() == Color::White { self.balance } else { -self.balance } }
    #[inline(always)]
    pub(crate) fn play(&self, mv: Move) -> Self {
        let position = &self.position;
        let us = position.turn();
        let role = position.board().role_on(mv.from()).unwrap();
        let mut gain = gain(us, role, mv, position);
        if let Some(victim) = victim(position, mv) {
            let square = if mv.is_en_passant() { mv.to() as usize ^ 8 } else { mv.to() as usize };
            gain += worth(1 - us as usize, victim as usize, square);
        }
        Self { position: position.play(mv), balance: self.balance + if us == Color::White { gain } else { -gain } }
    }
}

impl Search {
    pub(crate) fn new() -> Self { Self { table: Table::new(), killers: [[None; 2]; MAX_PLY], nodes: 0 } }
    pub(crate) fn run(&mut self, fen: &str, depth: i32) -> i32 { self.search(&Node::of(fen), depth, -INFINITE, INFINITE, 0) }

    fn search(&mut self, node: &Node, depth: i32, mut alpha: i32, beta: i32, ply: usize) -> i32 {
        if depth <= 0 || ply >= MAX_PLY { return self.quiescence(node, alpha, beta, ply); }
        self.nodes += 1;
        let position = &node.position;
        let key = position.key();
        let known = self.table.get(key);
        if let Some(entry) = known && i32::from(entry.depth) >= depth {
            let score = i32::from(entry.score);
            match entry.bound {
                Bound::Exact => return score,
                Bound::Lower if score >= beta => return score,
                Bound::Upper if score <= alpha => return score,
                _ => {}
            }
        }
        let hash = known.and_then(|entry| entry.mv);
        let killers = self.killers[ply];
        let us = position.turn();
        let mut list = ScoredList::of::<Legal>(position, &|position: &Position, role: Role, mv: Move| {
            let value = if Some(mv) == hash { 16000 }
                else if is_tactical(mv) { capture_value(position, role, mv) }
                else if killers[0] == Some(mv) { KILLER + 1 } else if killers[1] == Some(mv) { KILLER }
                else { gain(us, role, mv, position) };
            tie(value, mv)
        });
        if list.is_empty() { return if position.is_check() { -MATE + ply as i32 } else { 0 }; }
        let (mut best, mut best_move, begin) = (-INFINITE, None, alpha);
        while let Some(scored) = list.pop_best() {
            let mv = scored.mv;
            let score = -self.search(&node.play(mv), depth - 1, -beta, -alpha, ply + 1);
            if score > best {
                best = score; best_move = Some(mv);
                if score > alpha { alpha = score; }
                if score >= beta {
                    if !is_tactical(mv) && self.killers[ply][0] != Some(mv) { self.killers[ply] = [Some(mv), self.killers[ply][0]]; }
                    break;
                }
            }
        }
        let bound = if best >= beta { Bound::Lower } else if best > begin { Bound::Exact } else { Bound::Upper };
        self.table.put(key, best_move, best, depth, bound);
        best
    }

    fn quiescence(&mut self, node: &Node, mut alpha: i32, beta: i32, ply: usize) -> i32 {
        self.nodes += 1;
        let position = &node.position;
        let in_check = position.is_check();
        let mut best = -MATE + ply as i32;
        if !in_check || ply >= MAX_PLY {
            best = node.eval();
            if best >= beta || ply >= MAX_PLY { return best; }
            alpha = alpha.max(best);
        }
        let us = position.turn();
        let scorer = |position: &Position, role: Role, mv: Move| {
            let value = if is_tactical(mv) { capture_value(position, role, mv) } else { gain(us, role, mv, position) };
            tie(value, mv)
        };
        let mut list = if in_check { ScoredList::of::<Legal>(position, &scorer) } else { ScoredList::of::<Captures>(position, &scorer) };
        while let Some(scored) = list.pop_best() {
            let score = -self.quiescence(&node.play(scored.mv), -beta, -alpha, ply + 1);
            if score > best {
                best = score;
                if score > alpha { alpha = score; }
                if score >= beta { break; }
            }
        }
        best
    }
}
