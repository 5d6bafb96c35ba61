//! Shrinks an example: fewer pieces, rights and plies, while the program still errs in the same way.

use tabiya::{CastlingRights, Move, Position, Role, Setup};

use crate::hunt::{Case, Hunt, fen, query};
use crate::report::Shrunk;
use crate::truth;

/// The number of questions that one finding may cost.
const QUESTIONS: u64 = 500;

/// The smallest example of the same class. `None` if the class is one of the dialogue.
pub(crate) fn shrink(hunt: &mut Hunt<'_>, case: &Case) -> Option<Shrunk> {
    let end = hunt.asked() + QUESTIONS;
    let mut best = case.clone();
    if best.got.is_none() {
        return Some(shrunk(hunt, &best));
    }
    let candidate = |hunt: &mut Hunt<'_>, start: &Position, path: &[Move], depth| {
        let impossible = !truth::is_reachable(start);
        if hunt.asked() >= end || impossible && !hunt.allows_impossible() {
            return None;
        }
        let cases = hunt.examine(start, path, depth);
        let same = cases.into_iter().find(|it| it.class == case.class && it.got.is_some())?;
        // What was examined must not grow: the case may stand deeper than the question.
        Some(same)
    };
    // The position itself, without the moves that lead to it, and then fewer of them.
    for skip in (1..=best.path.len()).rev() {
        let mut start = best.start.clone();
        for &mv in &best.path[..skip] {
            start = start.play(mv);
        }
        let path = best.path[skip..].to_vec();
        if let Some(same) = candidate(hunt, &start, &path, best.depth) {
            best = same;
            break;
        }
    }
    for depth in 1..best.depth {
        let (start, path) = (best.start.clone(), best.path.clone());
        if let Some(same) = candidate(hunt, &start, &path, depth) {
            best = same;
            break;
        }
    }
    loop {
        let mut smaller = None;
        for setup in simpler(&best.start) {
            let Some((start, path)) = replay(&setup, &best) else { continue };
            if let Some(same) = candidate(hunt, &start, &path, best.depth) {
                smaller = Some(same);
                break;
            }
        }
        match smaller {
            Some(same) => best = same,
            None => break,
        }
    }
    Some(shrunk(hunt, &best))
}

fn shrunk(hunt: &Hunt<'_>, best: &Case) -> Shrunk {
    let question = query(&best.start, &best.path, best.depth);
    Shrunk {
        fen: fen(&best.start),
        moves: question.moves,
        depth: best.depth,
        command: hunt.command(&best.start, &best.path, best.depth),
        suite: {
            let end = best.position();
            format!("{} ;D{} {}", fen(&end), best.depth, best.expected)
        },
    }
}

/// The same moves from another setup, if they are legal there.
fn replay(setup: &Setup, case: &Case) -> Option<(Position, Vec<Move>)> {
    let start = Position::from_setup(setup).ok()?;
    let (mut before, mut position) = (case.start.clone(), start.clone());
    let mut path = Vec::new();
    for &mv in &case.path {
        let same = position.find_uci(before.uci(mv))?;
        path.push(same);
        position = position.play(same);
        before = before.play(mv);
    }
    Some((start, path))
}

/// Setups with one thing less.
fn simpler(start: &Position) -> Vec<Setup> {
    let setup = start.to_setup_with(tabiya::fen::EnPassantMode::PseudoLegal);
    let mut all = Vec::new();
    for (square, piece) in setup.board.iter() {
        if piece.role == Role::King {
            continue;
        }
        let mut fewer = setup.clone();
        fewer.board.set(square, None);
        if fewer.castling.rooks().has(square) {
            fewer.castling.remove(square.bitboard());
        }
        all.push(fewer);
    }
    for rook in setup.castling.rooks() {
        let mut fewer = setup.clone();
        fewer.castling.remove(rook.bitboard());
        all.push(fewer);
    }
    if setup.en_passant.is_some() {
        all.push(Setup { en_passant: None, ..setup.clone() });
    }
    if setup.halfmove_clock > 0 || setup.fullmove_number > 1 {
        all.push(Setup { halfmove_clock: 0, fullmove_number: 1, ..setup.clone() });
    }
    if setup.castling != CastlingRights::NONE {
        all.push(Setup { castling: CastlingRights::NONE, ..setup });
    }
    all
}
