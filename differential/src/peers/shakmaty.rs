//! shakmaty: building its positions, and the cases in which it is not asked.

use shakmaty::{
    Bitboard, Board, ByColor, ByRole, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Move,
    Position, PositionError, PositionErrorKinds, Role, Setup, Square, attacks,
};

use super::{Code, State};

/// The most moves for which shakmaty has room.
const MOST_MOVES: u32 = 256;

/// The last number that tabiya's counters hold.
const LAST_NUMBER: u32 = u16::MAX as u32;

/// The setup of shakmaty with the same contents.
pub fn setup(setup: &tabiya::Setup) -> Setup {
    let role = |role: tabiya::Role| Bitboard(setup.board.role(role).0);
    let by_role = ByRole {
        pawn: role(tabiya::Role::Pawn),
        knight: role(tabiya::Role::Knight),
        bishop: role(tabiya::Role::Bishop),
        rook: role(tabiya::Role::Rook),
        queen: role(tabiya::Role::Queen),
        king: role(tabiya::Role::King),
    };
    let by_color = ByColor {
        white: Bitboard(setup.board.color(tabiya::Color::White).0),
        black: Bitboard(setup.board.color(tabiya::Color::Black).0),
    };
    Setup {
        board: Board::try_from_bitboards(by_role, by_color).expect("the sets do not overlap"),
        promoted: Bitboard::EMPTY,
        pockets: None,
        turn: match setup.turn {
            tabiya::Color::White => Color::White,
            tabiya::Color::Black => Color::Black,
        },
        castling_rights: Bitboard(setup.castling.rooks().0),
        ep_square: setup.en_passant.map(|square| Square::new(square as u32)),
        remaining_checks: None,
        halfmoves: u32::from(setup.halfmove_clock),
        fullmoves: u32::from(setup.fullmove_number).try_into().unwrap_or(std::num::NonZeroU32::MIN),
    }
}

/// The position of a setup, or the reason why there is none.
///
/// Rule: shakmaty reports too much material and checks that cannot occur in a game, and lets the
/// caller ignore both. They are ignored, because tabiya plays such positions.
pub fn position(setup: &tabiya::Setup) -> Result<Chess, PositionErrorKinds> {
    let mode = match setup.castling_mode {
        tabiya::CastlingMode::Standard => CastlingMode::Standard,
        tabiya::CastlingMode::Chess960 => CastlingMode::Chess960,
    };
    Chess::from_setup(self::setup(setup), mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|error| error.kinds())
}

/// Is a setup playable, according to shakmaty?
///
/// Rule: for shakmaty more than 16 pieces of a side are too much material, which is ignored here.
/// For tabiya they are not playable.
pub fn is_playable(setup: &tabiya::Setup) -> bool {
    let has_few = |color| setup.board.color(color).len() <= 16;
    tabiya::Color::ALL.into_iter().all(has_few) && position(setup).is_ok()
}

/// Does shakmaty's list have room for all moves of the side to move, whatever they are?
///
/// Rule: shakmaty is not asked otherwise, because it would abort. No game has such a position.
pub fn has_room(position: &Chess) -> bool {
    let of = |role| position.our(role).count() as u32;
    // Anywhere on any board a queen has at most 27 moves, and another piece at most 14.
    let others = position.us().count() as u32 - of(Role::Queen);
    if 27 * of(Role::Queen) + 14 * others + 2 <= MOST_MOVES {
        return true;
    }
    let pieces = position.us() & !position.our(Role::Pawn);
    let attacks = |square| position.board().attacks_from(square).count() as u32;
    12 * of(Role::Pawn) + pieces.into_iter().map(attacks).sum::<u32>() + 2 <= MOST_MOVES
}

/// All that the position consists of.
///
/// Rule: shakmaty counts moves in 32 bits, tabiya in 16, so numbers are compared up to the last
/// that fits.
#[inline]
pub fn state(position: &Chess) -> State {
    let board = position.board();
    State {
        roles: Role::ALL.map(|role| board.by_role(role).0),
        colors: [board.white().0, board.black().0],
        is_black_to_move: position.turn() == Color::Black,
        rights: position.castles().castling_rights().0,
        double_push: position.maybe_ep_square().map(u8::from),
        halfmove_clock: position.halfmoves().min(LAST_NUMBER),
        fullmove_number: position.fullmoves().get().min(LAST_NUMBER),
    }
}

/// The number of a role in tabiya.
pub fn role_number(role: Role) -> u8 {
    role as u8 - 1
}

/// The code of a move.
#[inline(always)]
pub fn code(mv: Move) -> Code {
    match mv {
        Move::Normal { from, to, promotion, .. } => {
            Code::new(from.into(), to.into(), promotion.map_or(0, role_number))
        }
        Move::EnPassant { from, to } => Code::new(from.into(), to.into(), 0),
        Move::Castle { king, rook } => Code::new(king.into(), rook.into(), 0),
        Move::Put { .. } => unreachable!("no piece is dropped in chess"),
    }
}

/// The position after a legal move.
#[inline]
pub fn after(position: &Chess, mv: Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after
}

/// The pieces of the side to move that are pinned to their king.
pub fn pinned(position: &Chess) -> u64 {
    let board = position.board();
    let Some(king) = board.king_of(position.turn()) else { return 0 };
    let snipers = (attacks::rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens())
        | (attacks::bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens());
    let mut pinned = Bitboard::EMPTY;
    for sniper in snipers & position.them() {
        let between = attacks::between(king, sniper) & board.occupied();
        if between.count() == 1 {
            pinned |= between & position.us();
        }
    }
    pinned.0
}

/// The square on which a capture en passant is legal.
pub fn en_passant(position: &Chess) -> Option<u8> {
    position.ep_square(EnPassantMode::Legal).map(u8::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shakmaty_is_asked_unless_its_list_might_be_too_short() {
        let has_room = |fen| {
            let setup = tabiya::Setup::from_fen(fen).expect("it is a FEN");
            has_room(&position(&setup).expect("it is playable"))
        };
        assert!(has_room("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
        // The most moves known for a position that can arise in a game: 218.
        assert!(has_room("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"));
        // 232 moves, and 15 queens that attack more than 256 squares.
        assert!(!has_room("kb3Q1Q/pp1Q4/1Q4Q1/Q3Q3/2Q4Q/Q3Q3/6Q1/1Q1Q1Q1K w - - 0 1"));
    }
}
