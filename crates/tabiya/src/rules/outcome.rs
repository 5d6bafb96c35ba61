//! The end of a game: mate or one of the draws.

use core::fmt;
use core::str::FromStr;

use crate::color::Color;
use crate::position::Position;

/// After this many plies without a capture or a pawn move, a player may claim a draw.
const CLAIM_PLIES: u16 = 100;
/// After this many, the game is drawn.
const AUTOMATIC_PLIES: u16 = 150;
/// When a position has occurred this often, a player may claim a draw.
const CLAIM_REPETITIONS: usize = 3;
/// When it has occurred this often, the game is drawn.
const AUTOMATIC_REPETITIONS: usize = 5;

/// The score of a finished game, as PGN writes it.
///
/// ```
/// use tabiya::{Color, GameResult};
/// assert_eq!(GameResult::of(Some(Color::White)).to_string(), "1-0");
/// assert_eq!(GameResult::Draw.to_string(), "1/2-1/2");
/// assert_eq!(GameResult::Draw.figure(), "½-½");
/// assert_eq!("0-1".parse(), Ok(GameResult::BlackWins));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// White won: `1-0`.
    WhiteWins,
    /// Black won: `0-1`.
    BlackWins,
    /// A draw: `1/2-1/2`.
    Draw,
}

impl GameResult {
    /// The result of a game with this winner, or of a draw.
    pub const fn of(winner: Option<Color>) -> Self {
        match winner {
            Some(Color::White) => Self::WhiteWins,
            Some(Color::Black) => Self::BlackWins,
            None => Self::Draw,
        }
    }

    /// The side that won; `None` for a draw.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::WhiteWins => Some(Color::White),
            Self::BlackWins => Some(Color::Black),
            Self::Draw => None,
        }
    }

    /// The text of PGN, in ASCII.
    pub const fn name(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
        }
    }

    /// The text for readers, with ½ for a draw.
    pub const fn figure(self) -> &'static str {
        match self {
            Self::Draw => "½-½",
            _ => self.name(),
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Reads `1-0`, `0-1`, `1/2-1/2` and `½-½`. Anything else is an error, including the `*` of PGN.
impl FromStr for GameResult {
    type Err = GameResultError;

    fn from_str(text: &str) -> Result<Self, GameResultError> {
        [Self::WhiteWins, Self::BlackWins, Self::Draw]
            .into_iter()
            .find(|result| [result.name(), result.figure()].contains(&text))
            .ok_or(GameResultError)
    }
}

/// The error for a string that is not the result of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResultError;

impl fmt::Display for GameResultError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the result of a finished game is 1-0, 0-1 or 1/2-1/2")
    }
}

impl core::error::Error for GameResultError {}

/// The end of a game by the rules.
///
/// [`is_automatic`](Self::is_automatic) distinguishes ends without a claim from draws that a player
/// may claim. Resignation, agreement and time are not included, because positions do not decide
/// them.
///
/// ```
/// use tabiya::{Color, Outcome, Position};
/// let mate = Position::from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").unwrap();
/// let outcome = mate.outcome().unwrap();
/// assert_eq!(outcome, Outcome::Checkmate { winner: Color::White });
/// assert_eq!(outcome.to_string(), "1-0 (checkmate)");
/// assert_eq!(Position::START.outcome(), None);
/// ```
#[doc(alias("game over", "termination", "BoardStatus", "GameStatus"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// The side to move is in check and has no legal move.
    Checkmate {
        /// The side that mated.
        winner: Color,
    },
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// Neither side has enough material for a mate, see [`Position::is_insufficient_material`].
    InsufficientMaterial,
    /// 75 moves of each side without a capture or a pawn move.
    SeventyFiveMoves,
    /// The position has occurred for the fifth time.
    FivefoldRepetition,
    /// 50 moves of each side without a capture or a pawn move, and a player has claimed the draw.
    FiftyMoves,
    /// The position has occurred for the third time, and a player has claimed the draw.
    ThreefoldRepetition,
}

impl Outcome {
    /// The side that won; `None` for a draw.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Checkmate { winner } => Some(winner),
            _ => None,
        }
    }

    /// The score.
    ///
    /// ```
    /// use tabiya::{GameResult, Outcome};
    /// assert_eq!(Outcome::Stalemate.result(), GameResult::Draw);
    /// ```
    pub const fn result(self) -> GameResult {
        GameResult::of(self.winner())
    }

    /// Does the game end without a claim?
    ///
    /// ```
    /// use tabiya::Outcome;
    /// assert!(Outcome::SeventyFiveMoves.is_automatic());
    /// assert!(!Outcome::FiftyMoves.is_automatic());
    /// ```
    pub const fn is_automatic(self) -> bool {
        !matches!(self, Self::FiftyMoves | Self::ThreefoldRepetition)
    }

    /// The name for programs, in lower case with hyphens.
    ///
    /// ```
    /// assert_eq!(tabiya::Outcome::InsufficientMaterial.name(), "insufficient-material");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checkmate { .. } => "checkmate",
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient-material",
            Self::SeventyFiveMoves => "seventy-five-moves",
            Self::FivefoldRepetition => "fivefold-repetition",
            Self::FiftyMoves => "fifty-moves",
            Self::ThreefoldRepetition => "threefold-repetition",
        }
    }

    /// The reason in words.
    ///
    /// ```
    /// assert_eq!(tabiya::Outcome::FiftyMoves.reason(), "fifty-move rule");
    /// ```
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Checkmate { .. } => "checkmate",
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient material",
            Self::SeventyFiveMoves => "seventy-five-move rule",
            Self::FivefoldRepetition => "fivefold repetition",
            Self::FiftyMoves => "fifty-move rule",
            Self::ThreefoldRepetition => "threefold repetition",
        }
    }
}

/// Writes the score and the reason: `1-0 (checkmate)`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.result(), self.reason())
    }
}

/// The end of a game.
impl Position {
    /// The end of the game, as far as it follows from one position: checkmate, stalemate,
    /// insufficient material or the seventy-five-move rule. `None` if the game goes on.
    ///
    /// Checkmate takes precedence over all draws, even on the last ply that the seventy-five-move
    /// rule allows. For repetition, the earlier positions are needed: see
    /// [`outcome_with`](Self::outcome_with).
    ///
    /// ```
    /// use tabiya::{Outcome, Position};
    /// let fen = |fen| Position::from_fen(fen).unwrap().outcome();
    /// assert_eq!(fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), Some(Outcome::Stalemate));
    /// assert_eq!(fen("7k/8/8/8/8/8/8/R3K3 w - - 150 99"), Some(Outcome::SeventyFiveMoves));
    /// // Mate on the same ply.
    /// assert!(fen("7k/6Q1/6K1/8/8/8/8/8 b - - 150 99").unwrap().winner().is_some());
    /// ```
    #[doc(alias("status", "is_game_over", "result", "termination"))]
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome_with(1)
    }

    /// The same for a position that has occurred this often, including now; see
    /// [`History::occurrences`](crate::History::occurrences).
    ///
    /// ```
    /// use tabiya::{Outcome, Position};
    /// assert_eq!(Position::START.outcome_with(4), None);
    /// assert_eq!(Position::START.outcome_with(5), Some(Outcome::FivefoldRepetition));
    /// ```
    pub fn outcome_with(&self, occurrences: usize) -> Option<Outcome> {
        if !self.has_legal_move() {
            if self.is_check() {
                return Some(Outcome::Checkmate { winner: !self.turn() });
            }
            // A position without moves may also lack material, because of the last move or since
            // earlier. In both cases the lack of material ended the game first.
            let bare = self.is_insufficient_material();
            return Some(if bare { Outcome::InsufficientMaterial } else { Outcome::Stalemate });
        }
        if self.is_insufficient_material() {
            Some(Outcome::InsufficientMaterial)
        } else if self.halfmove_clock() >= AUTOMATIC_PLIES {
            Some(Outcome::SeventyFiveMoves)
        } else if occurrences >= AUTOMATIC_REPETITIONS {
            Some(Outcome::FivefoldRepetition)
        } else {
            None
        }
    }

    /// The draw that a player may claim in this position, which has occurred this often, including
    /// now. `None` if there is none, or if the game is over.
    ///
    /// The fifty-move rule comes first if both apply.
    ///
    /// ```
    /// use tabiya::{Outcome, Position};
    /// let position = Position::from_fen("7k/8/8/8/8/8/8/R3K3 w - - 100 80").unwrap();
    /// assert_eq!(position.claim_with(1), Some(Outcome::FiftyMoves));
    /// assert_eq!(Position::START.claim_with(3), Some(Outcome::ThreefoldRepetition));
    /// assert_eq!(Position::START.claim_with(2), None);
    /// ```
    #[doc(alias("can_claim_draw", "fifty move rule", "threefold"))]
    pub fn claim_with(&self, occurrences: usize) -> Option<Outcome> {
        let claim = self.grounds(occurrences)?;
        if self.outcome_with(occurrences).is_some() { None } else { Some(claim) }
    }

    /// The draw by the fifty-move rule or by the third occurrence, if one of them applies.
    fn grounds(&self, occurrences: usize) -> Option<Outcome> {
        if self.halfmove_clock() >= CLAIM_PLIES {
            Some(Outcome::FiftyMoves)
        } else if occurrences >= CLAIM_REPETITIONS {
            Some(Outcome::ThreefoldRepetition)
        } else {
            None
        }
    }

    /// The draw that the opponent may claim by announcing the move that leads here. A draw that the
    /// move would cause without a claim does not prevent it; other ends of the game do.
    #[cfg(feature = "alloc")]
    pub(crate) fn claim_on_arrival(&self, occurrences: usize) -> Option<Outcome> {
        let claim = self.grounds(occurrences)?;
        match self.outcome_with(occurrences) {
            None | Some(Outcome::SeventyFiveMoves | Outcome::FivefoldRepetition) => Some(claim),
            Some(_) => None,
        }
    }
}
