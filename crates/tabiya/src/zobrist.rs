//! Zobrist keys: a 64-bit number for a position, updated with a few XORs for each move.
//!
//! A position's key is the XOR of one number for each piece on its square, each castling rook, the
//! file of an en-passant square on which a capture is *legal*, and Black to move. Equal positions
//! have equal keys.
//!
//! Different positions may share a key. The numbers come from a generator with a fixed seed, so the
//! keys are the same in every build, and nothing is proven about a particular pair of positions.
//! For positions that were not chosen with knowledge of these numbers, two keys are equal with a
//! chance of about 2^-64, as if the numbers were random. With knowledge of the numbers, different
//! positions with equal keys can be constructed.
//!
//! Source: Albert Zobrist, "A New Hashing Method with Application for Game Playing", 1970.

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::CastlingRights;
use crate::color::Color;
use crate::random::SplitMix64;
use crate::role::Role;
use crate::square::Square;

struct Keys {
    /// By code and square; 0 for codes that do not stand for a piece.
    pieces: [[u64; 64]; 32],
    castling: [u64; 64],
    en_passant: [u64; 8],
    black: u64,
}

const fn numbers<const N: usize>(random: &mut SplitMix64) -> [u64; N] {
    let mut list = [0; N];
    let mut index = 0;
    while index < N {
        list[index] = random.number();
        index += 1;
    }
    list
}

const SEED: u64 = 0x7461_6269_7961;

static KEYS: Keys = {
    let mut random = SplitMix64::new(SEED);
    let mut pieces = [[0; 64]; 32];
    let mut index = 0;
    while index < 12 {
        pieces[code(Color::ALL[index / 6], Role::ALL[index % 6])] = numbers(&mut random);
        index += 1;
    }
    Keys {
        pieces,
        castling: numbers(&mut random),
        en_passant: numbers(&mut random),
        black: random.number(),
    }
};

/// Are the numbers computed where they are needed? In WebAssembly that costs little, and random
/// numbers can't be compressed: a page would load a module that's larger by a twentieth.
const IS_COMPUTED: bool = cfg!(target_arch = "wasm32");

/// A number by its place in the generator's sequence.
#[inline]
const fn computed(place: usize) -> u64 {
    SplitMix64::new(SEED).after(place as u64).number()
}

/// The places of the numbers that don't belong to pieces.
const CASTLING: usize = 12 * 64;
const EN_PASSANT: usize = CASTLING + 64;
const BLACK: usize = EN_PASSANT + 8;

/// The code of a piece: the number of its role, and a bit for each colour.
pub(crate) const fn code(color: Color, role: Role) -> usize {
    role as usize | 8 << color as usize
}

/// The number of a code on a square: 0 if the low five bits of the code do not stand for a piece.
#[inline(always)]
pub(crate) fn of_code(code: u8, square: Square) -> u64 {
    if IS_COMPUTED {
        return computed_of_code(code, square);
    }
    KEYS.pieces[code as usize & 31][square as usize]
}

fn computed_of_code(code: u8, square: Square) -> u64 {
    let (role, color) = (code as usize & 7, code as usize >> 3 & 3);
    let is_piece = role < 6 && matches!(color, 1 | 2);
    if is_piece { computed((6 * color + role - 6) * 64 + square as usize) } else { 0 }
}

/// The number of a piece on a square.
#[inline(always)]
pub(crate) const fn piece(color: Color, role: Role, square: Square) -> u64 {
    if IS_COMPUTED {
        return computed((color as usize * 6 + role as usize) * 64 + square as usize);
    }
    KEYS.pieces[code(color, role)][square as usize]
}

/// The number of a castling right, by its rook's square.
#[inline(always)]
pub(crate) const fn castling(rook: Square) -> u64 {
    if IS_COMPUTED { computed(CASTLING + rook as usize) } else { KEYS.castling[rook as usize] }
}

/// The number of an en-passant square.
#[inline(always)]
pub(crate) const fn en_passant(square: Square) -> u64 {
    let file = square as usize & 7;
    if IS_COMPUTED { computed(EN_PASSANT + file) } else { KEYS.en_passant[file] }
}

/// The number of Black to move. Every move changes it.
#[inline(always)]
pub(crate) const fn turn() -> u64 {
    if IS_COMPUTED { computed(BLACK) } else { KEYS.black }
}

/// The key of the pieces, which is part of the key of a position.
pub(crate) const fn of_pieces(board: &Board) -> u64 {
    let mut key = 0;
    let mut index = 0;
    while index < 12 {
        let color = Color::ALL[index / 6];
        let role = Role::ALL[index % 6];
        let mut squares = Bitboard(board.color(color).0 & board.role(role).0);
        while let Some(square) = squares.pop_first() {
            key ^= piece(color, role, square);
        }
        index += 1;
    }
    key
}

/// The key of a whole position, from the key of its pieces. Pass `en_passant_square` only if a
/// capture there is legal.
#[inline]
pub(crate) const fn of_position(
    pieces: u64,
    side_to_move: Color,
    rights: CastlingRights,
    en_passant_square: Option<Square>,
) -> u64 {
    let mut key = match side_to_move {
        Color::White => pieces,
        Color::Black => pieces ^ turn(),
    };
    let mut rooks = rights.rooks();
    while let Some(rook) = rooks.pop_first() {
        key ^= castling(rook);
    }
    match en_passant_square {
        Some(square) => key ^ en_passant(square),
        None => key,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// WebAssembly computes them, and has the same keys.
    #[test]
    fn computed_numbers_are_those_of_the_table() {
        for square in Square::ALL {
            for code in 0..32 {
                let stored = KEYS.pieces[code as usize][square as usize];
                assert_eq!(computed_of_code(code, square), stored, "{code} {square}");
            }
            assert_eq!(computed(CASTLING + square as usize), KEYS.castling[square as usize]);
        }
        let files = [0, 1, 2, 3, 4, 5, 6, 7].map(|file| computed(EN_PASSANT + file));
        assert_eq!((files, computed(BLACK)), (KEYS.en_passant, KEYS.black));
    }
}
