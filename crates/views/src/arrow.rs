//! Arrows on a board, from text.

use std::fmt;
use std::ops::Range;

use tabiya::Square;

use crate::InputError;

/// An arrow from one square to another; a ring if both are the same square.
///
/// ```
/// use tabiya::Square;
/// use tabiya_views::{Arrow, ArrowColor};
/// let arrow = Arrow::parse("e2e4:red").unwrap();
/// assert_eq!(arrow, Arrow { from: Square::E2, to: Square::E4, color: ArrowColor::Red });
/// assert_eq!(Arrow::parse("g1-f3").unwrap().color, ArrowColor::Green);
/// assert_eq!(Arrow::parse("e2e4:pink").unwrap_err().to_string(),
///     "the colours of arrows are green, red, blue, orange, purple and grey");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Arrow {
    /// The square where it begins.
    pub from: Square,
    /// The square of its head.
    pub to: Square,
    /// Its colour.
    pub color: ArrowColor,
}

/// The colour of an [`Arrow`].
///
/// ```
/// use tabiya_views::ArrowColor;
/// assert_eq!(ArrowColor::default().name(), "green");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum ArrowColor {
    #[default]
    Green,
    Red,
    Blue,
    Orange,
    Purple,
    Grey,
}

impl ArrowColor {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Green, Self::Red, Self::Blue, Self::Orange, Self::Purple, Self::Grey];

    /// The name, such as `red`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Green => "green",
            Self::Red => "red",
            Self::Blue => "blue",
            Self::Orange => "orange",
            Self::Purple => "purple",
            Self::Grey => "grey",
        }
    }
}

impl fmt::Display for ArrowColor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Arrow {
    /// Reads two squares, and optionally a colon and a colour: `e2e4`, `e2-e4`, `e2e4:red`.
    ///
    /// # Errors
    /// [`ArrowError`] if a square or the colour cannot be read.
    pub fn parse(text: &str) -> Result<Self, ArrowError> {
        let (squares, color) = match text.split_once(':') {
            Some((squares, color)) => (squares, Some(color)),
            None => (text, None),
        };
        let (from, to) = two_squares(text, squares)?;
        let color = match color {
            None => ArrowColor::default(),
            Some(name) => {
                let named = ArrowColor::ALL.into_iter().find(|color| color.name() == name);
                named.ok_or_else(|| {
                    ArrowError::new(text, squares.len() + 1..text.len(), Expected::Color)
                })?
            }
        };
        Ok(Self { from, to, color })
    }
}

/// Reads a move as two squares, such as `e2e4` or `e7-e8`. The letter of a promotion may follow.
///
/// The move does not have to be legal on any board: this is for highlighting.
///
/// # Errors
/// [`ArrowError`] if there are not two squares.
///
/// ```
/// use tabiya::Square;
/// use tabiya_views::squares_of_move;
/// assert_eq!(squares_of_move("e7e8q").unwrap(), (Square::E7, Square::E8));
/// ```
pub fn squares_of_move(text: &str) -> Result<(Square, Square), ArrowError> {
    let squares = text.strip_suffix(['n', 'b', 'r', 'q']).unwrap_or(text);
    two_squares(text, squares)
}

/// The two squares at the start of the text.
fn two_squares(text: &str, squares: &str) -> Result<(Square, Square), ArrowError> {
    let square = |range: Range<usize>| {
        let read = squares.get(range.clone()).and_then(|part| part.parse().ok());
        read.ok_or_else(|| {
            let start = range.start.min(squares.len());
            let start = if squares.is_char_boundary(start) { start } else { 0 };
            ArrowError::new(text, start..squares.len(), Expected::Squares)
        })
    };
    let from = square(0..2)?;
    let second = if squares[2..].starts_with('-') { 3 } else { 2 };
    Ok((from, square(second..squares.len().max(second))?))
}

/// The error for a string that is not an arrow or a move to highlight.
///
/// ```
/// use tabiya_views::{Arrow, InputError};
/// let error = Arrow::parse("e2e9").unwrap_err();
/// assert_eq!(error.to_string(), "expected two squares, such as e2e4");
/// assert_eq!(error.span(), 2..4);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{expected}")]
pub struct ArrowError {
    input: String,
    span: Range<usize>,
    expected: Expected,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum Expected {
    #[error("expected two squares, such as e2e4")]
    Squares,
    #[error("the colours of arrows are green, red, blue, orange, purple and grey")]
    Color,
}

impl ArrowError {
    fn new(input: &str, span: Range<usize>, expected: Expected) -> Self {
        Self { input: input.to_owned(), span, expected }
    }
}

impl InputError for ArrowError {
    fn input(&self) -> &str {
        &self.input
    }

    fn span(&self) -> Range<usize> {
        self.span.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_is_read_and_named_in_the_error() {
        for color in ArrowColor::ALL {
            let arrow = Arrow::parse(&format!("a1h8:{color}")).unwrap();
            assert_eq!(arrow, Arrow { from: Square::A1, to: Square::H8, color });
            assert!(Expected::Color.to_string().contains(color.name()));
        }
    }

    #[test]
    fn errors_point_at_their_place() {
        for (text, span) in [
            ("", 0..0),
            ("e", 0..1),
            ("e9e4", 0..4),
            ("e2", 2..2),
            ("e2e", 2..3),
            ("e2-", 3..3),
            ("e2e44", 2..5),
            ("e2é4", 2..5),
            ("éé", 0..4),
            ("e2e4:", 5..5),
            ("e2e4:Red", 5..8),
            ("e2:red", 2..2),
        ] {
            let error = Arrow::parse(text).unwrap_err();
            assert_eq!((error.input(), error.span()), (text, span), "{text}");
            assert!(text.get(error.span()).is_some());
        }
    }

    #[test]
    fn a_move_to_highlight_may_promote() {
        assert_eq!(squares_of_move("e7-e8r"), Ok((Square::E7, Square::E8)));
        for wrong in ["e7e8k", "e7e8:red", "e7", "q", "e7e8qq"] {
            assert!(squares_of_move(wrong).is_err(), "{wrong}");
        }
    }
}
