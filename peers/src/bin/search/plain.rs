//! The search on tabiya: all moves in one scored list.
use tabiya::movegen::{Captures, Legal, Quiets};
use tabiya::order::{ScoredList, ScoredMove, Scorer};
use tabiya::{Color, Legality, Move, Position, Role};

use crate::common::*;

pub(crate) struct Search { table: Table<Move>, killers: [[Option<Move>; 2]; MAX_PLY], pub(crate) nodes: u64 }

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
    CAPTURE + mvv_lva(position.captured_by(mv).map(|v| v as usize), role as usize, mv.is_promotion())
}

/// The balance of the evaluation, from the point of view of the side to move.
fn balance(position: &Position) -> i32 {
    position.board().iter().map(|(square, piece)| {
        let worth = worth(piece.color as usize, piece.role as usize, square as usize);
        if piece.color == position.turn() { worth } else { -worth }
    }).sum()
}

/// What a move adds to the balance of the side that makes it.
#[inline(always)]
fn change(position: &Position, mv: Move) -> i32 {
    let us = position.turn();
    let mut change = gain(us, position.role_of(mv), mv, position);
    if let Some(victim) = position.captured_by(mv) {
        let square = if mv.is_en_passant() { mv.to() as usize ^ 8 } else { mv.to() as usize };
        change += worth(!us as usize, victim as usize, square);
    }
    change
}

impl Search {
    pub(crate) fn new() -> Self { Self { table: Table::new(), killers: [[None; 2]; MAX_PLY], nodes: 0 } }
    pub(crate) fn clear(&mut self) { self.table.clear(); self.killers = [[None; 2]; MAX_PLY]; self.nodes = 0; }
    #[inline(never)]
    pub(crate) fn run(&mut self, fen: &str, depth: i32) -> i32 { let position = Position::from_fen(fen).unwrap(); self.search(&position, balance(&position), depth, -INFINITE, INFINITE, 0) }

    fn search(&mut self, position: &Position, balance: i32, depth: i32, mut alpha: i32, beta: i32, ply: usize) -> i32 {
        if depth <= 0 || ply >= MAX_PLY { return self.quiescence(position, balance, alpha, beta, ply); }
        self.nodes += 1;
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
        let mut moves = Moves::new(position, known.and_then(|entry| entry.mv), self.killers[ply]);
        let (mut best, mut best_move, begin) = (-INFINITE, None, alpha);
        while let Some(mv) = moves.next(position) {
            let after = -(balance + change(position, mv));
            let score = -self.search(&position.play(mv), after, depth - 1, -beta, -alpha, ply + 1);
            if score > best {
                best = score;
                best_move = Some(mv);
                alpha = alpha.max(score);
                if score >= beta {
                    if !is_tactical(mv) && self.killers[ply][0] != Some(mv) {
                        self.killers[ply] = [Some(mv), self.killers[ply][0]];
                    }
                    break;
                }
            }
        }
        if best_move.is_none() {
            return if moves.facts.is_check() { -MATE + ply as i32 } else { 0 };
        }
        let bound = if best >= beta { Bound::Lower } else if best > begin { Bound::Exact } else { Bound::Upper };
        self.table.put(key, best_move, best, depth, bound);
        best
    }

    fn quiescence(&mut self, position: &Position, balance: i32, mut alpha: i32, beta: i32, ply: usize) -> i32 {
        self.nodes += 1;
        if ply >= MAX_PLY {
            return balance;
        }
        let facts = position.legality();
        let mut best = -MATE + ply as i32;
        if !facts.is_check() {
            best = balance;
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }
        let mut list = ScoredList::new();
        if facts.is_check() {
            list.refill_from::<Legal>(position, &facts, &Value);
        } else {
            list.refill_from::<Captures>(position, &facts, &TacticalValue);
        }
        while let Some(ScoredMove { mv, .. }) = list.pop_best() {
            let after = -(balance + change(position, mv));
            let score = -self.quiescence(&position.play(mv), after, -beta, -alpha, ply + 1);
            if score > best {
                best = score;
                alpha = alpha.max(score);
                if score >= beta {
                    break;
                }
            }
        }
        best
    }
}

/// The order of captures and promotions to a queen.
struct TacticalValue;

impl Scorer for TacticalValue {
    #[inline(always)]
    fn score(&self, position: &Position, role: Role, mv: Move) -> i32 {
        tie(capture_value(position, role, mv), mv)
    }
}

/// The order of the other moves.
struct QuietValue;

impl Scorer for QuietValue {
    #[inline(always)]
    fn score(&self, position: &Position, role: Role, mv: Move) -> i32 {
        tie(gain(position.turn(), role, mv, position), mv)
    }
}

/// The order of all moves.
struct Value;

impl Scorer for Value {
    #[inline(always)]
    fn score(&self, position: &Position, role: Role, mv: Move) -> i32 {
        if is_tactical(mv) {
            TacticalValue.score(position, role, mv)
        } else {
            QuietValue.score(position, role, mv)
        }
    }
}

#[derive(Clone, Copy)]
enum Stage { Hash, ListCaptures, Captures, Killers(usize), ListQuiets, Quiets }

/// The moves of a node in their order. Each stage is generated when it is reached.
struct Moves {
    facts: Legality,
    stage: Stage,
    hash: Option<Move>,
    killers: [Option<Move>; 2],
    list: ScoredList,
}

impl Moves {
    #[inline(always)]
    fn new(position: &Position, hash: Option<Move>, killers: [Option<Move>; 2]) -> Self {
        Self { facts: position.legality(), stage: Stage::Hash, hash, killers, list: ScoredList::new() }
    }

    fn next(&mut self, position: &Position) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Hash => {
                    self.stage = Stage::ListCaptures;
                    if let Some(mv) = self.hash && position.is_of_from::<Legal>(&self.facts, mv) {
                        return Some(mv);
                    }
                }
                Stage::ListCaptures => {
                    self.list.refill_from::<Captures>(position, &self.facts, &TacticalValue);
                    self.stage = Stage::Captures;
                }
                Stage::Captures => match self.list.pop_best() {
                    Some(scored) if Some(scored.mv) != self.hash => return Some(scored.mv),
                    Some(_) => {}
                    None => self.stage = Stage::Killers(0),
                },
                Stage::Killers(index) => match self.killers.get(index) {
                    Some(&killer) => {
                        self.stage = Stage::Killers(index + 1);
                        if let Some(mv) = killer && killer != self.hash && position.is_of_from::<Quiets>(&self.facts, mv) {
                            return killer;
                        }
                    }
                    None => self.stage = Stage::ListQuiets,
                },
                Stage::ListQuiets => {
                    self.list.refill_from::<Quiets>(position, &self.facts, &QuietValue);
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.list.pop_best()?.mv {
                    mv if Some(mv) == self.hash || self.killers.contains(&Some(mv)) => {}
                    mv => return Some(mv),
                },
            }
        }
    }
}
