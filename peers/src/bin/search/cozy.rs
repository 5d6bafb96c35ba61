//! The search on cozy-chess.
//!
//! Its generator returns a set of targets for each piece. A node of the search generates these sets
//! once and keeps them, and the stages take their moves from them.

use cozy_chess::get_pawn_attacks;
use cozy_chess::{BitBoard, Board, Color, Move, Piece, PieceMoves, Rank, Square};

use crate::Searcher;
use crate::rules::{INFINITE, MATE, MAX_PLY, mvv_lva, order, worth};
use crate::table::{Bound, Table};

pub(crate) struct Search {
    table: Table<Move>,
    killers: [[Option<Move>; 2]; MAX_PLY],
    nodes: u64,
}

impl Searcher for Search {
    fn name(&self) -> &'static str {
        "cozy-chess"
    }

    fn reset(&mut self) {
        self.table.clear();
        self.killers = [[None; 2]; MAX_PLY];
        self.nodes = 0;
    }

    #[inline(never)]
    fn run(&mut self, fen: &str, depth: i32) -> (i32, u64) {
        let board = Board::from_fen(fen, false).expect("the positions are valid");
        let score = self.search(&board, balance(&board), depth, [-INFINITE, INFINITE], 0);
        (score, self.nodes)
    }
}

impl Search {
    pub(crate) fn new() -> Self {
        Self { table: Table::new(), killers: [[None; 2]; MAX_PLY], nodes: 0 }
    }

    /// `balance` is the evaluation from the point of view of the side to move.
    fn search(
        &mut self,
        board: &Board,
        balance: i32,
        depth: i32,
        [mut alpha, beta]: [i32; 2],
        ply: usize,
    ) -> i32 {
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiescence(board, balance, [alpha, beta], ply);
        }
        self.nodes += 1;
        let key = key(board);
        let known = self.table.get(key);
        if let Some(score) = known.and_then(|entry| entry.cutoff(depth, alpha, beta)) {
            return score;
        }
        let mut moves = Moves::new(known.and_then(|entry| entry.mv), self.killers[ply]);
        let (mut best, mut best_move, begin) = (-INFINITE, None, alpha);
        while let Some(mv) = moves.next(board) {
            let after = balance + change(board, mv);
            let child = play(board, mv);
            let score = -self.search(&child, -after, depth - 1, [-beta, -alpha], ply + 1);
            if score > best {
                best = score;
                best_move = Some(mv);
                alpha = alpha.max(score);
                if score >= beta {
                    let killers = &mut self.killers[ply];
                    if killers[0] != Some(mv) && !is_tactical(board, mv) {
                        *killers = [Some(mv), killers[0]];
                    }
                    break;
                }
            }
        }
        if best_move.is_none() {
            return if board.checkers().is_empty() { 0 } else { -MATE + ply as i32 };
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
        board: &Board,
        balance: i32,
        [mut alpha, beta]: [i32; 2],
        ply: usize,
    ) -> i32 {
        self.nodes += 1;
        if ply >= MAX_PLY {
            return balance;
        }
        let in_check = !board.checkers().is_empty();
        let mut best = -MATE + ply as i32;
        if !in_check {
            best = balance;
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }
        let mut list = List::new();
        if in_check {
            board.generate_moves(|set| {
                let role = set.piece;
                for mv in set {
                    let order = match is_tactical(board, mv) {
                        true => tactical_order(board, role, mv),
                        false => quiet_order(board, role, mv),
                    };
                    list.push(mv, order);
                }
                false
            });
        } else {
            let targets = TacticalTargets::of(board);
            board.generate_moves(|set| {
                list.push_tactical(board, targets, set);
                false
            });
        }
        while let Some(mv) = list.pop_best() {
            let after = balance + change(board, mv);
            let score = -self.quiescence(&play(board, mv), -after, [-beta, -alpha], ply + 1);
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

/// The evaluation from the point of view of the side to move.
fn balance(board: &Board) -> i32 {
    let mut balance = 0;
    for color in [Color::White, Color::Black] {
        for role in Piece::ALL {
            for square in board.colored_pieces(color, role) {
                let worth = worth(color as usize, role as usize, square as usize);
                balance += if color == board.side_to_move() { worth } else { -worth };
            }
        }
    }
    balance
}

#[inline(always)]
fn play(board: &Board, mv: Move) -> Board {
    let mut after = board.clone();
    after.play_unchecked(mv);
    after
}

/// The key, without an en-passant file on which no capture is legal.
#[inline(always)]
fn key(board: &Board) -> u64 {
    let Some(file) = board.en_passant() else { return board.hash() };
    let us = board.side_to_move();
    let to = Square::new(file, Rank::Sixth.relative_to(us));
    let able = get_pawn_attacks(to, !us) & board.colored_pieces(us, Piece::Pawn);
    let is_legal = |from| board.is_legal(Move { from, to, promotion: None });
    if able.into_iter().any(is_legal) { board.hash() } else { board.hash_without_ep() }
}

/// The role of the piece that a move captures. Castling is written as the king's capture of its
/// rook.
#[inline(always)]
fn victim(board: &Board, role: Piece, mv: Move) -> Option<Piece> {
    if board.colors(!board.side_to_move()).has(mv.to) {
        board.piece_on(mv.to)
    } else if role == Piece::Pawn && mv.from.file() != mv.to.file() {
        Some(Piece::Pawn)
    } else {
        None
    }
}

#[inline(always)]
fn is_castling(board: &Board, role: Piece, mv: Move) -> bool {
    role == Piece::King && board.colors(board.side_to_move()).has(mv.to)
}

/// The change that a move makes to the evaluation of its side.
#[inline(always)]
fn change(board: &Board, mv: Move) -> i32 {
    let role = board.piece_on(mv.from).expect("a piece moves");
    let mut change = gain(board, role, mv);
    let them = !board.side_to_move();
    if let Some(victim) = victim(board, role, mv) {
        let to = mv.to as usize;
        let square = if board.colors(them).has(mv.to) { to } else { to ^ 8 };
        change += worth(them as usize, victim as usize, square);
    }
    change
}

/// The change that a move makes to the evaluation, without the captured piece.
#[inline(always)]
fn gain(board: &Board, role: Piece, mv: Move) -> i32 {
    let us = board.side_to_move() as usize;
    let (from, to) = (mv.from as usize, mv.to as usize);
    if is_castling(board, role, mv) {
        let rank = from & 56;
        let (king_file, rook_file) = if to > from { (6, 5) } else { (2, 3) };
        let king = worth(us, Piece::King as usize, rank | king_file)
            - worth(us, Piece::King as usize, from);
        let rook =
            worth(us, Piece::Rook as usize, rank | rook_file) - worth(us, Piece::Rook as usize, to);
        return king + rook;
    }
    let lands = mv.promotion.unwrap_or(role);
    worth(us, lands as usize, to) - worth(us, role as usize, from)
}

/// Is it a capture or a promotion to a queen? Captures that promote to another role are not.
#[inline(always)]
fn is_tactical(board: &Board, mv: Move) -> bool {
    match mv.promotion {
        Some(role) => role == Piece::Queen,
        None => board.piece_on(mv.from).is_some_and(|role| victim(board, role, mv).is_some()),
    }
}

#[inline(always)]
fn tactical_order(board: &Board, role: Piece, mv: Move) -> i32 {
    let victim = victim(board, role, mv).map(|victim| victim as usize);
    let promotion = mv.promotion.map_or(0, |role| role as usize);
    let value = mvv_lva(victim, role as usize, mv.promotion.is_some());
    order(value, mv.from as usize, mv.to as usize, promotion)
}

#[inline(always)]
fn quiet_order(board: &Board, role: Piece, mv: Move) -> i32 {
    let (from, mut to) = (mv.from as usize, mv.to as usize);
    if is_castling(board, role, mv) {
        // The square on which the king lands, as the other library writes it.
        to = (from & 56) | if to > from { 6 } else { 2 };
    }
    order(gain(board, role, mv), from, to, mv.promotion.map_or(0, |role| role as usize))
}

/// The targets of captures by pieces, and of captures and promotions by pawns.
#[derive(Clone, Copy)]
struct TacticalTargets {
    pieces: BitBoard,
    pawns: BitBoard,
    promotions: BitBoard,
}

impl TacticalTargets {
    #[inline(always)]
    fn of(board: &Board) -> Self {
        let us = board.side_to_move();
        let pieces = board.colors(!us);
        let promotions = Rank::Eighth.relative_to(us).bitboard();
        let en_passant = board.en_passant().map_or(BitBoard::EMPTY, |file| {
            Square::new(file, Rank::Sixth.relative_to(us)).bitboard()
        });
        Self { pieces, pawns: pieces | promotions | en_passant, promotions }
    }
}

#[derive(Clone, Copy)]
struct Entry {
    mv: Move,
    order: i32,
}

/// A list on the stack, with room for the moves of any position.
struct List {
    entries: [std::mem::MaybeUninit<Entry>; 218],
    len: usize,
}

impl List {
    #[inline(always)]
    fn new() -> Self {
        Self { entries: [const { std::mem::MaybeUninit::uninit() }; 218], len: 0 }
    }

    #[inline(always)]
    fn push(&mut self, mv: Move, order: i32) {
        self.entries[self.len].write(Entry { mv, order });
        self.len += 1;
    }

    /// Adds the captures and promotions to a queen of one piece.
    #[inline(always)]
    fn push_tactical(&mut self, board: &Board, targets: TacticalTargets, mut set: PieceMoves) {
        let role = set.piece;
        set.to &= if role == Piece::Pawn { targets.pawns } else { targets.pieces };
        for mv in set {
            if mv.promotion.is_none_or(|role| role == Piece::Queen) {
                self.push(mv, tactical_order(board, role, mv));
            }
        }
    }

    /// Adds the other moves of one piece.
    #[inline(always)]
    fn push_quiet(&mut self, board: &Board, targets: TacticalTargets, mut set: PieceMoves) {
        let role = set.piece;
        set.to &= match role {
            Piece::Pawn => !targets.pawns | targets.promotions,
            _ => !targets.pieces,
        };
        for mv in set {
            if mv.promotion != Some(Piece::Queen) {
                self.push(mv, quiet_order(board, role, mv));
            }
        }
    }

    /// Takes out the best move; the last one takes its place.
    #[inline(always)]
    fn pop_best(&mut self) -> Option<Move> {
        // SAFETY: the first `len` entries have been written.
        let entries = unsafe {
            std::slice::from_raw_parts_mut(self.entries.as_mut_ptr().cast::<Entry>(), self.len)
        };
        let mut best = 0;
        let mut order = entries.first()?.order;
        for (at, entry) in entries.iter().enumerate().skip(1) {
            best = if entry.order > order { at } else { best };
            order = order.max(entry.order);
        }
        self.len -= 1;
        entries.swap(best, self.len);
        Some(entries[self.len].mv)
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

/// The moves of a node in their order. The sets are generated after the hash move.
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
        let sets = [const { std::mem::MaybeUninit::uninit() }; 18];
        Self { stage: Stage::Hash, hash, killers, sets, set_count: 0, list: List::new() }
    }

    fn next(&mut self, board: &Board) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Hash => {
                    self.stage = Stage::ListCaptures;
                    if let Some(mv) = self.hash
                        && board.is_legal(mv)
                    {
                        return Some(mv);
                    }
                }
                Stage::ListCaptures => {
                    let targets = TacticalTargets::of(board);
                    board.generate_moves(|set| {
                        self.sets[self.set_count].write(set);
                        self.set_count += 1;
                        self.list.push_tactical(board, targets, set);
                        false
                    });
                    self.stage = Stage::Captures;
                }
                Stage::Captures => match self.list.pop_best() {
                    Some(mv) if self.hash == Some(mv) => {}
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::Killers(0),
                },
                Stage::Killers(index) => match self.killers.get(index) {
                    Some(&killer) => {
                        self.stage = Stage::Killers(index + 1);
                        if let Some(mv) = killer
                            && killer != self.hash
                            && board.is_legal(mv)
                            && !is_tactical(board, mv)
                        {
                            return killer;
                        }
                    }
                    None => self.stage = Stage::ListQuiets,
                },
                Stage::ListQuiets => {
                    let targets = TacticalTargets::of(board);
                    for set in &self.sets[..self.set_count] {
                        // SAFETY: the first `set_count` sets have been written.
                        let set = unsafe { set.assume_init() };
                        self.list.push_quiet(board, targets, set);
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    let mv = self.list.pop_best()?;
                    if self.hash != Some(mv) && !self.killers.contains(&Some(mv)) {
                        return Some(mv);
                    }
                }
            }
        }
    }
}
