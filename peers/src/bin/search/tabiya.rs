//! The search on tabiya.
//!
//! The moves of a node come in stages, and the stages share the facts about the position. With
//! `LOOK`, a move after which the opponent stands pat is not played: the evaluation after it is
//! known, and `gives_check` answers the only other question.

use tabiya::movegen::{Captures, CheckFacts, Generator, Legal, Quiets};
use tabiya::order::{ScoredList, ScoredMove, Scorer};
use tabiya::{Move, Position, Role};

use crate::Searcher;
use crate::rules::{INFINITE, MATE, MAX_PLY, mvv_lva, order, worth};
use crate::table::{Bound, Table};

pub(crate) struct Search<const LOOK: bool> {
    table: Table<Move>,
    killers: [[Option<Move>; 2]; MAX_PLY],
    nodes: u64,
}

impl<const LOOK: bool> Searcher for Search<LOOK> {
    fn name(&self) -> &'static str {
        if LOOK { "tabiya-look" } else { "tabiya" }
    }

    fn reset(&mut self) {
        self.table.clear();
        self.killers = [[None; 2]; MAX_PLY];
        self.nodes = 0;
    }

    #[inline(never)]
    fn run(&mut self, fen: &str, depth: i32) -> (i32, u64) {
        let position = Position::from_fen(fen).expect("the positions are valid");
        let score = self.search(&position, balance(&position), depth, [-INFINITE, INFINITE], 0);
        (score, self.nodes)
    }
}

impl<const LOOK: bool> Search<LOOK> {
    pub(crate) fn new() -> Self {
        Self { table: Table::new(), killers: [[None; 2]; MAX_PLY], nodes: 0 }
    }

    /// `balance` is the evaluation from the point of view of the side to move.
    fn search(
        &mut self,
        position: &Position,
        balance: i32,
        depth: i32,
        [mut alpha, beta]: [i32; 2],
        ply: usize,
    ) -> i32 {
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiescence(position, balance, [alpha, beta], ply);
        }
        self.nodes += 1;
        let key = position.key();
        let known = self.table.get(key);
        if let Some(score) = known.and_then(|entry| entry.cutoff(depth, alpha, beta)) {
            return score;
        }
        let hash = known.and_then(|entry| entry.mv);
        let mut moves = Moves::new(position, hash, self.killers[ply]);
        let mut checks = None;
        let (mut best, mut best_move, begin) = (-INFINITE, None, alpha);
        while let Some(mv) = moves.next() {
            let after = balance + change(position, mv);
            let score = if depth == 1 && self.stands_pat(position, mv, after, alpha, &mut checks) {
                after
            } else {
                -self.search(&position.play(mv), -after, depth - 1, [-beta, -alpha], ply + 1)
            };
            if score > best {
                best = score;
                best_move = Some(mv);
                alpha = alpha.max(score);
                if score >= beta {
                    let killers = &mut self.killers[ply];
                    if !is_tactical(mv) && killers[0] != Some(mv) {
                        *killers = [Some(mv), killers[0]];
                    }
                    break;
                }
            }
        }
        if best_move.is_none() {
            return if moves.generator.facts().is_check() { -MATE + ply as i32 } else { 0 };
        }
        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best > begin => Bound::Exact,
            _ => Bound::Upper,
        };
        self.table.put(key, best_move, best, depth, bound);
        best
    }

    fn quiescence(
        &mut self,
        position: &Position,
        balance: i32,
        [mut alpha, beta]: [i32; 2],
        ply: usize,
    ) -> i32 {
        self.nodes += 1;
        if ply >= MAX_PLY {
            return balance;
        }
        let generator = position.generator();
        let mut list = ScoredList::new();
        let mut best = -MATE + ply as i32;
        if generator.facts().is_check() {
            list.refill_with::<Legal>(&generator, &AnyOrder);
        } else {
            best = balance;
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
            list.refill_with::<Captures>(&generator, &TacticalOrder);
        }
        let mut checks = None;
        while let Some(ScoredMove { mv, .. }) = list.pop_best() {
            let after = balance + change(position, mv);
            let score = if self.stands_pat(position, mv, after, alpha, &mut checks) {
                after
            } else {
                -self.quiescence(&position.play(mv), -after, [-beta, -alpha], ply + 1)
            };
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

    /// Does the opponent stand pat after this move, which leads to a node of quiescence? `after` is
    /// the balance after the move, for the side that makes it. The node is counted.
    #[inline(always)]
    fn stands_pat(
        &mut self,
        position: &Position,
        mv: Move,
        after: i32,
        alpha: i32,
        checks: &mut Option<CheckFacts>,
    ) -> bool {
        if !LOOK || after > alpha {
            return false;
        }
        let checks = checks.get_or_insert_with(|| CheckFacts::of(position));
        let stands_pat = !checks.gives_check(position, mv);
        self.nodes += u64::from(stands_pat);
        stands_pat
    }
}

/// The evaluation from the point of view of the side to move.
fn balance(position: &Position) -> i32 {
    let worth = |(square, piece): (tabiya::Square, tabiya::Piece)| {
        let worth = worth(piece.color as usize, piece.role as usize, square as usize);
        if piece.color == position.turn() { worth } else { -worth }
    };
    position.board().iter().map(worth).sum()
}

/// The change that a move makes to the evaluation of its side.
#[inline(always)]
fn change(position: &Position, mv: Move) -> i32 {
    let mut change = gain(position, position.role_of(mv), mv);
    if let Some(victim) = position.captured_by(mv) {
        let to = mv.to() as usize;
        let square = if mv.is_en_passant() { to ^ 8 } else { to };
        change += worth(!position.turn() as usize, victim as usize, square);
    }
    change
}

/// The change that a move makes to the evaluation, without the captured piece.
#[inline(always)]
fn gain(position: &Position, role: Role, mv: Move) -> i32 {
    let us = position.turn();
    let (from, to) = (mv.from() as usize, mv.to() as usize);
    let lands = mv.promotion().unwrap_or(role);
    let mut gain = worth(us as usize, lands as usize, to) - worth(us as usize, role as usize, from);
    if let Some(side) = mv.castling()
        && let Some(rook) = position.castling_rights().rook(us, side, mv.from())
    {
        let rook_worth = |square| worth(us as usize, Role::Rook as usize, square);
        gain += rook_worth(side.rook_target(us) as usize) - rook_worth(rook as usize);
    }
    gain
}

/// Is it a capture or a promotion to a queen? Captures that promote to another role are not. These
/// are the moves of the kind [`Captures`].
#[inline(always)]
fn is_tactical(mv: Move) -> bool {
    mv.promotion() == Some(Role::Queen) || mv.is_capture() && !mv.is_promotion()
}

#[inline(always)]
fn with_value(value: i32, mv: Move) -> i32 {
    let promotion = mv.promotion().map_or(0, |role| role as usize);
    order(value, mv.from() as usize, mv.to() as usize, promotion)
}

/// The order of captures and promotions to a queen.
struct TacticalOrder;

impl Scorer for TacticalOrder {
    #[inline(always)]
    fn score(&self, position: &Position, role: Role, mv: Move) -> i32 {
        let victim = position.captured_by(mv).map(|role| role as usize);
        with_value(mvv_lva(victim, role as usize, mv.is_promotion()), mv)
    }
}

/// The order of the other moves.
struct QuietOrder;

impl Scorer for QuietOrder {
    #[inline(always)]
    fn score(&self, position: &Position, role: Role, mv: Move) -> i32 {
        with_value(gain(position, role, mv), mv)
    }
}

/// The order of all moves.
struct AnyOrder;

impl Scorer for AnyOrder {
    #[inline(always)]
    fn score(&self, position: &Position, role: Role, mv: Move) -> i32 {
        match is_tactical(mv) {
            true => TacticalOrder.score(position, role, mv),
            false => QuietOrder.score(position, role, mv),
        }
    }
}

#[derive(Clone, Copy)]
enum Stage {
    Hash,
    ListCaptures,
    Captures,
    Killers(usize),
    ListQuiets,
    Quiets,
}

/// The moves of a node in their order. Each stage is generated when it is reached.
struct Moves<'a> {
    generator: Generator<'a>,
    stage: Stage,
    hash: Option<Move>,
    killers: [Option<Move>; 2],
    list: ScoredList,
}

impl<'a> Moves<'a> {
    #[inline(always)]
    fn new(position: &'a Position, hash: Option<Move>, killers: [Option<Move>; 2]) -> Self {
        let generator = position.generator();
        Self { generator, stage: Stage::Hash, hash, killers, list: ScoredList::new() }
    }

    fn next(&mut self) -> Option<Move> {
        let Self { generator, list, .. } = self;
        loop {
            match self.stage {
                Stage::Hash => {
                    self.stage = Stage::ListCaptures;
                    if let Some(mv) = self.hash
                        && generator.contains::<Legal>(mv)
                    {
                        return Some(mv);
                    }
                }
                Stage::ListCaptures => {
                    list.refill_with::<Captures>(generator, &TacticalOrder);
                    self.stage = Stage::Captures;
                }
                Stage::Captures => match list.pop_best() {
                    Some(scored) if self.hash == Some(scored.mv) => {}
                    Some(scored) => return Some(scored.mv),
                    None => self.stage = Stage::Killers(0),
                },
                Stage::Killers(index) => match self.killers.get(index) {
                    Some(&killer) => {
                        self.stage = Stage::Killers(index + 1);
                        if let Some(mv) = killer
                            && killer != self.hash
                            && generator.contains::<Quiets>(mv)
                        {
                            return killer;
                        }
                    }
                    None => self.stage = Stage::ListQuiets,
                },
                Stage::ListQuiets => {
                    list.refill_with::<Quiets>(generator, &QuietOrder);
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    let mv = list.pop_best()?.mv;
                    if self.hash != Some(mv) && !self.killers.contains(&Some(mv)) {
                        return Some(mv);
                    }
                }
            }
        }
    }
}
