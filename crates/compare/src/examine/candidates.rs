//! The moves to ask about when a list is found out move by move: the likely mistakes first.

use tabiya::movegen::{Legal, PseudoLegal};
use tabiya::{Bitboard, Move, MoveList, Position, Role, Square, UciMove, attacks};

use crate::truth::{self, Told};

/// The most illegal moves of one position to ask about.
const MOST: usize = 500;

/// The legal moves. Moves that generators often forget come first.
pub(super) fn special_first(here: &Position) -> Vec<String> {
    let mut moves: Vec<Move> = here.legal_moves().into_iter().collect();
    moves.sort_by_key(|&mv| {
        let is_pinned = here.pinned().has(mv.from());
        let is_double = (mv.from() as u8).abs_diff(mv.to() as u8) == 16;
        match here.role_of(mv) {
            _ if mv.is_en_passant() => 0,
            _ if mv.castling().is_some() => 1,
            // Keep the promotions of one pawn together.
            _ if mv.is_promotion() => 2,
            _ if is_pinned => 3,
            Role::Pawn if is_double => 4,
            _ => 5,
        }
    });
    moves.into_iter().map(|mv| here.uci(mv).to_string()).collect()
}

/// Illegal moves that generators are known to make. First come those that are illegal only because
/// of the king's safety, then castling, pawn moves, and moves of pieces that jump, take their own
/// side, or cross the edge of the board.
pub(super) fn illegal_moves(here: &Position) -> Vec<String> {
    let mut moves: Vec<UciMove> = Vec::new();
    let pseudo = MoveList::of::<PseudoLegal<Legal>>(here);
    moves.extend(pseudo.into_iter().map(|mv| here.uci(mv)));
    castling(here, &mut moves);
    pawns(here, &mut moves);
    pieces(here, &mut moves);
    strange(here, &mut moves);
    let mut told: Vec<String> = Vec::new();
    for mv in moves {
        let text = mv.to_string();
        let is_legal = matches!(truth::resolve(here, &text), Told::Legal(_));
        if !is_legal && mv.from != mv.to && !told.contains(&text) {
            told.push(text);
        }
    }
    // The library knows no promotion to a king or a pawn, but some programs list them.
    for mv in here.legal_moves().into_iter().filter(|mv| mv.is_promotion()) {
        for role in ["k", "p"] {
            let text = format!("{}{}{role}", mv.from(), mv.to());
            if !told.contains(&text) {
                told.insert(0, text);
            }
        }
    }
    told.truncate(MOST);
    told
}

fn castling(here: &Position, moves: &mut Vec<UciMove>) {
    let us = here.turn();
    let king = here.king(us);
    if king.rank() != us.back_rank() {
        return;
    }
    let rooks = here.board().pieces(us, Role::Rook);
    for rook in rooks {
        if rook.rank() != king.rank() {
            continue;
        }
        let side = tabiya::CastlingSide::of(king, rook);
        moves.push(UciMove { from: king, to: side.king_target(us), promotion: None });
        moves.push(UciMove { from: king, to: rook, promotion: None });
    }
}

fn pawns(here: &Position, moves: &mut Vec<UciMove>) {
    let us = here.turn();
    let pawns = here.board().pieces(us, Role::Pawn);
    let mut push = |from: Square, to: Square| {
        if to.rank() == (!us).back_rank() {
            for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
                moves.push(UciMove { from, to, promotion: Some(role) });
            }
        }
        moves.push(UciMove { from, to, promotion: None });
    };
    for from in pawns {
        let Some(one) = from.step(us.forward()) else { continue };
        // Pushes onto a piece, over a piece, and double pushes from any rank.
        push(from, one);
        if let Some(two) = one.step(us.forward()) {
            push(from, two);
        }
        // Diagonal moves onto an empty square or a piece of the same side, and across the edge.
        for to in attacks::pawn(us, from) {
            push(from, to);
        }
        for by in [7_i8, 9] {
            let by = if us == tabiya::Color::White { by } else { -by };
            if let Some(to) = shifted(from, by) {
                push(from, to);
            }
        }
    }
}

fn pieces(here: &Position, moves: &mut Vec<UciMove>) {
    let board = here.board();
    let us = here.turn();
    let own = board.color(us);
    for (role, steps) in [
        (Role::Knight, &[-17_i8, -15, -10, -6, 6, 10, 15, 17][..]),
        (Role::Bishop, &[-9, -7, 7, 9]),
        (Role::Rook, &[-8, -1, 1, 8]),
        (Role::Queen, &[-9, -8, -7, -1, 1, 7, 8, 9]),
        (Role::King, &[-9, -8, -7, -1, 1, 7, 8, 9]),
    ] {
        let is_leaper = matches!(role, Role::Knight | Role::King);
        for from in board.pieces(us, role) {
            let reached = match role {
                Role::Knight => attacks::knight(from),
                Role::King => attacks::king(from),
                // These attacks ignore all pieces, as a slider that passes through them does.
                Role::Bishop => attacks::bishop(from, Bitboard::EMPTY),
                Role::Rook => attacks::rook(from, Bitboard::EMPTY),
                _ => attacks::queen(from, Bitboard::EMPTY),
            };
            let over = reached & !own;
            for to in over.into_iter().chain(reached & own) {
                moves.push(UciMove { from, to, promotion: None });
            }
            // The generator uses the next square number as the next file.
            for &step in steps {
                let most = if is_leaper { 1 } else { 7 };
                let mut at = from;
                for _ in 0..most {
                    let Some(to) = shifted(at, step) else { break };
                    at = to;
                    if !reached.has(to) && !own.has(to) {
                        moves.push(UciMove { from, to, promotion: None });
                    }
                    if board.occupied().has(to) {
                        break;
                    }
                }
            }
        }
    }
}

/// Directions and leaps of other pieces, and moves of the other side.
fn strange(here: &Position, moves: &mut Vec<UciMove>) {
    let board = here.board();
    let us = here.turn();
    let free = !board.color(us);
    for from in board.color(us) {
        let near = |to: &Square| {
            let files = (from.file() as u8).abs_diff(to.file() as u8);
            let ranks = (from.rank() as u8).abs_diff(to.rank() as u8);
            files.max(ranks) <= 3
        };
        let to = match board.role_on(from) {
            Some(Role::Knight) => free.into_iter().filter(near).collect(),
            Some(Role::King) => attacks::knight(from) & free,
            _ => (attacks::queen(from, board.occupied()) | attacks::knight(from)) & free,
        };
        moves.extend(to.into_iter().map(|to| UciMove { from, to, promotion: None }));
    }
    for from in board.color(!us) {
        let reached = board.attacks_from(from) & !board.color(!us);
        let push = from.step((!us).forward()).filter(|_| board.role_on(from) == Some(Role::Pawn));
        for to in push.into_iter().chain(reached) {
            moves.push(UciMove { from, to, promotion: None });
        }
        if let Some(two) = push.and_then(|it| it.step((!us).forward())) {
            moves.push(UciMove { from, to: two, promotion: None });
        }
    }
}

/// The square whose number is larger by `step`.
fn shifted(from: Square, step: i8) -> Option<Square> {
    let number = i8::try_from(from as u8).ok()?.checked_add(step)?;
    usize::try_from(number).ok().and_then(|it| Square::ALL.get(it).copied())
}
