//! Games as the crate `viriformat` writes them: a position, then a move and a score for each ply, then four zero
//! bytes. Numbers are little-endian. Learned from the crate's README, and compared with the crate.
//!
//! | bytes of a position | contents |
//! | --- | --- |
//! | 0 to 23 | the squares and pieces, see `pieces.rs` |
//! | 24 | the en-passant square, 64 if there's none; 128 more if Black is to move |
//! | 25 | the halfmove clock |
//! | 26 and 27 | the fullmove number, 0 if it isn't known |
//! | 28 and 29 | a score that isn't used |
//! | 30 | the result: 0 if Black wins, 1 for a draw, 2 if White wins |
//! | 31 | not used |
//!
//! | bits of a move | contents |
//! | --- | --- |
//! | 0 to 5 | the origin |
//! | 6 to 11 | the target, in castling the square of the rook |
//! | 12 and 13 | the role of a promotion, from knight to queen |
//! | 14 and 15 | 1 for en passant, 2 for castling, 3 for a promotion, 0 for other moves |
//!
//! The score after a move is White's, for the position before the move. A position of Chess960 whose castling
//! rights standard chess has, too, is read as one of standard chess: the format doesn't tell them apart. Plies
//! are counted from the move number.

use tabiya::fen::EnPassantMode;
use tabiya::{
    CastlingRights, CastlingSide, Color, Move, MoveKind, Position, Role, Square, UciMove,
};

use super::pieces;
use super::{Capabilities, in_range, read_result, white_score};
use crate::bad::{Bad, Reason, Refused};
use crate::blocks::Block;
use crate::format::Field;
use crate::record::{GameResult, Record};

const HEADER: usize = 32;
const PLY: usize = 4;
const END: [u8; PLY] = [0; PLY];
const NO_SQUARE: u8 = 64;

pub(super) const CAPABILITIES: Capabilities = Capabilities {
    name: "viriformat",
    extensions: &["viriformat", "vf"],
    lacks: &[Field::Ply],
    header: "",
    split,
};

/// The end of the last complete game.
fn split(bytes: &[u8]) -> Option<usize> {
    let mut last = None;
    let mut at = HEADER;
    while let Some(plies) = bytes.get(at..) {
        let Some(end) = plies.chunks_exact(PLY).position(|ply| ply == END) else { break };
        let end = at + (end + 1) * PLY;
        last = Some(end);
        at = end + HEADER;
    }
    last
}

pub(super) struct Decoder<'a> {
    bytes: &'a [u8],
    offset: u64,
    state: State,
}

/// What comes next.
enum State {
    /// A game.
    Game,
    /// A move in this position, or the end of the game.
    Ply(Position, Result<GameResult, Reason>),
    /// The rest of a game that can't be read on.
    Rest,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(block: &'a Block) -> Self {
        Self { bytes: &block.bytes, offset: block.offset, state: State::Game }
    }

    /// The next bytes; `None` if there are fewer.
    fn take<const N: usize>(&mut self) -> Option<&'a [u8; N]> {
        let Some((bytes, rest)) = self.bytes.split_first_chunk() else {
            (self.bytes, self.state) = (&[], State::Game);
            return None;
        };
        (self.bytes, self.offset) = (rest, self.offset + N as u64);
        Some(bytes)
    }
}

impl super::Decoder for Decoder<'_> {
    fn next(&mut self, record: &mut Record) -> Result<bool, Bad> {
        loop {
            let offset = self.offset;
            let bad = |reason| Bad { offset, reason, record: None };
            if let State::Game = self.state {
                if self.bytes.is_empty() {
                    return Ok(false);
                }
                let header = self.take().ok_or(bad(Reason::Truncated))?;
                // What the moves mean isn't known without the position.
                self.state = State::Rest;
                let position = read_position(header).map_err(bad)?;
                self.state = State::Ply(position, read_result(header[30]));
                continue;
            }
            let &[m, n, s, t] = self.take().ok_or(bad(Reason::Truncated))?;
            if [m, n, s, t] == END {
                self.state = State::Game;
                continue;
            }
            let State::Ply(position, result) = &mut self.state else { continue };
            let bits = u16::from_le_bytes([m, n]);
            let Some(mv) = read_move(position, bits) else {
                self.state = State::Rest;
                return Err(bad(illegal(bits)));
            };
            record.position.clone_from(position);
            *position = position.play(mv);
            record.mv = Some(mv);
            record.ply = Record::ply_of(&record.position);
            (record.score, record.result) = (None, None);
            let turn = record.position.turn();
            let read = in_range(i16::from_le_bytes([s, t]).into()).and_then(|score| {
                record.score = Some(white_score(score, turn));
                record.result = Some(result.clone()?);
                Ok(true)
            });
            return read.map_err(|reason| Bad::new(offset, reason, record));
        }
    }
}

fn read_position(header: &[u8; HEADER]) -> Result<Position, Reason> {
    let (pieces, rest) = header.split_first_chunk().expect("a position is longer");
    let turn = if rest[0] < 128 { Color::White } else { Color::Black };
    let halfmove_clock = rest[1].into();
    let fullmove_number = u16::from_le_bytes([rest[2], rest[3]]).max(1);
    let position = pieces::position(pieces, turn, halfmove_clock, fullmove_number)?;
    let byte = rest[0] & 127;
    if byte == NO_SQUARE {
        return Ok(position);
    }
    let square = Square::from_index(byte);
    let square = square.ok_or_else(|| Reason::Position(format!("{byte} isn't a square")))?;
    let setup = tabiya::Setup { en_passant: Some(square), ..position.to_setup() };
    Position::from_setup(&setup).map_err(|error| Reason::Position(error.to_string()))
}

/// The origin and the target.
fn squares(bits: u16) -> [Square; 2] {
    [bits, bits >> 6].map(|bits| Square::ALL[usize::from(bits & 63)])
}

/// The legal move with these bits.
#[inline]
fn read_move(position: &Position, bits: u16) -> Option<Move> {
    let [from, to] = squares(bits);
    let other = |kind| Some(Move::new(from, to, kind)).filter(|&mv| position.is_legal(mv));
    match bits >> 14 {
        0 => {
            let mv = position.find_uci(UciMove { from, to, promotion: None })?;
            (mv.castling().is_none() && !mv.is_en_passant()).then_some(mv)
        }
        1 => other(MoveKind::EnPassant),
        2 => {
            let side = CastlingSide::of(from, to);
            let turn = position.turn();
            let mv = Move::new(from, side.king_target(turn), MoveKind::castle(side));
            let is_rook = position.castling_rights().rook(turn, side, from) == Some(to);
            (is_rook && position.is_legal(mv)).then_some(mv)
        }
        _ => {
            let promotion = Some(Role::PROMOTIONS[usize::from(bits >> 12 & 3)]);
            position.find_uci(UciMove { from, to, promotion })
        }
    }
}

#[cold]
fn illegal(bits: u16) -> Reason {
    let [from, to] = squares(bits);
    Reason::Move(format!(
        "the move {from}{to}, bits {bits:04x}, isn't legal; the rest of its game is left out"
    ))
}

/// The bits of a move that is legal when it's played; `rights` are the castling rights then, or earlier.
#[inline]
fn write_move(rights: CastlingRights, turn: Color, mv: Move) -> u16 {
    let from = mv.from();
    let castling = mv.castling();
    let rook = castling.and_then(|it| rights.rook(turn, it, from));
    let to = rook.unwrap_or(mv.to());
    let kind = match (castling, mv.promotion()) {
        (Some(_), _) => 2 << 14,
        (_, Some(role)) => 3 << 14 | (role as u16 - Role::Knight as u16) << 12,
        _ => u16::from(mv.is_en_passant()) << 14,
    };
    from as u16 | (to as u16) << 6 | kind
}

/// A move and its score.
#[inline]
fn write_ply(rights: CastlingRights, turn: Color, mv: Move, score: i16) -> [u8; PLY] {
    let [m, n] = write_move(rights, turn, mv).to_le_bytes();
    let [s, t] = white_score(score, turn).to_le_bytes();
    [m, n, s, t]
}

/// A whole game of viriformat, for programs that have just played it. Nothing is checked or played, so that writing
/// is as fast as copying. [`Writer`](crate::Writer) is for single records.
///
/// ```
/// use tabiya::Position;
/// use tabiya_data::{Format, GameResult, Reader, VirGame};
/// let e4 = Position::START.parse_uci("e2e4").unwrap();
/// let e5 = Position::START.play(e4).parse_uci("e7e5").unwrap();
/// let game = VirGame { start: &Position::START, result: GameResult::Draw };
/// let mut file = Vec::new();
/// game.write([(e4, 30), (e5, -25)], &mut file)?;
///
/// let mut found = Vec::new();
/// let visit = |record: &tabiya_data::Record| found.push((record.mv.unwrap(), record.score));
/// Reader::new(&file[..], Format::Viriformat).for_each(visit, Err)?;
/// assert_eq!(found, [(e4, Some(30)), (e5, Some(-25))]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct VirGame<'a> {
    /// The position before the first move.
    pub start: &'a Position,
    /// The result.
    pub result: GameResult,
}

impl VirGame<'_> {
    /// Appends the game to `out`. Each move must be legal after those before it: a reader refuses the rest of the game
    /// otherwise. Scores are from the point of view of the side to move.
    ///
    /// # Errors
    /// [`Refused`] if the format can't hold the start, or a score is −32768. Nothing is written then.
    pub fn write(
        &self,
        moves: impl IntoIterator<Item = (Move, i16)>,
        out: &mut Vec<u8>,
    ) -> Result<(), Refused> {
        let begin = out.len();
        let (rights, mut turn) = (self.start.castling_rights(), self.start.turn());
        out.extend_from_slice(&write_header(self.start, self.result)?);
        for (mv, score) in moves {
            if score == i16::MIN {
                out.truncate(begin);
                return Err(Refused::TooLarge);
            }
            out.extend_from_slice(&write_ply(rights, turn, mv, score));
            turn = !turn;
        }
        out.extend_from_slice(&END);
        Ok(())
    }
}

/// The record that was written last, if its game isn't ended.
#[derive(Default)]
pub(super) struct Encoder(Option<Record>);

impl super::Encoder for Encoder {
    fn push(&mut self, record: &Record, out: &mut Vec<u8>) -> Result<(), Refused> {
        let position = &record.position;
        let mv = record.mv.ok_or(Refused::NoMove)?;
        let score = record.score.ok_or(Refused::NoScore)?;
        let score = in_range(score.into()).map_err(|_| Refused::TooLarge)?;
        let result = record.result.ok_or(Refused::NoResult)?;
        if !self.0.as_ref().is_some_and(|last| last.continues_with(record)) {
            let header = write_header(position, result)?;
            self.finish(out);
            out.extend_from_slice(&header);
        }
        let (rights, turn) = (position.castling_rights(), position.turn());
        out.extend_from_slice(&write_ply(rights, turn, mv, score));
        self.0 = Some(record.clone());
        Ok(())
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        if self.0.take().is_some() {
            out.extend_from_slice(&END);
        }
    }
}

fn write_header(position: &Position, result: GameResult) -> Result<[u8; HEADER], Refused> {
    let mut header = [0; HEADER];
    let rooks = position.castling_rights().rooks();
    header[..pieces::BYTES].copy_from_slice(&pieces::of(position.board(), rooks));
    let square = position.to_setup_with(EnPassantMode::PseudoLegal).en_passant;
    header[24] = square.map_or(NO_SQUARE, |it| it as u8) | (position.turn() as u8) << 7;
    header[25] = position.halfmove_clock().try_into().map_err(|_| Refused::TooLarge)?;
    header[26..28].copy_from_slice(&position.fullmove_number().to_le_bytes());
    header[30] = result as u8;
    Ok(header)
}
