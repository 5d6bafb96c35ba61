//! Which records are wanted: one small expression.

mod parse;

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::ops::Range;
use std::str::FromStr;

use tabiya::{CastlingMode, Color, Move, Role};

use crate::record::{GameResult, Record};

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter(Condition);

impl Filter {
    /// Is this record wanted?
    pub fn accepts(&self, record: &Record) -> bool {
        self.0.holds(record)
    }
}

impl FromStr for Filter {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Self, FilterError> {
        parse::parse(text).map(Self)
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

#[derive(Clone, Debug, PartialEq, Eq)]
enum Condition {
    Flag(Flag),
    Number(Number, Comparison, Number),
    Result(bool, GameResult),
    Turn(bool, Color),
    Not(Box<Self>),
    And(Box<Self>, Box<Self>),
    Or(Box<Self>, Box<Self>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flag {
    Check,
    Capture,
    Promotion,
    Castling,
    Chess960,
    HasMove,
    HasScore,
    HasResult,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Number {
    Constant(i64),
    Score,
    Ply,
    Clock,
    Pieces,
    Material,
    Abs(Box<Self>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Equal,
    Different,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Condition {
    fn holds(&self, record: &Record) -> bool {
        match self {
            Self::Flag(flag) => flag.holds(record),
            Self::Number(one, comparison, other) => match (one.of(record), other.of(record)) {
                (Some(one), Some(other)) => comparison.holds(one, other),
                _ => false,
            },
            Self::Result(is_equal, wanted) => {
                record.result.is_some_and(|result| (result == *wanted) == *is_equal)
            }
            Self::Turn(is_equal, wanted) => (record.position.turn() == *wanted) == *is_equal,
            Self::Not(one) => !one.holds(record),
            Self::And(one, other) => one.holds(record) && other.holds(record),
            Self::Or(one, other) => one.holds(record) || other.holds(record),
        }
    }
}

impl Flag {
    fn holds(self, record: &Record) -> bool {
        let is_move = |test: fn(Move) -> bool| record.mv.is_some_and(test);
        match self {
            Self::Check => record.position.is_check(),
            Self::Capture => is_move(Move::is_capture),
            Self::Promotion => is_move(Move::is_promotion),
            Self::Castling => is_move(|mv| mv.castling().is_some()),
            Self::Chess960 => record.position.castling_mode() == CastlingMode::Chess960,
            Self::HasMove => record.mv.is_some(),
            Self::HasScore => record.score.is_some(),
            Self::HasResult => record.result.is_some(),
        }
    }
}

impl Number {
    fn of(&self, record: &Record) -> Option<i64> {
        let board = record.position.board();
        Some(match self {
            Self::Constant(number) => *number,
            Self::Score => record.score?.into(),
            Self::Ply => record.ply.into(),
            Self::Clock => record.position.halfmove_clock().into(),
            Self::Pieces => board.occupied().len().into(),
            Self::Material => {
                let value = |(role, value)| value * i64::from(board.role(role).len());
                VALUES.into_iter().map(value).sum()
            }
            Self::Abs(number) => number.of(record)?.abs(),
        })
    }
}

const VALUES: [(Role, i64); 5] =
    [(Role::Pawn, 1), (Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)];

impl Comparison {
    fn holds(self, one: i64, other: i64) -> bool {
        match self {
            Self::Equal => one == other,
            Self::Different => one != other,
            Self::Less => one < other,
            Self::AtMost => one <= other,
            Self::Greater => one > other,
            Self::AtLeast => one >= other,
        }
    }
}
