//! Moves in the notation of UCI: `e2e4`, `e7e8q`, `e1g1`, or `e1h1` in Chess960.

use core::fmt;
use core::str::FromStr;

use crate::castling::CastlingMode;
use crate::movegen::Restriction;
use crate::moves::Move;
use crate::position::Position;
use crate::role::Role;
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
        let square = |range: core::ops::Range<usize>| {
            let part = text.get(range.clone()).and_then(|part| part.parse().ok());
            part.ok_or(UciMoveError::Square { offset: range.start })
        };
        let (from, to) = (square(0..2)?, square(2..4)?);
        let promotion = match text.get(4..) {
            None | Some("") => None,
            Some(rest) => Some(promotion(rest)?),
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
fn promotion(rest: &str) -> Result<Role, UciMoveError> {
    let mut letters = rest.chars();
    let role = letters.next().filter(char::is_ascii_lowercase).and_then(Role::from_letter);
    match (role.filter(|role| Role::PROMOTIONS.contains(role)), letters.next()) {
        (Some(role), None) => Ok(role),
        (None, _) => Err(UciMoveError::Promotion),
        (Some(_), Some(_)) => Err(UciMoveError::Trailing),
    }
}

/// The error for a string that is not a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UciMoveError {
    /// There is no square where one is expected.
    Square {
        /// Its place, in bytes.
        offset: usize,
    },
    /// The fifth letter is not one of `n`, `b`, `r` and `q`.
    Promotion,
    /// There is more text after the move.
    Trailing,
}

impl UciMoveError {
    /// The place of the error in the text, in bytes.
    pub const fn offset(&self) -> usize {
        match self {
            Self::Square { offset } => *offset,
            Self::Promotion => 4,
            Self::Trailing => 5,
        }
    }
}

impl fmt::Display for UciMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Square { offset: 0 } => "expected an origin square, such as e2",
            Self::Square { .. } => "expected a target square, such as e4",
            Self::Promotion => "a pawn promotes to n, b, r or q",
            Self::Trailing => "the move should end here",
        })
    }
}

impl core::error::Error for UciMoveError {}

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
    #[doc(alias("to_uci", "lan", "coordinate notation"))]
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
        let from = Restriction::UNRESTRICTED.from(text.from);
        self.legal_moves_within(from).into_iter().find(|&mv| self.uci(mv) == text)
    }
}
