//! Games played on the board: every move is checked.

mod error;
mod start;

use tabiya::san::PieceLetters;
use tabiya::{Move, Position, San};

use self::error::MAX_SHOWN;
use self::start::Start;

use crate::MAX_PLIES;
use crate::Termination;
use crate::lexer::DASHES;
use crate::text::Text;
use crate::token::{NumberedMove, RemarkKind, Tag, Token};

pub use self::error::{ReplayCause, ReplayError};

/// Plays the tokens of games on a board.
///
/// Pass every token of a [`Reader`](crate::Reader) to it. It reads the start position from the
/// tags, and plays the moves of the main line and of the variations. It needs no reset between
/// games.
///
/// An error ends the moves of its line, a variation or the main line: the tokens up to the end of the
/// line are [`Played::Skipped`]. Move numbers are compared with the position. One that is too high, after
/// a comment or a remark, is an error: moves may be missing there, so the line ends at the comment. Any
/// other wrong number is only counted, see [`wrong_numbers`](Self::wrong_numbers).
///
/// ```
/// use tabiya_pgn::{Played, Reader, Replay};
///
/// let pgn = b"1. e4 e5 (1... c5) 2. Ba6 (2. Nf3 Nc6) 2... Nh6 3. Bd5 *";
/// let mut reader = Reader::from_bytes(pgn);
/// let mut replay = Replay::new();
/// let mut moves = Vec::new();
/// let error = loop {
///     let token = reader.next_token()?.expect("the error comes before the end");
///     match replay.play(&token) {
///         Ok(Played::Move(mv)) if replay.depth() == 0 => moves.push(mv.to_string()),
///         Ok(_) => {}
///         Err(error) => break error,
///     }
/// };
/// assert_eq!(moves, ["e2e4", "e7e5", "f1a6", "g8h6"]);
/// assert_eq!(
///     error.to_string(),
///     "ply 5 (3. Bd5): Bd5 is not legal: a bishop on c1 cannot reach d5; a bishop on a6 cannot reach d5",
/// );
/// assert_eq!(reader.place().to_string(), "1:52");
/// # Ok::<(), tabiya_pgn::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Replay {
    line: Line,
    /// The lines around the current variation, the main line first.
    outer: Vec<Line>,
    start: Start,
    /// Are the tags read?
    has_begun: bool,
    /// In a line that an error has ended: the number of variations in it around the current place.
    skipped: Option<u32>,
    wrong_numbers: u32,
    letters: Option<PieceLetters>,
}

/// What a token did, see [`Replay::play`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Played {
    /// It is a move, which was played.
    Move(Move),
    /// It is a null move, which was played.
    Null,
    /// It isn't a move.
    Other,
    /// It is in a line after an error, so it has no meaning. The end of the line is [`Played::Other`],
    /// and so is the result.
    Skipped,
}

impl Played {
    /// The move.
    pub const fn mv(self) -> Option<Move> {
        match self {
            Self::Move(mv) => Some(mv),
            Self::Null | Self::Other | Self::Skipped => None,
        }
    }
}

/// A line of moves, up to the last move that was played.
#[derive(Clone, Debug)]
struct Line {
    /// The positions after the last move and before it, where a variation begins. They take turns,
    /// so that no move copies a position.
    positions: [Position; 2],
    /// Is the second position the one after the last move?
    last: bool,
    ply: u32,
    /// The ply at which the line begins.
    begin: u32,
    /// The ply of the last comment or remark after the last right number.
    note: Option<u32>,
    /// What the file adds to the numbers of the position. `None` before the first number.
    offset: Option<i64>,
}

impl Line {
    const START: Self = Self {
        positions: [Position::START; 2],
        last: false,
        ply: 0,
        begin: 0,
        note: None,
        offset: None,
    };

    fn from(position: &Position, ply: u32, offset: Option<i64>) -> Self {
        let positions = [position.clone(), position.clone()];
        Self { positions, last: false, ply, begin: ply, note: None, offset }
    }

    /// The number that the next move should have.
    #[inline(always)]
    const fn number(&self) -> i64 {
        let offset = match self.offset {
            Some(offset) => offset,
            None => 0,
        };
        self.position().fullmove_number() as i64 + offset
    }

    /// The position after the last move.
    #[inline(always)]
    const fn position(&self) -> &Position {
        &self.positions[self.last as usize]
    }

    /// The position before the last move.
    #[inline(always)]
    const fn before(&self) -> &Position {
        &self.positions[!self.last as usize]
    }

    /// Plays a move if `play` finds one, and sets the position after it.
    #[inline(always)]
    fn push<T>(&mut self, play: impl FnOnce(&Position, &mut Position) -> Option<T>) -> Option<T> {
        let [first, second] = &mut self.positions;
        let (before, after) = if self.last { (second, first) } else { (first, second) };
        let played = play(before, after)?;
        self.last = !self.last;
        self.ply += 1;
        Some(played)
    }
}

/// Finds the move that a text in SAN means, and plays it. One call for each move of a file.
#[inline(never)]
fn play_san(before: &Position, after: &mut Position, text: &[u8]) -> Option<Move> {
    before.play_san(text, after).ok()
}

impl Replay {
    /// A replay at the start position of a game.
    pub const fn new() -> Self {
        Self {
            line: Line::START,
            outer: Vec::new(),
            start: Start::NONE,
            has_begun: false,
            skipped: None,
            wrong_numbers: 0,
            letters: None,
        }
    }

    /// Reads moves with the letters of another language.
    ///
    /// ```
    /// use tabiya::san::PieceLetters;
    /// use tabiya_pgn::{Reader, Replay};
    ///
    /// let mut replay = Replay::new().with_letters("KDTLS".parse::<PieceLetters>()?);
    /// for token in Reader::from_bytes(b"1. e4 e5 2. Sf3 Sc6 3. Lb5 *") {
    ///     replay.play(&token?)?;
    /// }
    /// assert_eq!(replay.ply(), 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_letters(self, letters: impl Into<Option<PieceLetters>>) -> Self {
        Self { letters: letters.into(), ..self }
    }

    /// The position after the last move of the current line.
    #[inline]
    pub const fn position(&self) -> &Position {
        self.line.position()
    }

    /// The position before the last move of the current line.
    #[inline]
    pub const fn before(&self) -> &Position {
        self.line.before()
    }

    /// The number of moves in the current line, from the start of the game.
    pub const fn ply(&self) -> u32 {
        self.line.ply
    }

    /// Is the start position set up?
    pub(crate) const fn has_begun(&self) -> bool {
        self.has_begun
    }

    /// The number of variations around the current line. It is 0 in the main line.
    pub fn depth(&self) -> usize {
        self.outer.len()
    }

    /// The number of wrong numbers before moves of this game so far, without errors.
    ///
    /// ```
    /// use tabiya_pgn::{Reader, Replay};
    ///
    /// let mut replay = Replay::new();
    /// for token in Reader::from_bytes(b"1. e4 e5 3. Nf3 Nc6 4. Bc4 *") {
    ///     replay.play(&token?)?;
    /// }
    /// assert_eq!(replay.wrong_numbers(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn wrong_numbers(&self) -> u32 {
        self.wrong_numbers
    }

    /// Takes the next token. Returns what it did.
    ///
    /// After an error the position is that before the move, and the tokens up to the end of the line
    /// do nothing. What skips a variation also takes its end from the reader, so the end must be
    /// played by hand:
    ///
    /// ```
    /// use tabiya_pgn::{Played, Reader, Replay, Token};
    ///
    /// let mut reader = Reader::from_bytes(b"1. e4 (1. d4 Qxx1) e5 2. Nf3 (2. Ke3 d5) Nc6 *");
    /// let mut replay = Replay::new();
    /// let mut moves = 0;
    /// while let Some(token) = reader.next_token()? {
    ///     let played = replay.play(&token);
    ///     if replay.depth() == 0 {
    ///         moves += u32::from(matches!(played, Ok(Played::Move(_))));
    ///     } else if played.is_err() {
    ///         reader.skip_variation()?;
    ///         replay.play(&Token::VariationEnd)?;
    ///     }
    /// }
    /// assert_eq!((moves, replay.ply()), (4, 4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The move is not legal, its number does not fit, or the tags do not give a start position.
    // Inlining makes the decision for most tokens of a file where the token is made, without a
    // call.
    #[inline(always)]
    pub fn play(&mut self, token: &Token<'_>) -> Result<Played, ReplayError> {
        let is_playing = self.has_begun && self.skipped.is_none();
        match token {
            Token::Move(mv) if is_playing => self.play_move(mv),
            Token::Comment(_) if is_playing => {
                self.line.note = Some(self.line.ply);
                Ok(Played::Other)
            }
            _ => {
                let played = self.play_other_token(token);
                if played.is_err() {
                    self.skipped = Some(u32::from(matches!(token, Token::VariationStart)));
                }
                played
            }
        }
    }

    #[inline(never)]
    fn play_other_token(&mut self, token: &Token<'_>) -> Result<Played, ReplayError> {
        if let Some(depth) = self.skipped {
            match token {
                Token::VariationStart => self.skipped = Some(depth + 1),
                Token::VariationEnd if depth > 0 => self.skipped = Some(depth - 1),
                // It ends the line.
                Token::VariationEnd => {
                    self.skipped = None;
                    return self.play_other_token(token);
                }
                Token::GameStart => {
                    self.reset();
                    return Ok(Played::Other);
                }
                Token::Tag(tag) => {
                    self.tag(tag);
                    return Ok(Played::Other);
                }
                Token::Result(_) | Token::GameEnd => return Ok(Played::Other),
                Token::Move(_) | Token::Comment(_) | Token::Nag(_) | Token::Remark(_) => {}
            }
            return Ok(Played::Skipped);
        }
        match token {
            Token::GameStart => self.reset(),
            Token::Tag(tag) => self.tag(tag),
            Token::VariationStart => {
                self.begin()?;
                // A variation before the first move of its line has the same start as that.
                let ply = self.line.begin.max(self.line.ply.saturating_sub(1));
                let variation = Line::from(self.line.before(), ply, self.line.offset);
                self.outer.push(std::mem::replace(&mut self.line, variation));
            }
            Token::VariationEnd => {
                if let Some(line) = self.outer.pop() {
                    self.line = line;
                }
            }
            Token::Move(mv) => {
                self.begin()?;
                return self.play_move(mv);
            }
            Token::Remark(remark) if remark.kind == RemarkKind::Tag => {
                self.start.add_malformed(remark.text);
            }
            Token::GameEnd => self.begin()?,
            // What is wrong with the start is an error of another token.
            Token::Comment(_) | Token::Remark(_) | Token::Nag(_) | Token::Result(_) => {
                self.has_begun = self.begin().is_ok();
                if !matches!(token, Token::Nag(_) | Token::Result(_)) {
                    self.line.note = Some(self.line.ply);
                }
            }
        }
        Ok(Played::Other)
    }

    /// The result that the last position of the main line proves (checkmate or stalemate), if it
    /// differs from the stated result. Call it with the result of the game.
    ///
    /// ```
    /// use tabiya_pgn::{Reader, Replay, Termination, Token};
    ///
    /// let mut reader = Reader::from_bytes(b"1. f3 e5 2. g4 Qh4# 1-0");
    /// let mut replay = Replay::new();
    /// while let Some(token) = reader.next_token()? {
    ///     replay.play(&token)?;
    ///     if let Token::Result(result) = token {
    ///         assert_eq!(replay.contradiction(result), Some(Termination::BlackWins));
    ///     }
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contradiction(&self, stated: Termination) -> Option<Termination> {
        let position = self.position();
        // An unknown result contradicts nothing.
        if stated.result().is_none() || position.has_legal_move() {
            return None;
        }
        let proven = match (position.is_check(), position.turn()) {
            (false, _) => Termination::Draw,
            (true, tabiya::Color::White) => Termination::BlackWins,
            (true, tabiya::Color::Black) => Termination::WhiteWins,
        };
        (proven != stated).then_some(proven)
    }

    fn reset(&mut self) {
        self.outer.clear();
        self.start = Start::NONE;
        self.has_begun = false;
        self.skipped = None;
        self.wrong_numbers = 0;
        self.line = Line::START;
    }

    fn tag(&mut self, tag: &Tag<'_>) {
        // A comment or glyph has set up what the tags before it say.
        if self.line.ply == 0 && self.outer.is_empty() {
            (self.has_begun, self.skipped) = (false, None);
            self.line = Line::START;
        }
        self.start.add(tag);
    }

    /// Sets up the start position, unless it has been done.
    fn begin(&mut self) -> Result<(), ReplayError> {
        if self.has_begun {
            return Ok(());
        }
        self.has_begun = true;
        let (position, wrong) = self.start.position();
        if let Some(position) = position {
            self.line = Line::from(&position, 0, None);
        }
        wrong.map_or(Ok(()), |cause| Err(ReplayError::of_start(cause)))
    }

    #[inline(always)]
    fn play_move(&mut self, mv: &NumberedMove<'_>) -> Result<Played, ReplayError> {
        let Text(text) = mv.text();
        if let Some(number) = mv.number() {
            let is_white = self.line.position().turn() == tabiya::Color::White;
            let is_odd = is_white && mv.is_of_black();
            if self.line.offset.is_some() && self.line.number() == i64::from(number) && !is_odd {
                self.line.note = None;
            } else {
                self.check_number(number, is_odd)?;
            }
        }
        if self.line.ply >= MAX_PLIES {
            return Err(self.too_many());
        }
        match self.letters {
            None => self.play_text(text),
            Some(letters) => self.play_translated(text, &letters),
        }
    }

    #[inline(always)]
    fn play_text(&mut self, text: &[u8]) -> Result<Played, ReplayError> {
        match self.line.push(|before, after| play_san(before, after, text)) {
            Some(mv) => Ok(Played::Move(mv)),
            None => self.play_other(text),
        }
    }

    #[cold]
    fn play_translated(
        &mut self,
        text: &[u8],
        letters: &PieceLetters,
    ) -> Result<Played, ReplayError> {
        self.play_text(letters.translate(&Text(text).decode()).as_bytes())
    }

    /// Compares a number that is the first one, or not the expected one, or odd: one of Black's move
    /// where White is to move.
    #[cold]
    fn check_number(&mut self, number: u32, is_odd: bool) -> Result<(), ReplayError> {
        let (stated, expected) = (i64::from(number), self.line.number());
        if let Some(note) = self.line.note
            && self.line.offset.is_some()
            && (stated > expected || is_odd)
        {
            self.skipped = Some(0);
            let cause = ReplayCause::Number { stated: number, expected: expected as u32 };
            return Err(ReplayError { kept: note, ..self.error(&[], cause) });
        }
        // With a position of its own, a game may have numbers of its own.
        let is_first_of_setup = self.line.offset.is_none() && self.start.fen.is_some();
        self.wrong_numbers += u32::from((stated != expected || is_odd) && !is_first_of_setup);
        self.line.offset = Some(self.line.offset.unwrap_or(0) + stated - expected);
        self.line.note = None;
        Ok(())
    }

    /// Plays a null move, or a move in another notation.
    #[cold]
    fn play_other(&mut self, text: &[u8]) -> Result<Played, ReplayError> {
        let position = self.line.position();
        // Programs that write moves in UCI also write its null move.
        let is_null = matches!(text, b"0000" | b"@@@@")
            || San::from_ascii(text).is_ok_and(|san| san.is_null());
        let found = if is_null {
            let next = position.play_null().ok_or(ReplayCause::NullInCheck);
            next.map(|next| (Played::Null, next))
        } else {
            let mv = position.parse_move(&plain(text));
            mv.map(|mv| (Played::Move(mv), position.play(mv)))
                .map_err(|wrong| ReplayCause::Move(Box::new(wrong)))
        };
        let (played, next) = match found {
            Ok(found) => found,
            Err(cause) => {
                self.skipped = Some(0);
                return Err(self.error(text, cause));
            }
        };
        self.line.push(|_, after| {
            *after = next;
            Some(())
        });
        Ok(played)
    }

    #[cold]
    fn too_many(&mut self) -> ReplayError {
        self.skipped = Some(0);
        let (ply, kept) = (self.line.ply + 1, self.line.ply);
        ReplayError { cause: ReplayCause::TooManyMoves, ply, kept, number: None }
    }

    fn error(&self, text: &[u8], cause: ReplayCause) -> ReplayError {
        let position = self.line.position();
        let dots = if position.turn() == tabiya::Color::White { "." } else { "..." };
        let number = format!(
            "{}{dots} {}",
            position.fullmove_number(),
            Text(&text[..text.len().min(MAX_SHOWN)]).decode()
        );
        let number = Some(number).filter(|_| !text.is_empty());
        ReplayError { cause, ply: self.line.ply + 1, kept: self.line.ply, number }
    }
}

impl Default for Replay {
    fn default() -> Self {
        Self::new()
    }
}

/// The text as the library reads it: with hyphens for dashes, without signs that say how letters
/// look, and in UCI for the digits of correspondence chess.
fn plain(text: &[u8]) -> String {
    if let Some(uci) = in_letters(text) {
        return uci;
    }
    let mut plain = Text(text).decode().into_owned();
    if !plain.is_ascii() {
        for dash in DASHES {
            plain = plain.replace(dash, "-");
        }
        plain.retain(|sign| !matches!(sign, '\u{200b}'..='\u{200f}' | '\u{fe0e}' | '\u{fe0f}'));
    }
    plain
}

/// A move in the digits of correspondence chess as one in UCI: file and rank of its squares, from 1,
/// and for a promotion 1 to 4 for queen, rook, bishop and knight.
fn in_letters(text: &[u8]) -> Option<String> {
    let (squares, role) = text.split_at_checked(4)?;
    let role = match role {
        [] => "",
        [digit @ b'1'..=b'4'] => ["q", "r", "b", "n"][usize::from(digit - b'1')],
        _ => return None,
    };
    if !squares.iter().all(|digit| matches!(digit, b'1'..=b'8')) {
        return None;
    }
    let [file, rank, to_file, to_rank] = squares.first_chunk()?.map(char::from);
    let letter = |file: char| char::from(file as u8 - b'1' + b'a');
    Some(format!("{}{rank}{}{to_rank}{role}", letter(file), letter(to_file)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Reader;

    #[test]
    fn moves_are_read_in_the_letters_of_other_languages() {
        let line = |letters: &str, pgn: &str| {
            let letters = (!letters.is_empty()).then(|| letters.parse().unwrap());
            let mut replay = Replay::new().with_letters(letters);
            let mut moves = Vec::new();
            for token in Reader::from_bytes(pgn.as_bytes()) {
                moves.extend(replay.play(&token.unwrap()).unwrap().mv());
            }
            moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(line("KDTLS", "1. e4 Sf6 2. Lc4+- d5 3. Df3 *"), "e2e4 g8f6 f1c4 d7d5 d1f3");
        assert_eq!(line("RDTFC", "1. e4 e5 2. Re2 Re7 *"), "e2e4 e7e5 e1e2 e8e7");
        assert_eq!(line("КрФЛСК", "1. e4 Кf6 2. Крe2 Кxe4 *"), "e2e4 g8f6 e1e2 f6e4");
        let seventh = "[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. ";
        for (letters, mv) in [
            ("КрФЛСК", "a8=Ф+"),
            ("КрФЛСК", "a8Ф"),
            ("KDTLS", "a8=D"),
            ("KDTLS", "a8(D)"),
            ("", "a8=♕+"),
            ("", "a8♛"),
        ] {
            assert_eq!(line(letters, &format!("{seventh}{mv} *")), "a7a8q", "{mv}");
        }
        // What follows a move that is no promotion is a remark.
        assert_eq!(line("", "1. e4é e5♘ 2. Nf3± *"), "e2e4 e7e5 g1f3");
    }

    #[test]
    fn errors_of_starts_and_variations_end_no_other_line() {
        // A variation that begins the moves, without a start.
        let pgn = b"[FEN \"8/8\"]\n\n{a} (1. e4) 1. d4 d5 *";
        let mut replay = Replay::new();
        let played: Vec<_> =
            Reader::from_bytes(pgn).map(|token| replay.play(&token.unwrap())).collect();
        assert_eq!(played.iter().filter(|it| it.is_err()).count(), 1);
        assert!(played.iter().flatten().all(|it| it.mv().is_none()));

        // A variation before the first move of its line, with a wrong number.
        let pgn = b"1. e4 {a} e5 (1... (1... c5 {b} 7. Nf3)) 2. Nf3 *";
        let tree = crate::GameTree::read(&mut Reader::from_bytes(pgn)).unwrap().unwrap();
        assert_eq!((tree.ply(tree.end()), tree.problems().len()), (3, 1));

        // A tag that can't be read, after one that can.
        let pgn = b"[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n[Event \"x]\n\n1. Kd1 *";
        let tree = crate::GameTree::read(&mut Reader::from_bytes(pgn)).unwrap().unwrap();
        assert_eq!((tree.len(), tree.start().board().occupied().len()), (2, 2));
    }
}
