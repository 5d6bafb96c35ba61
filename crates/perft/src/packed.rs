//! A position in 24 bytes, without loss: equal positions have equal bytes, different positions have
//! different bytes.
//!
//! ```text
//! bytes  0..8    the set of occupied squares
//! bytes  8..24   one digit of four bits for each piece, from a1 to h8; then zeros
//! ```
//!
//! A position has at most 32 pieces, so 32 digits are enough. Twelve of the sixteen digits are the
//! pieces of both colours. The others hold everything else that distinguishes positions:
//!
//! | digit | piece                                                                     |
//! | ----- | ------------------------------------------------------------------------- |
//! | 0..6  | a white pawn, knight, bishop, rook, queen, king                           |
//! | 6..12 | the same in black                                                         |
//! | 12    | a rook with which its side may castle; its rank gives the colour          |
//! | 13    | a pawn that can be captured en passant; its rank gives the colour         |
//! | 14    | the black king, if Black is to move                                       |
//! | 15    | nothing                                                                   |
//!
//! This is enough: a castling right belongs to a rook, a legal capture en passant to a pawn that
//! just made a double push, and the side to move to a king, which is always there. The halfmove
//! clock and the fullmove number are not included, because they do not distinguish positions.

use tabiya::{Bitboard, CastlingMode, Color, Piece, Position, Rank, Role, Setup, Square};

/// A rook that may castle.
const CASTLING_ROOK: u8 = 12;
/// A pawn that can be captured en passant.
const EN_PASSANT_PAWN: u8 = 13;
/// The black king, if Black is to move.
const KING_TO_MOVE: u8 = 14;
/// The number of digits.
const DIGITS: u32 = 32;

/// A position without its counters, in 24 bytes.
///
/// Two of them are equal if and only if the positions are equal. They are ordered like their
/// [bytes](Self::to_bytes).
///
/// ```
/// use tabiya::{CastlingMode, Position};
/// use tabiya_perft::PackedPosition;
///
/// let packed = PackedPosition::of(&Position::START);
/// assert_eq!(packed.unpack(CastlingMode::Standard, 1).as_ref(), Ok(&Position::START));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackedPosition([u64; 3]);

impl PackedPosition {
    /// The number of bytes.
    pub const BYTES: usize = 24;

    /// Packs a position.
    pub fn of(position: &Position) -> Self {
        let board = position.board();
        let pawn = position.en_passant().map(pushed_pawn);
        let special =
            position.castling_rights().rooks() | pawn.map_or(Bitboard::EMPTY, Square::bitboard);
        let black_to_move = position.turn() == Color::Black;
        let mut packed = [board.occupied().0, 0, 0];
        // The sets of which the digits are made up, square by square.
        let roles = Role::ALL.map(|role| board.role(role).0);
        let black = board.color(Color::Black).0;
        for (number, square) in board.occupied().into_iter().enumerate() {
            let bit = |set: u64| (set >> square as u8 & 1) as u8;
            let role = bit(roles[1])
                + 2 * bit(roles[2])
                + 3 * bit(roles[3])
                + 4 * bit(roles[4])
                + 5 * bit(roles[5]);
            let mut digit = role + 6 * bit(black);
            if special.has(square) {
                digit = if role == Role::Rook as u8 { CASTLING_ROOK } else { EN_PASSANT_PAWN };
            } else if black_to_move && digit == Role::King as u8 + 6 {
                digit = KING_TO_MOVE;
            }
            packed[1 + number / 16] |= u64::from(digit) << (60 - 4 * (number % 16));
        }
        Self(packed)
    }

    /// The bytes, in the order in which packed positions compare.
    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        for (chunk, word) in bytes.chunks_exact_mut(8).zip(self.0) {
            chunk.copy_from_slice(&word.to_be_bytes());
        }
        bytes
    }

    /// The packed position of these bytes. Whether they really are one is checked when it is
    /// unpacked.
    pub fn from_bytes(bytes: [u8; Self::BYTES]) -> Self {
        let mut words = [0; 3];
        for (word, chunk) in words.iter_mut().zip(bytes.chunks_exact(8)) {
            let mut eight = [0; 8];
            eight.copy_from_slice(chunk);
            *word = u64::from_be_bytes(eight);
        }
        Self(words)
    }

    /// The position, with castling written in the given way, and with the given fullmove number.
    /// The halfmove clock is 0, since it is not packed.
    ///
    /// # Errors
    /// [`UnpackError`] if these are not the bytes of a packed position.
    pub fn unpack(self, mode: CastlingMode, fullmove_number: u16) -> Result<Position, UnpackError> {
        let [occupied, ..] = self.0;
        if occupied.count_ones() > DIGITS {
            return Err(UnpackError);
        }
        let mut setup = Setup { castling_mode: mode, fullmove_number, ..Setup::EMPTY };
        let mut black_to_move = false;
        for (number, square) in Bitboard(occupied).into_iter().enumerate() {
            let (piece, digit) = self.piece(number, square)?;
            setup.board.set(square, Some(piece));
            match digit {
                CASTLING_ROOK => setup.castling.add(square),
                EN_PASSANT_PAWN if setup.en_passant.is_some() => return Err(UnpackError),
                EN_PASSANT_PAWN => setup.en_passant = Some(pushed_pawn(square)),
                KING_TO_MOVE => black_to_move = true,
                _ => {}
            }
        }
        if black_to_move {
            setup.turn = Color::Black;
        }
        let position = Position::from_setup(&setup).map_err(|_| UnpackError)?;
        // Other bytes may describe the same position, with digits left over that are not zero, or
        // with an en-passant square where no capture is legal. They are not the packed position.
        if Self::of(&position) == self { Ok(position) } else { Err(UnpackError) }
    }

    /// A piece by its number in the order of the squares, and its digit.
    fn piece(self, number: usize, square: Square) -> Result<(Piece, u8), UnpackError> {
        let digit = (self.0[1 + number / 16] >> (60 - 4 * (number % 16)) & 15) as u8;
        let piece = match digit {
            0..6 => Role::ALL[usize::from(digit)].of(Color::White),
            6..12 => Role::ALL[usize::from(digit - 6)].of(Color::Black),
            CASTLING_ROOK => match square.rank() {
                Rank::First => Role::Rook.of(Color::White),
                Rank::Eighth => Role::Rook.of(Color::Black),
                _ => return Err(UnpackError),
            },
            EN_PASSANT_PAWN => match square.rank() {
                Rank::Fourth => Role::Pawn.of(Color::White),
                Rank::Fifth => Role::Pawn.of(Color::Black),
                _ => return Err(UnpackError),
            },
            KING_TO_MOVE => Role::King.of(Color::Black),
            _ => return Err(UnpackError),
        };
        Ok((piece, digit))
    }
}

/// The pawn whose double push passed this square; or, given the pawn's square, the square that it
/// passed. Both are on the same file and on neighbouring ranks, 3 and 4 or 5 and 6.
const fn pushed_pawn(passed: Square) -> Square {
    Square::ALL[passed as usize ^ 8]
}

/// Bytes that are not those of a packed position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the bytes are not those of a packed position")]
pub struct UnpackError;
