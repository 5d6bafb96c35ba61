//! Forsyth-Edwards Notation: a setup in one line.
//!
//! ```text
//! rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1
//! men                                           | |    |  | move number
//!                                     side to move|    |  half-moves since capture or pawn move
//!                                   castling rights    square passed by a double push
//! ```

use core::fmt;
use core::ops::Range;

use crate::board::Board;
use crate::castling::{CastlingMode, CastlingRights, Wing};
use crate::color::Color;
use crate::role::{Piece, Role};
use crate::setup::{PositionError, Setup};
use crate::square::{File, Rank, Square};

/// A field of FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FenField {
    /// The men, rank by rank.
    Board,
    /// `w` or `b`.
    Turn,
    /// Castling rights.
    Castling,
    /// The en-passant square.
    EnPassant,
    /// Half-moves since the last capture or pawn move.
    Halfmoves,
    /// The number of the move.
    Fullmoves,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Board => "board",
            Self::Turn => "side to move",
            Self::Castling => "castling rights",
            Self::EnPassant => "en-passant square",
            Self::Halfmoves => "half-move clock",
            Self::Fullmoves => "move number",
        })
    }
}

/// Why a text is no FEN, or none that can be played on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FenError {
    field: FenField,
    start: usize,
    end: usize,
    cause: FenCause,
}

impl FenError {
    /// The field in which the trouble is.
    pub const fn field(&self) -> FenField {
        self.field
    }

    /// The place of the trouble in the text, in bytes. It may be empty, at the end of the text.
    pub const fn span(&self) -> Range<usize> {
        self.start..self.end
    }

    /// What is wrong there.
    pub const fn cause(&self) -> FenCause {
        self.cause
    }

    /// A FEN that reads well but cannot be played on.
    pub(crate) fn unplayable(fen: &str, error: PositionError) -> Self {
        let field = match error {
            PositionError::CastlingRook { .. }
            | PositionError::CastlingKing { .. }
            | PositionError::CastlingTwice { .. }
            | PositionError::CastlingNotStandard => FenField::Castling,
            PositionError::EnPassant { .. } => FenField::EnPassant,
            _ => FenField::Board,
        };
        let (start, text) = fields(fen).nth(field as usize).unwrap_or((fen.len(), ""));
        Self { field, start, end: start + text.len(), cause: FenCause::Unplayable(error) }
    }
}

/// What is wrong in a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FenCause {
    /// The field is missing.
    Missing,
    /// There is more text after the last field.
    Trailing,
    /// A letter that means nothing here.
    Letter(char),
    /// The board does not have eight ranks.
    Ranks {
        /// How many it has.
        found: usize,
    },
    /// A rank does not have eight squares.
    Squares {
        /// Which rank.
        rank: Rank,
        /// How many it has.
        found: usize,
    },
    /// Two digits follow each other; their sum is one digit.
    TwoDigits {
        /// In which rank.
        rank: Rank,
    },
    /// A right is given twice.
    Twice(char),
    /// No rook is where the right needs one.
    NoRook(char),
    /// Neither a square nor `-`.
    NotASquare,
    /// Not a whole number up to 65535.
    NotANumber,
    /// The FEN reads well but cannot be played on.
    Unplayable(PositionError),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = self.field;
        match self.cause {
            FenCause::Missing => write!(f, "the {field} is missing"),
            FenCause::Trailing => f.write_str("the FEN should end here"),
            FenCause::Letter(letter) => write!(f, "{letter:?} means nothing in the {field}"),
            FenCause::Ranks { found } => write!(f, "the board has {found} ranks, not 8"),
            FenCause::Squares { rank, found } => {
                write!(f, "rank {rank} of the board has {found} squares, not 8")
            }
            FenCause::TwoDigits { rank } => {
                write!(f, "rank {rank} of the board has two digits in a row")
            }
            FenCause::Twice(letter) => write!(f, "the castling right {letter:?} is given twice"),
            FenCause::NoRook(letter) => {
                write!(f, "the castling right {letter:?} finds no king and rook on their rank")
            }
            FenCause::NotASquare => write!(f, "the {field} is neither a square nor \"-\""),
            FenCause::NotANumber => {
                write!(f, "the {field} is not a whole number up to {}", u16::MAX)
            }
            FenCause::Unplayable(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for FenError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.cause {
            FenCause::Unplayable(error) => Some(error),
            _ => None,
        }
    }
}

/// The words of a text with their places.
fn fields(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_ascii_whitespace()
        .map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

/// A field's text and where it stands.
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
        FenError { field: self.field, start, end: start + len, cause }
    }

    /// An error about the whole word.
    const fn error(&self, cause: FenCause) -> FenError {
        self.error_at(0, self.text.len(), cause)
    }
}

impl Setup {
    /// Reads FEN.
    ///
    /// Six fields; the two counters may be missing, as in EPD. Words may be apart by any white
    /// space. Castling letters may come in any order: `KQkq`, which mean the outermost rook
    /// (X-FEN), or the letters of the rooks' files (Shredder-FEN). Such letters, and rights that
    /// standard chess does not have, make the setup one of Chess960. A move number 0 is read
    /// as 1.
    ///
    /// # Errors
    /// [`FenError`] says which field is wrong, where and why. Whether the setup can be played on
    /// is another question, see [`Setup::validate`].
    ///
    /// ```
    /// use tabiya::Setup;
    /// let error = Setup::from_fen("8/8/8/8/9/8/8/8 w - - 0 1").unwrap_err();
    /// assert_eq!(error.span(), 8..9);
    /// assert_eq!(error.to_string(), "'9' means nothing in the board");
    /// ```
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        let mut words = fields(fen);
        let mut word = |field| {
            words.next().map(|(start, text)| Word { field, start, text }).ok_or(FenError {
                field,
                start: fen.len(),
                end: fen.len(),
                cause: FenCause::Missing,
            })
        };
        let board = parse_board(word(FenField::Board)?)?;
        let turn = parse_turn(word(FenField::Turn)?)?;
        let (castling, by_file) = parse_castling(&board, word(FenField::Castling)?)?;
        let en_passant = parse_en_passant(word(FenField::EnPassant)?)?;
        let halfmoves = word(FenField::Halfmoves).ok().map_or(Ok(0), parse_number)?;
        let fullmoves = word(FenField::Fullmoves).ok().map_or(Ok(1), parse_number)?.max(1);
        if let Some((start, text)) = words.next() {
            let (field, end) = (FenField::Fullmoves, start + text.len());
            return Err(FenError { field, start, end, cause: FenCause::Trailing });
        }
        let mode = CastlingMode::Standard;
        let mut setup = Self { board, turn, castling, mode, en_passant, halfmoves, fullmoves };
        if by_file || !setup.has_standard_castling() {
            setup.mode = CastlingMode::Chess960;
        }
        Ok(setup)
    }
}

fn parse_board(word: Word<'_>) -> Result<Board, FenError> {
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
                board.set(Square::new(file, rank), Some(piece));
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

/// The rights, and whether they were given by the rooks' files.
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
            'k' => outermost_rook(board, color, Wing::King),
            'q' => outermost_rook(board, color, Wing::Queen),
            _ => {
                let file =
                    File::from_letter(letter).ok_or_else(|| error(FenCause::Letter(letter)))?;
                by_file = true;
                Some(Square::new(file, color.back_rank()))
                    .filter(|&rook| board.pieces(color, Role::Rook).has(rook))
            }
        };
        let rook = rook.ok_or_else(|| error(FenCause::NoRook(letter)))?;
        if rights.rooks().has(rook) {
            return Err(error(FenCause::Twice(letter)));
        }
        rights.add(rook);
    }
    Ok((rights, by_file))
}

/// The rook farthest from the king on one wing of the back rank.
fn outermost_rook(board: &Board, color: Color, wing: Wing) -> Option<Square> {
    let back_rank = color.back_rank().bitboard();
    let king = (board.pieces(color, Role::King) & back_rank).first()?;
    let rooks = board.pieces(color, Role::Rook) & back_rank;
    let outermost = match wing {
        Wing::King => rooks.last(),
        Wing::Queen => rooks.first(),
    };
    outermost.filter(|&rook| Wing::of(king, rook) == wing)
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

/// When FEN names the en-passant square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum EnPassantMode {
    /// After every double push, as the standard of 1994 has it.
    Always,
    /// If a pawn stands ready to capture, even if that leaves its king in check.
    PseudoLegal,
    /// If a capture there is legal.
    #[default]
    Legal,
}

/// How FEN writes castling rights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum CastlingNotation {
    /// `KQkq` for the outermost rooks, the file's letter for others.
    #[default]
    XFen,
    /// The letter of the rook's file, always.
    Shredder,
}

/// A setup to be written as FEN.
///
/// ```
/// use tabiya::{fen::CastlingNotation, Setup};
/// let fen = Setup::START.fen().castling(CastlingNotation::Shredder);
/// assert_eq!(fen.to_string(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1");
/// ```
#[derive(Clone, Debug)]
pub struct Fen {
    setup: Setup,
    notation: CastlingNotation,
}

impl Fen {
    /// Letters of files where others would read as standard chess though the setup is not.
    pub(crate) fn new(setup: Setup) -> Self {
        let ambiguous = setup.mode == CastlingMode::Chess960 && setup.has_standard_castling();
        let notation = if ambiguous { CastlingNotation::Shredder } else { CastlingNotation::XFen };
        Self { setup, notation }
    }

    /// Writes castling rights in the given way.
    #[must_use]
    pub fn castling(self, notation: CastlingNotation) -> Self {
        Self { notation, ..self }
    }

    fn write_rights(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Setup { board, castling, .. } = &self.setup;
        if castling.is_empty() {
            return f.write_str("-");
        }
        for color in Color::ALL {
            // The king's side first, which has the rooks with the larger numbers.
            for rook in castling.of(color).iter().rev() {
                let letter = Wing::ALL
                    .into_iter()
                    .find(|&wing| outermost_rook(board, color, wing) == Some(rook))
                    .filter(|_| self.notation == CastlingNotation::XFen)
                    .map_or(rook.file().letter(), |wing| match wing {
                        Wing::King => 'k',
                        Wing::Queen => 'q',
                    });
                let upper = color == Color::White;
                let letter = if upper { letter.to_ascii_uppercase() } else { letter };
                write!(f, "{letter}")?;
            }
        }
        Ok(())
    }
}

impl Setup {
    /// The setup as FEN, to be displayed.
    pub fn fen(&self) -> Fen {
        Fen::new(self.clone())
    }
}

impl fmt::Display for Fen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Setup { board, turn, en_passant, halfmoves, fullmoves, .. } = &self.setup;
        write_board(board, f)?;
        write!(f, " {} ", turn.fen())?;
        self.write_rights(f)?;
        match en_passant {
            Some(square) => write!(f, " {square}")?,
            None => f.write_str(" -")?,
        }
        write!(f, " {halfmoves} {fullmoves}")
    }
}

fn write_board(board: &Board, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for rank in Rank::ALL.into_iter().rev() {
        let mut empty = 0;
        for file in File::ALL {
            let piece = board.piece_on(Square::new(file, rank));
            if let (Some(_), 1..) = (piece, empty) {
                write!(f, "{empty}")?;
                empty = 0;
            }
            match piece {
                Some(piece) => write!(f, "{piece}")?,
                None => empty += 1,
            }
        }
        if empty > 0 {
            write!(f, "{empty}")?;
        }
        if rank != Rank::First {
            f.write_str("/")?;
        }
    }
    Ok(())
}
