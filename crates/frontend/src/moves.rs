//! Moves from text: what is not a move, and lists of moves.

use std::ops::Range;

use tabiya::{Explanation, Position};

use crate::InputError;

/// Why a text is not a move in UCI.
///
/// ```
/// use tabiya::Position;
/// use tabiya_frontend::{InputError, explain};
/// let error = explain::explain(&Position::START, "Nf3").unwrap_err();
/// assert_eq!(error.to_string(), "Nf3 looks like SAN, but moves are read in UCI");
/// assert!(error.hint().unwrap().contains("e2e4"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct MoveTextError {
    input: String,
    span: Range<usize>,
    message: String,
    is_san: bool,
}

impl MoveTextError {
    /// Does the text look like SAN, such as `e4`, `Nf3` or `O-O`?
    pub fn looks_like_san(&self) -> bool {
        self.is_san
    }
}

impl InputError for MoveTextError {
    fn input(&self) -> &str {
        &self.input
    }

    fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    fn hint(&self) -> Option<String> {
        self.is_san.then(|| {
            "UCI writes both squares, such as e2e4, g1f3 or e1g1 for castling; \
             a promotion adds a letter: e7e8q"
                .to_owned()
        })
    }
}

/// Reads a move in UCI and explains it.
pub(crate) fn explain(position: &Position, text: &str) -> Result<Explanation, MoveTextError> {
    position.explain_uci(text).map_err(|error| {
        let mut start = error.offset().min(text.len());
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        let is_san = is_san(text.trim());
        let message = if is_san {
            format!("{} looks like SAN, but moves are read in UCI", text.trim())
        } else {
            error.to_string()
        };
        MoveTextError { input: text.to_owned(), span: start..text.len(), message, is_san }
    })
}

/// Does a text have the form of a move in standard algebraic notation?
fn is_san(text: &str) -> bool {
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    if matches!(text, "O-O" | "O-O-O" | "0-0" | "0-0-0") {
        return true;
    }
    let (is_pawn, rest) = match text.strip_prefix(['K', 'Q', 'R', 'B', 'N']) {
        Some(rest) => (false, rest),
        None => (true, text),
    };
    // A promotion: `e8=Q` or `e8Q`.
    let rest = match rest.strip_suffix(['Q', 'R', 'B', 'N']) {
        Some(rest) if is_pawn => rest.strip_suffix('=').unwrap_or(rest),
        _ => rest,
    };
    let Some((before, target)) = rest.len().checked_sub(2).and_then(|at| rest.split_at_checked(at))
    else {
        return false;
    };
    if target.parse::<tabiya::Square>().is_err() {
        return false;
    }
    let (origin, is_capture) = match before.strip_suffix('x') {
        Some(origin) => (origin, true),
        None => (before, false),
    };
    let is_file = |text: &str| matches!(text.as_bytes(), [b'a'..=b'h']);
    let is_rank = |text: &str| matches!(text.as_bytes(), [b'1'..=b'8']);
    if is_pawn {
        // `e4` or `dxe5`; `e2e4` is not SAN.
        return if is_capture { is_file(origin) } else { origin.is_empty() };
    }
    let is_square = origin.parse::<tabiya::Square>().is_ok();
    origin.is_empty() || is_file(origin) || is_rank(origin) || is_square
}

/// The places of the words in a list of moves, which commas or spaces separate.
pub(crate) fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let is_separator = |letter: char| letter == ',' || letter.is_whitespace();
    let mut end = 0;
    text.split_inclusive(is_separator)
        .map(move |word| {
            let start = end;
            end += word.len();
            start..start + word.trim_end_matches(is_separator).len()
        })
        .filter(|place| !place.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_separated_by_commas_and_spaces() {
        let text = " e2e4, e7e5  g1f3,é\u{a0}e2e4,";
        let found: Vec<&str> = words(text).map(|range| &text[range]).collect();
        assert_eq!(found, ["e2e4", "e7e5", "g1f3", "é", "e2e4"]);
        let starts: Vec<usize> = words("aa a,a aa").map(|range| range.start).collect();
        assert_eq!(starts, [0, 3, 5, 7]);
    }

    #[test]
    fn san_is_recognised_by_its_form() {
        for san in [
            "e4", "dxe5", "Nf3", "Nbd7", "R1e2", "Qh4e1", "Nxe5", "Nbxd7+", "Qh5#", "e8=Q", "e8Q",
            "dxe8=N+", "O-O", "O-O-O+", "0-0", "e4!?", "Kd2",
        ] {
            assert!(is_san(san), "{san}");
        }
        for other in [
            "", "e", "e9", "e2e4", "e2-e4", "e7e8q", "Zf3", "xe4", "Nx", "e2xe4", "é4", "né",
            "O-O-O-O", "Ne8=Q", "e2e", "castle", "1e4", "+",
        ] {
            assert!(!is_san(other), "{other}");
        }
    }

    #[test]
    fn spans_are_boundaries_of_characters() {
        for text in ["ééé", "aé", "e2éé", "e2e4é", "e7e8é", "e7e8qé", "", "e", "e2", "é"]
        {
            let error = explain(&Position::START, text).unwrap_err();
            assert_eq!(error.input(), text);
            assert!(text.get(error.span()).is_some(), "{text}: {:?}", error.span());
            assert_eq!(error.looks_like_san(), text == "e2", "{text}");
            assert_eq!(error.hint().is_some(), text == "e2", "{text}");
        }
    }
}
