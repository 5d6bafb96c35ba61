//! Zobrist keys: a 64-bit number for a position, updated with a few XORs for each move.
//!
//! A position's key is the XOR of one number for each piece on its square, each castling rook, the
//! file of an en-passant square on which a capture is *legal*, and Black to move. Equal positions
//! have equal keys.
//!
//! Different positions may share a key. The numbers come from a generator with a fixed seed, so the
//! keys are the same in every build, and nothing is proven about a particular pair of positions.
//! For positions that were not chosen with knowledge of these numbers, two keys are equal with a
//! chance of about 2^-64, as if the numbers were random. Somebody who knows the numbers can
//! construct different positions with equal keys.
//!
//! Source: Albert Zobrist, "A New Hashing Method with Application for Game Playing", 1970.

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::CastlingRights;
use crate::color::Color;
use crate::role::Role;
use crate::square::Square;

struct Keys {
    pieces: [[[u64; 64]; 6]; 2],
    castling: [u64; 64],
    en_passant: [u64; 8],
    black: u64,
}

/// The SplitMix64 generator of Guy Steele, Doug Lea and Christine Flood.
const fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn numbers<const N: usize>(state: &mut u64) -> [u64; N] {
    let mut list = [0; N];
    let mut index = 0;
    while index < N {
        list[index] = next(state);
        index += 1;
    }
    list
}

static KEYS: Keys = {
    let mut state = 0x7461_6269_7961;
    let mut pieces = [[[0; 64]; 6]; 2];
    let mut index = 0;
    while index < 12 {
        pieces[index / 6][index % 6] = numbers(&mut state);
        index += 1;
    }
    Keys {
        pieces,
        castling: numbers(&mut state),
        en_passant: numbers(&mut state),
        black: next(&mut state),
    }
};

/// The number of a piece on a square.
#[inline(always)]
pub(crate) fn piece(color: Color, role: Role, square: Square) -> u64 {
    KEYS.pieces[color as usize][role as usize][square as usize]
}

/// The number of a castling right, by its rook's square.
#[inline(always)]
pub(crate) fn castling(rook: Square) -> u64 {
    KEYS.castling[rook as usize]
}

/// The number of an en-passant square.
#[inline(always)]
pub(crate) fn en_passant(square: Square) -> u64 {
    KEYS.en_passant[square as usize & 7]
}

/// The number of Black to move: XORed in with every move.
#[inline(always)]
pub(crate) fn turn() -> u64 {
    KEYS.black
}

/// The key of a whole position. Pass `en_passant_square` only if a capture there is legal.
pub(crate) const fn from_scratch(
    board: &Board,
    turn_of: Color,
    rights: CastlingRights,
    en_passant_square: Option<Square>,
) -> u64 {
    let mut key = match turn_of {
        Color::White => 0,
        Color::Black => KEYS.black,
    };
    let mut index = 0;
    while index < 12 {
        let color = Color::ALL[index / 6];
        let role = Role::ALL[index % 6];
        let mut squares = Bitboard(board.color(color).0 & board.role(role).0);
        while let Some(square) = squares.pop_first() {
            key ^= KEYS.pieces[index / 6][index % 6][square as usize];
        }
        index += 1;
    }
    let mut rooks = rights.rooks();
    while let Some(rook) = rooks.pop_first() {
        key ^= KEYS.castling[rook as usize];
    }
    match en_passant_square {
        Some(square) => key ^ KEYS.en_passant[square as usize & 7],
        None => key,
    }
}
