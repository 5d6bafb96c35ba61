//! A picker on cozy-chess. The sets of targets are generated once for a position, as in the search.
//! The library has no exchange evaluation, so here is the usual one: each side captures with its
//! least valuable piece.

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, PieceMoves, Rank, Square, get_bishop_moves,
    get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
};

use crate::{Contestant, History, Moves};

/// By roles, from pawn to king.
const VALUES: [i32; 6] = [100, 300, 300, 500, 900, 20_000];

pub(crate) struct ByHand(Vec<Board>);

impl ByHand {
    pub(crate) fn new(fens: &[String]) -> Self {
        let board = |fen: &String| Board::from_fen(fen, false).expect("the positions are valid");
        Self(fens.iter().map(board).collect())
    }
}

impl Contestant for ByHand {
    fn name(&self) -> &'static str {
        "cozy-chess, by hand"
    }

    #[inline(never)]
    fn run(&self, history: &History, limit: usize) -> Moves {
        let mut moves = Moves::default();
        for board in &self.0 {
            pick(board, history, limit, &mut moves);
        }
        moves
    }
}

fn pick(board: &Board, history: &History, mut limit: usize, moves: &mut Moves) {
    let mut list = List::new();
    if !board.checkers().is_empty() {
        board.generate_moves(|set| {
            for mv in set {
                let order = if is_capture(board, set.piece, mv) || mv.promotion.is_some() {
                    (1 << 30) + capture_order(board, set.piece, mv)
                } else {
                    quiet_order(board, history, set.piece, mv)
                };
                list.push(mv, order);
            }
            false
        });
        while limit > 0 && list.pop_best().is_some() {
            moves.evasions += 1;
            limit -= 1;
        }
        return;
    }

    let targets = Targets::of(board);
    let mut sets = [const { std::mem::MaybeUninit::<PieceMoves>::uninit() }; 18];
    let mut count = 0;
    board.generate_moves(|mut set| {
        sets[count].write(set);
        count += 1;
        set.to &= if set.piece == Piece::Pawn { targets.pawns } else { targets.pieces };
        for mv in set {
            if mv.promotion.is_none_or(|role| role == Piece::Queen) {
                list.push(mv, capture_order(board, set.piece, mv));
            }
        }
        false
    });
    let mut bad = 0;
    while let Some(mv) = list.pop_best() {
        if !wins_something_or_nothing(board, mv) {
            bad += 1;
            continue;
        }
        moves.good_captures += 1;
        limit -= 1;
        if limit == 0 {
            return;
        }
    }
    for set in &sets[..count] {
        // SAFETY: the first `count` sets have been written.
        let mut set = unsafe { set.assume_init() };
        set.to &= match set.piece {
            Piece::Pawn => !targets.pawns | targets.promotions,
            _ => !targets.pieces,
        };
        for mv in set {
            if mv.promotion != Some(Piece::Queen) {
                list.push(mv, quiet_order(board, history, set.piece, mv));
            }
        }
    }
    while list.pop_best().is_some() {
        moves.quiets += 1;
        limit -= 1;
        if limit == 0 {
            return;
        }
    }
    moves.bad_captures += bad.min(limit) as u64;
}

/// The targets of captures by pieces, and of captures and promotions by pawns.
struct Targets {
    pieces: BitBoard,
    pawns: BitBoard,
    promotions: BitBoard,
}

impl Targets {
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

#[inline(always)]
fn is_capture(board: &Board, role: Piece, mv: Move) -> bool {
    board.colors(!board.side_to_move()).has(mv.to)
        || role == Piece::Pawn && mv.from.file() != mv.to.file()
}

/// Most valuable victim, least valuable attacker.
#[inline(always)]
fn capture_order(board: &Board, role: Piece, mv: Move) -> i32 {
    let victim = match is_capture(board, role, mv) {
        true => VALUES[board.piece_on(mv.to).unwrap_or(Piece::Pawn) as usize],
        false => 0,
    };
    let promotion = mv.promotion.map_or(0, |role| VALUES[role as usize] - VALUES[0]);
    8 * (victim + promotion) - role as i32
}

#[inline(always)]
fn quiet_order(board: &Board, history: &History, role: Piece, mv: Move) -> i32 {
    let mut to = mv.to as usize;
    if role == Piece::King && board.colors(board.side_to_move()).has(mv.to) {
        // Castling is written as the king's capture of its rook; this is the square on which the
        // king lands.
        to = (mv.from as usize & 56) | if to > mv.from as usize { 6 } else { 2 };
    }
    history[role as usize][to]
}

/// Does the exchange that begins with this capture or promotion lose no material?
fn wins_something_or_nothing(board: &Board, mv: Move) -> bool {
    let target = mv.to;
    let moved = board.piece_on(mv.from).unwrap_or(Piece::Pawn);
    let stake = VALUES[mv.promotion.unwrap_or(moved) as usize];
    let mut occupied = (board.occupied() ^ mv.from.bitboard()) | target.bitboard();
    let mut won = stake - VALUES[moved as usize];
    if let Some(victim) = board.piece_on(target) {
        won += VALUES[victim as usize];
    } else if moved == Piece::Pawn && mv.from.file() != target.file() {
        won += VALUES[0];
        occupied ^= Square::new(target.file(), mv.from.rank()).bitboard();
    }
    // `balance` is the gain of the side that made the last capture, if its piece is taken.
    let mut balance = won - stake;
    if balance >= 0 {
        return true;
    }
    let diagonal = board.pieces(Piece::Bishop) | board.pieces(Piece::Queen);
    let orthogonal = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    let mut attackers = get_knight_moves(target) & board.pieces(Piece::Knight)
        | get_king_moves(target) & board.pieces(Piece::King)
        | get_pawn_attacks(target, Color::White) & board.colored_pieces(Color::Black, Piece::Pawn)
        | get_pawn_attacks(target, Color::Black) & board.colored_pieces(Color::White, Piece::Pawn)
        | get_bishop_moves(target, occupied) & diagonal
        | get_rook_moves(target, occupied) & orthogonal;
    let us = board.side_to_move();
    let mut turn = !us;
    loop {
        attackers &= occupied;
        let own = attackers & board.colors(turn);
        let Some(role) =
            Piece::ALL.into_iter().find(|&role| !(own & board.pieces(role)).is_empty())
        else {
            break;
        };
        if role == Piece::King && !(attackers & board.colors(!turn)).is_empty() {
            break;
        }
        let from = (own & board.pieces(role)).next_square().expect("the set is not empty");
        occupied ^= from.bitboard();
        if matches!(role, Piece::Pawn | Piece::Bishop | Piece::Queen) {
            attackers |= get_bishop_moves(target, occupied) & diagonal;
        }
        if matches!(role, Piece::Rook | Piece::Queen) {
            attackers |= get_rook_moves(target, occupied) & orthogonal;
        }
        turn = !turn;
        balance = -balance - 1 - VALUES[role as usize];
        if balance >= 0 {
            break;
        }
    }
    us != turn
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
