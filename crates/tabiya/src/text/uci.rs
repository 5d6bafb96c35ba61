//! Moves in the notation of UCI: `e2e4`, `e7e8q`, `e1g1`, or `e1h1` in Chess960.

use core::fmt;
use core::ops::Range;
use core::str::FromStr;

use crate::attacks::DefaultSliders;
use crate::castling::CastlingMode;
use crate::movegen::Restriction;
use crate::moves::Move;
use crate::position::Position;
use crate::role::Role;
use crate::setup::Setup;
use crate::square::Square;

/// The text of a move: two squares, and a role for a promotion. The kind of the move depends on the
/// position.
///
/// ```
/// use tabiya::{Role, Square, UciMove};
/// let promotion: UciMove = "e7e8q".parse().unwrap();
/// assert_eq!((promotion.from, promotion.to), (Square::E7, Square::E8));
/// assert_eq!(promotion.promotion, Some(Role::Queen));
/// assert_eq!(promotion.to_string(), "e7e8q");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UciMove {
    /// The origin square.
    pub from: Square,
    /// The target square; for castling in Chess960 notation, the rook's square.
    pub to: Square,
    /// The role to which a pawn promotes.
    pub promotion: Option<Role>,
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        self.promotion.map_or(Ok(()), |role| write!(f, "{}", role.letter()))
    }
}

impl FromStr for UciMove {
    type Err = UciMoveError;

    fn from_str(text: &str) -> Result<Self, UciMoveError> {
        let error = |start, cause| UciMoveError::new(text, start, cause);
        let square = |start: usize, cause| {
            let part = text.get(start..start + 2).and_then(|part| part.parse().ok());
            part.ok_or_else(|| error(start, cause))
        };
        let from = square(0, UciMoveCause::Origin)?;
        let to = square(2, UciMoveCause::Target)?;
        let promotion = match text.get(4..) {
            None | Some("") => None,
            Some(rest) => Some(promotion(rest).map_err(|(start, cause)| error(start, cause))?),
        };
        Ok(Self { from, to, promotion })
    }
}

impl UciMove {
    /// Reads a move that may contain a hyphen, an equals sign or capital letters, and may have
    /// spaces around it.
    pub(crate) fn parse_lenient(text: &str) -> Result<Self, UciMoveError> {
        text.parse().or_else(|error| lenient(text).ok_or(error))
    }
}

fn lenient(text: &str) -> Option<UciMove> {
    let text = text.trim();
    let (from, rest) = text.split_at_checked(2)?;
    let (to, rest) = rest.strip_prefix('-').unwrap_or(rest).split_at_checked(2)?;
    let promotion = rest.strip_prefix('=').unwrap_or(rest);
    let mut plain = [0; 5];
    let mut len = 0;
    for letter in from.bytes().chain(to.bytes()).chain(promotion.bytes()) {
        *plain.get_mut(len)? = letter.to_ascii_lowercase();
        len += 1;
    }
    core::str::from_utf8(&plain[..len]).ok()?.parse().ok()
}

/// The role named by the letter at the end of a promotion.
fn promotion(rest: &str) -> Result<Role, (usize, UciMoveCause)> {
    let mut letters = rest.chars();
    let role = letters.next().filter(char::is_ascii_lowercase).and_then(Role::from_letter);
    match (role.filter(|role| Role::PROMOTIONS.contains(role)), letters.next()) {
        (Some(role), None) => Ok(role),
        (None, _) => Err((4, UciMoveCause::Promotion)),
        (Some(_), Some(_)) => Err((5, UciMoveCause::Trailing)),
    }
}

/// The error for a string that is not a move.
///
/// ```
/// use tabiya::{UciMove, UciMoveCause};
/// let text = "e2x4";
/// let error = text.parse::<UciMove>().unwrap_err();
/// assert_eq!((error.cause(), &text[error.span()]), (UciMoveCause::Target, "x4"));
/// assert_eq!(error.to_string(), "expected a target square, such as e4");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UciMoveError {
    start: usize,
    end: usize,
    cause: UciMoveCause,
}

/// The cause of an error in the text of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UciMoveCause {
    /// It does not begin with a square.
    Origin,
    /// There is no second square.
    Target,
    /// The fifth letter is not one of `n`, `b`, `r` and `q`.
    Promotion,
    /// There is more text after the move.
    Trailing,
}

impl UciMoveError {
    /// From a place on, or the start of the character there, the text is wrong.
    fn new(text: &str, start: usize, cause: UciMoveCause) -> Self {
        let start = (0..=start.min(text.len())).rev().find(|&at| text.is_char_boundary(at));
        Self { start: start.unwrap_or(0), end: text.len(), cause }
    }

    /// The place of the error in the text, in bytes: all that cannot be read. It is empty if
    /// something is missing.
    pub const fn span(&self) -> Range<usize> {
        self.start..self.end
    }

    /// The cause of the error.
    pub const fn cause(&self) -> UciMoveCause {
        self.cause
    }
}

impl fmt::Display for UciMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.cause {
            UciMoveCause::Origin => "expected an origin square, such as e2",
            UciMoveCause::Target => "expected a target square, such as e4",
            UciMoveCause::Promotion => "a pawn promotes to n, b, r or q",
            UciMoveCause::Trailing => "the move should end here",
        })
    }
}

impl core::error::Error for UciMoveError {}

/// Writing moves of any board.
impl Setup {
    /// The text of a pseudo-legal move of this setup, with castling in the notation of its mode.
    ///
    /// ```
    /// use tabiya::{MoveList, Setup};
    /// let setup = Setup::from_fen("8/8/8/8/8/8/8/7N w - - 0 1").unwrap();
    /// assert_eq!(setup.uci(MoveList::of_setup(&setup).unwrap()[0]).to_string(), "h1f2");
    /// ```
    pub fn uci(&self, mv: Move) -> UciMove {
        self.as_position().uci(mv)
    }
}

/// Reading and writing moves.
impl Position {
    /// The text of a move of this position, with castling in the notation of its
    /// [mode](Self::castling_mode).
    ///
    /// ```
    /// use tabiya::{CastlingMode, Position};
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
    /// let castle = position.parse_uci("e1g1").unwrap();
    /// assert_eq!(position.uci(castle).to_string(), "e1g1");
    /// let chess960 = position.with_castling_mode(CastlingMode::Chess960).unwrap();
    /// assert_eq!(chess960.uci(castle).to_string(), "e1h1");
    /// ```
    #[doc(alias("to_uci", "lan", "coordinate notation", "display_uci_move", "from_move"))]
    pub fn uci(&self, mv: Move) -> UciMove {
        let from = mv.from();
        let rook = match (self.castling_mode(), mv.castling()) {
            (CastlingMode::Chess960, Some(side)) => {
                self.castling_rights().rook(self.turn(), side, from)
            }
            _ => None,
        };
        UciMove { from, to: rook.unwrap_or(mv.to()), promotion: mv.promotion() }
    }

    /// The legal move with this text, if there is one.
    ///
    /// Each legal move has exactly one text. [`parse_uci`](Self::parse_uci) is more lenient.
    #[doc(alias("from_uci", "to_move"))]
    pub fn find_uci(&self, text: UciMove) -> Option<Move> {
        let UciMove { from, to, promotion } = text;
        if let Some(mv) = self.simple_move(from, to, promotion) {
            return self.allows_simple(DefaultSliders::default(), mv).then_some(mv);
        }
        let from = Restriction::UNRESTRICTED.from(from);
        self.legal_moves_within(from).into_iter().find(|&mv| self.uci(mv) == text)
    }
}
