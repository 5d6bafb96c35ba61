#![doc = include_str!("../docs/packed.md")]

use core::fmt;

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::CastlingMode;
use crate::color::Color;
use crate::fen::EnPassantMode;
use crate::position::Position;
use crate::role::Role;
use crate::setup::{PositionError, Setup};
use crate::square::{Rank, Square};
use crate::zobrist;

/// A rook that may castle.
const CASTLING_ROOK: u8 = 12;
/// A pawn that can be captured en passant.
const EN_PASSANT_PAWN: u8 = 13;
/// The black king, if Black is to move.
const KING_TO_MOVE: u8 = 14;
/// The number of digits.
const DIGITS: u32 = 32;

/// The part that distinguishes a position from others, in 24 bytes: the first part of a
/// [`PackedPosition`].
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
        // The sets that make up the digits, square by square.
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

    /// The identity with these bytes. They are checked when it is [unpacked](Self::unpack).
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
    /// assert_eq!(error.to_string(), "the bytes are not a packed position: White has no king");
    /// ```
    pub fn unpack(self, mode: CastlingMode, fullmove_number: u16) -> Result<Position, UnpackError> {
        let Unpacked { mut setup, key, en_passant_pawn } = self.read()?;
        setup.castling_mode = mode;
        setup.fullmove_number = fullmove_number;
        self.position(&setup, key, en_passant_pawn)
    }

    /// The pieces and the other information in their digits, playable or not.
    #[inline]
    fn read(self) -> Result<Unpacked, UnpackError> {
        let [occupied, ..] = self.0;
        let found = occupied.count_ones();
        if found > DIGITS {
            return Err(UnpackError::TooManyPieces { found });
        }
        // The squares of each digit, without a branch that depends on the digit.
        let mut squares = [Bitboard::EMPTY; 16];
        let mut key = 0;
        let mut left = Bitboard(occupied);
        for mut digits in [self.0[1], self.0[2]] {
            for _ in 0..16 {
                let Some(square) = left.pop_first() else { break };
                digits = digits.rotate_left(4);
                let digit = digits as usize & 15;
                squares[digit] |= square.bitboard();
                key ^= zobrist::of_code(CODES[square as usize >> 5][digit], square);
            }
        }
        let [w0, w1, w2, w3, w4, w5, b0, b1, b2, b3, b4, b5, castling, pushed, to_move, none] =
            squares;
        let outer = Rank::First.bitboard() | Rank::Eighth.bitboard();
        let inner = Rank::Fourth.bitboard() | Rank::Fifth.bitboard();
        let en_passant_pawn = (pushed & inner).first();
        let one_pawn = en_passant_pawn.map_or(Bitboard::EMPTY, Square::bitboard);
        if let Some(square) = (none | (castling - outer) | (pushed - one_pawn)).first() {
            let digit = squares.iter().position(|set| set.has(square)).unwrap_or(0) as u8;
            return Err(UnpackError::Digit { square, digit });
        }
        let rooks = w3 | b3 | castling;
        let (queens, kings) = (w4 | b4, w5 | b5 | to_move);
        let black_half = Bitboard(!0 << 32);
        let black = b0 | b1 | b2 | b3 | b4 | b5 | to_move | ((castling | pushed) & black_half);
        let white = w0 | w1 | w2 | w3 | w4 | w5 | ((castling | pushed) - black_half);
        let roles = [w1 | b1 | rooks | kings, w2 | b2 | rooks, queens | kings];
        Ok(Unpacked {
            setup: Setup {
                board: Board::from_bits(roles, [white, black]),
                turn: if to_move.any() { Color::Black } else { Color::White },
                castling: castling.into_iter().collect(),
                en_passant: en_passant_pawn.map(pushed_pawn),
                ..Setup::EMPTY
            },
            key,
            en_passant_pawn,
        })
    }

    /// The position of these bytes.
    ///
    /// Other bytes may describe the same position, with digits left over that are not zero, or with
    /// an en-passant square where no capture is legal. They are not the packed position. Nothing
    /// else can differ: the king to move, the castling rooks and the pieces are read from the
    /// digits alone.
    #[inline]
    fn position(
        self,
        setup: &Setup,
        key: u64,
        en_passant_pawn: Option<Square>,
    ) -> Result<Position, UnpackError> {
        setup.validate().map_err(UnpackError::Unplayable)?;
        let position = Position::of_playable(setup, key);
        let [occupied, first, second] = self.0;
        let pieces = occupied.count_ones();
        let left = |word: u64, digits: u32| word.checked_shl(4 * digits).unwrap_or(0);
        let is_exact = left(first, pieces.min(16)) | left(second, pieces.saturating_sub(16)) == 0;
        let has_pawn = position.en_passant().map(pushed_pawn) == en_passant_pawn;
        if !is_exact || !has_pawn {
            return Err(UnpackError::Ambiguous);
        }
        debug_assert_eq!(Self::of(&position), self);
        Ok(position)
    }
}

/// The meaning of the digits.
struct Unpacked {
    setup: Setup,
    /// The key of the pieces.
    key: u64,
    /// The pawn that can be captured en passant.
    en_passant_pawn: Option<Square>,
}

/// The codes of the pieces in the keys, by the half of the board and the digit. Pawns that can be
/// captured en passant and castling rooks are White's in the lower half.
const CODES: [[u8; 16]; 2] = {
    let mut codes = [[0; 16]; 2];
    let mut half = 0;
    while half < 2 {
        let mut digit = 0;
        while digit < 12 {
            let color = if digit < 6 { Color::White } else { Color::Black };
            codes[half][digit] = zobrist::code(color, Role::ALL[digit % 6]) as u8;
            digit += 1;
        }
        let color = Color::ALL[half];
        codes[half][CASTLING_ROOK as usize] = zobrist::code(color, Role::Rook) as u8;
        codes[half][EN_PASSANT_PAWN as usize] = zobrist::code(color, Role::Pawn) as u8;
        codes[half][KING_TO_MOVE as usize] = zobrist::code(Color::Black, Role::King) as u8;
        half += 1;
    }
    codes
};

/// The pawn whose double push passed this square; or, given the pawn's square, the square that it
/// passed. Both are on the same file and on neighbouring ranks, 3 and 4 or 5 and 6.
const fn pushed_pawn(passed: Square) -> Square {
    Square::ALL[passed as usize ^ 8]
}

/// A position with everything that belongs to it, in 32 bytes.
///
/// Unlike two [positions](Position), two packed ones are equal only if the clocks, the notation of
/// castling and the square of the last double push are equal, too. [`identity`](Self::identity) is
/// the part that decides whether the positions are equal.
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

    /// The part that decides whether the position equals others.
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

    /// The packed position with these bytes. They are checked when it is [unpacked](Self::unpack).
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
    /// [`UnpackError`] if the bytes are not a packed position.
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
        let Unpacked { mut setup, key, en_passant_pawn } = self.identity.read()?;
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
        let position = self.identity.position(&setup, key, en_passant_pawn)?;
        let is_exact = setup.en_passant.map_or(0, |square| square as u8) == double_push;
        if is_exact { Ok(position) } else { Err(UnpackError::Ambiguous) }
    }
}

/// The reason why bytes are not a packed position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnpackError {
    /// More squares are occupied than there can be pieces.
    TooManyPieces {
        /// The number of squares.
        found: u32,
    },
    /// The digit of a square stands for no piece, or for one that cannot stand there.
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
    /// The bytes describe a position that is packed differently: a digit after the last piece is
    /// not zero, or the information about en passant is wrong.
    Ambiguous,
}

impl fmt::Display for UnpackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bytes are not a packed position: ")?;
        match self {
            Self::TooManyPieces { found } => {
                write!(f, "{found} squares are occupied, more than {DIGITS}")
            }
            Self::Digit { square, digit } => {
                write!(f, "the digit {digit} is not a piece that can stand on {square}")
            }
            Self::CastlingMode { byte } => {
                write!(f, "byte 28, the notation of castling, is {byte}, not 0 or 1")
            }
            Self::DoublePush { byte } => {
                write!(
                    f,
                    "byte 29, the square of a double push, is {byte}, which is not such a square"
                )
            }
            Self::Reserved => f.write_str("bytes 30 and 31 are not zero"),
            Self::Unplayable(error) => error.fmt(f),
            Self::Ambiguous => f.write_str("their position is packed as other bytes"),
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
