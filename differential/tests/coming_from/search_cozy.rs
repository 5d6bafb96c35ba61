use std::cmp::Reverse;

use cozy_chess::{BitBoard, Board, GameStatus, Move, Piece, Rank, Square};

const VALUES: [i32; 6] = [100, 320, 330, 500, 900, 0];
const MATE: i32 = 30_000;

/// The material of the side to move, less that of the opponent.
fn material(board: &Board) -> i32 {
    let (own, other) = (board.colors(board.side_to_move()), board.colors(!board.side_to_move()));
    let balance = |piece| {
        let pieces = board.pieces(piece);
        VALUES[piece as usize] * ((pieces & own).len() as i32 - (pieces & other).len() as i32)
    };
    Piece::ALL.into_iter().map(balance).sum()
}

/// All moves, or only the captures: the most valuable victim first.
fn ordered(board: &Board, only_captures: bool) -> Vec<Move> {
    let enemies = board.colors(!board.side_to_move());
    let en_passant = board.en_passant().map_or(BitBoard::EMPTY, |file| {
        Square::new(file, Rank::Sixth.relative_to(board.side_to_move())).bitboard()
    });
    let mut moves = Vec::new();
    board.generate_moves(|mut piece_moves| {
        if only_captures {
            let by_pawns =
                if piece_moves.piece == Piece::Pawn { en_passant } else { BitBoard::EMPTY };
            piece_moves.to &= enemies | by_pawns;
        }
        moves.extend(piece_moves);
        false
    });
    let victim = |mv: &Move| board.piece_on(mv.to).filter(|_| enemies.has(mv.to));
    moves.sort_by_key(|mv| Reverse(victim(mv)));
    moves
}

/// The value of a position for the side to move, by alpha-beta and a search of captures.
fn search(board: &Board, depth: i32, mut alpha: i32, beta: i32) -> i32 {
    match board.status() {
        GameStatus::Won => return -MATE - depth,
        GameStatus::Drawn => return 0,
        GameStatus::Ongoing => {}
    }
    let quiescence = depth <= 0 && board.checkers().is_empty();
    if quiescence {
        alpha = alpha.max(material(board));
    }
    for mv in ordered(board, quiescence) {
        if alpha >= beta {
            break;
        }
        let mut after = board.clone();
        after.play_unchecked(mv);
        alpha = alpha.max(-search(&after, depth - 1, -beta, -alpha));
    }
    alpha
}

/// The best move, and its value.
pub fn best(board: &Board, depth: i32) -> Option<(i32, Move)> {
    let value = |mv| {
        let mut after = board.clone();
        after.play_unchecked(mv);
        -search(&after, depth - 1, -2 * MATE, 2 * MATE)
    };
    ordered(board, false).into_iter().map(|mv| (value(mv), mv)).max_by_key(|&(value, _)| value)
}
