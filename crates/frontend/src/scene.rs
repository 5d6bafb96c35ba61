//! Positions from what a user wrote: a name or a FEN, and moves to play from there.

use std::ops::Range;

use tabiya::{CastlingMode, Explanation, FenError, Position, PositionError, Setup, fen::FenCause};

use crate::moves::{self, MoveTextError};
use crate::{InputError, StandardPosition};

/// Where a game begins.
///
/// ```
/// use tabiya_frontend::{StandardPosition, Start};
/// assert_eq!(Start::read("cpw3"), Start::Standard(StandardPosition::Cpw3));
/// assert_eq!(Start::read("8/8/8/8/8/8/8/8 w - -"), Start::Fen("8/8/8/8/8/8/8/8 w - -"));
/// assert_eq!(Start::default(), Start::Standard(StandardPosition::Startpos));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Start<'a> {
    /// A position with a name.
    Standard(StandardPosition),
    /// A position in FEN, not read yet.
    Fen(&'a str),
}

impl Default for Start<'_> {
    fn default() -> Self {
        Self::Standard(StandardPosition::default())
    }
}

impl<'a> Start<'a> {
    /// Reads a text as a name if it is the name of a [`StandardPosition`], otherwise as a FEN.
    pub fn read(text: &'a str) -> Self {
        text.trim().parse().map_or(Self::Fen(text), Self::Standard)
    }

    /// The position in FEN, as it was written.
    pub fn fen(self) -> &'a str {
        match self {
            Self::Standard(standard) => standard.fen(),
            Self::Fen(fen) => fen,
        }
    }
}

/// A position as a user writes it: a name or a FEN, and moves to play from there.
///
/// ```
/// use tabiya_frontend::{InputError, PositionText};
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
    /// Where to begin.
    pub start: Start<'a>,
    /// Moves to play from there, in UCI, separated by commas or spaces.
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
    /// use tabiya_frontend::PositionText;
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
        let fen = self.start.fen();
        let mut position = Position::from_fen(fen).map_err(|error| fen_error(fen, error))?;
        if self.chess960 {
            position = position
                .with_castling_mode(CastlingMode::Chess960)
                .map_err(|error| PositionTextError::Chess960 { input: fen.to_owned(), error })?;
        }
        for place in moves::words(self.moves) {
            position = self.play(&position, place)?;
        }
        Ok(position)
    }

    /// The position after the moves. If the position is not playable and there are no moves, the
    /// setup alone.
    ///
    /// # Errors
    /// [`PositionTextError`] if the FEN cannot be read, or if one of the moves is not legal.
    ///
    /// ```
    /// use tabiya_frontend::PositionText;
    /// let scene = PositionText::new("8/8/8/8/8/8/8/8 w - - 0 1").scene().unwrap();
    /// assert_eq!(scene.position.unwrap_err().to_string(), "White has no king");
    /// ```
    pub fn scene(&self) -> Result<Scene, PositionTextError> {
        if moves::words(self.moves).next().is_some() {
            return Ok(self.position()?.into());
        }
        let fen = self.start.fen();
        let mut setup = Setup::from_fen(fen).map_err(|error| fen_error(fen, error))?;
        if self.chess960 {
            setup.castling_mode = CastlingMode::Chess960;
        }
        Ok(setup.into())
    }

    /// Plays the move at a place of the list.
    fn play(
        &self,
        position: &Position,
        place: Range<usize>,
    ) -> Result<Position, PositionTextError> {
        let word = &self.moves[place.clone()];
        let wrong_at = |span: Range<usize>, error| PositionTextError::Move {
            input: self.moves.to_owned(),
            span: place.start + span.start..place.start + span.end,
            before: Box::new(position.clone()),
            error,
        };
        let explanation = moves::explain(position, word)
            .map_err(|error| wrong_at(error.span(), MoveError::Text(error)))?;
        match explanation.legal() {
            Some(mv) => Ok(position.play(mv)),
            None => Err(wrong_at(0..word.len(), MoveError::Illegal(Box::new(explanation)))),
        }
    }
}

fn fen_error(fen: &str, error: FenError) -> PositionTextError {
    PositionTextError::Fen { input: fen.to_owned(), error }
}

/// Why a text does not lead to a position.
///
/// ```
/// use tabiya_frontend::{InputError, PositionText, PositionTextError};
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
        /// What is wrong with it.
        error: FenError,
    },
    /// The position cannot be written in Chess960 notation.
    #[error("{error}")]
    Chess960 {
        /// The FEN.
        input: String,
        /// Why not.
        error: PositionError,
    },
    /// A move cannot be played.
    #[error("{error}")]
    Move {
        /// The list of moves.
        input: String,
        /// The place of the move in the list, or of what is wrong with the move.
        span: Range<usize>,
        /// The position before the move.
        before: Box<Position>,
        /// What is wrong with it.
        error: MoveError,
    },
}

/// Why a move of a list cannot be played.
///
/// ```
/// use tabiya_frontend::{MoveError, PositionText, PositionTextError};
/// let text = PositionText { moves: "e2e4 e7e4", ..PositionText::new("startpos") };
/// let Err(PositionTextError::Move { error: MoveError::Illegal(why), .. }) = text.position() else {
///     panic!("the pawn cannot get there");
/// };
/// assert_eq!(why.reasons()[0].name(), "cannot-reach");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The text is not a move in UCI.
    #[error(transparent)]
    Text(MoveTextError),
    /// The move is not legal, and this is why.
    #[error("{0}")]
    Illegal(Box<Explanation>),
}

impl PositionTextError {
    /// Is the FEN a single word? Then quotes around it may be missing, or it is a misspelt name.
    ///
    /// ```
    /// use tabiya_frontend::PositionText;
    /// assert!(PositionText::new("starpos").position().unwrap_err().is_one_word());
    /// ```
    pub fn is_one_word(&self) -> bool {
        matches!(self, Self::Fen { input, .. } if input.split_whitespace().count() < 2)
    }
}

impl InputError for PositionTextError {
    fn input(&self) -> &str {
        match self {
            Self::Fen { input, .. } | Self::Chess960 { input, .. } | Self::Move { input, .. } => {
                input
            }
        }
    }

    fn span(&self) -> Range<usize> {
        match self {
            Self::Fen { error, .. } => error.span(),
            Self::Chess960 { input, .. } => 0..input.len(),
            Self::Move { span, .. } => span.clone(),
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
            Self::Chess960 { .. } => None,
            Self::Move { error: MoveError::Text(error), .. } if error.looks_like_san() => {
                error.hint()
            }
            Self::Move { before, .. } => {
                Some(format!("the position before it is {}", before.fen()))
            }
        }
    }
}

/// What a front end shows: a setup, and the position if the setup is playable.
///
/// ```
/// use tabiya::{Position, Setup};
/// use tabiya_frontend::Scene;
/// assert!(Scene::from(Setup::START).position.is_ok());
/// assert!(Scene::from(Setup::EMPTY).position.is_err());
/// assert_eq!(Scene::from(Position::START).setup, Setup::START);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Scene {
    /// The board and the other fields of FEN.
    pub setup: Setup,
    /// The position, or why the setup is not playable.
    pub position: Result<Position, PositionError>,
}

impl From<Setup> for Scene {
    fn from(setup: Setup) -> Self {
        let position = Position::from_setup(&setup);
        Self { setup, position }
    }
}

impl From<Position> for Scene {
    fn from(position: Position) -> Self {
        Self { setup: position.to_setup(), position: Ok(position) }
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
        for moves in ["e2e4,e7e5,g1f3", " e2e4  e7e5 g1f3 ", "e2e4, e7e5,,g1f3,"] {
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
    fn errors_point_at_their_place() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for (fen, moves, part, message) in [
            ("8/8/8/8/PPPPPPPPP/8/8/8 w - - 0 1", "", "PPPPPPPPP", "rank 4"),
            ("8/8/8/8/8/8/8/8 w - - 0 1", "e2e4", "8/8/8/8/8/8/8/8", "White has no king"),
            (start, "e2e4, e7e9", "e9", "target square"),
            (start, "e2e4 e2e4 e7e5", "e2e4", "not legal"),
            (start, "e2e4 Nf6", "Nf6", "Nf6 looks like SAN"),
            (start, "ééé e2", "ééé", ""),
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
        assert_eq!(before, format!("the position before it is {fen}"));
        assert!(hint("startpos", "e4").unwrap().contains("UCI"));
    }
}
