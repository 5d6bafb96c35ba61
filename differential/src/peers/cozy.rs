//! cozy-chess: building its positions, and the positions that it refuses.

use cozy_chess::{
    BitBoard, Board, BoardBuilder, BoardBuilderError, CastleRights, Color, File, Move, Piece, Rank,
    Square, get_between_rays,
};

use super::{Code, State};

/// The most plies that cozy-chess counts on its halfmove clock.
///
/// Rule: it stops counting there, so clocks are compared up to this number.
pub const LAST_PLY: u32 = 100;

/// The setup, square by square.
fn builder(setup: &tabiya::Setup) -> BoardBuilder {
    let mut builder = BoardBuilder::empty();
    for color in tabiya::Color::ALL {
        let side = match color {
            tabiya::Color::White => Color::White,
            tabiya::Color::Black => Color::Black,
        };
        for (role, piece) in tabiya::Role::ALL.into_iter().zip(Piece::ALL) {
            for square in BitBoard((setup.board.role(role) & setup.board.color(color)).0) {
                builder.board[square as usize] = Some((piece, side));
            }
        }
        let mut rights = CastleRights::EMPTY;
        if let Some(king) = setup.board.king(color) {
            for rook in setup.castling.of(color) {
                let file = File::index(rook as usize & 7);
                if rook > king { rights.short = Some(file) } else { rights.long = Some(file) }
            }
        }
        builder.castle_rights[side as usize] = rights;
    }
    if setup.turn == tabiya::Color::Black {
        builder.side_to_move = Color::Black;
    }
    builder.en_passant = setup.en_passant.map(|square| Square::index(square as usize));
    builder.halfmove_clock = u32::from(setup.halfmove_clock).min(LAST_PLY) as u8;
    builder.fullmove_number = setup.fullmove_number;
    builder
}

/// The position of a playable setup, or the reason why there is none.
pub fn position(setup: &tabiya::Setup) -> Result<Board, BoardBuilderError> {
    builder(setup).build()
}

/// Must cozy-chess refuse this playable setup?
///
/// Rule: it refuses more than eight pawns of a side, and an en-passant square if there is a check
/// that the double push can neither have given nor discovered. It must take all others.
pub fn must_refuse(setup: &tabiya::Setup, checkers: u64) -> bool {
    let pawns = setup.board.role(tabiya::Role::Pawn);
    let too_many =
        tabiya::Color::ALL.into_iter().any(|it| (pawns & setup.board.color(it)).len() > 8);
    too_many || setup.en_passant.is_some_and(|to| !double_push_explains(setup, to, checkers))
}

/// Can the double push that crossed a square have given or discovered these checks?
fn double_push_explains(setup: &tabiya::Setup, to: tabiya::Square, checkers: u64) -> bool {
    let to = Square::index(to as usize);
    let (origin, pawn) = match setup.turn {
        tabiya::Color::White => (to.offset(0, 1), to.offset(0, -1)),
        tabiya::Color::Black => (to.offset(0, -1), to.offset(0, 1)),
    };
    let Some(king) = setup.board.king(setup.turn) else { return true };
    let king = Square::index(king as usize);
    BitBoard(checkers)
        .into_iter()
        .all(|checker| checker == pawn || get_between_rays(checker, king).has(origin))
}

/// All that the position consists of. The clock stops at [`LAST_PLY`].
#[inline]
pub fn state(board: &Board) -> State {
    let mut rights = 0;
    for color in Color::ALL {
        let CastleRights { short, long } = *board.castle_rights(color);
        for file in [short, long].into_iter().flatten() {
            rights |= Square::new(file, Rank::First.relative_to(color)).bitboard().0;
        }
    }
    let rank = Rank::Third.relative_to(!board.side_to_move());
    State {
        roles: Piece::ALL.map(|piece| board.pieces(piece).0),
        colors: [board.colors(Color::White).0, board.colors(Color::Black).0],
        is_black_to_move: board.side_to_move() == Color::Black,
        rights,
        double_push: board.en_passant().map(|file| Square::new(file, rank) as u8),
        halfmove_clock: u32::from(board.halfmove_clock()),
        fullmove_number: u32::from(board.fullmove_number()),
    }
}

/// Passes the code of each legal move to a function.
#[inline(always)]
pub fn for_each_code(board: &Board, mut visit: impl FnMut(Code)) {
    board.generate_moves(|moves| {
        for mv in moves {
            visit(Code::new(mv.from as u8, mv.to as u8, mv.promotion.map_or(0, |role| role as u8)));
        }
        false
    });
}

/// The number of legal moves.
pub fn count(board: &Board) -> usize {
    let mut count = 0;
    board.generate_moves(|moves| {
        count += moves.len();
        false
    });
    count
}

/// The move with a code.
#[inline(always)]
pub fn decode(code: Code) -> Move {
    Move {
        from: Square::index(usize::from(code.from())),
        to: Square::index(usize::from(code.to())),
        promotion: match code.promotion() {
            0 => None,
            number => Some(Piece::index(usize::from(number))),
        },
    }
}

/// The position after a legal move.
#[inline]
pub fn after(board: &Board, code: Code) -> Board {
    let mut after = board.clone();
    after.play_unchecked(decode(code));
    after
}

/// The number of leaf nodes at a depth of at least 1.
pub fn perft(board: &Board, depth: u32) -> u128 {
    if depth == 1 {
        return count(board) as u128;
    }
    let mut leaves = 0;
    for_each_code(board, |code| leaves += perft(&after(board, code), depth - 1));
    leaves
}
