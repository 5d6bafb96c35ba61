//! Positions from the text of a user: a name or a FEN, and moves to play from there.

use std::borrow::Cow;
use std::ops::Range;

use tabiya::{
    CastlingMode, FenError, Game, Move, Outcome, Position, PositionError, Setup, chess960,
    fen::FenCause,
};

use crate::moves::{self, ExplainedMove, MoveTextError};
use crate::{InputError, StandardPosition};

/// The position from which a game begins.
///
/// ```
/// use tabiya_views::{StandardPosition, Start};
/// assert_eq!(Start::read("cpw3"), Start::Standard(StandardPosition::Cpw3));
/// assert_eq!(Start::read("8/8/8/8/8/8/8/8 w - -"), Start::Fen("8/8/8/8/8/8/8/8 w - -"));
/// assert_eq!(Start::read("chess960:518"), Start::Chess960("chess960:518"));
/// assert_eq!(Start::default(), Start::Standard(StandardPosition::Startpos));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Start<'a> {
    /// A position with a name.
    Standard(StandardPosition),
    /// A start position of Chess960 by number, not read yet: `chess960:518`, or `chess960:518,0` if
    /// White and Black have different arrangements.
    Chess960(&'a str),
    /// A position in FEN, not read yet.
    Fen(&'a str),
}

impl Default for Start<'_> {
    fn default() -> Self {
        Self::Standard(StandardPosition::default())
    }
}

impl<'a> Start<'a> {
    /// The beginning of the text of a start position of Chess960.
    pub const CHESS960_PREFIX: &'static str = "chess960:";

    /// Reads the text as a name if it is the name of a [`StandardPosition`], as a number if it
    /// begins with `chess960:`, otherwise as a FEN. The text may be in quotes, and it may be in the
    /// tag of a game; in a FEN without spaces, underscores stand for them.
    ///
    /// ```
    /// use tabiya_views::Start;
    /// let fen = "8/8/8/8/8/8/8/8 w - -";
    /// for text in [r#"[FEN "8/8/8/8/8/8/8/8 w - -"]"#, "'8/8/8/8/8/8/8/8_w_-_-'"] {
    ///     assert_eq!(Start::read(text).fen().unwrap(), fen);
    /// }
    /// ```
    pub fn read(text: &'a str) -> Self {
        let text = bare(text);
        let prefix = text.trim_start().get(..Self::CHESS960_PREFIX.len());
        if prefix.is_some_and(|prefix| prefix.eq_ignore_ascii_case(Self::CHESS960_PREFIX)) {
            return Self::Chess960(text);
        }
        text.trim().parse().map_or(Self::Fen(text), Self::Standard)
    }

    /// The position in FEN.
    ///
    /// # Errors
    /// [`PositionTextError::Number`] if there is no start position of Chess960 with this number.
    ///
    /// ```
    /// use tabiya_views::{InputError, Start};
    /// assert!(Start::read("chess960:0").fen().unwrap().starts_with("bbqnnrkr/"));
    /// let error = Start::read("chess960:518,960").fen().unwrap_err();
    /// assert_eq!(&error.input()[error.span()], "960");
    /// ```
    pub fn fen(self) -> Result<Cow<'a, str>, PositionTextError> {
        match self {
            Self::Standard(standard) => Ok(standard.fen().into()),
            Self::Chess960(text) => Ok(numbered(text)?.fen().to_string().into()),
            Self::Fen(fen) if fen.contains(char::is_whitespace) => Ok(fen.into()),
            Self::Fen(fen) => Ok(fen.replace('_', " ").into()),
        }
    }
}

/// The text without the tag and the quotes around it.
fn bare(text: &str) -> &str {
    let tag = text.trim().strip_prefix("[FEN").and_then(|rest| rest.strip_suffix(']'));
    let inner = tag.unwrap_or(text);
    let quotes = [('"', '"'), ('\'', '\''), ('“', '”'), ('‘', '’'), ('`', '`')];
    let unquoted = |(open, close)| inner.trim().strip_prefix(open)?.strip_suffix(close);
    quotes.into_iter().find_map(unquoted).unwrap_or(inner)
}

/// The start position of Chess960 for text such as `chess960:518`.
fn numbered(text: &str) -> Result<Setup, PositionTextError> {
    let start = text.find(':').map_or(0, |colon| colon + 1);
    let numbers = &text[start..];
    let wrong = |span| PositionTextError::Number { input: text.to_owned(), span };
    let mut at = start;
    let mut found = Vec::new();
    for part in numbers.split(',') {
        let number = part.trim();
        let begin = at + part.len() - part.trim_start().len();
        let span = begin..begin + number.len();
        at += part.len() + 1;
        let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
        let read =
            number.parse::<u16>().ok().filter(|&it| is_number && it < chess960::START_POSITIONS);
        found.push(read.ok_or_else(|| wrong(span))?);
    }
    let setup = match found[..] {
        [both] => Setup::chess960(both),
        [white, black] => Setup::double_chess960(white, black),
        _ => None,
    };
    setup.ok_or_else(|| wrong(start..text.len()))
}

/// A position as a user writes it: a name or a FEN, and moves to play from there.
///
/// ```
/// use tabiya_views::{InputError, PositionText};
/// let text = PositionText { moves: "e2a6, h3g2", ..PositionText::new("kiwipete") };
/// let position = text.position().unwrap();
/// assert!(position.fen().to_string().ends_with(" w KQkq - 0 2"));
///
/// // With Chess960 notation, the king takes its own rook.
/// let text = PositionText { moves: "e1h1", chess960: true, ..text };
/// assert!(text.position().is_ok());
///
/// // An error says which part of which text is wrong.
/// let text = PositionText { moves: "e2a6 h3h2 a6b7", ..text };
/// let error = text.position().unwrap_err();
/// assert_eq!(&error.input()[error.span()], "h3h2");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PositionText<'a> {
    /// The position from which to begin.
    pub start: Start<'a>,
    /// Moves to play from there, in any notation, separated by commas or spaces. There may be move
    /// numbers: `1. e4 e5 2. Nf3`.
    pub moves: &'a str,
    /// Use Chess960 notation for castling: the king takes its own rook.
    ///
    /// A position with castling rights that exist only in Chess960 uses it anyway.
    pub chess960: bool,
}

impl<'a> PositionText<'a> {
    /// A name or a FEN, without moves. See [`Start::read`].
    ///
    /// ```
    /// use tabiya_views::PositionText;
    /// assert!(PositionText::new("cpw5").position().is_ok());
    /// assert!(PositionText::new("4k3/8/8/8/8/8/8/4K3 w - - 0 1").position().is_ok());
    /// ```
    pub fn new(start: &'a str) -> Self {
        Self { start: Start::read(start), ..Self::default() }
    }

    /// The position after the moves.
    ///
    /// # Errors
    /// [`PositionTextError`] if the FEN cannot be read, if the position in it is not playable, or
    /// if one of the moves is not legal.
    pub fn position(&self) -> Result<Position, PositionTextError> {
        let mut position = self.start_position()?;
        for place in moves::places(self.moves) {
            position = position.play(self.read_move(&position, place)?);
        }
        Ok(position)
    }

    /// The game of the moves: each of them, the position before it, and what was repeated.
    ///
    /// # Errors
    /// [`PositionTextError`] as for [`position`](Self::position).
    ///
    /// ```
    /// use tabiya_views::PositionText;
    /// let text = PositionText { moves: "1. e4 e5", ..PositionText::new("startpos") };
    /// let game = text.game().unwrap();
    /// assert_eq!(game.positions()[1].san(game.moves()[1]).to_string(), "e5");
    /// ```
    pub fn game(&self) -> Result<Game, PositionTextError> {
        let mut game = Game::from_position(self.start_position()?);
        for place in moves::places(self.moves) {
            let mv = self.read_move(game.position(), place)?;
            game.push(mv).expect("a move that was read is legal");
        }
        Ok(game)
    }

    /// The position before the moves.
    fn start_position(&self) -> Result<Position, PositionTextError> {
        let fen = &*self.start.fen()?;
        let position = Position::from_fen(fen).map_err(|error| fen_error(fen, error))?;
        if !self.is_chess960() {
            return Ok(position);
        }
        position
            .with_castling_mode(CastlingMode::Chess960)
            .map_err(|error| PositionTextError::Chess960 { input: fen.to_owned(), error })
    }

    /// The last of the moves, and the position before it; `None` if there are no moves.
    ///
    /// # Errors
    /// [`PositionTextError`] as for [`position`](Self::position).
    ///
    /// ```
    /// use tabiya_views::PositionText;
    /// let text = PositionText { moves: "1. e4 e5", ..PositionText::new("startpos") };
    /// let (before, mv) = text.last_move().unwrap().unwrap();
    /// assert_eq!(before.san(mv).to_string(), "e5");
    /// ```
    pub fn last_move(&self) -> Result<Option<(Position, Move)>, PositionTextError> {
        let Some(last) = moves::places(self.moves).pop() else { return Ok(None) };
        let before = Self { moves: &self.moves[..last.start], ..*self }.position()?;
        let mv = self.read_move(&before, last)?;
        Ok(Some((before, mv)))
    }

    /// The position after the moves. If the position is not playable and there are no moves, the
    /// setup alone.
    ///
    /// # Errors
    /// [`PositionTextError`] if the FEN cannot be read, or if one of the moves is not legal.
    ///
    /// ```
    /// use tabiya_views::PositionText;
    /// let scene = PositionText::new("8/8/8/8/8/8/8/8 w - - 0 1").scene().unwrap();
    /// assert_eq!(scene.position.unwrap_err().to_string(), "White has no king");
    ///
    /// let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(4);
    /// let scene = PositionText { moves: &moves, ..PositionText::new("startpos") }.scene().unwrap();
    /// assert_eq!(scene.outcome.unwrap().name(), "fivefold-repetition");
    /// ```
    pub fn scene(&self) -> Result<Scene, PositionTextError> {
        if !moves::places(self.moves).is_empty() {
            return Ok((&self.game()?).into());
        }
        let fen = &*self.start.fen()?;
        let mut setup = Setup::from_fen(fen).map_err(|error| fen_error(fen, error))?;
        if self.is_chess960() {
            setup.castling_mode = CastlingMode::Chess960;
        }
        Ok(setup.into())
    }

    fn is_chess960(&self) -> bool {
        self.chess960 || matches!(self.start, Start::Chess960(_))
    }

    /// Reads the move at a place of the list.
    fn read_move(
        &self,
        position: &Position,
        place: Range<usize>,
    ) -> Result<Move, PositionTextError> {
        let word = &self.moves[place.clone()];
        let wrong_at = |span: Range<usize>, error| PositionTextError::Move {
            input: self.moves.to_owned(),
            span,
            before: Box::new(position.clone()),
            error,
        };
        let explained = moves::explain(position, word).map_err(|error| {
            let error = error.within(self.moves, place.start);
            wrong_at(error.span(), MoveError::Text(Box::new(error)))
        })?;
        match explained.legal() {
            Some(mv) => Ok(mv),
            None => Err(wrong_at(place, MoveError::Illegal(Box::new(explained)))),
        }
    }
}

fn fen_error(fen: &str, error: FenError) -> PositionTextError {
    PositionTextError::Fen { input: fen.to_owned(), error }
}

/// The reason why the text does not lead to a position.
///
/// ```
/// use tabiya_views::{InputError, PositionText, PositionTextError};
/// let error = PositionText::new("8/8/8/8/8/8/8/8 x - - 0 1").position().unwrap_err();
/// assert!(matches!(error, PositionTextError::Fen { .. }));
/// assert_eq!(&error.input()[error.span()], "x");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PositionTextError {
    /// The FEN cannot be read, or the position in it is not playable.
    #[error("{error}")]
    Fen {
        /// The FEN.
        input: String,
        /// The error in it.
        error: FenError,
    },
    /// The position cannot be written in Chess960 notation.
    #[error("{error}")]
    Chess960 {
        /// The FEN.
        input: String,
        /// The reason.
        error: PositionError,
    },
    /// There is no start position of Chess960 with this number.
    #[error(
        "expected a number from 0 to 959, as in chess960:518, or one for each side, as in \
         chess960:518,0"
    )]
    Number {
        /// The text.
        input: String,
        /// The place of the wrong number.
        span: Range<usize>,
    },
    /// A move cannot be played.
    #[error("{error}")]
    Move {
        /// The list of moves.
        input: String,
        /// The place of the move in the list, or of the error in the move.
        span: Range<usize>,
        /// The position before the move.
        before: Box<Position>,
        /// The reason why the move cannot be played.
        error: MoveError,
    },
}

/// The reason why a move of a list cannot be played.
///
/// ```
/// use tabiya_views::{MoveError, PositionText, PositionTextError};
/// let text = PositionText { moves: "e2e4 e7e4", ..PositionText::new("startpos") };
/// let Err(PositionTextError::Move { error: MoveError::Illegal(why), .. }) = text.position() else {
///     panic!("the pawn cannot get there");
/// };
/// assert_eq!(why.reasons()[0].name(), "cannot-reach");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The text is not a move, or it is ambiguous.
    #[error(transparent)]
    Text(Box<MoveTextError>),
    /// The move is not legal, for these reasons.
    #[error("{0}")]
    Illegal(Box<ExplainedMove>),
}

impl PositionTextError {
    /// Is the FEN a single word? Then quotes around it may be missing, or it is a misspelt name.
    ///
    /// ```
    /// use tabiya_views::PositionText;
    /// assert!(PositionText::new("starpos").position().unwrap_err().is_one_word());
    /// ```
    pub fn is_one_word(&self) -> bool {
        matches!(self, Self::Fen { input, .. } if input.split_whitespace().count() < 2)
    }
}

impl InputError for PositionTextError {
    fn input(&self) -> &str {
        match self {
            Self::Fen { input, .. }
            | Self::Chess960 { input, .. }
            | Self::Number { input, .. }
            | Self::Move { input, .. } => input,
        }
    }

    fn span(&self) -> Range<usize> {
        match self {
            Self::Fen { error, .. } => error.span(),
            Self::Chess960 { input, .. } => 0..input.len(),
            Self::Number { span, .. } | Self::Move { span, .. } => span.clone(),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Fen { error, .. } => match error.cause() {
                FenCause::Missing if self.is_one_word() => {
                    Some("a FEN has several fields, separated by spaces".to_owned())
                }
                _ => None,
            },
            Self::Chess960 { .. } | Self::Number { .. } => None,
            Self::Move { error: MoveError::Text(error), .. } if error.hint().is_some() => {
                error.hint()
            }
            Self::Move { before, .. } => {
                Some(format!("the position before this move is {}", before.fen()))
            }
        }
    }
}

/// The subject that a front end shows: a setup, and the position if the setup is playable.
///
/// ```
/// use tabiya::{Position, Setup};
/// use tabiya_views::Scene;
/// assert!(Scene::from(Setup::START).position.is_ok());
/// assert!(Scene::from(Setup::EMPTY).position.is_err());
/// assert_eq!(Scene::from(Position::START).setup, Setup::START);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Scene {
    /// The board and the other fields of FEN.
    pub setup: Setup,
    /// The position, or the reason why the setup is not playable.
    pub position: Result<Position, PositionError>,
    /// How the game has ended, if it has. Only moves tell of repetitions.
    pub outcome: Option<Outcome>,
}

impl From<Setup> for Scene {
    fn from(setup: Setup) -> Self {
        let position = Position::from_setup(&setup);
        let outcome = position.as_ref().ok().and_then(Position::outcome);
        Self { setup, position, outcome }
    }
}

impl From<Position> for Scene {
    fn from(position: Position) -> Self {
        let outcome = position.outcome();
        Self { setup: position.to_setup(), position: Ok(position), outcome }
    }
}

impl From<&Game> for Scene {
    fn from(game: &Game) -> Self {
        Self { outcome: game.outcome(), ..game.position().clone().into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text<'a>(start: &'a str, moves: &'a str) -> PositionText<'a> {
        PositionText { moves, ..PositionText::new(start) }
    }

    #[test]
    fn moves_are_played_in_their_order() {
        let expected = ["e2e4", "e7e5", "g1f3"]
            .iter()
            .fold(Position::START, |position, mv| position.play(position.parse_uci(mv).unwrap()));
        for moves in [
            "e2e4,e7e5,g1f3",
            " e2e4  e7e5 g1f3 ",
            "e2e4, e7e5,,g1f3,",
            "1. e4 e5 2. Nf3",
            "1.e4 e7-e5 2.g1f3 *",
        ] {
            assert_eq!(text("startpos", moves).position().as_ref(), Ok(&expected), "{moves}");
            let scene = text("StartPos", moves).scene().unwrap();
            assert_eq!(scene, Scene::from(expected.clone()));
        }
    }

    #[test]
    fn a_scene_without_moves_keeps_what_the_fen_says() {
        // No capture on d6 is legal, so the position does not keep the square.
        let fen = "4k3/8/8/3p4/8/8/8/4K3 w - d6 0 2";
        for moves in ["", " , "] {
            let scene = text(fen, moves).scene().unwrap();
            assert_eq!(scene.setup.en_passant, Some(tabiya::Square::D6));
            assert_eq!(scene.position.unwrap().en_passant(), None);
        }
    }

    #[test]
    fn chess960_notation_is_used_on_request_and_where_the_rights_need_it() {
        let castling = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        let on_request = PositionText { chess960: true, ..text(castling, "") };
        assert_eq!(on_request.position().unwrap().castling_mode(), CastlingMode::Chess960);
        let scene = on_request.scene().unwrap();
        assert_eq!(scene.setup.castling_mode, CastlingMode::Chess960);
        assert_eq!(scene.position.unwrap().castling_mode(), CastlingMode::Chess960);
        assert_eq!(text(castling, "").position().unwrap().castling_mode(), CastlingMode::Standard);
        let needed = text("4k3/8/8/8/8/8/8/1R2K3 w B - 0 1", "");
        assert_eq!(needed.position().unwrap().castling_mode(), CastlingMode::Chess960);
    }

    #[test]
    fn start_positions_of_chess960_have_numbers() {
        let standard = text("Chess960:518", "").position().unwrap();
        assert_eq!(standard, Position::START);
        assert_eq!(standard.castling_mode(), CastlingMode::Chess960);
        let scene = text("chess960: 518, 0", "").scene().unwrap();
        assert_eq!(scene.setup.chess960_numbers(), Some([518, 0]));
        let fen = text("chess960:0", "e4 e5").position().unwrap().fen().to_string();
        assert_eq!(fen, "bbqnnrkr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/BBQNNRKR w KQkq - 0 2");
    }

    #[test]
    fn pasted_fens_are_read() {
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let underscores = fen.replace(' ', "_");
        let expected = text(fen, "").position();
        for given in [
            format!("\"{fen}\""),
            format!(" '{fen}'\n"),
            format!("“{fen}”"),
            format!("`{fen}`"),
            format!("[FEN \"{fen}\"]"),
            format!(" [FEN '{underscores}'] "),
            // The shell has taken the quotes.
            format!("[FEN {fen}]"),
            format!("\"{underscores}\""),
            underscores,
        ] {
            assert_eq!(text(&given, "").position(), expected, "{given}");
        }
        assert_eq!(text("\"kiwipete\"", "").position(), text("kiwipete", "").position());
        // Quotes and tags that do not end, and underscores beside spaces, are errors.
        for given in
            [&format!("\"{fen}"), &format!("[FEN \"{fen}\""), "4k3/8/8/8/8/8/8/4K3 w_- - 0 1"]
        {
            assert!(text(given, "").position().is_err(), "{given}");
        }
        let error = text("\"8/8/8/8/8/8/8/8_x_-_-\"", "").position().unwrap_err();
        assert_eq!(&error.input()[error.span()], "x");
    }

    #[test]
    fn errors_point_at_their_place() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for (fen, moves, part, message) in [
            ("8/8/8/8/PPPPPPPPP/8/8/8 w - - 0 1", "", "PPPPPPPPP", "rank 4"),
            ("8/8/8/8/8/8/8/8 w - - 0 1", "e2e4", "8/8/8/8/8/8/8/8", "White has no king"),
            (start, "e2e4, e7e9", "9", "expected a rank from 1 to 8 after the file e"),
            (start, "e2e4 e2e4 e7e5", "e2e4", "not legal"),
            (start, "e2e4 Nf6 2. Nf9", "9", "expected a rank from 1 to 8 after the file f"),
            (start, "1. e4 e5 2. Nd4", "Nd4", "a knight on b1 cannot reach d4"),
            (start, "ééé e2", "é", ""),
            ("chess960:960", "", "960", "from 0 to 959"),
            ("chess960:", "", "", "from 0 to 959"),
            ("chess960:1,2,3", "", "1,2,3", "from 0 to 959"),
        ] {
            let error = text(fen, moves).scene().unwrap_err();
            assert_eq!(&error.input()[error.span()], part, "{error}");
            assert!(error.to_string().contains(message), "{error}");
            assert_eq!(
                error.input(),
                if moves.is_empty() || part == fen { fen } else { error.input() }
            );
        }
        // The second of two equal moves.
        assert_eq!(text(start, "e2e4 e2e4").position().unwrap_err().span(), 5..9);
    }

    #[test]
    fn errors_have_hints() {
        let hint = |start, moves| text(start, moves).position().unwrap_err().hint();
        let one_word = Some("a FEN has several fields, separated by spaces".to_owned());
        assert_eq!(hint("8/8/8/8/8/8/8/8", ""), one_word);
        assert_eq!(hint("8/8/8/8/8/8/8/8 w - - 0 1", ""), None);
        let before = hint("startpos", "e2e4 e7e6 e4e6").unwrap();
        let fen = "rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        assert_eq!(before, format!("the position before this move is {fen}"));
        assert!(hint("startpos", "x").unwrap().contains("UCI"));
    }
}
