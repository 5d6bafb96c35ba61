//! Which records are wanted: one small expression.

mod parse;

use std::error::Error;
use std::fmt::{self, Debug, Display, Formatter};
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

use crate::record::Record;

/// A condition on records, such as `not check and not capture and abs(score) <= 3000`.
///
/// | names | meaning |
/// | --- | --- |
/// | `check` | the side to move is in check |
/// | `capture`, `promotion`, `castling` | the move is one |
/// | `chess960` | the position is one of Chess960 |
/// | `has_move`, `has_score`, `has_result` | the record has one |
/// | `score` | the score, for the side to move |
/// | `ply` | the plies since the start of the game |
/// | `clock` | the plies since the last capture or pawn move |
/// | `pieces` | the number of pieces on the board, kings included |
/// | `material` | the value of both sides' pieces: pawn 1, knight and bishop 3, rook 5, queen 9 |
/// | `result` | `white`, `draw` or `black`: who won |
/// | `turn` | `white` or `black`: the side to move |
///
/// Numbers compare with `==`, `!=`, `<`, `<=`, `>` and `>=`, and `abs(…)` takes their sign away; results and sides
/// compare with `==` and `!=`. `not` binds stronger than `and`, `and` stronger than `or`; parentheses group. A
/// comparison with a score or a result that the record doesn't have is false.
///
/// ```
/// use tabiya_data::{Filter, Record};
/// let filter: Filter = "ply >= 16 or not capture".parse()?;
/// assert!(filter.accepts(&Record::default()));
/// # Ok::<(), tabiya_data::FilterError>(())
/// ```
#[derive(Clone)]
pub struct Filter {
    text: String,
    holds: Arc<parse::Condition>,
}

impl Filter {
    /// Is this record wanted?
    pub fn accepts(&self, record: &Record) -> bool {
        (self.holds)(record)
    }
}

impl Debug for Filter {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Filter").field(&self.text).finish()
    }
}

impl FromStr for Filter {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Self, FilterError> {
        Ok(Self { text: text.to_owned(), holds: parse::parse(text)?.into() })
    }
}

/// What's wrong with the text of a filter, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterError {
    message: String,
    span: Range<usize>,
}

impl FilterError {
    /// The wrong part of the text, in bytes.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }
}

impl Display for FilterError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for FilterError {}
