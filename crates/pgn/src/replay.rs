//! Games played on the board: every move is checked.

use std::error;
use std::fmt;

use tabiya::{CastlingMode, FenError, Move, NotationError, Position, PositionError, San};

use crate::MAX_PLIES;
use crate::token::{Tag, Termination, Token};

/// Plays the tokens of games on a board.
///
/// Pass every token of a [`Reader`](crate::Reader) to it. It reads the start position from the
/// tags, and plays the moves of the main line and of the variations. It needs no reset between
/// games.
///
/// ```
/// use tabiya_pgn::{Reader, Replay};
///
/// let pgn = b"1. e4 e5 (1... c5) 2. Ba6 (2. Nf3 Nc6) 2... Nh6 3. Bd5 *";
/// let mut reader = Reader::from_bytes(pgn);
/// let mut replay = Replay::new();
/// let mut moves = Vec::new();
/// let error = loop {
///     let token = reader.next_token()?.expect("the error comes before the end");
///     match replay.play(&token) {
///         Ok(Some(mv)) if replay.depth() == 0 => moves.push(mv.to_string()),
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
}

impl Line {
    const START: Self = Self { positions: [Position::START; 2], last: false, ply: 0 };

    fn from(position: &Position, ply: u32) -> Self {
        Self { positions: [position.clone(), position.clone()], last: false, ply }
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

/// The information in the tags about the start position.
#[derive(Clone, Debug, Default)]
struct Start {
    fen: Option<Result<Position, FenError>>,
    /// The notation of castling that the variant needs, or its name if it has other rules.
    variant: Option<Result<CastlingMode, String>>,
}

impl Replay {
    /// A replay at the start position of a game.
    pub const fn new() -> Self {
        Self {
            line: Line::START,
            outer: Vec::new(),
            start: Start { fen: None, variant: None },
            has_begun: false,
        }
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

    /// The number of variations around the current line. It is 0 in the main line.
    pub fn depth(&self) -> usize {
        self.outer.len()
    }

    /// Takes the next token. Returns the move that it played, if it is a move.
    ///
    /// A null move is played, but returns no [`Move`]. After an error the position is that before
    /// the move; skip the game or the variation. What skips a variation also takes its end from the
    /// reader, so the end must be played by hand:
    ///
    /// ```
    /// use tabiya_pgn::{Reader, Replay, Token};
    ///
    /// let mut reader = Reader::from_bytes(b"1. e4 (1. d4 Qxx) e5 2. Nf3 (2. Ke3 d5) Nc6 *");
    /// let mut replay = Replay::new();
    /// let mut moves = 0;
    /// while let Some(token) = reader.next_token()? {
    ///     let is_wrong = replay.play(&token).is_err();
    ///     if replay.depth() == 0 {
    ///         moves += u32::from(matches!(token, Token::Move(_)));
    ///     } else if is_wrong {
    ///         reader.skip_variation()?;
    ///         replay.play(&Token::VariationEnd)?;
    ///     }
    /// }
    /// assert_eq!((moves, replay.ply()), (4, 4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The move is not legal, or the tags do not give a start position.
    // Inlining makes the decision for most tokens of a file where the token is made, without a
    // call.
    #[inline(always)]
    pub fn play(&mut self, token: &Token<'_>) -> Result<Option<Move>, ReplayError> {
        match token {
            Token::Move(text) if self.has_begun => self.play_text(text.0),
            Token::Comment(_) if self.has_begun => Ok(None),
            _ => self.play_other_token(token),
        }
    }

    #[inline(never)]
    fn play_other_token(&mut self, token: &Token<'_>) -> Result<Option<Move>, ReplayError> {
        match token {
            Token::GameStart => self.reset(),
            Token::Tag(tag) => self.tag(tag),
            Token::VariationStart => {
                self.begin()?;
                let variation = Line::from(self.line.before(), self.line.ply.saturating_sub(1));
                self.outer.push(std::mem::replace(&mut self.line, variation));
            }
            Token::VariationEnd => {
                if let Some(line) = self.outer.pop() {
                    self.line = line;
                }
            }
            Token::Move(text) => {
                self.begin()?;
                return self.play_text(text.0);
            }
            Token::Comment(_) | Token::Nag(_) | Token::Result(_) | Token::GameEnd => {
                self.begin()?;
            }
        }
        Ok(None)
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
        if position.has_legal_move() {
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
        self.start = Start::default();
        self.has_begun = false;
        self.line = Line::START;
    }

    fn tag(&mut self, tag: &Tag<'_>) {
        // A comment or glyph has set up what the tags before it say.
        if self.line.ply == 0 && self.outer.is_empty() {
            self.has_begun = false;
            self.line = Line::START;
        }
        // Of a tag that stands twice, the first one counts.
        let value = || tag.printable_value();
        let Start { fen, variant } = &mut self.start;
        match tag.name.0 {
            b"FEN" if fen.is_none() => *fen = Some(Position::from_fen(&value())),
            b"Variant" if variant.is_none() => *variant = Some(castling_mode(&value())),
            _ => {}
        }
    }

    /// Sets up the start position, unless it has been done.
    fn begin(&mut self) -> Result<(), ReplayError> {
        if self.has_begun {
            return Ok(());
        }
        self.has_begun = true;
        let error = |cause| ReplayError { cause, ply: 0, number: None };
        if self.start.fen.is_none() && self.start.variant.is_none() {
            return Ok(());
        }
        // They are kept: more tags may follow after a comment.
        let Start { fen, variant } = self.start.clone();
        let mode = match variant {
            Some(Ok(mode)) => Some(mode),
            Some(Err(name)) => return Err(error(ReplayCause::Variant(name))),
            None => None,
        };
        let position = match fen {
            Some(fen) => fen.map_err(|fen| error(ReplayCause::Fen(fen)))?,
            None => Position::START,
        };
        // The tag can make the position one of Chess960, but not one of standard chess, because a
        // FEN may need Chess960 although the tag does not say so.
        let position = match mode {
            Some(CastlingMode::Chess960) => position
                .with_castling_mode(CastlingMode::Chess960)
                .map_err(|wrong| error(ReplayCause::Position(wrong)))?,
            _ => position,
        };
        self.line = Line::from(&position, 0);
        Ok(())
    }

    #[inline(always)]
    fn play_text(&mut self, text: &[u8]) -> Result<Option<Move>, ReplayError> {
        if self.line.ply >= MAX_PLIES {
            return Err(self.too_many());
        }
        match self.line.push(|before, after| play_san(before, after, text)) {
            Some(mv) => Ok(Some(mv)),
            None => self.play_other(text),
        }
    }

    /// Plays a null move, or a move in another notation.
    #[cold]
    fn play_other(&mut self, text: &[u8]) -> Result<Option<Move>, ReplayError> {
        let position = self.line.position();
        // Programs that write moves in UCI also write its null move.
        let null = text == b"0000" || San::from_ascii(text).is_ok_and(|san| san.is_null());
        let (mv, next) = if null {
            (None, position.play_null().ok_or(ReplayCause::NullInCheck))
        } else {
            match position.parse_move(&crate::Text(text).decode()) {
                Ok(mv) => (Some(mv), Ok(position.play(mv))),
                Err(wrong) => (None, Err(ReplayCause::Move(Box::new(wrong)))),
            }
        };
        let next = next.map_err(|cause| self.error(text, cause))?;
        self.line.push(|_, after| {
            *after = next;
            Some(())
        });
        Ok(mv)
    }

    #[cold]
    const fn too_many(&self) -> ReplayError {
        ReplayError { cause: ReplayCause::TooManyMoves, ply: self.line.ply + 1, number: None }
    }

    fn error(&self, text: &[u8], cause: ReplayCause) -> ReplayError {
        let position = self.line.position();
        let dots = if position.turn() == tabiya::Color::White { "." } else { "..." };
        let number = Some(format!(
            "{}{dots} {}",
            position.fullmove_number(),
            crate::Text(&text[..text.len().min(MAX_SHOWN)]).decode()
        ));
        ReplayError { cause, ply: self.line.ply + 1, number }
    }
}

impl Default for Replay {
    fn default() -> Self {
        Self::new()
    }
}

/// The notation of castling that a variant needs, or the name of a variant with other rules.
fn castling_mode(name: &str) -> Result<CastlingMode, String> {
    // Names are written with and without spaces and hyphens.
    let plain: String = name
        .chars()
        .filter(|letter| !matches!(letter, ' ' | '-' | '_' | '?' | '*'))
        .map(|letter| letter.to_ascii_lowercase())
        .collect();
    match plain.as_str() {
        "" | "standard" | "chess" | "classical" | "normal" | "regular" | "fromposition"
        | "illegal" => Ok(CastlingMode::Standard),
        // On the Internet Chess Club: chess from other start positions.
        "wild/0" | "wild/1" | "wild/2" | "wild/3" | "wild/4" | "wild/5" | "wild/6" | "wild/7"
        | "wild/8" | "wild/8a" => Ok(CastlingMode::Standard),
        "chess960"
        | "fischerandom"
        | "fischerrandom"
        | "fischerandomchess"
        | "fischerrandomchess"
        | "fischerandomchess960"
        | "freestyle"
        | "960"
        | "freestylechess" => Ok(CastlingMode::Chess960),
        _ => Err(name.to_owned()),
    }
}

/// The length up to which a text of the file is shown in a message.
const MAX_SHOWN: usize = 40;

/// The reason why a game cannot be continued.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    cause: ReplayCause,
    ply: u32,
    /// The move with its number.
    number: Option<String>,
}

impl ReplayError {
    /// The cause of the error.
    pub const fn cause(&self) -> &ReplayCause {
        &self.cause
    }

    /// The ply in the line, from 1. It is 0 if the start position is wrong.
    pub const fn ply(&self) -> u32 {
        self.ply
    }
}

/// The cause of an error in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReplayCause {
    /// The text is not a legal move, or not a move.
    Move(Box<NotationError>),
    /// A null move in check.
    NullInCheck,
    /// The tag `FEN` does not hold a playable position.
    Fen(FenError),
    /// The position does not fit the tag `Variant`.
    Position(PositionError),
    /// The tag `Variant` names rules other than those of chess.
    Variant(String),
    /// A line has more moves than [`MAX_PLIES`].
    TooManyMoves,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(number) = &self.number {
            write!(f, "ply {} ({number}): ", self.ply)?;
        }
        self.cause.fmt(f)
    }
}

impl fmt::Display for ReplayCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move(error) => error.fmt(f),
            Self::NullInCheck => f.write_str("a side in check cannot pass"),
            Self::Fen(error) => write!(f, "the tag FEN: {error}"),
            Self::Position(error) => write!(f, "the tag Variant: {error}"),
            Self::TooManyMoves => write!(f, "the line has more than {MAX_PLIES} moves"),
            Self::Variant(name) => {
                // A tag may be very long.
                let start: String = name.chars().take(MAX_SHOWN).collect();
                let more = if start.len() < name.len() { "…" } else { "" };
                write!(f, "unknown variant {start:?}{more}; only chess and Chess960 can be played")
            }
        }
    }
}

impl error::Error for ReplayError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match &self.cause {
            ReplayCause::Move(error) => Some(error.as_ref()),
            ReplayCause::Fen(error) => Some(error),
            ReplayCause::Position(error) => Some(error),
            ReplayCause::NullInCheck | ReplayCause::Variant(_) | ReplayCause::TooManyMoves => None,
        }
    }
}
