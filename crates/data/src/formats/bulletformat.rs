//! Rows of 32 bytes as the crate `bulletformat` has them in a `ChessBoard`, everything from the point of view of the
//! side to move. Numbers are little-endian. Learned from the crate's source, and compared with the crate.
//!
//! | bytes | contents |
//! | --- | --- |
//! | 0 to 23 | the squares and pieces, see `pieces.rs`; the side to move plays up the board |
//! | 24 and 25 | the score |
//! | 26 | the result: 0 if the side to move loses, 1 for a draw, 2 if it wins |
//! | 27 | the square of its king |
//! | 28 | the square of the other king, seen from the other side: the rank is mirrored |
//! | 29 to 31 | not used |
//!
//! A position is read as one with White to move, without castling and en passant, on its first move. What Black
//! to move was is mirrored.

use tabiya::{Bitboard, Color, Piece, Role, Square};

use super::pieces;
use super::{Capabilities, in_range, read_result, rows};
use crate::bad::{Reason, Refused};
use crate::format::Field;
use crate::record::Record;

const ROW: usize = 32;

pub(super) const CAPABILITIES: Capabilities = Capabilities {
    name: "bulletformat",
    extensions: &["bulletformat", "bullet"],
    lacks: &[
        Field::Move,
        Field::Ply,
        Field::Castling,
        Field::EnPassant,
        Field::HalfmoveClock,
        Field::FullmoveNumber,
        Field::Turn,
        Field::Chess960,
    ],
    header: "",
    split: rows::split::<ROW>,
};

pub(super) fn read(row: &[u8; ROW], record: &mut Record) -> Result<(), Reason> {
    let (pieces, _) = row.split_first_chunk().expect("a row is longer");
    let row = BulletRow::from_bytes(*row);
    let position = pieces::position(pieces, Color::White, 0, 1)?;
    if position.castling_rights().rooks().any() {
        return Err(Reason::Position("a row has no castling rights".to_owned()));
    }
    if !position.has_legal_move() {
        return Err(Reason::NoLegalMove);
    }
    let kings = [position.king(Color::White), position.king(Color::Black).flip_ranks()];
    if kings.map(|king| king as u8) != [row.0[27], row.0[28]] {
        return Err(Reason::Form("the squares of the kings aren't those of the pieces".to_owned()));
    }
    *record = Record { position, ..Record::default() };
    record.result = Some(read_result(row.result())?);
    record.score = Some(in_range(row.score().into())?);
    Ok(())
}

/// A row of bulletformat as it is, without checks, for loaders that need its pieces and no position.
///
/// All is seen from the side to move, which has the white pieces.
///
/// ```
/// use tabiya_data::{BulletRow, Format, GameResult, Record};
/// let result = Some(GameResult::WhiteWins);
/// let record = Record { score: Some(30), result, ..Record::default() };
/// let mut bytes = Vec::new();
/// Format::Bulletformat.encoder().unwrap().push(&record, &mut bytes)?;
///
/// let row = BulletRow::from_bytes(bytes.try_into().unwrap());
/// assert!(row.pieces().eq(record.position.board().iter()));
/// assert_eq!((row.score(), row.result()), (30, 2));
/// # Ok::<(), tabiya_data::Refused>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BulletRow([u8; ROW]);

impl BulletRow {
    /// The number of bytes.
    pub const BYTES: usize = ROW;

    /// The row with these bytes.
    #[inline]
    pub const fn from_bytes(bytes: [u8; ROW]) -> Self {
        Self(bytes)
    }

    /// The pieces with their squares, from a1 to h8; none if a code is none, or if there are more than 32.
    #[inline]
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + use<> {
        let (occupied, codes) = self.0.split_first_chunk().expect("a row is longer");
        let mut codes = u128::from_le_bytes(*codes.first_chunk().expect("a row is longer"));
        let occupied = Bitboard(u64::from_le_bytes(*occupied));
        let is_good = pieces::are_roles(codes) & (occupied.len() <= 32);
        let squares = if is_good { occupied } else { Bitboard::EMPTY };
        squares.into_iter().map(move |square| {
            let piece = PIECES[codes as usize & 15];
            codes >>= 4;
            (square, piece)
        })
    }

    /// The score of the side to move.
    #[inline]
    pub const fn score(&self) -> i16 {
        i16::from_le_bytes([self.0[24], self.0[25]])
    }

    /// 0 if the side to move loses, 1 for a draw, 2 if it wins; other numbers if the row is damaged.
    #[inline]
    pub const fn result(&self) -> u8 {
        self.0[26]
    }
}

/// The piece of each code, and pawns where there's none.
const PIECES: [Piece; 16] = {
    let mut pieces = [Role::Pawn.of(Color::White); 16];
    let mut role = 0;
    while role < Role::ALL.len() {
        pieces[role] = Role::ALL[role].of(Color::White);
        pieces[role + 8] = Role::ALL[role].of(Color::Black);
        role += 1;
    }
    pieces
};

pub(super) fn write(record: &Record, out: &mut Vec<u8>) -> Result<(), Refused> {
    let position = &record.position;
    let turn = position.turn();
    let score = record.score.ok_or(Refused::NoScore)?;
    let result = record.result.ok_or(Refused::NoResult)?;
    let (ours, theirs) = (position.king(turn), position.king(!turn));
    let (board, kings) = match turn {
        Color::White => (*position.board(), [ours, theirs.flip_ranks()]),
        Color::Black => (position.board().mirrored(), [ours.flip_ranks(), theirs]),
    };
    out.extend_from_slice(&pieces::of(&board, Bitboard::EMPTY));
    out.extend_from_slice(&score.to_le_bytes());
    out.push((result.for_side(turn) + 1) as u8);
    out.extend_from_slice(&kings.map(|king| king as u8));
    out.extend_from_slice(&[0; 3]);
    Ok(())
}
