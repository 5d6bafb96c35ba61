//! Coloured squares and arrows, as comments describe them.

use std::fmt;

use tabiya::Square;

/// A coloured square or an arrow, as in `[%csl Rd4]` and `[%cal Gg1f3]`.
///
/// ```
/// use tabiya::Square;
/// use tabiya_pgn::{Comment, Mark, MarkColor};
///
/// let comment = Comment::new(b"[%csl Rd4][%cal Gg1f3,Yb1c3] look");
/// let marks: Vec<Mark> = comment.marks().collect();
/// assert_eq!(marks[0], Mark { color: MarkColor::Red, from: Square::D4, to: Square::D4 });
/// assert_eq!(marks[1], Mark { color: MarkColor::Green, from: Square::G1, to: Square::F3 });
/// assert_eq!(marks[2].to_string(), "Yb1c3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mark {
    /// The colour.
    pub color: MarkColor,
    /// The square, or the one where the arrow begins.
    pub from: Square,
    /// The same square, or the one to which the arrow points.
    pub to: Square,
}

/// The colour of a [`Mark`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MarkColor {
    /// `G`
    Green,
    /// `R`
    Red,
    /// `Y`
    Yellow,
    /// `B`
    Blue,
}

impl MarkColor {
    /// All colours with their letters.
    const LETTERS: [(Self, char); 4] =
        [(Self::Green, 'G'), (Self::Red, 'R'), (Self::Yellow, 'Y'), (Self::Blue, 'B')];

    /// The letter in comments.
    pub fn letter(self) -> char {
        Self::LETTERS[self as usize].1
    }
}

impl Mark {
    /// Is it an arrow?
    pub fn is_arrow(&self) -> bool {
        self.from != self.to
    }

    /// Reads `Rd4` or `Gg1f3`.
    pub fn from_bytes(text: &[u8]) -> Option<Self> {
        let text = str::from_utf8(text.trim_ascii()).ok()?;
        let mut letters = text.chars();
        let letter = letters.next()?;
        let (color, _) = MarkColor::LETTERS.into_iter().find(|it| it.1 == letter)?;
        let squares = letters.as_str();
        let (from, to) = match squares.len() {
            2 => (squares, squares),
            4 => squares.split_at_checked(2)?,
            _ => return None,
        };
        Some(Self { color, from: from.parse().ok()?, to: to.parse().ok()? })
    }
}

/// The form that [`Mark::from_bytes`] reads.
impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.color.letter(), self.from)?;
        if self.is_arrow() { write!(f, "{}", self.to) } else { Ok(()) }
    }
}
