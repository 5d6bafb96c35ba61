//! The first record of a chain, in 32 bytes, numbers big-endian:
//!
//! | bytes | contents |
//! | --- | --- |
//! | 0 to 7 | the occupied squares, a1 in the lowest bit |
//! | 8 to 23 | what is on them, from a1 to h8: digits of four bits, the first in the lower half of byte 8 |
//! | 24 and 25 | the move: its sort (0 any, 1 promotion, 2 castling, 3 en passant), origin, target, and the promoted role from knight to queen, in 2, 6, 6 and 2 bits; castling goes to the rook |
//! | 26 and 27 | the score from the point of view of the side to move, 32002 if there's none; its sign in the lowest bit |
//! | 28 and 29 | the result for the side to move in the two highest bits (0 a draw, 1 lost, 2 won), then the plies since the start of the game |
//! | 30 and 31 | the plies since the last capture or pawn move |
//!
//! | digits | piece |
//! | --- | --- |
//! | 0 to 11 | pawn, knight, bishop, rook, queen, king, of either colour: White's are even |
//! | 12 | the pawn that can be captured en passant: White's on rank 4, Black's on rank 5 |
//! | 13 and 14 | White's and Black's rooks that may castle |
//! | 15 | the black king, if Black is to move |

use tabiya::{
    Bitboard, CastlingRights, CastlingSide, Color, Move, MoveKind, Piece, Position, Rank, Role,
    Setup, Square, UciMove,
};

use super::bits::{to_signed, to_unsigned};
use crate::bad::Reason;
use crate::record::GameResult;

pub(super) const BYTES: usize = 32;
/// The plies have as many bits.
pub(super) const PLIES: u16 = 1 << 14;

const EN_PASSANT: u8 = 12;
const CASTLING: u8 = 13;
const TO_MOVE: u8 = 15;

/// A stem whose position is playable and whose move is legal.
pub(super) struct Stem {
    pub(super) position: Position,
    pub(super) mv: Move,
    pub(super) score: i16,
    /// `None` if the bits are none.
    pub(super) result: Option<GameResult>,
    pub(super) ply: u16,
}

impl Stem {
    pub(super) fn read(bytes: &[u8; BYTES]) -> Result<Self, Reason> {
        let [.., m, n, s, t, p, q, c, d] = *bytes;
        let ply = u16::from_be_bytes([p, q]);
        let mut setup = read_setup(bytes).map_err(Reason::Position)?;
        setup.halfmove_clock = u16::from_be_bytes([c, d]);
        setup.fullmove_number = ply % PLIES / 2 + 1;
        let position = Position::from_setup(&setup);
        let position = position.map_err(|error| Reason::Position(error.to_string()))?;
        let mv = read_move(&position, u16::from_be_bytes([m, n]));
        let mv = mv.ok_or_else(|| Reason::Move(format!("the move {m:02x}{n:02x} isn't legal")))?;
        let points = to_signed(ply / PLIES).into();
        let result = GameResult::from_side(points, position.turn());
        let score = to_signed(u16::from_be_bytes([s, t]));
        Ok(Self { position, mv, score, result, ply: ply % PLIES })
    }

    /// The bytes. The result is there, and the plies fit.
    pub(super) fn write(&self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        write_board(&self.position, &mut bytes);
        let points = self.result.map_or(0, |result| result.for_side(self.position.turn()));
        let numbers = [
            write_move(&self.position, self.mv),
            to_unsigned(self.score),
            (to_unsigned(points.into()) * PLIES) | self.ply,
            self.position.halfmove_clock(),
        ];
        for (place, number) in bytes[24..].chunks_exact_mut(2).zip(numbers) {
            place.copy_from_slice(&number.to_be_bytes());
        }
        bytes
    }
}

fn read_setup(bytes: &[u8; BYTES]) -> Result<Setup, String> {
    let (occupied, digits) = bytes.split_first_chunk().expect("a stem is longer");
    let occupied = Bitboard(u64::from_be_bytes(*occupied));
    if occupied.len() > 32 {
        return Err(format!("there are {} pieces", occupied.len()));
    }
    let mut setup = Setup { turn: Color::White, ..Setup::EMPTY };
    let mut castling = CastlingRights::NONE;
    for (number, square) in occupied.into_iter().enumerate() {
        let digit = digits[number / 2] >> (number % 2 * 4) & 15;
        let piece = match digit {
            EN_PASSANT => {
                let color = match square.rank() {
                    Rank::Fourth => Color::White,
                    Rank::Fifth => Color::Black,
                    _ => return Err(format!("no double push ends on {square}")),
                };
                if setup.en_passant.replace(Square::ALL[square as usize ^ 8]).is_some() {
                    return Err("two pawns can be captured en passant".to_owned());
                }
                Role::Pawn.of(color)
            }
            TO_MOVE => {
                setup.turn = Color::Black;
                Role::King.of(Color::Black)
            }
            CASTLING.. => {
                castling.add(square);
                Role::Rook.of(Color::ALL[usize::from(digit - CASTLING)])
            }
            _ => Role::ALL[usize::from(digit / 2)].of(Color::ALL[usize::from(digit % 2)]),
        };
        setup.board.set(square, Some(piece));
    }
    setup.castling = castling;
    Ok(setup)
}

fn write_board(position: &Position, bytes: &mut [u8; BYTES]) {
    let occupied = position.board().occupied();
    bytes[..8].copy_from_slice(&occupied.0.to_be_bytes());
    let pushed = position.en_passant().map(|square| Square::ALL[square as usize ^ 8]);
    let castling = position.castling_rights();
    for (number, (square, Piece { color, role })) in position.board().iter().enumerate() {
        let digit = match role {
            Role::Pawn if Some(square) == pushed => EN_PASSANT,
            Role::Rook if castling.has(square) => CASTLING + color as u8,
            Role::King if color == Color::Black && position.turn() == Color::Black => TO_MOVE,
            _ => 2 * role as u8 + color as u8,
        };
        bytes[8 + number / 2] |= digit << (number % 2 * 4);
    }
}

fn read_move(position: &Position, bits: u16) -> Option<Move> {
    let [from, to] = [8, 2].map(|shift| Square::ALL[usize::from(bits >> shift) % 64]);
    let find = |promotion| position.find_uci(UciMove { from, to, promotion });
    match bits >> 14 {
        0 => find(None).filter(|mv| !mv.is_en_passant() && mv.castling().is_none()),
        1 => find(Some(Role::PROMOTIONS[usize::from(bits % 4)])),
        2 => {
            let side = CastlingSide::of(from, to);
            let target = side.king_target(position.turn());
            let mv = Move::new(from, target, MoveKind::castle(side));
            (position.castling_rights().has(to) && position.is_legal(mv)).then_some(mv)
        }
        _ => find(None).filter(|mv| mv.is_en_passant()),
    }
}

fn write_move(position: &Position, mv: Move) -> u16 {
    let (from, mut to) = (mv.from(), mv.to());
    let (mut sort, mut promoted) = (0, 0);
    if let Some(role) = mv.promotion() {
        (sort, promoted) = (1, role as u16 - Role::Knight as u16);
    } else if let Some(side) = mv.castling() {
        sort = 2;
        to = Square::new(side.standard_rook_file(), position.turn().back_rank());
    } else if mv.is_en_passant() {
        sort = 3;
    }
    sort << 14 | (from as u16) << 8 | (to as u16) << 2 | promoted
}
