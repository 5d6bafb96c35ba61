//! The search on cozy-chess.
use cozy_chess::{BitBoard, Board, Color, Move, Piece, PieceMoves, Rank, Square};
use crate::common::*;

pub(crate) struct Search { table: Table<Move>, killers: [[Option<Move>; 2]; MAX_PLY], pub(crate) nodes: u64 }

/// The board of a node.
struct Node { board: Board }

struct Listed { mv: Move, order: i32 }

struct List { moves: [std::mem::MaybeUninit<Listed>; 218], len: usize }
impl List {
    fn new() -> Self { Self { moves: [const { std::mem::MaybeUninit::uninit() }; 218], len: 0 } }
    #[inline(always)]
    fn push(&mut self, listed: Listed) { self.moves[self.len].write(listed); self.len += 1; }
    #[inline(always)]
    fn slice(&mut self) -> &mut [Listed] { unsafe { std::slice::from_raw_parts_mut(self.moves.as_mut_ptr().cast(), self.len) } }
    #[inline(always)]
    fn pop_best(&mut self) -> Option<Move> {
        let slice = self.slice();
        let mut best = 0;
        let mut order = slice.first()?.order;
        for (at, listed) in slice.iter().enumerate().skip(1) {
            best = if listed.order > order { at } else { best };
            order = order.max(listed.order);
        }
        let mv = slice[best].mv;
        let last = self.len - 1;
        self.slice().swap(best, last);
        self.len = last;
        Some(mv)
    }
}

impl Node {
    fn of(fen: &str) -> Self { Self { board: Board::from_fen(fen, false).unwrap() } }

    /// The balance of the evaluation, from the point of view of the side to move.
    fn balance(&self) -> i32 {
        let mut balance = 0;
        for color in [Color::White, Color::Black] { for role in Piece::ALL { for square in self.board.colored_pieces(color, role) {
            let worth = worth(color as usize, role as usize, square as usize);
            balance += if color == self.board.side_to_move() { worth } else { -worth };
        } } }
        balance
    }

    /// What a move captures. Castling is king takes own rook.
    #[inline(always)]
    fn victim(&self, role: Piece, mv: Move) -> Option<Piece> {
        if self.board.colors(!self.board.side_to_move()).has(mv.to) { self.board.piece_on(mv.to) }
        else if role == Piece::Pawn && mv.from.file() != mv.to.file() { Some(Piece::Pawn) }
        else { None }
    }
    #[inline(always)]
    fn is_castling(&self, role: Piece, mv: Move) -> bool { role == Piece::King && self.board.colors(self.board.side_to_move()).has(mv.to) }

    #[inline(always)]
    fn gain(&self, role: Piece, mv: Move) -> i32 {
        let us = self.board.side_to_move() as usize;
        if self.is_castling(role, mv) {
            let rank = mv.from as usize & 56;
            let (k, r) = if mv.to > mv.from { (6, 5) } else { (2, 3) };
            return worth(us, 5, rank | k) - worth(us, 5, mv.from as usize) + worth(us, 3, rank | r) - worth(us, 3, mv.to as usize);
        }
        let lands = mv.promotion.unwrap_or(role);
        worth(us, lands as usize, mv.to as usize) - worth(us, role as usize, mv.from as usize)
    }
    /// What a move adds to the balance of the side that makes it.
    #[inline(always)]
    fn change(&self, mv: Move) -> i32 {
        let role = self.board.piece_on(mv.from).unwrap();
        let us = self.board.side_to_move() as usize;
        let mut change = self.gain(role, mv);
        if let Some(victim) = self.victim(role, mv) {
            let square = if self.board.colors(!self.board.side_to_move()).has(mv.to) { mv.to as usize } else { mv.to as usize ^ 8 };
            change += worth(1 - us, victim as usize, square);
        }
        change
    }
    #[inline(always)]
    fn play(&self, mv: Move) -> Self {
        let mut board = self.board.clone();
        board.play_unchecked(mv);
        Self { board }
    }
    /// The key, without an en-passant file that no pawn can use.
    #[inline(always)]
    fn key(&self) -> u64 {
        match self.board.en_passant() {
            Some(file) => {
                let us = self.board.side_to_move();
                let square = cozy_chess::Square::new(file, cozy_chess::Rank::Sixth.relative_to(us));
                let able = cozy_chess::get_pawn_attacks(square, !us) & self.board.colored_pieces(us, Piece::Pawn);
                if able.into_iter().any(|from| self.board.is_legal(Move { from, to: square, promotion: None })) { self.board.hash() } else { self.board.hash_without_ep() }
            }
            None => self.board.hash(),
        }
    }
}

impl Node {
    /// Where pawns capture or promote.
    #[inline(always)]
    fn pawn_targets(&self) -> BitBoard {
        let us = self.board.side_to_move();
        let en_passant = self.board.en_passant().map_or(BitBoard::EMPTY, |file| Square::new(file, Rank::Sixth.relative_to(us)).bitboard());
        self.board.colors(!us) | Rank::Eighth.relative_to(us).bitboard() | en_passant
    }
    /// Is it a capture or a promotion to a queen? Captures that promote to another role are not.
    #[inline(always)]
    fn is_tactical(&self, mv: Move) -> bool {
        mv.promotion == Some(Piece::Queen) || mv.promotion.is_none() && self.board.piece_on(mv.from).is_some_and(|role| self.victim(role, mv).is_some())
    }
    #[inline(always)]
    fn tactical_order(&self, role: Piece, mv: Move) -> i32 {
        let victim = self.victim(role, mv).map(|victim| victim as usize);
        order(CAPTURE + mvv_lva(victim, role as usize, mv.promotion.is_some()), mv.from as usize, mv.to as usize, mv.promotion.map_or(0, |p| p as usize))
    }
    #[inline(always)]
    fn quiet_order(&self, role: Piece, mv: Move) -> i32 {
        let (from, mut to) = (mv.from as usize, mv.to as usize);
        if self.is_castling(role, mv) { to = (from & 56) | if to > from { 6 } else { 2 }; }
        order(self.gain(role, mv), from, to, mv.promotion.map_or(0, |p| p as usize))
    }
}

#[derive(Clone, Copy)]
enum Stage { Hash, ListCaptures, Captures, Killers(usize), ListQuiets, Quiets }

/// The moves of a node in their order. The sets of the pieces are generated once and kept.
struct Moves {
    stage: Stage,
    hash: Option<Move>,
    killers: [Option<Move>; 2],
    sets: [std::mem::MaybeUninit<PieceMoves>; 18],
    set_count: usize,
    list: List,
}

impl Moves {
    #[inline(always)]
    fn new(hash: Option<Move>, killers: [Option<Move>; 2]) -> Self {
        Self { stage: Stage::Hash, hash, killers, sets: [const { std::mem::MaybeUninit::uninit() }; 18], set_count: 0, list: List::new() }
    }
    fn next(&mut self, node: &Node) -> Option<Move> {
        let board = &node.board;
        loop {
            match self.stage {
                Stage::Hash => {
                    self.stage = Stage::ListCaptures;
                    if let Some(mv) = self.hash && board.is_legal(mv) {
                        return Some(mv);
                    }
                }
                Stage::ListCaptures => {
                    self.list.len = 0;
                    let (sets, count) = (&mut self.sets, &mut self.set_count);
                    board.generate_moves(|set| {
                        sets[*count].write(set);
                        *count += 1;
                        false
                    });
                    let enemies = board.colors(!board.side_to_move());
                    let pawn_targets = node.pawn_targets();
                    for set in &self.sets[..self.set_count] {
                        // The first `set_count` are written.
                        let mut set = unsafe { set.assume_init() };
                        let role = set.piece;
                        set.to &= if role == Piece::Pawn { pawn_targets } else { enemies };
                        for mv in set {
                            if mv.promotion.is_none_or(|role| role == Piece::Queen) {
                                self.list.push(Listed { mv, order: node.tactical_order(role, mv) });
                            }
                        }
                    }
                    self.stage = Stage::Captures;
                }
                Stage::Captures => match self.list.pop_best() {
                    Some(mv) if Some(mv) != self.hash => return Some(mv),
                    Some(_) => {}
                    None => self.stage = Stage::Killers(0),
                },
                Stage::Killers(index) => match self.killers.get(index) {
                    Some(&killer) => {
                        self.stage = Stage::Killers(index + 1);
                        if let Some(mv) = killer && killer != self.hash && board.is_legal(mv) && !node.is_tactical(mv) {
                            return killer;
                        }
                    }
                    None => self.stage = Stage::ListQuiets,
                },
                Stage::ListQuiets => {
                    self.list.len = 0;
                    let enemies = board.colors(!board.side_to_move());
                    let pawn_targets = node.pawn_targets();
                    let promoting = Rank::Eighth.relative_to(board.side_to_move()).bitboard();
                    for set in &self.sets[..self.set_count] {
                        // The first `set_count` are written.
                        let mut set = unsafe { set.assume_init() };
                        let role = set.piece;
                        set.to &= if role == Piece::Pawn { !pawn_targets | promoting } else { !enemies };
                        for mv in set {
                            if mv.promotion != Some(Piece::Queen) {
                                self.list.push(Listed { mv, order: node.quiet_order(role, mv) });
                            }
                        }
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.list.pop_best()? {
                    mv if Some(mv) == self.hash || self.killers.contains(&Some(mv)) => {}
                    mv => return Some(mv),
                },
            }
        }
    }
}

impl Search {
    pub(crate) fn new() -> Self { Self { table: Table::new(), killers: [[None; 2]; MAX_PLY], nodes: 0 } }
    pub(crate) fn clear(&mut self) { self.table.clear(); self.killers = [[None; 2]; MAX_PLY]; self.nodes = 0; }
    #[inline(never)]
    pub(crate) fn run(&mut self, fen: &str, depth: i32) -> i32 {
        let node = Node::of(fen); self.search(&node, node.balance(), depth, -INFINITE, INFINITE, 0)
    }

    fn search(&mut self, node: &Node, balance: i32, depth: i32, mut alpha: i32, beta: i32, ply: usize) -> i32 {
        if depth <= 0 || ply >= MAX_PLY { return self.quiescence(node, balance, alpha, beta, ply); }
        self.nodes += 1;
        let key = node.key();
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
        let mut moves = Moves::new(hash, self.killers[ply]);
        let (mut best, mut best_move, begin) = (-INFINITE, None, alpha);
        while let Some(mv) = moves.next(node) {
            let after = -(balance + node.change(mv));
            let score = -self.search(&node.play(mv), after, depth - 1, -beta, -alpha, ply + 1);
            if score > best {
                best = score;
                best_move = Some(mv);
                alpha = alpha.max(score);
                if score >= beta {
                    if !node.is_tactical(mv) && self.killers[ply][0] != Some(mv) {
                        self.killers[ply] = [Some(mv), self.killers[ply][0]];
                    }
                    break;
                }
            }
        }
        if best_move.is_none() {
            return if node.board.checkers().is_empty() { 0 } else { -MATE + ply as i32 };
        }
        let bound = if best >= beta { Bound::Lower } else if best > begin { Bound::Exact } else { Bound::Upper };
        self.table.put(key, best_move, best, depth, bound);
        best
    }

    fn quiescence(&mut self, node: &Node, balance: i32, mut alpha: i32, beta: i32, ply: usize) -> i32 {
        self.nodes += 1;
        let in_check = !node.board.checkers().is_empty();
        let mut best = -MATE + ply as i32;
        if !in_check || ply >= MAX_PLY {
            best = balance;
            if best >= beta || ply >= MAX_PLY { return best; }
            alpha = alpha.max(best);
        }
        let mut list = List::new();
        let enemies = node.board.colors(!node.board.side_to_move());
        let pawn_targets = node.pawn_targets();
        node.board.generate_moves(|mut set| {
            let role = set.piece;
            if !in_check { set.to &= if role == Piece::Pawn { pawn_targets } else { enemies }; }
            for mv in set {
                if !in_check && mv.promotion.is_some_and(|p| p != Piece::Queen) { continue; }
                let victim = node.victim(role, mv);
                let queens = mv.promotion == Some(Piece::Queen);
                let tactical = (victim.is_some() && mv.promotion.is_none()) || queens;
                let value = if tactical { CAPTURE + mvv_lva(victim.map(|v| v as usize), role as usize, queens) } else { node.gain(role, mv) };
                list.push(Listed { mv, order: order(value, mv.from as usize, mv.to as usize, mv.promotion.map_or(0, |p| p as usize)) });
            }
            false
        });
        while let Some(mv) = list.pop_best() {
            let after = -(balance + node.change(mv));
            let score = -self.quiescence(&node.play(mv), after, -beta, -alpha, ply + 1);
            if score > best {
                best = score;
                if score > alpha { alpha = score; }
                if score >= beta { break; }
            }
        }
        best
    }
}
