//! Reading FEN.

use core::str::FromStr;

use super::error::{FenCause, FenError, FenField};
use super::{fields, fields_from, outermost_rook, plain};
use crate::board::Board;
use crate::castling::{CastlingMode, CastlingRights, CastlingSide};
use crate::color::Color;
use crate::position::Position;
use crate::role::{Piece, Role};
use crate::setup::Setup;
use crate::square::{File, Rank, Square};
use crate::zobrist;

/// A field's text and its byte offset.
#[derive(Clone, Copy)]
struct Word<'a> {
    field: FenField,
    start: usize,
    text: &'a str,
}

impl Word<'_> {
    /// An error about part of the word.
    const fn error_at(&self, offset: usize, len: usize, cause: FenCause) -> FenError {
        let start = self.start + offset;
        FenError::new(self.field, start..start + len, cause)
    }

    /// An error about the whole word.
    const fn error(&self, cause: FenCause) -> FenError {
        self.error_at(0, self.text.len(), cause)
    }
}

/// The setup of a FEN, and the key of its pieces; see [`Setup::from_fen`].
#[inline(always)]
fn read_fen(fen: &str) -> Result<(Setup, u64), FenError> {
    let found = plain::board(fen.as_bytes());
    if let Some(found) = &found
        && let Some(setup) = plain::others(fen.as_bytes(), found)
    {
        return Ok((setup, found.key));
    }
    let setup = Setup::from_words(fen, found.map(|found| (found.board, found.end)))?;
    let key = zobrist::of_pieces(&setup.board);
    Ok((setup, key))
}

impl Position {
    /// Reads FEN; see [`Setup::from_fen`] for the accepted forms.
    ///
    /// # Errors
    /// [`FenError`] names the field with the error, its place and its cause. A FEN that is not
    /// playable is an error, too.
    ///
    /// ```
    /// use tabiya::Position;
    /// let error = Position::from_fen("8/8/8/8/8/8/5kK1/8 w - - 0 1").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the side that is not to move is in check: its king on f2 is attacked from g2",
    /// );
    /// ```
    #[doc(alias("parse", "from_str", "read fen", "from_ascii", "into_position"))]
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        let (setup, pieces) = read_fen(fen)?;
        setup.validate().map_err(|error| FenError::unplayable(fen, error))?;
        Ok(Self::of_playable(&setup, pieces))
    }
}

impl FromStr for Position {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Self, FenError> {
        Self::from_fen(fen)
    }
}

impl Setup {
    /// Reads FEN.
    ///
    /// A FEN has six fields, separated by white space; the last two, the counters, may be missing
    /// as in EPD. Castling letters may be in any order: `KQkq`, which stand for the outermost rooks
    /// (X-FEN), or the letters of the rooks' files (Shredder-FEN). The letters of files, and rights
    /// that standard chess does not have, make it a setup of Chess960. The fullmove number 0 is
    /// read as 1.
    ///
    /// # Errors
    /// [`FenError`] names the field with the error, its place and its cause. The setup need not be
    /// playable, see [`Setup::validate`].
    ///
    /// ```
    /// use tabiya::Setup;
    /// let error = Setup::from_fen("8/8/8/8/9/8/8/8 w - - 0 1").unwrap_err();
    /// assert_eq!(error.span(), 8..9);
    /// assert_eq!(error.to_string(), "'9' is not valid in the board field");
    /// ```
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        read_fen(fen).map(|(setup, _)| setup)
    }

    /// Reads word by word, and finds any error.
    #[cold]
    fn from_words(fen: &str, board: Option<(Board, usize)>) -> Result<Self, FenError> {
        let missing = |field| FenError::new(field, fen.len()..fen.len(), FenCause::Missing);
        let (board, end) = match board {
            Some(found) => found,
            None => {
                let field = FenField::Board;
                let (start, text) = fields(fen).next().ok_or(missing(field))?;
                (parse_ranks(Word { field, start, text })?, start + text.len())
            }
        };
        let mut words = fields_from(fen, end);
        let mut word = |field| {
            words.next().map(|(start, text)| Word { field, start, text }).ok_or(missing(field))
        };
        let turn = parse_turn(word(FenField::Turn)?)?;
        let (castling, by_file) = parse_castling(&board, word(FenField::Castling)?)?;
        let en_passant = parse_en_passant(word(FenField::EnPassant)?)?;
        let halfmove_clock = word(FenField::HalfmoveClock).ok().map_or(Ok(0), parse_number)?;
        let fullmove_number =
            word(FenField::FullmoveNumber).ok().map_or(Ok(1), parse_number)?.max(1);
        if let Some((start, text)) = words.next() {
            let span = start..start + text.len();
            return Err(FenError::new(FenField::FullmoveNumber, span, FenCause::Trailing));
        }
        let mode = CastlingMode::Standard;
        let mut setup = Self {
            board,
            turn,
            castling,
            castling_mode: mode,
            en_passant,
            halfmove_clock,
            fullmove_number,
        };
        if by_file || !setup.has_standard_castling() {
            setup.castling_mode = CastlingMode::Chess960;
        }
        Ok(setup)
    }
}

fn parse_ranks(word: Word<'_>) -> Result<Board, FenError> {
    let mut board = Board::EMPTY;
    let found = word.text.split('/').count();
    if found != 8 {
        return Err(word.error(FenCause::Ranks { found }));
    }
    let mut offset = 0;
    for (text, rank) in word.text.split('/').zip(Rank::ALL.into_iter().rev()) {
        let part = Word { start: word.start + offset, text, ..word };
        parse_rank(&mut board, rank, part)?;
        offset += text.len() + 1;
    }
    Ok(board)
}

fn parse_rank(board: &mut Board, rank: Rank, word: Word<'_>) -> Result<(), FenError> {
    let mut file = 0;
    let mut after_digit = false;
    for (offset, letter) in word.text.char_indices() {
        let error = |cause| word.error_at(offset, letter.len_utf8(), cause);
        if let Some(empty) = letter.to_digit(9).filter(|&empty| empty > 0) {
            if after_digit {
                return Err(error(FenCause::TwoDigits { rank }));
            }
            after_digit = true;
            file += empty as usize;
        } else {
            let piece = Piece::from_fen(letter).ok_or_else(|| error(FenCause::Letter(letter)))?;
            after_digit = false;
            if let Some(&file) = File::ALL.get(file) {
                board.put_on_empty(Square::new(file, rank), piece);
            }
            file += 1;
        }
    }
    if file == 8 { Ok(()) } else { Err(word.error(FenCause::Squares { rank, found: file })) }
}

fn parse_turn(word: Word<'_>) -> Result<Color, FenError> {
    let mut letters = word.text.chars();
    let first = letters.next().unwrap_or(' ');
    match (Color::from_fen(first), letters.next()) {
        (Some(color), None) => Ok(color),
        (Some(_), Some(second)) => Err(word.error(FenCause::Letter(second))),
        (None, _) => Err(word.error(FenCause::Letter(first))),
    }
}

/// The rights, and `true` if they were written as the rooks' files.
fn parse_castling(board: &Board, word: Word<'_>) -> Result<(CastlingRights, bool), FenError> {
    let mut rights = CastlingRights::NONE;
    let mut by_file = false;
    if word.text == "-" {
        return Ok((rights, by_file));
    }
    for (offset, letter) in word.text.char_indices() {
        let error = |cause| word.error_at(offset, letter.len_utf8(), cause);
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rook = match letter.to_ascii_lowercase() {
            'k' => outermost_rook(board, color, CastlingSide::King),
            'q' => outermost_rook(board, color, CastlingSide::Queen),
            _ => {
                let file =
                    File::from_letter(letter).ok_or_else(|| error(FenCause::Letter(letter)))?;
                by_file = true;
                Some(Square::new(file, color.back_rank()))
                    .filter(|&rook| board.pieces(color, Role::Rook).has(rook))
            }
        };
        let rook = rook.ok_or_else(|| error(FenCause::NoRook(letter)))?;
        if rights.has(rook) {
            return Err(error(FenCause::Twice(letter)));
        }
        rights.add(rook);
    }
    Ok((rights, by_file))
}

fn parse_en_passant(word: Word<'_>) -> Result<Option<Square>, FenError> {
    if word.text == "-" {
        return Ok(None);
    }
    word.text.parse().map(Some).map_err(|_| word.error(FenCause::NotASquare))
}

fn parse_number(word: Word<'_>) -> Result<u16, FenError> {
    // `parse` alone would accept a plus sign.
    let digits = word.text.bytes().all(|byte| byte.is_ascii_digit());
    word.text.parse().ok().filter(|_| digits).ok_or(word.error(FenCause::NotANumber))
}
