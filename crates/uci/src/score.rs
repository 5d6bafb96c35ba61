//! Scores from the point of view of one side.

use std::cmp::{Ordering, Reverse};
use std::fmt;
use std::ops::Neg;

/// The value of a position for one side. Better scores are greater; `-` is the other side's view.
///
/// ```
/// use tabiya_uci::Score;
/// assert!(Score::Wins(1) > Score::Wins(5) && Score::Wins(5) > Score::Cp(900));
/// assert!(Score::Cp(-900) > Score::Loses(5) && Score::Loses(5) > Score::Loses(0));
/// assert_eq!(-Score::Wins(3), Score::Loses(3));
/// let texts = [Score::Cp(35), Score::Wins(3), Score::Loses(0)].map(|score| score.to_string());
/// assert_eq!(texts, ["+0.35", "#3", "#-0"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Score {
    /// Hundredths of a pawn.
    Cp(i32),
    /// The side mates in this many of its moves; 0: it has mated.
    Wins(u32),
    /// The side is mated in this many of its opponent's moves; 0: it is mated.
    Loses(u32),
}

impl Neg for Score {
    type Output = Self;

    fn neg(self) -> Self {
        match self {
            Self::Cp(value) => Self::Cp(value.saturating_neg()),
            Self::Wins(moves) => Self::Loses(moves),
            Self::Loses(moves) => Self::Wins(moves),
        }
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |score: &Self| match *score {
            Self::Loses(moves) => (0, moves, 0, Reverse(0)),
            Self::Cp(value) => (1, 0, value, Reverse(0)),
            Self::Wins(moves) => (2, 0, 0, Reverse(moves)),
        };
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Score {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cp(value) => write!(out, "{:+.2}", f64::from(*value) / 100.0),
            Self::Wins(moves) => write!(out, "#{moves}"),
            Self::Loses(moves) => write!(out, "#-{moves}"),
        }
    }
}

/// How a score bounds the real one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Bound {
    /// It's the score.
    #[default]
    Exact,
    /// The real score is at least this.
    Lower,
    /// The real score is at most this.
    Upper,
}
