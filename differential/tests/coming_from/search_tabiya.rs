use std::cmp::Reverse;

use tabiya::{Move, MoveList, Position, Role};

const VALUES: [i32; 6] = [100, 320, 330, 500, 900, 0];
const MATE: i32 = 30_000;

/// The material of the side to move, less that of the opponent.
fn material(position: &Position) -> i32 {
    let board = position.board();
    let (own, other) = (board.color(position.turn()), board.color(!position.turn()));
    let balance = |role| {
        let pieces = board.role(role);
        VALUES[role as usize] * ((pieces & own).len() as i32 - (pieces & other).len() as i32)
    };
    Role::ALL.into_iter().map(balance).sum()
}

/// All moves, or only the captures: the most valuable victim first.
fn ordered(position: &Position, only_captures: bool) -> MoveList {
    let mut moves = position.legal_moves();
    if only_captures {
        moves.retain(Move::is_capture);
    }
    moves.sort_by_key(|&mv| Reverse(position.captured_by(mv)));
    moves
}

/// The value of a position for the side to move, by alpha-beta and a search of captures.
fn search(position: &Position, depth: i32, mut alpha: i32, beta: i32) -> i32 {
    if !position.has_legal_move() {
        return if position.is_check() { -MATE - depth } else { 0 };
    }
    if position.halfmove_clock() >= 100 {
        return 0;
    }
    let quiescence = depth <= 0 && !position.is_check();
    if quiescence {
        alpha = alpha.max(material(position));
    }
    for mv in ordered(position, quiescence) {
        if alpha >= beta {
            break;
        }
        alpha = alpha.max(-search(&position.play(mv), depth - 1, -beta, -alpha));
    }
    alpha
}

/// The best move, and its value.
pub fn best(position: &Position, depth: i32) -> Option<(i32, Move)> {
    let value = |mv| -search(&position.play(mv), depth - 1, -2 * MATE, 2 * MATE);
    ordered(position, false).into_iter().map(|mv| (value(mv), mv)).max_by_key(|&(value, _)| value)
}
