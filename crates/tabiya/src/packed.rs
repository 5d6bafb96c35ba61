#![doc = include_str!("../docs/packed.md")]

use core::fmt;

use crate::bitboard::Bitboard;
use crate::castling::CastlingMode;
use crate::color::Color;
use crate::fen::EnPassantMode;
use crate::position::Position;
use crate::role::{Piece, Role};
use crate::setup::{PositionError, Setup};
use crate::square::{Rank, Square};

/// A rook that may castle.
const CASTLING_ROOK: u8 = 12;
/// A pawn that can be captured en passant.
const EN_PASSANT_PAWN: u8 = 13;
/// The black king, if Black is to move.
const KING_TO_MOVE: u8 = 14;
/// The number of digits.
const DIGITS: u32 = 32;

/// What distinguishes a position from others, in 24 bytes: the first part of a [`PackedPosition`].
///
/// Two of them are equal if and only if the positions are equal. They are ordered like their
/// [bytes](Self::to_bytes).
///
/// ```
/// use tabiya::{CastlingMode, Position, packed::PackedIdentity};
/// let packed = PackedIdentity::of(&Position::START);
/// assert_eq!(packed.unpack(CastlingMode::Standard, 1).as_ref(), Ok(&Position::START));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackedIdentity([u64; 3]);

impl PackedIdentity {
    /// The number of bytes.
    pub const BYTES: usize = 24;

    /// Packs a position.
    #[inline]
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

    /// The bytes, in the order in which they compare.
    #[inline]
    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        for (chunk, word) in bytes.chunks_exact_mut(8).zip(self.0) {
            chunk.copy_from_slice(&word.to_be_bytes());
        }
        bytes
    }

    /// The identity with these bytes. Whether they really are one is checked when it is
    /// [unpacked](Self::unpack).
    #[inline]
    pub fn from_bytes(bytes: [u8; Self::BYTES]) -> Self {
        let mut words = [0; 3];
        for (word, chunk) in words.iter_mut().zip(bytes.as_chunks().0) {
            *word = u64::from_be_bytes(*chunk);
        }
        Self(words)
    }

    /// The position, with castling written in the given way, and with the given fullmove number.
    /// The halfmove clock is 0, since it is not included.
    ///
    /// # Errors
    /// [`UnpackError`] if these are not the bytes of a position.
    ///
    /// ```
    /// use tabiya::{CastlingMode, packed::{PackedIdentity, UnpackError}};
    /// let zeros = PackedIdentity::from_bytes([0; 24]);
    /// let error = zeros.unpack(CastlingMode::Standard, 1).unwrap_err();
    /// assert_eq!(error.to_string(), "the bytes are not those of a packed position: White has no king");
    /// ```
    pub fn unpack(self, mode: CastlingMode, fullmove_number: u16) -> Result<Position, UnpackError> {
        let mut setup = self.setup()?;
        setup.castling_mode = mode;
        setup.fullmove_number = fullmove_number;
        let position = Position::from_setup(&setup).map_err(UnpackError::Unplayable)?;
        // Other bytes may describe the same position, with digits left over that are not zero, or
        // with an en-passant square where no capture is legal. They are not the packed position.
        if Self::of(&position) == self { Ok(position) } else { Err(UnpackError::Ambiguous) }
    }

    /// The pieces and what their digits say besides, playable or not.
    fn setup(self) -> Result<Setup, UnpackError> {
        let [occupied, ..] = self.0;
        let found = occupied.count_ones();
        if found > DIGITS {
            return Err(UnpackError::TooManyPieces { found });
        }
        let mut setup = Setup::EMPTY;
        for (number, square) in Bitboard(occupied).into_iter().enumerate() {
            let digit = (self.0[1 + number / 16] >> (60 - 4 * (number % 16)) & 15) as u8;
            let Some(piece) = piece(digit, square) else {
                return Err(UnpackError::Digit { square, digit });
            };
            setup.board.put_on_empty(square, piece);
            match digit {
                CASTLING_ROOK => setup.castling.add(square),
                EN_PASSANT_PAWN if setup.en_passant.is_some() => {
                    return Err(UnpackError::Digit { square, digit });
                }
                EN_PASSANT_PAWN => setup.en_passant = Some(pushed_pawn(square)),
                KING_TO_MOVE => setup.turn = Color::Black,
                _ => {}
            }
        }
        Ok(setup)
    }
}

/// The piece that a digit stands for, if it can stand on that square.
fn piece(digit: u8, square: Square) -> Option<Piece> {
    Some(match (digit, square.rank()) {
        (0..6, _) => Role::ALL[usize::from(digit)].of(Color::White),
        (6..12, _) => Role::ALL[usize::from(digit - 6)].of(Color::Black),
        (CASTLING_ROOK, Rank::First) => Role::Rook.of(Color::White),
        (CASTLING_ROOK, Rank::Eighth) => Role::Rook.of(Color::Black),
        (EN_PASSANT_PAWN, Rank::Fourth) => Role::Pawn.of(Color::White),
        (EN_PASSANT_PAWN, Rank::Fifth) => Role::Pawn.of(Color::Black),
        (KING_TO_MOVE, _) => Role::King.of(Color::Black),
        _ => return None,
    })
}

/// The pawn whose double push passed this square; or, given the pawn's square, the square that it
/// passed. Both are on the same file and on neighbouring ranks, 3 and 4 or 5 and 6.
const fn pushed_pawn(passed: Square) -> Square {
    Square::ALL[passed as usize ^ 8]
}

/// A position with everything that belongs to it, in 32 bytes.
///
/// Unlike two [positions](Position), two packed ones are equal only if the clocks, the notation of
/// castling and the square of the last double push are equal, too. [`identity`](Self::identity) is the
/// part that decides whether the positions are equal.
///
/// ```
/// use tabiya::{PackedPosition, Position};
/// let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
/// let position = Position::from_fen(fen).unwrap();
/// let bytes = PackedPosition::of(&position).to_bytes();
/// assert_eq!(bytes.len(), 32);
/// let back = PackedPosition::from_bytes(bytes).unpack().unwrap();
/// assert_eq!(back.fen().to_string(), fen);
/// ```
#[doc(alias("compressed", "binary", "serialize"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackedPosition {
    identity: PackedIdentity,
    halfmove_clock: u16,
    fullmove_number: u16,
    /// The bytes 28 to 31.
    rest: [u8; 4],
}

impl PackedPosition {
    /// The number of bytes.
    pub const BYTES: usize = 32;

    /// Packs a position.
    pub fn of(position: &Position) -> Self {
        let mode = match position.castling_mode() {
            CastlingMode::Standard => 0,
            CastlingMode::Chess960 => 1,
        };
        let double_push = position.en_passant_with(EnPassantMode::Always);
        Self {
            identity: PackedIdentity::of(position),
            halfmove_clock: position.halfmove_clock(),
            fullmove_number: position.fullmove_number(),
            rest: [mode, double_push.map_or(0, |square| square as u8), 0, 0],
        }
    }

    /// What makes the position equal to others, or different.
    pub const fn identity(self) -> PackedIdentity {
        self.identity
    }

    /// The bytes, in the order in which packed positions compare.
    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..24].copy_from_slice(&self.identity.to_bytes());
        bytes[24..26].copy_from_slice(&self.halfmove_clock.to_be_bytes());
        bytes[26..28].copy_from_slice(&self.fullmove_number.to_be_bytes());
        bytes[28..].copy_from_slice(&self.rest);
        bytes
    }

    /// The packed position with these bytes. Whether they really are one is checked when it is
    /// [unpacked](Self::unpack).
    pub fn from_bytes(bytes: [u8; Self::BYTES]) -> Self {
        let [identity @ .., a, b, c, d, mode, double_push, reserved_a, reserved_b] = bytes;
        Self {
            identity: PackedIdentity::from_bytes(identity),
            halfmove_clock: u16::from_be_bytes([a, b]),
            fullmove_number: u16::from_be_bytes([c, d]),
            rest: [mode, double_push, reserved_a, reserved_b],
        }
    }

    /// The position.
    ///
    /// It is packed to the same bytes again: no two byte strings stand for one position.
    ///
    /// # Errors
    /// [`UnpackError`] if these are not the bytes of a packed position.
    ///
    /// ```
    /// use tabiya::{PackedPosition, Position, packed::UnpackError};
    /// let mut bytes = PackedPosition::of(&Position::START).to_bytes();
    /// bytes[28] = 7;
    /// let error = PackedPosition::from_bytes(bytes).unpack().unwrap_err();
    /// assert_eq!(error, UnpackError::CastlingMode { byte: 7 });
    /// ```
    pub fn unpack(self) -> Result<Position, UnpackError> {
        let [mode, double_push, reserved @ ..] = self.rest;
        let mut setup = self.identity.setup()?;
        setup.castling_mode = match mode {
            0 => CastlingMode::Standard,
            1 => CastlingMode::Chess960,
            byte => return Err(UnpackError::CastlingMode { byte }),
        };
        if double_push > 0 {
            let square = Square::from_index(double_push);
            setup.en_passant = Some(square.ok_or(UnpackError::DoublePush { byte: double_push })?);
        }
        if reserved != [0, 0] {
            return Err(UnpackError::Reserved);
        }
        setup.halfmove_clock = self.halfmove_clock;
        setup.fullmove_number = self.fullmove_number;
        let position = Position::from_setup(&setup).map_err(UnpackError::Unplayable)?;
        if Self::of(&position) == self { Ok(position) } else { Err(UnpackError::Ambiguous) }
    }
}

/// Why bytes are not those of a packed position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnpackError {
    /// More squares are occupied than there can be pieces.
    TooManyPieces {
        /// The number of squares.
        found: u32,
    },
    /// The digit of a square stands for no piece, or for none that can stand there.
    Digit {
        /// The square.
        square: Square,
        /// The digit, from 0 to 15.
        digit: u8,
    },
    /// The byte for the notation of castling is neither 0 nor 1.
    CastlingMode {
        /// The byte.
        byte: u8,
    },
    /// The byte for the square of the last double push is no square.
    DoublePush {
        /// The byte.
        byte: u8,
    },
    /// The last two bytes are not zero.
    Reserved,
    /// The bytes describe a position that is not playable.
    Unplayable(PositionError),
    /// The bytes describe a position whose packed bytes are others: a digit after the last piece is not
    /// zero, or what they say about en passant is not so.
    Ambiguous,
}

impl fmt::Display for UnpackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bytes are not those of a packed position: ")?;
        match self {
            Self::TooManyPieces { found } => {
                write!(f, "{found} squares are occupied, and there are at most {DIGITS} pieces")
            }
            Self::Digit { square, digit } => {
                write!(f, "the digit {digit} stands for no piece that can be on {square}")
            }
            Self::CastlingMode { byte } => {
                write!(f, "byte 28, the notation of castling, is {byte}, and not 0 or 1")
            }
            Self::DoublePush { byte } => {
                write!(f, "byte 29, the square of a double push, is {byte}, which is no square")
            }
            Self::Reserved => f.write_str("bytes 30 and 31 are not zero"),
            Self::Unplayable(error) => error.fmt(f),
            Self::Ambiguous => f.write_str("the position that they describe has other bytes"),
        }
    }
}

impl core::error::Error for UnpackError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Unplayable(error) => Some(error),
            _ => None,
        }
    }
}
