//! Errors, and how they are printed.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::PathBuf;

use crate::output::{printable, style};

/// The reason why a command cannot do its work.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Standard output cannot be written to.
    Write(io::Error),
    /// A file cannot be written to.
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// An argument is invalid.
    Argument(Diagnostic),
}

impl Failure {
    /// Is the reader of standard output gone? It may have read enough, as in `tabiya moves | head -1`.
    pub(crate) fn is_of_reader(&self) -> bool {
        matches!(self, Self::Write(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
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

/// An error in an argument or an input, its place, and a suggested correction.
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

/// A part of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    text: String,
    span: Range<usize>,
}

impl Place {
    /// The text, or a part of it if it is long; the number of columns before the span; and the
    /// number of columns of the span.
    fn shown(&self) -> (String, usize, usize) {
        // The number of letters that are shown of a long text, and how many of them precede the
        // span.
        const MAX_LETTERS: usize = 100;
        const MAX_BEFORE: usize = 40;
        let Self { text, span } = self;
        let columns = |bytes: Range<usize>| text.get(bytes).map_or(0, |part| part.chars().count());
        let (before, inside) = (columns(0..span.start), columns(span.clone()).max(1));
        let all = columns(0..text.len());
        if all <= MAX_LETTERS {
            return (printable(text), before, inside);
        }
        let first = before.saturating_sub(MAX_BEFORE).min(all - MAX_LETTERS);
        let part: String = text.chars().skip(first).take(MAX_LETTERS).collect();
        let begin = if first > 0 { "…" } else { "" };
        let end = if first + MAX_LETTERS < all { "…" } else { "" };
        let (before, inside) =
            (before - first, inside.min(MAX_LETTERS + first - before.min(first + MAX_LETTERS)));
        let before = before + begin.chars().count();
        (format!("{begin}{}{end}", printable(&part)), before, inside.max(1))
    }
}

impl Diagnostic {
    /// Creates an error with this message.
    pub(crate) fn new(message: impl fmt::Display) -> Self {
        Self { message: message.to_string(), place: None, hint: None }
    }

    /// Adds the place of the error: a range of bytes of `text`.
    #[must_use]
    pub(crate) fn at(self, text: &str, span: Range<usize>) -> Self {
        Self { place: Some(Place { text: text.to_owned(), span }), ..self }
    }

    /// Adds advice.
    #[must_use]
    pub(crate) fn hint(self, hint: impl fmt::Display) -> Self {
        Self { hint: Some(hint.to_string()), ..self }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (error, error_end) = style::ends(style::ERROR);
        writeln!(f, "{error}error:{error_end} {}", printable(&self.message))?;
        if let Some(place) = &self.place {
            let (line, before, inside) = place.shown();
            writeln!(f, "  {line}")?;
            writeln!(f, "  {:before$}{error}{:^<inside$}{error_end}", "", "")?;
        }
        if let Some(hint) = &self.hint {
            let (tip, tip_end) = style::ends(style::HINT);
            writeln!(f, "{tip}hint:{tip_end} {}", printable(hint))?;
        }
        Ok(())
    }
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
    fn a_part_of_a_long_text_is_shown() {
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
        let diagnostic = Diagnostic::new("\u{1b}[2Jbad").at("a\u{1b}[2Jb\nc", 0..1);
        let text = plain(&diagnostic.hint("look\u{1b}[2J\u{7}"));
        assert_eq!(text, "error:  [2Jbad\n  a [2Jb c\n  ^\nhint: look [2J \n");
    }
}
