//! Why a call cannot be carried out, and how that is told.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::PathBuf;

use crate::output::style;

/// Why a call cannot be carried out.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Standard output cannot be written to.
    Write(io::Error),
    /// A file cannot be written to.
    File {
        /// Which.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// An argument is wrong.
    Argument(Diagnostic),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::Argument(diagnostic)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = match self {
            Self::Argument(diagnostic) => return diagnostic.fmt(f),
            Self::Write(error) => format!("the output cannot be written: {error}"),
            Self::File { path, error } => {
                format!("{} cannot be written: {error}", path.display())
            }
        };
        Diagnostic::new(message).fmt(f)
    }
}

/// What is wrong with an argument, where, and what would help.
///
/// ```text
/// error: rank 4 of the board has 9 squares, not 8
///   8/8/8/8/PPPPPPPPP/8/8/8 w - - 0 1
///           ^^^^^^^^^
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Diagnostic {
    message: String,
    place: Option<Place>,
    hint: Option<String>,
}

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    text: String,
    span: Range<usize>,
}

impl Place {
    /// The text, or a part of a long one, and the columns before the span and inside of it.
    fn shown(&self) -> (String, usize, usize) {
        // No more of a text is shown than so many letters, of them so many before the span.
        const MOST: usize = 100;
        const BEFORE: usize = 40;
        let Self { text, span } = self;
        let columns = |bytes: Range<usize>| text.get(bytes).map_or(0, |part| part.chars().count());
        let (before, inside) = (columns(0..span.start), columns(span.clone()).max(1));
        let all = columns(0..text.len());
        if all <= MOST {
            return (printable(text), before, inside);
        }
        let first = before.saturating_sub(BEFORE).min(all - MOST);
        let part: String = text.chars().skip(first).take(MOST).collect();
        let begin = if first > 0 { "…" } else { "" };
        let end = if first + MOST < all { "…" } else { "" };
        let (before, inside) =
            (before - first, inside.min(MOST + first - before.min(first + MOST)));
        let before = before + begin.chars().count();
        (format!("{begin}{}{end}", printable(&part)), before, inside.max(1))
    }
}

impl Diagnostic {
    /// Something is wrong.
    pub(crate) fn new(message: impl fmt::Display) -> Self {
        Self { message: message.to_string(), place: None, hint: None }
    }

    /// The place of the trouble: so many bytes of a text.
    #[must_use]
    pub(crate) fn at(self, text: &str, span: Range<usize>) -> Self {
        Self { place: Some(Place { text: text.to_owned(), span }), ..self }
    }

    /// What would help.
    #[must_use]
    pub(crate) fn hint(self, hint: impl fmt::Display) -> Self {
        Self { hint: Some(hint.to_string()), ..self }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (error, error_end) = style::ends(style::ERROR);
        writeln!(f, "{error}error:{error_end} {}", self.message)?;
        if let Some(place) = &self.place {
            let (line, before, inside) = place.shown();
            writeln!(f, "  {line}")?;
            writeln!(f, "  {:before$}{error}{:^<inside$}{error_end}", "", "")?;
        }
        if let Some(hint) = &self.hint {
            let (tip, tip_end) = style::ends(style::HINT);
            writeln!(f, "{tip}hint:{tip_end} {hint}")?;
        }
        Ok(())
    }
}

/// The text with every control character as a space, so that it stays on its line and no
/// terminal takes part of it for a command.
fn printable(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(diagnostic: &Diagnostic) -> String {
        anstream::adapter::strip_str(&diagnostic.to_string()).to_string()
    }

    #[test]
    fn carets_stand_under_the_span() {
        let diagnostic = Diagnostic::new("bad").at("ab♔cd ef", 5..7).hint("look");
        assert_eq!(plain(&diagnostic), "error: bad\n  ab♔cd ef\n     ^^\nhint: look\n");
    }

    #[test]
    fn an_empty_span_at_the_end_still_has_a_caret() {
        assert_eq!(plain(&Diagnostic::new("short").at("ab", 2..2)), "error: short\n  ab\n    ^\n");
    }

    #[test]
    fn of_long_texts_a_part_is_shown() {
        let text = format!("{}bad{}", "é".repeat(70_000), "y".repeat(70_000));
        let lines = |span| plain(&Diagnostic::new("long").at(&text, span));
        let middle = lines(140_000..140_003);
        let (before, after) = ("é".repeat(40), "y".repeat(57));
        assert_eq!(middle, format!("error: long\n  …{before}bad{after}…\n  {:41}^^^\n", ""));
        let first = lines(0..2);
        assert_eq!(first, format!("error: long\n  {}…\n  ^\n", "é".repeat(100)));
        let all = lines(0..text.len());
        assert_eq!(all, format!("error: long\n  {}…\n  {}\n", "é".repeat(100), "^".repeat(100)));
        let end = lines(text.len()..text.len());
        assert_eq!(end, format!("error: long\n  …{}\n  {:101}^\n", "y".repeat(100), ""));
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        let text = plain(&Diagnostic::new("bad").at("a\u{1b}[2Jb\nc", 0..1));
        assert_eq!(text, "error: bad\n  a [2Jb c\n  ^\n");
    }
}
