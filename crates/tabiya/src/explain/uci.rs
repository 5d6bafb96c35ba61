//! Reading a move that people write, with every reason if it is not legal.

use core::fmt;
use core::ops::Range;

use super::explanation::{Explanation, Refusal};
use super::reason::Reason;
use crate::moves::Move;
use crate::position::Position;
use crate::text::uci::{UciMove, UciMoveError};

/// The reason why a string is not a legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UciError {
    /// The text is not a move.
    Text(UciMoveError),
    /// The text is a move that is not legal in this position.
    Illegal {
        /// The reasons.
        refusal: Refusal,
        /// The length of the text, in bytes.
        len: usize,
    },
}

impl UciError {
    /// The place of the error in the text, in bytes. If the move is not legal, this is the whole
    /// text.
    pub const fn span(&self) -> Range<usize> {
        match self {
            Self::Text(error) => error.span(),
            Self::Illegal { len, .. } => 0..*len,
        }
    }
}

impl From<UciMoveError> for UciError {
    fn from(error: UciMoveError) -> Self {
        Self::Text(error)
    }
}

impl fmt::Display for UciError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(error) => error.fmt(f),
            Self::Illegal { refusal, .. } => refusal.fmt(f),
        }
    }
}

impl core::error::Error for UciError {}

impl Position {
    /// Reads a legal move in any of the forms that people, chess boards and old programs write.
    ///
    /// Castling may be written in the notation of the other mode (`e1h1` in standard chess, `e1g1`
    /// in Chess960). Letters may be in upper or lower case. There may be spaces around the move, a
    /// hyphen between the squares and an equals sign before the promotion: `E2-E4`, `e7e8=Q`. To
    /// read UCI strictly, parse a [`UciMove`] and call [`find_uci`](Self::find_uci).
    ///
    /// # Errors
    /// [`UciError`] gives the place of the error if the text is not a move. If the move is not
    /// legal, it gives every reason.
    ///
    /// ```
    /// use tabiya::Position;
    /// assert!(Position::START.parse_uci("e2e4").is_ok());
    /// assert_eq!(Position::START.parse_uci("e2x4").unwrap_err().span(), 2..4);
    /// assert_eq!(
    ///     Position::START.parse_uci("e2e5").unwrap_err().to_string(),
    ///     "e2e5 is not legal: a pawn on e2 cannot reach e5",
    /// );
    /// assert_eq!(Position::START.parse_uci(" E2-E4"), Position::START.parse_uci("e2e4"));
    /// ```
    #[doc(alias("from_uci", "parse_move", "push_uci", "parse_uci_move", "to_move", "from_str"))]
    pub fn parse_uci(&self, text: &str) -> Result<Move, UciError> {
        let refused = |refusal| UciError::Illegal { refusal, len: text.len() };
        self.explain_uci(text)?.verdict().map_err(refused)
    }

    /// Reads a move in any of the forms that people write, says whether it is legal, and gives
    /// every reason if it is not.
    ///
    /// It accepts the same input as [`parse_uci`](Self::parse_uci), including castling in the
    /// notation of the other mode, and agrees with it about legality.
    ///
    /// # Errors
    /// [`UciMoveError`] if the text is not a move.
    ///
    /// ```
    /// use tabiya::{CastlingMode, Position, Reason};
    /// let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    /// let position = Position::from_fen(fen).unwrap().with_castling_mode(CastlingMode::Chess960).unwrap();
    /// let strict = position.explain("e1g1".parse().unwrap());
    /// assert!(matches!(strict.reasons(), [Reason::CastlingNotation { .. }]));
    /// assert!(position.explain_uci("e1g1").unwrap().is_legal());
    /// assert!(position.explain_uci("castle").is_err());
    /// ```
    pub fn explain_uci(&self, text: &str) -> Result<Explanation, UciMoveError> {
        let text = UciMove::parse_lenient(text)?;
        let explanation = self.explain(text);
        Ok(match explanation.reasons() {
            // The notation does not matter here: explain the castling move that is meant.
            &[Reason::CastlingNotation { instead }, ..] if text.promotion.is_none() => {
                self.explain(instead).of_text(text)
            }
            _ => explanation,
        })
    }
}
