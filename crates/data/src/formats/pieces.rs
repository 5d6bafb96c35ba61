//! Pieces as viriformat and bulletformat hold them: a 64-bit set of squares, a1 in the lowest bit, and four bits
//! for each of them in the order of the squares, in the low half of a byte first.
//!
//! The lower three bits are the role, from pawn to king, or 6 for a rook that may castle. The fourth is set for
//! Black, or for the side that isn't to move.

use tabiya::packed::UnpackError;
use tabiya::{Bitboard, Board, Color, PackedPosition, Position, PositionError};

use crate::bad::Reason;

pub(super) const BYTES: usize = 24;
const CASTLING_ROOK: u8 = 6;

/// The position, without an en-passant square. It is of Chess960 if standard chess doesn't have these castling rights.
pub(super) fn position(
    pieces: &[u8; BYTES],
    turn: Color,
    halfmove_clock: u16,
    fullmove_number: u16,
) -> Result<Position, Reason> {
    let mut bytes = [0; PackedPosition::BYTES];
    let chess960 = 28;
    bytes[..BYTES].copy_from_slice(&packed(pieces, turn).map_err(Reason::Position)?);
    bytes[24..26].copy_from_slice(&halfmove_clock.to_be_bytes());
    bytes[26..28].copy_from_slice(&fullmove_number.to_be_bytes());
    let mut position = PackedPosition::from_bytes(bytes).unpack();
    if position == Err(UnpackError::Unplayable(PositionError::CastlingNotStandard)) {
        bytes[chess960] = 1;
        position = PackedPosition::from_bytes(bytes).unpack();
    }
    position.map_err(|error| {
        Reason::Position(match error {
            UnpackError::Unplayable(error) => error.to_string(),
            error => error.to_string(),
        })
    })
}

/// The pieces as a packed position has them, so that it can read and check them: 32 codes at a time, in one number.
fn packed(pieces: &[u8; BYTES], turn: Color) -> Result<[u8; BYTES], String> {
    let (occupied, codes) = pieces.split_first_chunk::<8>().expect("there are more");
    let occupied = Bitboard(u64::from_le_bytes(*occupied));
    if occupied.len() > 32 {
        return Err(format!("there are {} pieces, more than 32", occupied.len()));
    }
    let codes: &[u8; 16] = codes.try_into().expect("16 bytes are left");
    let codes = u128::from_le_bytes(*codes) & first(occupied.len());
    let [bit0, bit1, bit2, black] = [0, 1, 2, 3].map(|bit| codes >> bit & FIRST_BITS);
    if bit0 & bit1 & bit2 != 0 {
        return Err("the code 7 is no piece".to_owned());
    }
    let castling = bit1 & bit2;
    let lower = first((occupied & Bitboard(0xffff_ffff)).len());
    if castling & !black & !lower | castling & black & lower != 0 {
        return Err("a rook that may castle isn't on its side's half".to_owned());
    }
    // Roles from 0 to 5, and those of Black from 6 to 11. A castling rook is 12, a king to move 14 if it's Black's.
    let mut digits = codes - 2 * black + 6 * (castling & !black);
    if turn == Color::Black {
        digits += 3 * (bit0 & bit2 & black);
    }
    let low_halves = 0x0f * (u128::MAX / 0xff);
    let digits = (digits & low_halves) << 4 | digits >> 4 & low_halves;
    let mut packed = [0; BYTES];
    packed[..8].copy_from_slice(&occupied.0.to_be_bytes());
    packed[8..].copy_from_slice(&digits.to_le_bytes());
    Ok(packed)
}

/// The lowest bit of each code.
const FIRST_BITS: u128 = u128::MAX / 15;

/// Are all codes roles from pawn to king?
pub(super) const fn are_roles(codes: u128) -> bool {
    codes >> 1 & codes >> 2 & FIRST_BITS == 0
}

/// The bits of the first codes.
const fn first(count: u32) -> u128 {
    match u128::MAX.checked_shl(4 * count) {
        Some(others) => !others,
        None => u128::MAX,
    }
}

/// The pieces of a board.
pub(super) fn of(board: &Board, castling_rooks: Bitboard) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    bytes[..8].copy_from_slice(&board.occupied().0.to_le_bytes());
    for (number, (square, piece)) in board.iter().enumerate() {
        let role = if castling_rooks.has(square) { CASTLING_ROOK } else { piece.role as u8 };
        bytes[8 + number / 2] |= (role | (piece.color as u8) << 3) << (4 * (number % 2));
    }
    bytes
}
